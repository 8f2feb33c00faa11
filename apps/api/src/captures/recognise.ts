/** What an uploaded file is. Light to load, because each upload starts a thread with it. */
import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { EventColumns } from "@aglens/ag-model/events";
import { recogniseFile as recogniseReadable } from "@aglens/engine/files";
import type { ReadableFile, Recognised } from "@aglens/engine/files";
import { chunksOf, sourceOf } from "./event-file.ts";

export interface FileToRecognise {
  readonly path: string;
  readonly name: string;
}

/** What is learned of a .xel file while it is recognised. */
export interface RecognitionNotes {
  /** Called with its events. */
  readonly onColumns?: (columns: EventColumns) => void;
  /** Called with its bytes in order, as far as they are read. */
  readonly onBytes?: (bytes: Uint8Array) => void;
}

/**
 * Reads a file to find what it is. What cannot be read is an answer, not an error; a file of events that were saved as text is a .xel
 * file afterwards.
 */
export async function recogniseFile(
  { path, name }: FileToRecognise,
  { onColumns, onBytes }: RecognitionNotes = {},
): Promise<Recognised> {
  const aside = `${path}.made`;
  const replace = async (bytes: AsyncIterable<Uint8Array>): Promise<ReadableFile> => {
    await pipeline(bytes, createWriteStream(aside));
    await rename(aside, path);
    return readableAt(path, name);
  };
  try {
    return await recogniseReadable(await readableAt(path, name, onBytes), { replace, onColumns });
  } finally {
    await rm(aside, { force: true });
  }
}

async function readableAt(
  path: string,
  name: string,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<ReadableFile> {
  return {
    name,
    size: (await stat(path)).size,
    bytes: () => sourceOf(path, onBytes),
    chunks: () => chunksOf(path),
    head: (length) => readHead(path, length),
  };
}

async function readHead(path: string, length: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
