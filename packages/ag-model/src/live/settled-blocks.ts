/** Time for which a settled block is remembered, µs: its last events have left the window before it ends. */
const GENERATION_US = 30_000_000;
/** More blocks than the window of events ever contains. */
const MOST_OF_GENERATION = 100_000;
/** Bytes of memory for a number and its place in a map; measured with V8. */
const BYTES_PER_BLOCK = 80;

/** Numbers of the blocks that settled in the last half minute or longer, so that no block counts twice. */
export class SettledBlocks {
  #now = new Map<number, Map<bigint, number>>();
  #before = new Map<number, Map<bigint, number>>();
  #since = 0;
  #count = 0;
  #countBefore = 0;

  /** Approximate number of bytes of memory. */
  get bytes(): number {
    return (this.#count + this.#countBefore) * BYTES_PER_BLOCK;
  }

  /** The block's number in the run; -1 when it has not settled or settled long ago. */
  numberOf(database: number, blockId: bigint): number {
    return this.#now.get(database)?.get(blockId) ?? this.#before.get(database)?.get(blockId) ?? -1;
  }

  /** @param time µs of the run */
  add(database: number, blockId: bigint, number: number, time: number): void {
    if (time - this.#since > GENERATION_US || this.#count >= MOST_OF_GENERATION) {
      this.#before = this.#now;
      this.#countBefore = this.#count;
      this.#now = new Map();
      this.#count = 0;
      this.#since = time;
    }
    let ofDatabase = this.#now.get(database);
    if (ofDatabase === undefined) this.#now.set(database, (ofDatabase = new Map<bigint, number>()));
    ofDatabase.set(blockId, number);
    this.#count++;
  }
}
