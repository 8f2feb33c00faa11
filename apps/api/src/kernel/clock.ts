/** Clock of captures and live runs; tests have a clock of their own. */
export interface Clock {
  /** ms since 1970, UTC. */
  now(): number;
  /** Calls once, after `ms`; at once for a time in the past, but never before it returns. @returns cancels it */
  after(ms: number, call: () => void): () => void;
  /** Calls again and again, each time after `ms`. @returns ends it */
  every(ms: number, call: () => void): () => void;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
  every: (ms, call) => {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
};

/** Waits; an abort ends it early, without an error. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = clock.after(ms, done);
    function done(): void {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}
