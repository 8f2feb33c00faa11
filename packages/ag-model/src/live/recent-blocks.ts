import { firstAtOrAfter } from "../numbers/index.ts";
import { copyPiece, splitPiece, type Piece } from "./block-pieces.ts";
import { bytesOf } from "./held.ts";
import { SettledBlocks } from "./settled-blocks.ts";

const RECENT_US = 60_000_000;
const MOST_RECENT_BLOCKS = 50_000;

/** Pieces that follow each other in time, and the run number of their first block. */
export interface Period {
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

  /** Blocks that have not settled; null before the first block. */
  get tail(): Period | null {
    return this.#tail === undefined ? null : { pieces: [this.#tail], firstBlock: this.next };
  }

  get unsettled(): number {
    return this.#tail?.blocks.length ?? 0;
  }

  /** Bytes of memory that all of them take. */
  get bytes(): number {
    return this.#withTail(this.#ring).reduce((sum, piece) => sum + bytesOfPiece(piece), this.#settled.bytes);
  }

  get all(): Period {
    return { pieces: this.#withTail(this.#ring), firstBlock: this.#ringFirst };
  }

  /** Run number of a block that has settled; -1 for others. */
  numberOf(database: number, blockId: bigint): number {
    return this.#settled.numberOf(database, blockId);
  }

  /**
   * Settles blocks that begin before `target`; the rest is the new tail.
   * @param piece every block that had not settled before
   * @param target µs of the run
   * @param newest to count the last minute from, µs of the run
   * @param mostBytes beyond which the oldest are forgotten sooner
   * @returns the settled part of the piece
   */
  settle(piece: Piece, target: number, newest: number, mostBytes: number = Infinity): Piece {
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
    if (done.blocks.length + done.commits.length + done.markers.length > 0) this.#ring.push(copyPiece(done));
    this.#tail = tail;
    this.next += count;
    this.settledTo = target;
    this.#trim(newest, mostBytes);
    return done;
  }

  /** The blocks of a range of the run, µs, or the last `fewest` before its end where the range has fewer. */
  between(from: number, to: number, fewest: number): Period {
    const pieces: Piece[] = [];
    let blocks = 0;
    let end = this.next + this.unsettled;
    for (const piece of this.#withTail(this.#ring).toReversed()) {
      const earlier = rowsBefore(piece, to);
      const [until] = splitPiece(piece, ...earlier);
      if (blocks === 0) end -= piece.blocks.length - earlier[0];
      const atLeast = Math.max(0, until.blocks.length - (fewest - blocks));
      const start = Math.min(from, until.blocks.time[atLeast] ?? from);
      const rows = rowsBefore(until, start);
      const [, part] = splitPiece(until, ...rows);
      if (part.blocks.length + part.commits.length + part.markers.length > 0 || pieces.length === 0)
        pieces.unshift(part);
      blocks += part.blocks.length;
      if (rows[0] > 0) break;
    }
    return { pieces, firstBlock: end - blocks };
  }

  /** Drops every block; the next ones begin at `from`, µs of the run. */
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

  #trim(newest: number, mostBytes: number): void {
    let held = this.next - this.#ringFirst;
    let { bytes } = this;
    while (this.#ring.length > 1) {
      const [oldest] = this.#ring;
      const last = oldest.blocks.time.at(-1) ?? oldest.commits.start.at(-1) ?? 0;
      if (held <= MOST_RECENT_BLOCKS && last >= newest - RECENT_US && bytes <= mostBytes) return;
      this.#ring.shift();
      bytes -= bytesOfPiece(oldest);
      held -= oldest.blocks.length;
      this.#ringFirst += oldest.blocks.length;
    }
  }
}

const bytesOfPiece = ({ blocks, hops, commits, markers }: Piece): number =>
  bytesOf(blocks, ...hops, commits, markers);

/** Blocks, commits and markers of a piece that begin before an instant. */
const rowsBefore = ({ blocks, commits, markers }: Piece, instant: number): [number, number, number] => [
  firstAtOrAfter(blocks.time, instant),
  firstAtOrAfter(commits.start, instant),
  firstAtOrAfter(markers.time, instant),
];
