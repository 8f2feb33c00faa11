/** A thread that answers about many small captures, and keeps those asked last. */
import type { CaptureModel } from "@aglens/ag-model/replication";
import { ProblemError } from "@aglens/engine/problems";
import { checksumOf } from "../store/checksum.ts";
import { starter } from "../threads/inside.ts";
import type { AnswerReport, HeldCapture } from "./answer-thread.ts";
import { readModel } from "./model-files.ts";
import { openAt } from "./random-access.ts";
import { answer, type Question } from "@aglens/engine/answers";
import type { SharedAnswerMessages } from "./shared-answer-thread.ts";

const { data, send, onMessages } = starter<SharedAnswerMessages>();

interface Held {
  readonly model: Promise<CaptureModel>;
  readonly bytes: number;
}

/** By folder, in order of use, the last used last. */
const held = new Map<string, Held>();

function opened(capture: HeldCapture): Promise<CaptureModel> {
  const { folder, checksums } = capture;
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

async function reportOn(capture: HeldCapture, question: Question): Promise<AnswerReport> {
  try {
    const given = await answer(await opened(capture), question, openAt(capture.paths));
    return { kind: "answer", answer: { ...given, digest: checksumOf(given.bytes).sha256 } };
  } catch (error) {
    if (error instanceof ProblemError) return { kind: "problem", problem: error.problem };
    throw error;
  }
}

onMessages((message) => {
  if (message.kind === "forget") {
    held.delete(message.folder);
    return;
  }
  void reportOn(message.capture, message.question).then((report) => {
    send(report, report.kind === "answer" ? [report.answer.bytes.buffer as ArrayBuffer] : []);
  });
});
