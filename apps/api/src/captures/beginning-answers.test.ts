import { expect, test } from "vitest";
import type { Question } from "@aglens/engine/answers";
import { BeginningAnswers } from "./beginning-answers.ts";
import type { GrowingBeginning } from "./beginning.ts";
import type { Captures } from "./captures.ts";

const QUESTION: Question = { ask: "markers" };

/** A beginning of so many bytes in each answer. */
function beginningOf(bytes: number) {
  const asked: Question[] = [];
  const beginning: GrowingBeginning = {
    grown: null,
    open: () => Promise.reject(new Error("Nobody opens it.")),
    ask: (question) => {
      asked.push(question);
      return Promise.resolve({ type: "json", bytes: new Uint8Array(bytes) });
    },
    end: () => Promise.resolve(),
  };
  return { beginning, asked };
}

test("are asked once of a beginning, and again of the next one of the same capture", async () => {
  const [first, second] = [beginningOf(3), beginningOf(5)];
  let now = first;
  const captures = { analyses: { beginning: () => Promise.resolve(now.beginning) } };
  const answers = new BeginningAnswers(captures as unknown as Captures);
  const size = async () => (await answers.ask("c", QUESTION, new AbortController().signal))?.size;
  expect([await size(), await size()]).toEqual([3, 3]);
  now = second;
  expect([await size(), await size()]).toEqual([5, 5]);
  expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
});
