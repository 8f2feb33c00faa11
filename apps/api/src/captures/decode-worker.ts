/** A thread that reads one file's events and hands the columns over without a copy. */
import { checkpoint, tell, threadData } from "../threads/inside.ts";
import { decodeHere } from "./decode.ts";
import type { DecodeFile } from "./decode.ts";
import type { DecodeReport } from "./decode-pool.ts";

const REPORT_MS = 100;
let last = 0;

const file = threadData as Parameters<DecodeFile>[0];
const columns = await decodeHere(file, (bytesDone, events, at) => {
  checkpoint();
  if (performance.now() - last < REPORT_MS) return;
  last = performance.now();
  tell({ report: "progress", bytesDone, events, at } satisfies DecodeReport);
});
const buffers = Object.values(columns).flatMap((value: unknown) =>
  ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
);
tell({ report: "decoded", columns } satisfies DecodeReport, [...new Set(buffers)]);
