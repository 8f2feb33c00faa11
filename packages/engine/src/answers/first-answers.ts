/** Answers that are computed in advance: a capture's overview begins with most of them. */
import { keptAddresses } from "@aglens/contract";
import type { FirstSummary } from "@aglens/contract";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { answer } from "./answer.ts";
import type { Answer, Question } from "./answer.ts";
import { QUESTION_ROUTES } from "./question-routes.ts";

export interface FirstAnswer extends Answer {
  /** `questionKey` of the answered question. */
  readonly key: string;
}

/** Key of a question: equal for equal questions from the same route. */
export const questionKey = (question: Question): string => JSON.stringify(question);

/** No first question reads events from source files. */
const NO_SOURCES = () => Promise.resolve(null);

/**
 * The question of an address below a capture's, as `keptAddresses` returns it. @throws Error for an address without a
 * route
 */
export function questionAt(address: string): Question {
  const [path = "", query = ""] = address.split("?");
  const route = QUESTION_ROUTES.find((each) => each.path === path);
  if (route === undefined) throw new Error(`No question is asked at ${path}.`);
  return route.question({}, Object.fromEntries(new URLSearchParams(query)));
}

/**
 * Computes the answers that the first picture needs. A prediction and Waiting replay the entire capture, which the
 * first picture does not wait for: the first request for them stores them.
 */
export function firstAnswers(model: CaptureModel, summary: FirstSummary): Promise<FirstAnswer[]> {
  const questions = keptAddresses(summary).map(questionAt);
  return Promise.all(
    questions
      .filter(({ ask }) => ask !== "whatIf" && ask !== "waiting")
      .map(async (question) => ({
        ...(await answer(model, question, NO_SOURCES)),
        key: questionKey(question),
      })),
  );
}
