/** Work that is done elsewhere. */
export interface Job<T> {
  readonly done: Promise<T>;
  /** Rejects the result at once, and waits until the thread has ended and its memory is free. */
  cancel(): Promise<void>;
}

/** Thrown out of `done` after `cancel`. */
export class CancelledError extends Error {}
