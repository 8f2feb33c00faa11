/**
 * Finds the bin of a duration, for columns of millions of values: by the first bits of its value instead of a search or
 * a logarithm.
 */
import { halvesOf } from "./value-bits.ts";

/** First bits of a double's mantissa that the values of a bucket share: they differ by at most 0.2 %, so that few have an edge in them. */
const MANTISSA_BITS = 9;
const SHIFT = 20 - MANTISSA_BITS;
/** Buckets begin at 1 and end beyond 10^12. */
const FIRST_BITS = 0x3ff00000 >>> SHIFT;
const BUCKETS = 40 << MANTISSA_BITS;

/** Finds the ascending edges that values are between. */
export class BinFinder {
  readonly #edges: Float64Array;
  /** Edges at or under the smallest value of each bucket; a bucket is narrower than a bin, so its others have one more at most. */
  readonly #edgesBelow: Uint16Array;

  /** @param edges ascending, each at least 0.3 % larger than the one before, from 1 to 10^12 */
  constructor(edges: ArrayLike<number>) {
    // No value is at or over the edge after the last.
    this.#edges = Float64Array.of(...Array.from(edges), Number.NaN);
    this.#edgesBelow = new Uint16Array(BUCKETS);
    for (let bucket = 0, below = 0; bucket < BUCKETS; bucket++) {
      while (this.#edges[below] <= bucketStart(bucket)) below++;
      this.#edgesBelow[bucket] = below;
    }
  }

  /** How many bins there are. */
  get length(): number {
    return this.#edges.length;
  }

  /**
   * Number of edges at or under each value, which is that value's bin.
   * @param bins output, 0 until then; as long as the values
   * @param unknown the bin of NaN
   */
  bins<T extends Uint8Array | Uint16Array>(values: Float64Array, bins: T, unknown = 0): T {
    const halves = halvesOf(values);
    const edges = this.#edges;
    const edgesBelow = this.#edgesBelow;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (!(value >= 1)) {
        // Only NaN differs from itself.
        if (value !== value) bins[i] = unknown;
        continue;
      }
      const bucket = Math.min(BUCKETS - 1, (halves[2 * i + 1] >>> SHIFT) - FIRST_BITS);
      const below = edgesBelow[bucket];
      bins[i] = value >= edges[below] ? below + 1 : below;
    }
    return bins;
  }
}

const bucketStart = (bucket: number): number =>
  2 ** (bucket >>> MANTISSA_BITS) * (1 + (bucket & (2 ** MANTISSA_BITS - 1)) / 2 ** MANTISSA_BITS);
