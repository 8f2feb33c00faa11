import { useMutation } from "@tanstack/react-query";
import { isAbort, sentenceOf } from "./problem.ts";

/** An action on the server that the user started. */
export interface Command<A extends readonly unknown[]> {
  readonly run: (...args: A) => void;
  readonly isRunning: boolean;
  /** Why the last run failed, as a sentence; null while it runs and when it went well. */
  readonly error: string | null;
}

/** `work` as a command: whether it runs, and why it failed. */
export function useCommand<A extends readonly unknown[]>(work: (...args: A) => Promise<void>): Command<A> {
  const { mutate, isPending, error } = useMutation({ mutationFn: (args: A) => work(...args) });
  return {
    run: (...args) => mutate(args),
    isRunning: isPending,
    error: error === null || isAbort(error) ? null : sentenceOf(error),
  };
}
