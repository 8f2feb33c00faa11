/** Progress of a file that one thread writes while others read it. */

/** States of an arrival, in the lowest bits of the cell; the bytes are in the others. */
const COMING = 0n;
const WHOLE = 1n;
const BROKEN = 2n;
const STATES = 4n;

/** One 64-bit number in shared memory. */
export type ArrivalCell = BigInt64Array<SharedArrayBuffer>;

/** Thrown to readers of bytes that will not arrive; the writer has the reason. */
export class BrokenOffError extends Error {}

export class SharedArrival {
  readonly cell: ArrivalCell;
  /** State at the last read. */
  #seen = COMING;

  /** @param cell of the arrival as another thread has it; a new one without it */
  constructor(cell: ArrivalCell = new BigInt64Array(new SharedArrayBuffer(8))) {
    this.cell = cell;
  }

  /** So many bytes are there. */
  reach(bytes: number): void {
    this.#set(BigInt(bytes) * STATES);
  }

  /** No more bytes will arrive, and the file is complete at its final path. */
  end(): void {
    this.#set(Atomics.load(this.cell, 0) - this.#state() + WHOLE);
  }

  /** No more bytes will arrive. A complete arrival does not change. */
  breakOff(): void {
    if (this.#state() === COMING) this.#set(Atomics.load(this.cell, 0) + BROKEN);
  }

  get isComplete(): boolean {
    return this.#state() === WHOLE;
  }

  /** Whether the arrival continues and has fewer bytes than this. */
  lacks(bytes: number): boolean {
    return this.#state() === COMING && Number(Atomics.load(this.cell, 0) / STATES) < bytes;
  }

  /** As `Arrival.behind`. @throws BrokenOffError */
  behind(offset: number): number | null {
    this.#seen = Atomics.load(this.cell, 0);
    const state = this.#seen % STATES;
    if (state === BROKEN) throw new BrokenOffError("The file did not come.");
    const bytes = Number(this.#seen / STATES);
    return bytes > offset || state === WHOLE ? bytes - offset : null;
  }

  /** Resolves when more bytes have arrived since the last call of `behind`. */
  get more(): Promise<unknown> {
    const { async, value } = Atomics.waitAsync(this.cell, 0, this.#seen);
    return async ? value : Promise.resolve();
  }

  #state(): bigint {
    return Atomics.load(this.cell, 0) % STATES;
  }

  #set(value: bigint): void {
    Atomics.store(this.cell, 0, value);
    Atomics.notify(this.cell, 0);
  }
}
