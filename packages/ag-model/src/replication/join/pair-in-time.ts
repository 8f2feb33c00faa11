/**
 * Pairs two lists of waits in the same order, where each wait of the first list is within its partner in the second
 * one; either list may lack some (docs/contribute/model/joins.md 3.4).
 */
import { firstAtOrAfter } from "../../numbers/index.ts";

/** Waits in the order of their ends, µs of one clock. */
export interface Waits {
  readonly ends: Float64Array;
  readonly lasted: Float64Array;
}

/** How sure times are. */
interface Precision {
  /** A wait reaches beyond its partner by at most this, µs. */
  readonly mostUs: number;
  /** A wait without a partner is as unlikely as pairs that reach beyond each other by this much in total, µs. */
  readonly aloneUs: number;
}

/** Both ends of a pair were stamped by the same precise clock. */
const EXACT: Precision = { mostUs: 2_000, aloneUs: 1_000 };

/**
 * One end was stamped with the last clock tick, in steps of 1.7 ms in the reference captures and of 15.6 ms at most.
 * There it is also off by 9 ms for 20 commits in a row, each 9 ms after the one before: only their order shows which
 * ones belong together.
 */
const COARSE: Precision = { mostUs: 20_000, aloneUs: 250_000 };

/** Half of exact ends are closer to the next one of the other list. */
const EXACT_MEDIAN_US = 100;

/** Among pairs that reach beyond each other equally, those with close ends are chosen. */
const END_WEIGHT = 0.01;

/** Number of waits of the second list that are considered for one of the first. */
const WIDTH = 32;

/**
 * Number of rows of the first list that are decided at once, and of the rows after them that are read for the decision.
 */
const ROWS = 4_096;
const ROWS_AHEAD = 128;

/** Sums of distances that are equal differ by less, µs. */
const ROUNDING_US = 1e-3;

const PAIR = 0;
const SKIP_FIRST = 1;
const SKIP_SECOND = 2;

/**
 * Pairs waits in their order, so that they reach beyond each other by as little as possible in total.
 * @returns for each of `firsts` the index in `seconds`; -1 for none
 */
export const pairInTime = (firsts: Waits, seconds: Waits): Int32Array =>
  new Pairing(firsts, seconds, isExact(firsts.ends, seconds.ends) ? EXACT : COARSE).run();

/**
 * Whether a wait and the only one of the other list are a pair, by the same rule as `pairInTime`. Nearly all commits
 * are alone in their block, and two lists for each of them took 1.5 s at 8 M events.
 * @param apart the end of the first one minus that of the second one, µs
 * @param longer how much longer the first one lasted, µs
 */
export function isOnlyPair(apart: number, longer: number): boolean {
  const precision = -apart >= 0 && -apart < EXACT_MEDIAN_US ? EXACT : COARSE;
  return costOf(apart, longer, precision) <= 2 * precision.aloneUs - ROUNDING_US;
}

/**
 * Amount by which a wait reaches beyond another one; Infinity where it can't be its partner. @param apart, longer as in
 * `isOnlyPair`
 */
function costOf(apart: number, longer: number, { mostUs, aloneUs }: Precision): number {
  const beyond = Math.max(apart, longer - apart, 0);
  return beyond > mostUs ? Infinity : beyond + Math.min(END_WEIGHT * Math.abs(apart), aloneUs / 2);
}

function isExact(firsts: Float64Array, seconds: Float64Array): boolean {
  const distances = firsts.map((us) => (seconds[firstAtOrAfter(seconds, us)] ?? Infinity) - us).sort();
  return distances[distances.length >> 1] < EXACT_MEDIAN_US;
}

/** Rows of the first list with the cost of every way through both. */
class Pairing {
  readonly #firsts: Waits;
  readonly #seconds: Waits;
  readonly #precision: Precision;
  /** Way to each place of the current rows at the least cost, and the first place of each row. */
  readonly #steps: Uint8Array;
  readonly #starts: Int32Array;

  constructor(firsts: Waits, seconds: Waits, precision: Precision) {
    this.#firsts = firsts;
    this.#seconds = seconds;
    this.#precision = precision;
    const rows = Math.min(ROWS, firsts.ends.length) + 1;
    this.#steps = new Uint8Array(rows * WIDTH);
    this.#starts = new Int32Array(rows);
  }

