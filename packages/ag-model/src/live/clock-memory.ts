import type { ClockBounds } from "../replication/clocks/clock-bounds.ts";

/**
 * Time for which bounds are kept: long enough that a block a second makes a good line, short enough for a straight one.
 */
const KEPT_US = 300_000_000;
const SLOT_US = 1_000_000;

interface Sample {
  readonly departed: number;
  readonly received: number;
  readonly ackDeparted: number;
  readonly ackReceived: number;
}

/** The two blocks with the tightest bounds in a second: one bounds the clock from above, one from below. */
interface Slot {
  above: Sample;
  below: Sample;
}

const upper = ({ departed, received }: Sample): number => received - departed;
const lower = ({ ackDeparted, ackReceived }: Sample): number => ackDeparted - ackReceived;

/**
 * Bounds of a secondary's clock from the last minutes, thinned: only the tightest blocks of a second can touch the line
 * (docs/contribute/model/clocks.md 5.7), so windows of few blocks still align and the line does not jump from step to step.
 */
export class ClockMemory {
  readonly #slots = new Map<number, Slot>();
  #window: ClockBounds | undefined;

  #settledTo = -Infinity;
  #settledBlocks = 0;
  #blocksSeen = 0;

  /** Takes the bounds of the current window. */
  see(bounds: ClockBounds): void {
    this.#window = bounds;
    const unsettled = bounds.departed.reduce((n, at) => n + (at >= this.#settledTo ? 1 : 0), 0);
    this.#blocksSeen = Math.max(this.#blocksSeen, this.#settledBlocks + unsettled);
  }

  /** Number of blocks that have bounded the clock so far; never decreases. */
  get blocksSeen(): number {
    return this.#blocksSeen;
  }

  /** Takes the blocks of the window that departed before an instant of the primary's counter, µs: they will not change. */
  settle(until: number): void {
    const bounds = this.#window;
    if (bounds === undefined || Number.isNaN(until)) return;
    for (let k = 0; k < bounds.departed.length && bounds.departed[k] < until; k++) {
      if (bounds.departed[k] < this.#settledTo) continue;
      this.#settledBlocks++;
      this.#add({
        departed: bounds.departed[k],
        received: bounds.received[k],
        ackDeparted: bounds.ackDeparted[k],
        ackReceived: bounds.ackReceived[k],
      });
    }
    this.#settledTo = Math.max(this.#settledTo, until);
    for (const slot of this.#slots.keys()) if (slot * SLOT_US < until - KEPT_US) this.#slots.delete(slot);
  }

  /** Bounds of blocks that departed before an instant of the primary's counter, µs, in the order of departure. */
  before(instant: number): ClockBounds {
    const samples = [...this.#slots.values()]
      .flatMap(({ above, below }) => (above === below ? [above] : [above, below]))
      .filter(({ departed }) => departed < instant)
      .sort((a, b) => a.departed - b.departed);
    const column = (name: keyof Sample): Float64Array => Float64Array.from(samples, (sample) => sample[name]);
    return {
      departed: column("departed"),
      received: column("received"),
      ackDeparted: column("ackDeparted"),
      ackReceived: column("ackReceived"),
    };
  }

  #add(sample: Sample): void {
    const key = Math.floor(sample.departed / SLOT_US);
    const slot = this.#slots.get(key);
    if (slot === undefined) {
      this.#slots.set(key, { above: sample, below: sample });
      return;
    }
    if (upper(sample) < upper(slot.above)) slot.above = sample;
    if (lower(sample) > lower(slot.below)) slot.below = sample;
  }
}
