/** A thread that reads one file's events and hands the columns over without a copy. */
import { checkpoint, starter, workInBackground } from "../threads/inside.ts";
import { decodeHere } from "./decode.ts";
import { buffersOfEvents } from "@aglens/ag-model/replication";
import type { DecodeMessages } from "./decode-pool.ts";

const REPORT_MS = 100;
let last = 0;

const { data: file, send } = starter<DecodeMessages>();
workInBackground();
const columns = await decodeHere(file, (bytesDone, events, at) => {
  checkpoint();
  if (performance.now() - last < REPORT_MS) return;
  last = performance.now();
  send({ kind: "progress", bytesDone, events, at });
});
send({ kind: "decoded", columns }, buffersOfEvents({ columns }));
