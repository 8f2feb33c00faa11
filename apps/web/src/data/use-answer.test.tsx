import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openQuestion, settled, withAnswers } from "../../test/answers.tsx";
import { askAgainOnFocus } from "./answers.ts";
import { ProblemError } from "./problem.ts";
import { type AnswerOptions, type Question, useAnswer } from "./use-answer.ts";

askAgainOnFocus();

function ask<T>(first: Question<T> | null, options?: AnswerOptions) {
  const rendered = renderHook((question: Question<T> | null) => useAnswer(question, options), {
    initialProps: first,
    wrapper: withAnswers(),
  });
  const answer = () => {
    const { value, isStale, error } = rendered.result.current;
    return { value, isStale, error };
  };
  return { ...rendered, answer, ask: rendered.rerender };
}

const NOTHING = { value: null, isStale: false, error: null };
const refused = new ProblemError("internal", 500, "The disk of the server is full.");

describe("an answer", () => {
  test("is nothing until it comes", async () => {
    const { question, asked } = openQuestion<string>("a");
    const { answer } = ask(question);
    expect(answer()).toEqual(NOTHING);
    await asked[0]?.answer("yes");
    expect(answer()).toEqual({ value: "yes", isStale: false, error: null });
    expect(asked).toHaveLength(1);
  });

  test("of the question before stays, marked, until the new one comes", async () => {
    const [a, b] = [openQuestion<string>("a"), openQuestion<string>("b")];
    const { answer, ask: change } = ask(a.question);
    await a.asked[0]?.answer("of a");
    change(b.question);
    expect(answer()).toEqual({ value: "of a", isStale: true, error: null });
    await b.asked[0]?.answer("of b");
    expect(answer()).toEqual({ value: "of b", isStale: false, error: null });
  });

  test("of the question before stays, marked, beside the reason why the new one has none", async () => {
    const [a, b] = [openQuestion<string>("a"), openQuestion<string>("b")];
    const { answer, ask: change } = ask(a.question);
    await a.asked[0]?.answer("of a");
    change(b.question);
    await b.asked[0]?.fail(refused);
    expect(answer()).toEqual({ value: "of a", isStale: true, error: "The disk of the server is full." });
  });

  test("of another question is not shown where that would be wrong", async () => {
    const [a, b] = [openQuestion<string>("a"), openQuestion<string>("b")];
    const { answer, ask: change } = ask(a.question, { keepsValue: false });
    await a.asked[0]?.answer("of a");
    change(b.question);
    expect(answer()).toEqual(NOTHING);
  });

  test("that comes after the question has changed is never shown", async () => {
    const [a, b] = [openQuestion<string>("a"), openQuestion<string>("b")];
    const { answer, ask: change } = ask(a.question);
    change(b.question);
    expect(a.asked[0]?.signal.aborted).toBe(true);
    await b.asked[0]?.answer("of b");
    await a.asked[0]?.answer("late");
    expect(answer()).toEqual({ value: "of b", isStale: false, error: null });
  });

  test("that was had before is there at once", async () => {
    const [a, b] = [openQuestion<string>("a"), openQuestion<string>("b")];
    const { answer, ask: change } = ask(a.question);
    await a.asked[0]?.answer("of a");
    change(b.question);
    await b.asked[0]?.answer("of b");
    change(a.question);
    expect(answer()).toEqual({ value: "of a", isStale: false, error: null });
    expect(a.asked).toHaveLength(1);
  });

  test("may be false, zero or empty", async () => {
    const { question, asked } = openQuestion<number>("a");
    const { answer } = ask(question);
    await asked[0]?.answer(0);
    expect(answer()).toEqual({ value: 0, isStale: false, error: null });
  });
});

