import { useEffect, useState } from "react";

interface Answer<T> {
  /** Last answer; the one before stays until the next arrives, so that nothing flickers. */
  readonly value: T | null;
  readonly error: string | null;
}

/** Dragging asks again and again; only a pause is worth a request. */
const PAUSE_MS = 90;

/** Asks when `ask` changes (keep it stable), aborts what is no longer wanted. Null asks nothing. */
export function useAnswer<T>(ask: ((signal: AbortSignal) => Promise<T>) | null): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, error: null });
  useEffect(() => {
    if (!ask) return undefined;
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      try {
        const value = await ask(abort.signal);
        if (!abort.signal.aborted) setAnswer({ value, error: null });
      } catch (error) {
        if (abort.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        setAnswer((before) => ({ value: before.value, error: message }));
      }
    };
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [ask]);
  return answer;
}
