import { firstAtOrAfter } from "../numbers/index.ts";
import { splitPiece, type Piece } from "./block-pieces.ts";
import { SettledBlocks } from "./settled-blocks.ts";

const RECENT_US = 60_000_000;
const MOST_RECENT_BLOCKS = 50_000;

/** Pieces that follow each other in time, and the run number of their first block. */
export interface Stretch {
  readonly pieces: readonly Piece[];
  readonly firstBlock: number;
}

/** The blocks of the last minute: pieces that have settled, and a tail that later events may still change. */
export class RecentBlocks {
  #ring: Piece[] = [];
  #tail: Piece | undefined;
  /** Run number of the ring's first block. */
  #ringFirst = 0;
  #settled = new SettledBlocks();
  /** Run number of the first block that has not settled. */
  next = 0;
  /** Blocks before this instant of the run have settled, µs. */
  settledTo = 0;

  /** What has not settled; null before the first block. */
  get tail(): Stretch | null {
    return this.#tail === undefined ? null : { pieces: [this.#tail], firstBlock: this.next };
  }

  get unsettled(): number {
    return this.#tail?.blocks.length ?? 0;
  }

  get all(): Stretch {
    return { pieces: this.#withTail(this.#ring), firstBlock: this.#ringFirst };
  }

  /** Run number of a block that has settled; -1 for others. */
  numberOf(database: number, blockId: bigint): number {
    return this.#settled.numberOf(database, blockId);
  }

  /**
   * What begins before `target` settles, the rest is the new tail.
   * @param piece every block that had not settled before
   * @param target µs of the run
   * @param newest to count the last minute from, µs of the run
   */
  settle(piece: Piece, target: number, newest: number): void {
    const { time, database, blockId } = piece.blocks;
    const count = firstAtOrAfter(time, target);
    for (let row = 0; row < count; row++)
      this.#settled.add(database[row], blockId[row], this.next + row, time[row]);
    const [done, tail] = splitPiece(
      piece,
      count,
      firstAtOrAfter(piece.commits.start, target),
      firstAtOrAfter(piece.markers.time, target),
    );
    if (done.blocks.length + done.commits.length + done.markers.length > 0) this.#ring.push(done);
    this.#tail = tail;
    this.next += count;
    this.settledTo = target;
    this.#trim(newest);
  }

  /** The newest pieces: those from an instant on, or with so many blocks at least where they are few. */
  newest(since: number, fewest: number): Stretch {
    let blocks = this.unsettled;
    let firstBlock = this.next;
    let first = this.#ring.length;
    while (first > 0) {
      const { length, time } = this.#ring[first - 1].blocks;
      if (blocks >= fewest && !(time.at(-1)! >= since)) break;
      blocks += length;
      firstBlock -= length;
      first--;
    }
    return { pieces: this.#withTail(this.#ring.slice(first)), firstBlock };
  }

  /** Forgets every block; the next ones begin at `from`, µs of the run. */
  restart(from: number): void {
    this.settledTo = Math.max(this.settledTo, from);
    this.#settled = new SettledBlocks();
    this.#ring = [];
    this.#tail = undefined;
    this.#ringFirst = this.next;
  }

  #withTail(pieces: readonly Piece[]): Piece[] {
    return this.#tail === undefined ? [...pieces] : [...pieces, this.#tail];
  }

  #trim(newest: number): void {
    let held = this.next - this.#ringFirst;
    while (this.#ring.length > 1) {
      const [oldest] = this.#ring;
      const last = oldest.blocks.time.at(-1) ?? oldest.commits.start.at(-1) ?? 0;
      if (held <= MOST_RECENT_BLOCKS && last >= newest - RECENT_US) return;
      this.#ring.shift();
      held -= oldest.blocks.length;
      this.#ringFirst += oldest.blocks.length;
    }
  }
}
