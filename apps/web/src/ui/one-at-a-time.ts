/** Runs work that fetches the newest state, one run at a time: callers during a run share the next one. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    return work();
  };
  return () => (next ??= running = running.then(begin, begin));
}
