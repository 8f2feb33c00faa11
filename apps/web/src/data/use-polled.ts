import { useEffect } from "react";
import { type Answer, type Question, useAnswer } from "./use-answer.ts";

/** The answer to a question, asked again in an interval while the page is visible, and at once when it becomes visible. */
export function usePolled<T>(question: Question<T> | null, everyMs: number): Answer<T> {
  const answer = useAnswer(question);
  const { retry } = answer;
  useEffect(() => {
    if (question === null) return undefined;
    const ask = (): void => {
      if (!document.hidden) retry();
    };
    const timer = setInterval(ask, everyMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [question, retry, everyMs]);
  return answer;
}
