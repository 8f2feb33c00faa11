/** A thread that answers about many small captures, and keeps those asked last. */
import type { CaptureModel } from "@aglens/ag-model/replication";
import { starter } from "../../threads/inside.ts";
import { reportOn } from "./answer-report.ts";
import type { HeldCapture } from "./answer-thread.ts";
import { FarReader } from "../kept/far-files.ts";
import { readModel } from "../kept/model-files.ts";
import { openAt } from "../kept/random-access.ts";
import type { SharedAnswerMessages } from "./shared-answer-thread.ts";

const { data, send, onMessages } = starter<SharedAnswerMessages>();
const far = new FarReader(send);

interface Held {
  readonly model: Promise<CaptureModel>;
  readonly bytes: number;
}

/** By folder, in order of use, the last used last. */
const held = new Map<string, Held>();

function opened(capture: HeldCapture): Promise<CaptureModel> {
  const { folder, stored } = capture;
  const checksums = stored?.files ?? {};
  const bytes = Object.values(checksums).reduce((sum, each) => sum + each.bytes, 0);
  const found = held.get(folder) ?? { model: readModel(folder, checksums), bytes };
  held.delete(folder);
  held.set(folder, found);
  // Tables that could not be read are read again by the next question: they may have been healed.
  found.model.catch(() => held.delete(folder));
  let total = [...held.values()].reduce((sum, each) => sum + each.bytes, 0);
  for (const [oldest, each] of held) {
    if (total <= data.mostBytes || oldest === folder) break;
    held.delete(oldest);
    total -= each.bytes;
  }
  return found.model;
}

export function run(): void {
  onMessages((message) => {
    if (message.kind === "forget") {
      held.delete(message.folder);
      return;
    }
    if (message.kind !== "ask") return far.take(message);
    const { capture, question, farSizes } = message;
    const open = far.opener(farSizes, openAt(capture.paths));
    void reportOn({ model: opened(capture), open }, question).then((report) => {
      send(report, report.kind === "answer" ? [report.answer.bytes.buffer as ArrayBuffer] : []);
    });
  });
}
