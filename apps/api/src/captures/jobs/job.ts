/** Work that is done elsewhere. */
export interface Job<T> {
  readonly done: Promise<T>;
  /** Refuses the result at once, and waits until the thread has ended; its memory goes with it. */
  cancel(): Promise<void>;
}

/** Thrown out of `done` after `cancel`. */
export class CancelledError extends Error {}
