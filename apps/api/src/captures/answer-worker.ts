/** A thread that holds one analysed capture and answers questions about it, one after the other, until it is ended. */
import { ProblemError } from "../problems.ts";
import { rankColumns } from "@aglens/ag-model/columns";
import { prepareDistributions } from "@aglens/ag-model/query";
import { endAsked, starter } from "../threads/inside.ts";
import { checksumOf } from "../store/checksum.ts";
import type { AnswerMessages, AnswerReport } from "./answer-thread.ts";
import { readModel } from "./model-files.ts";
import { answer } from "./questions.ts";
import type { Question } from "./questions.ts";

const { data, send, onMessages } = starter<AnswerMessages>();
const model = readModel(data.folder, data.checksums);
// Each question reports what is wrong with it.
model.catch(() => {});

async function reportOn(question: Question): Promise<AnswerReport> {
  try {
    const given = await answer(await model, question, data.paths);
    return { kind: "answer", answer: { ...given, digest: checksumOf(given.bytes).sha256 } };
  } catch (error) {
    if (error instanceof ProblemError) return { kind: "problem", problem: error.problem };
    throw error;
  }
}

/** What ranges need is made between questions, a column at a time, as soon as the first picture is out. */
let ranking: Promise<void> | null = null;

async function rankBetweenQuestions(): Promise<void> {
  const capture = await model;
  for (const columns of [rankColumns(capture), prepareDistributions(capture)])
    while (!endAsked() && columns.next().done !== true) {
      // Questions that came meanwhile go first.
      await new Promise(setImmediate);
    }
}

onMessages((question) => {
  void reportOn(question).then((report) => {
    send(report, report.kind === "answer" ? [report.answer.bytes.buffer as ArrayBuffer] : []);
    if (report.kind === "answer") ranking ??= rankBetweenQuestions();
  });
});
