/** A thread that reads one file's events and hands the columns over without a copy. */
import { parentPort, workerData } from "node:worker_threads";
import { decodeHere } from "./decode.ts";
import type { DecodeFile } from "./decode.ts";
import type { DecodeReport } from "./decode-pool.ts";

const REPORT_MS = 100;
let last = 0;

function tell(report: DecodeReport, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(report, transfer);
}

const file = workerData as Parameters<DecodeFile>[0];
const columns = await decodeHere(file, (bytesDone, events) => {
  if (performance.now() - last < REPORT_MS) return;
  last = performance.now();
  tell({ report: "progress", bytesDone, events });
});
const buffers = Object.values(columns).flatMap((value: unknown) =>
  ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
);
tell({ report: "decoded", columns }, [...new Set(buffers)]);