describe("a question", () => {
  test("of nobody any more is aborted", async () => {
    const { question, asked } = openQuestion<string>("a");
    const { unmount } = ask(question);
    unmount();
    await settled();
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  test("of null asks nothing and has no answer", async () => {
    const a = openQuestion<string>("a");
    const { answer, ask: change } = ask<string>(a.question);
    await a.asked[0]?.answer("of a");
    change(null);
    expect(answer()).toEqual(NOTHING);
    expect(a.asked).toHaveLength(1);
  });

  test("that failed is asked again by retry, which takes the reason away", async () => {
    const { question, asked } = openQuestion<string>("a");
    const { answer, result } = ask(question);
    await asked[0]?.fail(refused);
    expect(answer()).toEqual({ value: null, isStale: false, error: "The disk of the server is full." });
    await settled(() => result.current.retry());
    expect(asked).toHaveLength(2);
    expect(answer().error).toBeNull();
    await asked[1]?.answer("yes");
    expect(answer()).toEqual({ value: "yes", isStale: false, error: null });
  });

  test.each([
    ["the network is back", "online"],
    ["the user comes back to the window", "focus"],
    ["the user comes back to the tab", "visibilitychange"],
  ])("that failed is asked again when %s", async (_, event) => {
    const { question, asked } = openQuestion<string>("a");
    const { answer } = ask(question);
    await settled(() => window.dispatchEvent(new Event("offline")));
    await asked[0]?.fail(new TypeError("Failed to fetch"));
    expect(answer().error).toMatch(/^The server does not answer\./u);
    await settled(() => window.dispatchEvent(new Event(event)));
    await asked[1]?.answer("yes");
    expect(answer()).toEqual({ value: "yes", isStale: false, error: null });
    await settled(() => window.dispatchEvent(new Event("online")));
  });

  test("that was answered is not asked again by any of these", async () => {
    const { question, asked } = openQuestion<string>("a");
    ask(question);
    await asked[0]?.answer("yes");
    for (const event of ["offline", "online", "focus", "visibilitychange"])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await settled(() => window.dispatchEvent(new Event(event)));
    expect(asked).toHaveLength(1);
  });

  test("is asked although the browser believes that it has no network", async () => {
    await settled(() => window.dispatchEvent(new Event("offline")));
    const { question, asked } = openQuestion<string>("a");
    ask(question);
    expect(asked).toHaveLength(1);
    await settled(() => window.dispatchEvent(new Event("online")));
  });

  test("about what changes is asked anew by every screen that opens", async () => {
    const { question, asked } = openQuestion<string>("a");
    const wrapper = withAnswers();
    const open = () => renderHook(() => useAnswer({ ...question, changes: true }), { wrapper });
    const first = open();
    await asked[0]?.answer("old");
    first.unmount();
    await settled();
    const second = open();
    expect(second.result.current.value).toBeNull();
    await asked[1]?.answer("new");
    expect(second.result.current.value).toBe("new");
  });
});

test("a question that is asked at an interval waits for an answer that takes longer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { question, asked } = openQuestion<string>("a");
  const { answer, unmount } = ask(question, { everyMs: 5_000 });
  await settled(() => vi.advanceTimersByTime(12_000));
  expect(asked).toHaveLength(1);
  await asked[0]?.answer("late");
  expect(answer().value).toBe("late");
  await settled(() => vi.advanceTimersByTime(5_000));
  expect(asked).toHaveLength(2);
  unmount();
  vi.useRealTimers();
});

describe("what is dragged", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("asks once, when it has rested for the pause", async () => {
    const questions = ["a", "b", "c"].map((key) => openQuestion<string>(key));
    const { ask: change } = ask(questions[0]?.question ?? null, { pauseMs: 90 });
    for (const { question } of questions) {
      change(question);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await vi.advanceTimersByTimeAsync(89);
    }
    expect(questions.map(({ asked }) => asked.length)).toEqual([0, 0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(questions.map(({ asked }) => asked.length)).toEqual([0, 0, 1]);
  });

  test("is asked at once before the first answer, where a screen opens with it", async () => {
    const [a, b] = [openQuestion<string>("a"), openQuestion<string>("b")];
    const { ask: change } = ask(a.question, { pauseMs: 90, beginsAtOnce: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(a.asked).toHaveLength(1);
    const answered = a.asked[0]?.answer("of a");
    await vi.advanceTimersByTimeAsync(1);
    await answered;
    change(b.question);
    await vi.advanceTimersByTimeAsync(89);
    expect(b.asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(b.asked).toHaveLength(1);
  });
});
