import { readEvents } from "xel-parser/events";
import type { EventColumns } from "xel-parser/events";
import { chunksOf } from "./recognise.ts";

/** Reads one file's events; the worker gives a version that does it on another core. */
export type DecodeFile = (
  file: { readonly path: string; readonly name: string; readonly size: number },
  onProgress: (bytesDone: number, events: number) => void,
) => Promise<EventColumns>;

/** Reads one file's events on this thread. */
export const decodeHere: DecodeFile = ({ path, name }, onProgress) =>
  readEvents(chunksOf(path), name, { onProgress });
