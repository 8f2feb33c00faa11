import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isAbort, sentenceOf } from "./problem.ts";
import type { Question } from "./use-answer.ts";

/** A question that is asked once after an action of the user, unlike the data that a component shows (`useAnswer`). */
export interface Request {
  /** Asks, and passes on the answer. A newer request, or `cancel`, aborts it: its answer is ignored. */
  readonly send: <T>(question: Question<T>, onAnswer: (answer: T) => void) => void;
  readonly cancel: () => void;
  /** The newest request is on its way. */
  readonly isAsking: boolean;
  /** Reason why the newest request has no answer, as a sentence; null while it is pending or has been answered. */
  readonly error: string | null;
  /** Sends the newest request again. */
  readonly retry: () => void;
}

/** Requests of one kind, of which only the newest counts. Leaving the screen aborts it. */
export function useRequest(): Request {
  const [error, setError] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const running = useRef<AbortController | null>(null);
  const newest = useRef<() => void>(() => undefined);
  const cancel = useCallback(() => {
    running.current?.abort();
    setError(null);
    setAsking(false);
  }, []);
  const send = useCallback(
    <T>(question: Question<T>, onAnswer: (answer: T) => void): void => {
      const start = async (): Promise<void> => {
        cancel();
        const abort = (running.current = new AbortController());
        setAsking(true);
        try {
          const answer = await question.ask(abort.signal);
          if (abort.signal.aborted) return;
          setAsking(false);
          onAnswer(answer);
        } catch (failure) {
          if (abort.signal.aborted) return;
          setAsking(false);
          if (!isAbort(failure)) setError(sentenceOf(failure));
        }
      };
      newest.current = () => void start();
      newest.current();
    },
    [cancel],
  );
  const retry = useCallback(() => newest.current(), []);
  useEffect(() => {
    // Requests that failed without a network are dropped: to send one later would surprise a user who has moved on.
    const forget = (): void => setError(null);
    window.addEventListener("online", forget);
    return () => window.removeEventListener("online", forget);
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return useMemo(() => ({ send, cancel, isAsking, error, retry }), [send, cancel, isAsking, error, retry]);
}
