import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openQuestion, settled } from "../../test/answers.tsx";
import { ProblemError } from "./problem.ts";
import { useRequest } from "./use-request.ts";

const refused = new ProblemError("internal", 500, "The disk of the server is full.");

test("the answer is handed over once", async () => {
  const { question, asked } = openQuestion<number>("a");
  const { result } = renderHook(useRequest);
  const onAnswer = vi.fn();
  await settled(() => result.current.send(question, onAnswer));
  expect(onAnswer).not.toHaveBeenCalled();
  await asked[0]?.answer(7);
  expect(onAnswer.mock.calls).toEqual([[7]]);
  expect(result.current.error).toBeNull();
});

test("only the newest request counts, however late the others are answered", async () => {
  const [first, second] = [openQuestion<string>("a"), openQuestion<string>("b")];
  const { result } = renderHook(useRequest);
  const onAnswer = vi.fn();
  await settled(() => {
    result.current.send(first.question, onAnswer);
    result.current.send(second.question, onAnswer);
  });
  expect(first.asked[0]?.signal.aborted).toBe(true);
  await second.asked[0]?.answer("second");
  await first.asked[0]?.answer("first");
  expect(onAnswer.mock.calls).toEqual([["second"]]);
  expect(result.current.error).toBeNull();
});

test("an answer that ignores the abort is not handed over either", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { result } = renderHook(useRequest);
  const onAnswer = vi.fn();
  await settled(() => result.current.send({ key: "deaf", ask: () => promise }, onAnswer));
  await settled(() => result.current.cancel());
  await settled(() => resolve("late"));
  expect(onAnswer).not.toHaveBeenCalled();
});

test("a failure is a sentence until the request is sent once more", async () => {
  const { question, asked } = openQuestion<string>("a");
  const { result } = renderHook(useRequest);
  const onAnswer = vi.fn();
  await settled(() => result.current.send(question, onAnswer));
  await asked[0]?.fail(refused);
  expect(result.current.error).toBe("The disk of the server is full.");
  await settled(() => result.current.retry());
  expect(result.current.error).toBeNull();
  await asked[1]?.answer("yes");
  expect(onAnswer.mock.calls).toEqual([["yes"]]);
});

test("why it failed is forgotten when the network is back, and nothing is done that nobody asks for any more", async () => {
  const { question, asked } = openQuestion<string>("a");
  const { result } = renderHook(useRequest);
  await settled(() => result.current.send(question, vi.fn()));
  await asked[0]?.fail(new ProblemError("network", 0, "The server does not answer."));
  expect(result.current.error).toBe("The server does not answer.");
  await settled(() => window.dispatchEvent(new Event("online")));
  expect(result.current.error).toBeNull();
  expect(asked).toHaveLength(1);
});

test("leaving the screen aborts it", async () => {
  const { question, asked } = openQuestion<string>("a");
  const { result, unmount } = renderHook(useRequest);
  await settled(() => result.current.send(question, () => undefined));
  unmount();
  expect(asked[0]?.signal.aborted).toBe(true);
});
