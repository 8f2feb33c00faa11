/** A thread that holds one analysed capture and answers questions about it, one after the other, until it is ended. */
import { ProblemError } from "../problems.ts";
import { onMessages, tell, threadData } from "../threads/inside.ts";
import type { AnswerReport, HeldCapture } from "./answer-thread.ts";
import { readModel } from "./model-files.ts";
import { answer } from "./questions.ts";
import type { Question } from "./questions.ts";

const { folder, paths } = threadData as HeldCapture;
const model = readModel(folder);

async function report(question: Question): Promise<AnswerReport> {
  try {
    return { answer: await answer(await model, question, paths) };
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error.problem };
    throw error;
  }
}

onMessages((question) => {
  void report(question as Question).then((told) => {
    const bytes = "answer" in told ? told.answer.bytes : null;
    tell(told, bytes === null ? [] : [bytes.buffer as ArrayBuffer]);
  });
});
