import { firstAtOrAfter, percentile } from "@aglens/ag-model/numbers";

/** Durations over time, in order of time: commits by their start, or blocks by theirs. */
export interface Samples {
  /** µs from the origin, ascending. */
  readonly at: Float64Array;
  /** µs. */
  readonly value: Float64Array;
}

/** One interval with the percentiles of the samples that began in it, µs; percentiles are null under 5 samples. */
export interface LatencyBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number;
}

/** Bins widen until they have this number of samples (docs/contribute/design.md 4). */
const ENOUGH = 20;
/** A bin is at most this many base widths: 5 s for the base of 1 s. */
const WIDEST = 5;
/** With fewer samples a percentile is meaningless; only the dots are drawn. */
export const FEWEST = 5;

/**
 * Bins over [from, to), each widened from `base` until it has 20 samples, at most 5 bases. Bins never cross one of
 * `breaks` (edges of idle periods and episodes), and base widths that begin empty are skipped.
 */
export function latencyBins(
  samples: Samples,
  [from, to]: readonly [number, number],
  base: number,
  breaks: readonly number[],
): LatencyBin[] {
  const edges = [from, ...breaks.filter((b) => b > from && b < to).toSorted((a, b) => a - b), to];
  return edges.slice(1).flatMap((end, i) => segmentBins(samples, edges[i], end, base));
}

function segmentBins({ at, value }: Samples, from: number, to: number, base: number): LatencyBin[] {
  const bins: LatencyBin[] = [];
  let start = from;
  let first = firstAtOrAfter(at, from);
  while (start < to && first < at.length) {
    let end = Math.min(to, start + base);
    let last = firstAtOrAfter(at, end);
    if (last === first) {
      start = end;
      continue;
    }
    for (let widths = 2; end < to && last - first < ENOUGH && widths <= WIDEST; widths++) {
      end = Math.min(to, start + widths * base);
      last = firstAtOrAfter(at, end);
    }
    bins.push(binOf(value.subarray(first, last), start, end));
    start = end;
    first = last;
  }
  return bins;
}

function binOf(values: Float64Array, from: number, to: number): LatencyBin {
  const sorted = values.slice().sort();
  const at = (p: number): number | null => (sorted.length < FEWEST ? null : percentile(sorted, p));
  return {
    from,
    to,
    n: sorted.length,
    p50: at(50),
    p95: at(95),
    p99: at(99),
    max: sorted[sorted.length - 1],
  };
}
