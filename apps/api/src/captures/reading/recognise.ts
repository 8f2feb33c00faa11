/** Recognizes an uploaded file. The module is small to load, because each upload starts a thread with it. */
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { recognizeFile as recognizeReadable } from "@aglens/engine/files";
import type { ReadableFile, RecognizeOptions, Recognized } from "@aglens/engine/files";
import { sourceOf } from "xel-parser/commands";
import type { ByteSource } from "xel-parser/format";
import { chunksOf } from "../kept/event-file.ts";
import { bytesAt } from "../kept/random-access.ts";

export interface FileToRecognize {
  readonly path: string;
  readonly name: string;
  /** Folders and zips that it was in, separated by "/". */
  readonly folders?: string;
  /** Bytes of the complete file, where only its beginning was sent because it isn't used. */
  readonly completeBytes?: number | undefined;
}

/** Facts of a .xel file that are found while it is recognized, and how it is read. */
export interface RecognitionNotes extends Pick<
  RecognizeOptions,
  "keepSensitive" | "onColumns" | "preparing" | "onProgress"
> {
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
  /** The first bytes, once they have arrived. */
  readonly head: (length: number) => Promise<Uint8Array>;
}

/**
 * Reads a file to find its kind. An unreadable file is an answer, not an error; a file of events that were saved as
 * text is a .xel file afterwards, and one of other facts has only these.
 */
export async function recognizeFile(
  { path, name, folders = "", completeBytes }: FileToRecognize,
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
    return await recognizeReadable(
      { ...onDisk, path: folders, completeBytes, ...source },
      { ...notes, replace },
    );
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
    head: (length) => bytesAt(path, 0, length),
    tail: (length) => bytesAt(path, -length, length),
  };
}
