/**
 * Speed: decision 89: 0.07 instead of 2.1 s for the first bins of 4 M log blocks. Without it the simple way is a pass
 * over the rows of the range.
 *
 * Data that a long capture's questions need of each column, computed once and separately: ranks, for statistics and the
 * slowest blocks of any range, and figures of wide bins. Until it is computed, and where it is not, questions pass over
 * the rows of their range (decision 223).
 */
import { isWorthRanking, keepRanks, longestCommits, perModel } from "../columns/index.ts";
import {
  levelFigures,
  ranksOf,
  type BinLevels,
  type ColumnRanks,
  type LevelFigures,
} from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { edgesOf, rowsAt, type BinFigures, type BinRun } from "./bin-tiles.ts";
import {
  COMMIT_LANE,
  COUNT,
  laneColumns,
  MAX,
  P50,
  SLOWEST,
  slowestInPairs,
  slowestPerBin,
} from "./lanes.ts";

/** Blocks in the narrowest bins that are prepared, on average: 8,000 narrower ones take some 70 ms on request. */
const BLOCKS_PER_BIN = 16;
/** Bins of the widest level, at least. */
const FEW_BINS = 64;

/** One column's part of the work, in plain columns so that another thread can do it. */
export interface ColumnToPrepare {
  readonly values: Float64Array;
  /** Null for a column that no lane draws. */
  readonly bins: BinLevels | null;
}

export interface PreparedColumn {
  readonly ranks: ColumnRanks;
  readonly levels: readonly LevelFigures[];
}

/** Computes one column; takes about a tenth of a second per million rows. */
export function prepareColumn({ values, bins }: ColumnToPrepare): PreparedColumn {
  const ranks = ranksOf(values);
  return { ranks, levels: bins === null ? [] : levelFigures(values, ranks.rows, bins) };
}

/** A column to be prepared, with the function that stores its result in the model. */
export interface Preparation extends ColumnToPrepare {
  readonly keep: (prepared: PreparedColumn) => void;
}

/**
 * The columns of a capture, one after the other; empty for a capture whose questions are answered equally fast without
 * them.
 */
export function* preparations(model: CaptureModel): Generator<Preparation> {
  if (!isWorthRanking(model)) return;
  const grid = gridOf(model);
  const lanes = laneColumns(model);
  const figures: FiguresByLevel = new Map();
  for (const [key, column] of lanes) {
    const values = column();
    yield {
      values,
      bins: key === COMMIT_LANE ? grid.commits : grid.blocks,
      keep: ({ ranks, levels }) => {
        keepRanks(model, values, ranks);
        figures.set(key, levels);
        if (figures.size === lanes.size) keepLevels(model, grid, figures);
      },
    };
  }
  const values = longestCommits(model);
  yield { values, bins: null, keep: ({ ranks }) => keepRanks(model, values, ranks) };
}

/**
 * Stores columns that were prepared before, in steps: first the bins of all lanes, which do not need the columns
 * themselves, then the ranks of one column after the other.
 * @param prepared in the order of `preparations`
 */
export function* takePrepared(model: CaptureModel, prepared: readonly PreparedColumn[]): Generator<void> {
  const lanes = laneColumns(model);
  const levels = [...lanes.keys()].map((key, place) => [key, prepared[place].levels] as const);
  keepLevels(model, gridOf(model), new Map(levels));
  yield;
  const columns = [...lanes.values(), () => longestCommits(model)];
  for (const [place, { ranks }] of prepared.entries()) {
    keepRanks(model, columns[place](), ranks);
    yield;
  }
}

/** Widths of prepared bins: powers of two of µs from `width` on. */
interface Grid {
  readonly width: number;
  readonly blocks: BinLevels;
  readonly commits: BinLevels;
}

function gridOf({ blocks, commits, duration }: CaptureModel): Grid {
  const last = Math.max(duration, blocks.time[blocks.length - 1], commits.start[commits.length - 1] ?? 0);
  const width = 2 ** Math.ceil(Math.log2((last * BLOCKS_PER_BIN) / blocks.length));
  const end = Math.floor(last / width) + 1;
  const edges = edgesOf({ width, first: 0, end });
  const levels = 1 + Math.max(0, Math.floor(Math.log2(end / FEW_BINS)));
  return {
    width,
    blocks: { starts: rowsAt(blocks.time, edges), levels },
    commits: { starts: rowsAt(commits.start, edges), levels },
  };
}

/** Figures of each lane, by its key. */
type FiguresByLevel = Map<string, readonly LevelFigures[]>;

/** Figures of all bins of the capture, by their width; empty until all are prepared. */
const preparedWidths = perModel(() => new Map<number, BinFigures>());

function keepLevels(model: CaptureModel, { width, blocks }: Grid, figures: FiguresByLevel): void {
  let slowest: Float64Array = slowestPerBin(model, blocks.starts);
  let count: Float64Array = blocks.starts.slice(1).map((end, bin) => end - blocks.starts[bin]);
  for (let level = 0; level < blocks.levels; level++) {
    if (level > 0) slowest = slowestInPairs(model, slowest);
    if (level > 0) count = sumsOfPairs(count);
    const ofLevel: Record<string, Float64Array> = { [COUNT]: count, [SLOWEST]: slowest };
    for (const [key, levels] of figures) {
      ofLevel[MAX + key] = levels[level].max;
      ofLevel[P50 + key] = levels[level].p50;
    }
    preparedWidths(model).set(width * 2 ** level, ofLevel);
  }
}

const sumsOfPairs = (counts: Float64Array): Float64Array =>
  Float64Array.from(
    { length: Math.ceil(counts.length / 2) },
    (_, bin) => counts[2 * bin] + (counts[2 * bin + 1] ?? 0),
  );

/** Figures of a run of bins if bins of that width are prepared; else null. */
export function preparedFigures(model: CaptureModel, { width, first, end }: BinRun): BinFigures | null {
  const figures = preparedWidths(model).get(width);
  if (figures === undefined || first < 0 || end > figures[COUNT].length) return null;
  return Object.fromEntries(
    Object.entries(figures).map(([name, column]) => [name, column.subarray(first, end)]),
  );
}