  run(): Int32Array {
    const pairs = new Int32Array(this.#firsts.ends.length).fill(-1);
    for (let first = 0, second = 0; first < pairs.length;) {
      second = this.#skipEarly(first, second);
      const { rows, end } = this.#fill(first, second);
      const isCut = rows === ROWS && first + rows < pairs.length;
      const decided = isCut ? rows - ROWS_AHEAD : rows;
      second = this.#follow(first, rows, end, decided, pairs);
      first += decided;
    }
    return pairs;
  }

  /** The next of the second list that is not too early for an instant of the first. */
  #skipEarly(first: number, second: number): number {
    const { ends } = this.#seconds;
    const earliest = this.#firsts.ends[first] - this.#precision.mostUs;
    let next = second;
    while (next < ends.length && ends[next] < earliest) next++;
    return next;
  }

  /**
   * Fills rows; row k and place p are wait k of the first list and wait p after the row's start of the second one.
   * @returns number of rows, up to a place where all near waits are too early, and the place in the second list where
   * the cheapest way ends
   */
  #fill(first: number, second: number): { readonly rows: number; readonly end: number } {
    const { aloneUs } = this.#precision;
    const most = Math.min(ROWS, this.#firsts.ends.length - first);
    let before = new Float64Array(WIDTH).map((_, place) => place * aloneUs);
    let now = new Float64Array(WIDTH);
    let end = second;
    this.#starts[0] = second;
    for (let k = 1; k <= most; k++) {
      const last = this.#starts[k - 1];
      const start = Math.max(last, end + 1 - WIDTH / 2, this.#skipEarly(first + k - 1, last));
      if (start >= last + WIDTH) return { rows: k - 1, end: this.#endOf(last, before) };
      this.#starts[k] = start;
      const bestPlace = this.#fillRow(first, k, before, now);
      end = start + bestPlace;
      [before, now] = [now, before];
    }
    return { rows: most, end: this.#endOf(this.#starts[most], before) };
  }

  /** End of the cheapest way when all remaining waits of the second list stay alone. */
  #endOf(start: number, costs: Float64Array): number {
    const totals = costs.map((cost, place) => cost - place * this.#precision.aloneUs);
    const least = totals.reduce((a, b) => Math.min(a, b));
    return start + totals.findIndex((total) => total < least + ROUNDING_US);
  }

  /** @returns the place of the cheapest way */
  #fillRow(first: number, k: number, before: Float64Array, now: Float64Array): number {
    const { aloneUs } = this.#precision;
    const start = this.#starts[k];
    const shift = start - this.#starts[k - 1];
    let best = 0;
    for (let place = 0; place < WIDTH; place++) {
      let cost = place + shift < WIDTH ? before[place + shift] + aloneUs : Infinity;
      let step = SKIP_FIRST;
      if (place > 0 && now[place - 1] + aloneUs < cost) {
        cost = now[place - 1] + aloneUs;
        step = SKIP_SECOND;
      }
      if (start + place > this.#seconds.ends.length) cost = Infinity;
      else if (place + shift > 0 && place + shift <= WIDTH) {
        const paired = before[place + shift - 1] + this.#costOf(first + k - 1, start + place - 1);
        if (paired < cost) {
          cost = paired;
          step = PAIR;
        }
      }
      now[place] = cost;
      this.#steps[k * WIDTH + place] = step;
      if (cost < now[best] - ROUNDING_US) best = place;
    }
    return best;
  }

  #costOf(first: number, second: number): number {
    const apart = this.#firsts.ends[first] - this.#seconds.ends[second];
    return costOf(apart, this.#firsts.lasted[first] - this.#seconds.lasted[second], this.#precision);
  }

  /** Follows the cheapest way back. @returns its place in the second list after `decided` waits of the first */
  #follow(first: number, rows: number, end: number, decided: number, pairs: Int32Array): number {
    let passed = -1;
    let s = end;
    for (let k = rows; k > 0;) {
      if (k === decided && passed < 0) passed = s;
      const step = this.#steps[k * WIDTH + s - this.#starts[k]];
      if (step !== SKIP_FIRST) s--;
      if (step === SKIP_SECOND) continue;
      k--;
      if (step === PAIR && k < decided) pairs[first + k] = s;
    }
    return Math.max(passed, s);
  }
}
