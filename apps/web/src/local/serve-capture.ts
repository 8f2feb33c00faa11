/** The thread of one capture: it analyzes the capture, then answers questions about it until it is ended. */
import { CaptureWork } from "./capture-work.ts";
import type { KeptTables } from "./kept-store.ts";
import type { FromCapture, ToCapture } from "./messages.ts";
import { problemOfError } from "./problem-of-error.ts";
import type { ThreadScope } from "./thread.ts";

export function serveCapture(thread: ThreadScope<ToCapture, FromCapture>): void {
  let work: CaptureWork | null = null;
  const hear = async (message: ToCapture): Promise<void> => {
    try {
      if (message.kind === "analyse") {
        const made = await CaptureWork.analyse(
          message.capture,
          (progress) => thread.send({ kind: "progress", progress }),
          (preview) => thread.send({ kind: "preview", preview }),
        );
        const { tables } = (work = made.work);
        thread.send({ kind: "analysed", analysed: made.analysed });
        prepare(work.prepare(), () => thread.send({ kind: "tables", tables: blobsOf(tables) }));
        return;
      }
      if (message.kind === "open") {
        work = await CaptureWork.open(message.capture);
        thread.send({ kind: "opened", file: null });
        prepare(work.prepare(), () => {});
        return;
      }
      if (message.kind === "unpack") {
        const unpacked = await CaptureWork.unpack(message.file);
        const { tables } = (work = unpacked.work);
        thread.send({ kind: "opened", file: unpacked.opened });
        prepare(work.prepare(), () => thread.send({ kind: "tables", tables: blobsOf(tables) }));
        return;
      }
      if (work === null) throw new Error("The capture is asked before it is analyzed.");
      if (message.kind === "sources") return work.giveSources(message.sources);
      if (message.kind === "save") {
        const file = await work.save(message.what);
        return thread.send({ kind: "saved", number: message.number, file });
      }
      const answer = await work.ask(message.question);
      thread.send({ kind: "answer", number: message.number, answer }, [answer.bytes.buffer as ArrayBuffer]);
    } catch (error) {
      const number = "number" in message ? message.number : null;
      thread.send({ kind: "refused", number, problem: problemOfError(error) });
    }
  };
  thread.onMessage((message) => void hear(message));
}

/**
 * Runs one step at a time, so that questions that arrived meanwhile are answered first. Columns that cannot be
 * prepared, for example for lack of memory, are skipped: questions then compute them.
 * @param onEnd called when nothing is left to prepare
 */
function prepare(steps: Generator<void>, onEnd: () => void): void {
  try {
    if (steps.next().done === true) return onEnd();
  } catch {
    return;
  }
  setTimeout(() => prepare(steps, onEnd));
}

/** Blobs are handed over without a copy, and a browser may keep them on its own disk. */
const blobsOf = (tables: CaptureWork["tables"]): KeptTables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, bytes]) => [name, new Blob([bytes as Uint8Array<ArrayBuffer>])]),
  );
