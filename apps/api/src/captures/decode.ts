import { filetimeText } from "xel-parser/format";
import { readEvents } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import { chunksOf } from "./event-file.ts";

/** Reads one file's events; the worker gives a version that does it on another core. */
export type DecodeFile = (
  file: { readonly path: string; readonly name: string; readonly size: number },
  /** `at` is the time of the last event read, UTC, ISO 8601. */
  onProgress: (bytesDone: number, events: number, at: string | null) => void,
) => Promise<EventColumns>;

/** Reads one file's events on this thread. */
export const decodeHere: DecodeFile = ({ path, name, size }, onProgress) =>
  readEvents(chunksOf(path), name, {
    fileBytes: size,
    onProgress: (bytesDone, events, lastTicks) =>
      onProgress(bytesDone, events, lastTicks === null ? null : filetimeText(lastTicks)),
  });
