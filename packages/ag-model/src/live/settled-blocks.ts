/** How long a settled block is remembered, µs: its last events are gone from the window by then. */
const GENERATION_US = 30_000_000;

/** Numbers of the blocks that settled in the last half minute or longer, so that none counts twice. */
export class SettledBlocks {
  #now = new Map<number, Map<bigint, number>>();
  #before = new Map<number, Map<bigint, number>>();
  #since = 0;

  /** The block's number in the run; -1 when it has not settled or long ago. */
  numberOf(database: number, blockId: bigint): number {
    return this.#now.get(database)?.get(blockId) ?? this.#before.get(database)?.get(blockId) ?? -1;
  }

  /** @param time µs of the run */
  add(database: number, blockId: bigint, number: number, time: number): void {
    if (time - this.#since > GENERATION_US) {
      this.#before = this.#now;
      this.#now = new Map();
      this.#since = time;
    }
    let ofDatabase = this.#now.get(database);
    if (ofDatabase === undefined) this.#now.set(database, (ofDatabase = new Map<bigint, number>()));
    ofDatabase.set(blockId, number);
  }
}
