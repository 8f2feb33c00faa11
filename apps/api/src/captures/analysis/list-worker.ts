/** A thread that makes the index of a capture's events, and ends. */
import { encodeEvents } from "@aglens/contract";
import { buffersIn, listEvents } from "@aglens/ag-model/replication";
import { starter, workInBackground } from "../../threads/inside.ts";
import type { ListMessages } from "./list-thread.ts";

const { send, onMessages, close } = starter<ListMessages>();
workInBackground();
onMessages((events) => {
  const stored = encodeEvents(listEvents(events));
  send(stored, [...buffersIn(stored)]);
  close();
});
