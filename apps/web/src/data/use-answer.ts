import { skipToken, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ProblemError, sentenceOf } from "./problem.ts";

/** A question to the server. Two questions with equal keys have the same answer. */
export interface Question<T> {
  readonly key: string;
  /** Rejects with ProblemError, or with an AbortError when `signal` fires. */
  readonly ask: (signal: AbortSignal) => Promise<T>;
  /** The subject of the question changes on the server: every screen that opens asks again. */
  readonly changes?: boolean;
}

/** State of the answer to a question. */
export interface Answer<T> {
  /** The answer, or the previous question's answer while this one is pending or failed; null before the first. */
  readonly value: T | null;
  /** True while `value` answers the question before this one. */
  readonly isStale: boolean;
  /** Reason why there is no answer, as a sentence; null while it is pending or has arrived. */
  readonly error: string | null;
  /** Code of the server's refusal; null without one. */
  readonly code: string | null;
  /** Asks again. */
  readonly retry: () => void;
}

export interface AnswerOptions {
  /** False where an answer to another question would be wrong to show. */
  readonly keepsValue?: boolean;
  /** A dragged range changes its question with every frame: only a pause of so many ms is worth a request. */
  readonly pauseMs?: number;
  /** True where the first question of a screen needs no pause: only later ones can be those of a drag. */
  readonly beginsAtOnce?: boolean;
  /** The question is asked again after so long while the page is visible, and at once when it becomes visible. */
  readonly everyMs?: number;
}

/** For questions about a range that is dragged and changes with every frame. The first range was not dragged. */
export const WHEN_DRAGGED: AnswerOptions = { pauseMs: 90, beginsAtOnce: true };

/**
 * Asks the server and keeps the answer. A question that is no longer needed is aborted; a failed one is asked again by
 * `retry`, when the network is back and when the user returns to the window. Null asks nothing.
 */
export function useAnswer<T>(
  question: Question<T> | null,
  { keepsValue = true, pauseMs = 0, beginsAtOnce = false, everyMs }: AnswerOptions = {},
): Answer<T> {
  const [last, setLast] = useState<{ readonly value: T } | null>(null);
  const pausedMs = beginsAtOnce && last === null ? 0 : pauseMs;
  const { data, error, refetch } = useQuery<T>({
    queryKey: [question?.key ?? null],
    queryFn:
      question === null
        ? skipToken
        : async ({ signal }) => {
            if (pausedMs > 0) await pause(pausedMs, signal);
            return question.ask(signal);
          },
    ...(question?.changes === true ? { staleTime: 0, gcTime: 0 } : {}),
    // Neither cancels a request that runs.
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs, refetchOnWindowFocus: true }),
  });
  if (data !== undefined && !Object.is(last?.value, data)) setLast({ value: data });
  const kept = keepsValue && question !== null ? (last?.value ?? null) : null;
  const value = data ?? kept;
  const isStale = data === undefined && kept !== null;
  return useMemo(
    () => ({
      value,
      isStale,
      error: error === null ? null : sentenceOf(error),
      code: error instanceof ProblemError ? error.code : null,
      retry: () => void refetch(),
    }),
    [value, isStale, error, refetch],
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
