/**
 * Does a work that brings the newest there is, one at a time: whoever asks while it is done gets the next one, together with all others
 * who do.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    return work();
  };
  return () => (next ??= running = running.then(begin, begin));
}
