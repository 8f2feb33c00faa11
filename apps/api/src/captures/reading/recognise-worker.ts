/** A thread that recognizes files, one after the other; the one at hand may still arrive. */
import { buffersOfEvents, prepareEvents } from "@aglens/ag-model/replication";
import { ReadingSoFar } from "@aglens/engine/files";
import { starter, workInBackground } from "../../threads/inside.ts";
import { Arrival } from "./arrival.ts";
import { receiveArriving, receiveFile } from "./received-file.ts";
import type { FileToReceive, ReadFile } from "./received-file.ts";
import type { RecognizerMessages } from "./recognisers.ts";

const { send, onMessages } = starter<RecognizerMessages>();

/** Interval between two reports about a file, ms: people can't read faster ones. */
const TELL_MS = 200;

/** How far the present file has arrived, and its checksum once it is complete. */
let arriving = { arrival: new Arrival(), sha256: Promise.withResolvers<string | null>() };

/** Reports the position in the present file, now and then. */
function told(): ReadingSoFar["add"] {
  const reading = new ReadingSoFar();
  let next = 0;
  let later: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(later);
    later = undefined;
    next = performance.now() + TELL_MS;
    send({ kind: "reading", read: reading.soFar() });
  };
  return (...progress) => {
    reading.add(...progress);
    if (performance.now() >= next) tell();
    // Results so far are sent while the next bytes are on their way.
    else later ??= setTimeout(tell, TELL_MS).unref();
  };
}

/** Only an analysis waits for the prepared events, so the result is sent before they are ready. */
async function sendWhenRead(
  { storedAt, prepares }: FileToReceive,
  reading: Promise<ReadFile>,
): Promise<void> {
  const { received, events: read } = await reading;
  const eventsFollow = storedAt !== undefined && read !== null;
  send({ kind: "received", received, eventsFollow });
  if (!eventsFollow) return;
  const events =
    read.columns !== null && prepares === true
      ? { columns: null, prepared: prepareEvents(read.columns) }
      : read;
  send({ kind: "events", events }, buffersOfEvents(events));
}

export function run(): void {
  workInBackground();
  // An error that the file did not cause ends the thread, with its reason.
  onMessages((task) => {
    if (task.kind === "whole") void sendWhenRead(task.file, receiveFile(task.file));
    if (task.kind === "arriving") {
      const { arrival, sha256 } = (arriving = { arrival: new Arrival(), sha256: Promise.withResolvers() });
      const { file, size } = task;
      void sendWhenRead(
        file,
        receiveArriving({ file, size, arrival, sha256: sha256.promise, onProgress: told() }),
      );
    }
    if (task.kind === "bytes" || task.kind === "end") arriving.arrival.reach(task.bytes);
    if (task.kind === "end") {
      arriving.arrival.end();
      arriving.sha256.resolve(task.sha256);
    }
  });
}
