/**
 * Speed: decision 89: 20 to 180 instead of 320 ms at 4 M log blocks. Without it the simple way is to find the bins for
 * each question.
 *
 * Bins of durations and of sizes, by their edges: bin i contains values at or over edge i and under edge i + 1.
 */
import { perModel, perModelBy } from "../columns/index.ts";
import { BinFinder } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

export const BINS_PER_DECADE = 25;
const DECADES = 10;

/** Edges of the logarithmic bins, µs: 25 to each power of ten from 1 µs to 10,000 s; those of 1 and 10 ms are exact. */
export const LOG_EDGES: Float64Array = Float64Array.from({ length: DECADES * BINS_PER_DECADE + 1 }, (_, i) =>
  Number((10 ** (i / BINS_PER_DECADE)).toPrecision(12)),
);

/** Codes of rows in `logBinsOf`: without a value, under the first edge, then the bins, then over the last edge. */
export const NO_VALUE = 0;
export const UNDER = 1;
export const FIRST_BIN = 2;
export const OVER = FIRST_BIN + LOG_EDGES.length - 1;
export const CODES = OVER + 1;

/**
 * The logarithmic bin of each value, one byte per value. A histogram of any range is then a count of bytes.
 * @param column one that is computed once per model
 * @param name of the column
 */
export const logBinsOf = perModelBy(
  (name: string, _column: Float64Array) => name,
  (_model: CaptureModel, _name, column): Uint8Array => logBins(column),
);

const LOG_BINS = new BinFinder(LOG_EDGES);

/** @see logBinsOf */
export function logBins(column: Float64Array): Uint8Array {
  const codes = LOG_BINS.bins(column, new Uint8Array(column.length));
  // Only NaN differs from itself.
  for (let row = 0; row < column.length; row++) if (column[row] === column[row]) codes[row] += UNDER;
  return codes;
}

const MOST_LINEAR = 125;

/** Edges of equal bins from 0 to over `longest`, µs: 1, 2 or 5 times a power of ten wide, at most 125 of them. */
export function linearEdges(longest: number): Float64Array {
  const width = roundWidth(Math.max(1, longest) / (MOST_LINEAR - 1));
  const bins = Math.floor(Math.max(0, longest) / width) + 1;
  return Float64Array.from({ length: bins + 1 }, (_, i) => Number((i * width).toPrecision(12)));
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `least`. */
function roundWidth(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((times) => times * power >= least) ?? 10) * power;
}

/** Edges of sizes, bytes: a log block is a multiple of 512 up to 60 kB, so each doubling from 1 kB on is two bins. */
export const SIZE_EDGES: readonly number[] = [
  0, 512, 1_024, 1_536, 2_048, 3_072, 4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768, 49_152, 65_536,
];

/** Code of a block with an unknown size; any other is the bin, the last one also for larger sizes. */
export const NO_SIZE = SIZE_EDGES.length - 1;

/** One byte per block: the bin of its size. */
export const sizeBinsOf = perModel((model: CaptureModel): Uint8Array => {
  const { size } = model.blocks;
  return SIZE_BINS.bins(size, new Uint8Array(size.length), NO_SIZE);
});

/** The first bin contains all sizes under its end, the last one larger sizes, too. */
const SIZE_BINS = new BinFinder(SIZE_EDGES.slice(1, NO_SIZE));
