/**
 * Events whose publish time was moved to another day or century by damage: one of them would extend the complete
 * capture to that time.
 */
import { firstAtOrAfter } from "../numbers/index.ts";
import { fireTime } from "./catalog.ts";
import { gatherEvents, ticksAfter, type EventColumns, type EventFileGap } from "./columns.ts";

/** Code of the gap that counts the skipped events. */
export const FAR_TIME = "far-time";

const TICKS_PER_US = 10;
const DAY_US = 86_400_000_000;
/** Least distance that counts as far, ticks: a session without an event at night has one the next day. */
const FAR_TICKS = DAY_US * TICKS_PER_US;
/** Less than that in units of the high word of ticks, 429 s each: the quick check of every event. */
const FAR_HIGH = 200;
/**
 * Damage in one place makes single wrong times; more of them near each other belong to a session that was quiet for
 * days.
 */
const HANDFUL = 8;
/** The limit of `stray-times.ts` between UTC and a server's counter, µs. */
const MOST_APART_US = 3_600_000_000;

/** Events of a file in the order of the file. */
interface PieceOfFile {
  readonly columns: EventColumns;
  /** Publish times, ticks from one instant on in all pieces. */
  readonly at: Float64Array;
}

/** The last counted event of the earlier pieces. */
interface LastEvent {
  /** As `PieceOfFile.at`. */
  readonly at: number;
  /** UTC minus the server's counter, µs; NaN without a counter. */
  readonly ahead: number;
}

/**
 * Skips the few events of a file that are farther than a day from all others, unless time simply continues from the
 * event before to the one after, or the server's counter advanced as far. Events arrive piece by piece, in the order of
 * the file.
 */
export class FarTimes {
  #base: bigint | undefined;
  /** First and last publish time of the events counted so far, as `PieceOfFile.at`. */
  #from = Infinity;
  #to = -Infinity;
  #last: LastEvent | null = null;
  #count = 0;
  /** Position in the file of the first skipped event, bytes. */
  #offset = 0;

  /** Returns the counted events. @param columns the next piece */
  without(columns: EventColumns): EventColumns {
    if (columns.length === 0) return columns;
    this.#base ??= columns.ticks[columns.length >> 1];
    const rows = this.#jumps(columns) ? this.#rowsThatCount(columns) : null;
    if (rows === null) return this.#see(columns);
    const left = columns.length - rows.length;
    if (this.#count === 0) this.#offset = columns.offset[firstMissing(rows)];
    this.#count += left;
    return this.#see(gatherEvents(columns, rows));
  }

  /** A gap that counts the skipped events; empty where no event was skipped. */
  gaps(): EventFileGap[] {
    if (this.#count === 0) return [];
    const message =
      this.#count === 1
        ? "1 event is skipped: its time is damaged, because it is more than a day from all others."
        : `${this.#count.toLocaleString("en-US")} events are skipped: their times are damaged, because each is more than a day from all others.`;
    return [{ code: FAR_TIME, offset: this.#offset, bytes: 0, message, eventsLost: this.#count }];
  }

  /** Whether any event is about a day or more from the one before it. */
  #jumps({ ticks }: EventColumns): boolean {
    const high = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
    let before = this.#last === null ? high[1] : highOf(this.#base! + BigInt(this.#last.at));
    for (let i = 1; i < high.length; i += 2) {
      const step = high[i] - before;
      if (step > FAR_HIGH || step < -FAR_HIGH) return true;
      before = high[i];
    }
    return false;
  }

  /** Null for all. */
  #rowsThatCount(columns: EventColumns): Uint32Array | null {
    const at = ticksAfter(columns.ticks, this.#base!);
    const isFew = this.#fewTogether(at);
    if (isFew === null) return null;
    const piece = { columns, at };
    const usual = Uint32Array.from(at.keys().filter((row) => !isFew(at[row])));
    const counted = usual.filter((row) => !Number.isNaN(aheadOf(piece, row)));
    const isTrue = (row: number): boolean =>
      !isFew(at[row]) || this.#goesOn(piece, usual, row) || this.#isVouchedFor(piece, counted, row);
    const rows = Uint32Array.from(at.keys().filter(isTrue));
    return rows.length === at.length ? null : rows;
  }

  /**
   * Returns a test for times with no more than a handful of others near them; null where that is true for all, or for
   * none.
   */
  #fewTogether(at: Float64Array): ((time: number) => boolean) | null {
    const times = at.toSorted();
    const few: { readonly from: number; readonly to: number }[] = [];
    let [first, inFew] = [0, 0];
    for (let i = 1; i <= times.length; i++) {
      if (i < times.length && times[i] - times[i - 1] <= FAR_TICKS) continue;
      const [from, to] = [times[first], times[i - 1]];
      const isNearOthers = to >= this.#from - FAR_TICKS && from <= this.#to + FAR_TICKS;
      if (i - first <= HANDFUL && !isNearOthers) {
        few.push({ from, to });
        inFew += i - first;
      }
      first = i;
    }
    const ends = Float64Array.from(few, ({ to }) => to);
    if (inFew === 0 || inFew === times.length) return null;
    return (time) => (few[firstAtOrAfter(ends, time)]?.from ?? Infinity) <= time;
  }

  /** Whether the event is between the usual ones that the file has before and after it. */
  #goesOn({ at }: PieceOfFile, usual: Uint32Array, row: number): boolean {
    const behind = firstAtOrAfter(usual, row);
    const before = behind > 0 ? at[usual[behind - 1]] : this.#last?.at;
    return before !== undefined && behind < usual.length && before <= at[row] && at[row] <= at[usual[behind]];
  }

  /**
   * Whether the counter is as far from UTC as in the usual event before or after. @param counted usual events with a
   * counter
   */
  #isVouchedFor(piece: PieceOfFile, counted: Uint32Array, row: number): boolean {
    const behind = firstAtOrAfter(counted, row);
    const others = [counted[behind - 1], counted[behind]].flatMap((other) =>
      other === undefined ? [] : [aheadOf(piece, other)],
    );
    if (behind === 0 && this.#last !== null) others.push(this.#last.ahead);
    const own = aheadOf(piece, row);
    return others.some((ahead) => Math.abs(own - ahead) <= MOST_APART_US);
  }

  #see(columns: EventColumns): EventColumns {
    const { length, ticks } = columns;
    if (length === 0) return columns;
    const [first, last] = ticksAfter(BigInt64Array.of(ticks[0], ticks[length - 1]), this.#base!);
    this.#from = Math.min(this.#from, first, last);
    this.#to = Math.max(this.#to, first, last);
    const { kind, start, processing } = columns;
    const fire = fireTime(kind[length - 1], start[length - 1], processing[length - 1]);
    const ahead = last / TICKS_PER_US - fire;
    this.#last = { at: last, ahead: Number.isNaN(ahead) ? (this.#last?.ahead ?? Number.NaN) : ahead };
    return columns;
  }
}

/** UTC minus the server's counter, µs; NaN where the event has no counter. */
function aheadOf({ columns: { kind, start, processing }, at }: PieceOfFile, row: number): number {
  return at[row] / TICKS_PER_US - fireTime(kind[row], start[row], processing[row]);
}

const highOf = (ticks: bigint): number => Number(ticks >> 32n);

/** The first row that is not among these. @param rows ascending */
function firstMissing(rows: Uint32Array): number {
  const place = rows.findIndex((row, i) => row !== i);
  return place < 0 ? rows.length : place;
}
