/** One stored event file: its bytes, and what its columns say of it. */
import { createReadStream } from "node:fs";
import type { EventColumns } from "@aglens/ag-model/events";

const CHUNK_BYTES = 1024 * 1024;

/** A file in chunks of a sensible size. */
export function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/** The file that columns were read from. @throws Error for columns of no file */
export function fileOf({ files: [file] }: EventColumns): EventColumns["files"][number] {
  if (file === undefined) throw new Error("These columns were read from no file.");
  return file;
}
