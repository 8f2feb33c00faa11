/** Recognizes an uploaded file. The module is small to load, because each upload starts a thread with it. */
import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { recognizeFile as recognizeReadable } from "@aglens/engine/files";
import type { ReadableFile, RecognizeOptions, Recognized } from "@aglens/engine/files";
import { sourceOf } from "xel-parser/commands";
import type { ByteSource } from "xel-parser/format";
import { chunksOf } from "../kept/event-file.ts";

export interface FileToRecognize {
  readonly path: string;
  readonly name: string;
}

/** Facts of a .xel file that are found while it is recognized, and how it is read. */
export interface RecognitionNotes extends Pick<RecognizeOptions, "onColumns" | "preparing" | "onProgress"> {
  /** All its bytes in order, of a file that still arrives. */
  readonly source?: ArrivingSource;
  /** Called with its bytes in order, as far as they are read. */
  readonly onBytes?: (bytes: Uint8Array) => void;
}

/** The bytes of a file that still arrives. */
export interface ArrivingSource {
  /** Bytes that the client announced for the complete file. */
  readonly size: number;
  readonly bytes: () => ByteSource;
}

/**
 * Reads a file to find its kind. An unreadable file is an answer, not an error; a file of events that were saved as
 * text is a .xel file afterwards.
 */
export async function recognizeFile(
  { path, name }: FileToRecognize,
  { source, onBytes, ...notes }: RecognitionNotes = {},
): Promise<Recognized> {
  const aside = `${path}.made`;
  const replace = async (bytes: AsyncIterable<Uint8Array>): Promise<ReadableFile> => {
    await pipeline(bytes, createWriteStream(aside));
    await rename(aside, path);
    return readableAt(path, name);
  };
  try {
    const onDisk = await readableAt(path, name, onBytes);
    return await recognizeReadable({ ...onDisk, ...source }, { ...notes, replace });
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
