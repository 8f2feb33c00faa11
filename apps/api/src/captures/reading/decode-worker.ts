/** A thread that reads one file's events and hands their columns over without a copy, a piece whenever it is asked for one. */
import { checkpoint, starter, workInBackground } from "../../threads/inside.ts";
import { decodeHere } from "./decode.ts";
import { buffersOfEvents } from "@aglens/ag-model/replication";
import type { DecodeMessages } from "./decode-pool.ts";

const REPORT_MS = 100;
let last = 0;

const { data: file, send, onMessages, close } = starter<DecodeMessages>();
const pieces = decodeHere(file, (bytesDone, events, at) => {
  checkpoint();
  if (performance.now() - last < REPORT_MS) return;
  last = performance.now();
  send({ kind: "progress", bytesDone, events, at });
})[Symbol.asyncIterator]();

async function sendNext(): Promise<void> {
  const { done, value } = await pieces.next();
  if (done === true) return send({ kind: "decoded" });
  send({ kind: "piece", columns: value }, buffersOfEvents({ columns: value }));
}

async function stop(): Promise<void> {
  close();
  await pieces.return?.();
}

export function run(): void {
  workInBackground();
  // An error in the file ends the thread, with its reason.
  onMessages((wanted) => void (wanted === "piece" ? sendNext() : stop()));
}
