/**
 * Runs work one at a time: a request during the work runs it once more afterwards.
 * @param work never rejects
 * @returns function that does the work; it resolves when all work requested until then is done
 */
export function again(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    running = work().finally(() => {
      if (next === null) running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(begin);
    return next;
  };
}
