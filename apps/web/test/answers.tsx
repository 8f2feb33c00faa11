/** Components with their own memory for answers, and answers that arrive when a test resolves them. */
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "@testing-library/react";
import type { ReactNode } from "react";
import { createAnswers } from "../src/data/answers.ts";
import type { Question } from "../src/data/use-answer.ts";

/** A wrapper for `render` and `renderHook`: no answer to another test is remembered. */
export function withAnswers(): (props: { readonly children: ReactNode }) => ReactNode {
  const answers = createAnswers();
  return ({ children }) => <QueryClientProvider client={answers}>{children}</QueryClientProvider>;
}

/** One request of a question. */
export interface Asked<T> {
  readonly signal: AbortSignal;
  readonly answer: (value: T) => Promise<void>;
  readonly fail: (error: unknown) => Promise<void>;
}

/** A question whose answers wait for the test; `asked` has one entry for each request. */
export function openQuestion<T>(key: string): { readonly question: Question<T>; readonly asked: Asked<T>[] } {
  const asked: Asked<T>[] = [];
  const ask = (signal: AbortSignal): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    asked.push({
      signal,
      answer: (value) => settled(() => resolve(value)),
      fail: (error) => settled(() => reject(error)),
    });
    return promise;
  };
  return { question: { key, ask }, asked };
}

/** Runs an action, and the reactions of React and the answers to it. */
export async function settled(run: () => void = () => undefined): Promise<void> {
  await act(async () => {
    run();
    // Components get an answer in a separate task, which begins after the answer has arrived.
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
}
