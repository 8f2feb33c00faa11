/**
 * The items of batches one after the other, and the result of the batches at the end. An async generator would do the
 * same, but it creates several promises per item, which take longer than reading an event; this creates one.
 */
export class OneByOne<T, R> implements AsyncGenerator<T, R, void> {
  readonly #batches: AsyncGenerator<readonly T[], R, void>;
  #batch: readonly T[] = [];
  #next = 0;
  /** Calls that wait for a batch; later calls wait after them. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(batches: AsyncGenerator<readonly T[], R, void>) {
    this.#batches = batches;
  }

  next(): Promise<IteratorResult<T, R>> {
    if (this.#waiting === 0 && this.#next < this.#batch.length) return Promise.resolve(this.#take());
    return this.#inTurn(() => this.#readOn());
  }

  return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    return this.#inTurn(async () => {
      this.#batch = [];
      return (await this.#batches.return(value)) as IteratorReturnResult<R>;
    });
  }

  throw(error: unknown): Promise<IteratorResult<T, R>> {
    return this.#inTurn(async () => {
      this.#batch = [];
      return (await this.#batches.throw(error)) as IteratorReturnResult<R>;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(undefined as R);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): IteratorYieldResult<T> {
    return { done: false, value: this.#batch[this.#next++] };
  }

  async #readOn(): Promise<IteratorResult<T, R>> {
    while (this.#next >= this.#batch.length) {
      const batch = await this.#batches.next();
      if (batch.done === true) return batch;
      this.#batch = batch.value;
      this.#next = 0;
    }
    return this.#take();
  }

  #inTurn(step: () => Promise<IteratorResult<T, R>>): Promise<IteratorResult<T, R>> {
    this.#waiting++;
    const result = this.#last.then(step).finally(() => this.#waiting--);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
