/** Rows in bins of several widths: the finest ones, and on each further level two bins of the level before in one. */
export interface BinLevels {
  /** First row of each of the finest bins, and the end of the last. */
  readonly starts: Float64Array;
  /** Number of widths, at least one. */
  readonly levels: number;
}

/** Largest and middle value of each bin of one width; NaN without a known one. */
export interface LevelFigures {
  readonly max: Float64Array;
  readonly p50: Float64Array;
}

/** Number of bins of a level, by the number of the finest level. */
export const binsOfLevel = (finest: number, level: number): number => Math.ceil(finest / 2 ** level);

/**
 * Figures of the bins of all levels, finest first, by passing over the values in their order: a bin's middle value is the one by
 * which half of its values have been passed, its largest the last one.
 * @param rows rows with a value in ascending order of it (`rowsByValue`)
 */
export function levelFigures(values: Float64Array, rows: Uint32Array, bins: BinLevels): LevelFigures[] {
  const finest = bins.starts.length - 1;
  const sorted = sortedWithBins(values, rows, bins.starts);
  let known = new Uint32Array(finest);
  for (let i = 0; i < sorted.bin.length; i++) known[sorted.bin[i]]++;
  const all: LevelFigures[] = [];
  for (let level = 0; level < bins.levels; level++) {
    if (level > 0) known = inPairs(known);
    all.push(figuresOfLevel(sorted, level, known));
  }
  return all;
}

/** Values in ascending order together with their bins, in consecutive memory, because each level passes over them. */
interface SortedWithBins {
  readonly value: Float64Array;
  readonly bin: Uint32Array;
}

function sortedWithBins(values: Float64Array, rows: Uint32Array, starts: Float64Array): SortedWithBins {
  const [first, end] = [starts[0], starts[starts.length - 1]];
  const binOfRow = new Uint32Array(values.length);
  for (let bin = 0; bin + 1 < starts.length; bin++) binOfRow.fill(bin, starts[bin], starts[bin + 1]);
  const value = new Float64Array(rows.length);
  const bin = new Uint32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row < first || row >= end) continue;
    value[n] = values[row];
    bin[n++] = binOfRow[row];
  }
  return { value: value.subarray(0, n), bin: bin.subarray(0, n) };
}

const inPairs = (counts: Uint32Array): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(
    { length: binsOfLevel(counts.length, 1) },
    (_, bin) => counts[2 * bin] + (counts[2 * bin + 1] ?? 0),
  );

function figuresOfLevel({ value, bin }: SortedWithBins, level: number, known: Uint32Array): LevelFigures {
  const max = new Float64Array(known.length).fill(Number.NaN);
  const p50 = new Float64Array(known.length).fill(Number.NaN);
  const passed = new Uint32Array(known.length);
  for (let i = 0; i < value.length; i++) {
    const b = bin[i] >>> level;
    const rank = passed[b]++;
    const last = known[b] - 1;
    // The middle one, or halfway between the middle two.
    if (rank === last >> 1) p50[b] = value[i];
    else if (2 * rank === last + 1) p50[b] += (value[i] - p50[b]) * 0.5;
    if (rank === last) max[b] = value[i];
  }
  return { max, p50 };
}
