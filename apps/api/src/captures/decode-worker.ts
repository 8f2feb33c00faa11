/** A thread that reads one file's events and hands the columns over without a copy. */
import { parentPort, workerData } from "node:worker_threads";
import { decodeHere } from "./analyse.ts";
import type { DecodeReport } from "./decode-pool.ts";

const REPORT_MS = 100;
let last = 0;

const columns = await decodeHere(
  workerData as { path: string; name: string; size: number },
  (bytesDone, events) => {
    if (performance.now() - last < REPORT_MS) return;
    last = performance.now();
    parentPort?.postMessage({ report: "progress", bytesDone, events } satisfies DecodeReport);
  },
);
const buffers = Object.values(columns).flatMap((value: unknown) =>
  ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
);
parentPort?.postMessage({ report: "decoded", columns } satisfies DecodeReport, [...new Set(buffers)]);
