import { sourceOf } from "xel-parser/commands";
import { filetimeText } from "xel-parser/format";
import { readEventPieces } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import type { IncomingBlob } from "../../store/blobs.ts";
import { incomingSource } from "./arrival.ts";
import type { DecodedFile } from "./decoded-files.ts";

export interface FileToDecode {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Present when the file is not complete at its path yet. */
  readonly coming?: IncomingBlob | undefined;
}

/** Reads one file's events, in pieces (`readEventPieces`); the worker has a version that does it on another core. */
export type DecodeFile = (
  file: FileToDecode,
  /** `at` is the time of the last event read, UTC, ISO 8601. */
  onProgress: (bytesDone: number, events: number, at: string | null) => void,
) => AsyncIterable<EventColumns>;

/**
 * Uses the events of files that were read before, by their paths at that time, and reads the other files. Events are
 * used only once: a file whose events are needed again is read again.
 */
export function withDecoded(decoded: readonly DecodedFile[], decode: DecodeFile): DecodeFile {
  const columnsAt = new Map(decoded.flatMap(({ path, columns }) => (columns ? [[path, columns]] : [])));
  return (file, onProgress) => {
    const columns = columnsAt.get(file.path);
    if (columns === undefined) return decode(file, onProgress);
    columnsAt.delete(file.path);
    return only(columns);
  };
}

async function* only(columns: EventColumns): AsyncGenerator<EventColumns> {
  yield columns;
}

/** Reads one file's events on this thread. */
export const decodeHere: DecodeFile = ({ path, name, size, coming }, onProgress) =>
  readEventPieces(coming === undefined ? sourceOf(path) : incomingSource(path, coming), name, {
    fileBytes: size,
    onProgress: (bytesDone, events, lastTicks) =>
      onProgress(bytesDone, events, lastTicks === null ? null : filetimeText(lastTicks)),
  });
