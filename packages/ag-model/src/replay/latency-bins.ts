/**
 * Bins of latencies. The distribution has six to a doubling and the intervals have 32, without a common edge: a latency
 * is looked up once, among the edges of both.
 */
import { BinFinder, BinnedValues } from "../numbers/index.ts";

/** Values over 2^36 µs, some 19 hours, share the last bin. */
const OCTAVES = 36;

/** Bins of one picture, and their bin for each bin among all edges. */
export interface LatencyBins {
  readonly length: number;
  readonly of: Uint16Array;
}

/** Bins of the distribution: bin b begins at 2^(b / 6) µs, the first one contains shorter values. */
export const BINS_PER_OCTAVE = 6;
const edges = Float64Array.from(
  { length: OCTAVES * BINS_PER_OCTAVE },
  (_, i) => 2 ** ((i + 1) / BINS_PER_OCTAVE),
);

/** Bins of the intervals, 2 % wide: bin b contains the values nearest to 2^(b / 32) µs. */
export const FINE_BINS_PER_OCTAVE = 32;
const fineEdges = Float64Array.from(
  { length: OCTAVES * FINE_BINS_PER_OCTAVE },
  (_, i) => 2 ** ((i + 0.5) / FINE_BINS_PER_OCTAVE),
);

const allEdges = Float64Array.of(...edges, ...fineEdges).sort();
const FINDER = new BinFinder(allEdges);

/** The latencies, each with its bin. @param latencies µs; NaN for an unknown one */
export const binned = (latencies: Float64Array): BinnedValues => new BinnedValues(latencies, FINDER);

export const DISTRIBUTION_BINS = amongAll(edges);
export const FINE_BINS = amongAll(fineEdges);

function amongAll(own: Float64Array): LatencyBins {
  let bin = 0;
  // No edge of these is over the last one of all.
  const of = Uint16Array.from({ length: FINDER.length }, (_, i) =>
    i > 0 && allEdges[i - 1] === own[bin] ? ++bin : bin,
  );
  return { length: own.length + 1, of };
}
