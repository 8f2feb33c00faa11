/**
 * Work of which one is done at a time: asked for while it is done, it is done once more behind that.
 * @param work never rejects
 * @returns does it; resolves when all of it that was asked for until then is done
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
