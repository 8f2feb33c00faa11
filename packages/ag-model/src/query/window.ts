import {
  blockRun,
  blocksInRange,
  commitLatencies,
  commitsInRange,
  pickBlocks,
  pickHops,
  pickRows,
  rankedColumn,
} from "../columns/index.ts";
import {
  figuresOfRuns,
  firstAtOrAfter,
  gatherFloat64,
  rankedRows,
  type RowSet,
  type RunFigures,
} from "../numbers/index.ts";
import type { BlockTable, CaptureModel, CommitTable, HopTable } from "../replication/shapes/tables.ts";
import {
  commitsOfFiltered,
  countOfFiltered,
  filteredBlocks,
  filteredCommits,
  filteredRows,
  type BlockFilter,
} from "./block-filter.ts";
import {
  edgesOf,
  figuresOfBins,
  rowsAt,
  type BinFigures,
  type BinRun,
  type FiguresBetween,
} from "./bin-tiles.ts";
import { COMMIT_LANE, COUNT, laneColumns, MAX, P50, SLOWEST, slowestPerBin } from "./lanes.ts";
import { figuresByOwnTimes } from "./own-times.ts";
import { preparedFigures } from "./preparations.ts";

/** Blocks in a range of time, in columns; `row` is each block's row number in the complete capture. */
export interface BlockWindow {
  readonly detail: "blocks";
  readonly from: number;
  readonly to: number;
  readonly row: Uint32Array;
  readonly blocks: BlockTable;
  readonly hops: readonly HopTable[];
}

/**
 * Bins for a range with more blocks than requested: per equal-width bin, the maximum and median of each lane. A lane of
 * a secondary that lags has its bars in the bins in which they begin (`own-times.ts`), every other lane in those of
 * their blocks.
 */
export interface BinWindow {
  readonly detail: "bins";
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** Blocks per bin. */
  readonly count: Uint32Array;
  /** Row of the slowest block of the bin (largest commit, else remote harden); 0xffffffff when empty. */
  readonly slowest: Uint32Array;
  /** µs by lane key: a stage id of the primary, or `hop0.<stage id or acknowledge, unseen, ackWakeUp>`; `commit` for the commits. NaN when empty. */
  readonly max: Readonly<Record<string, Float64Array>>;
  readonly p50: Readonly<Record<string, Float64Array>>;
}

export interface CommitWindow {
  readonly from: number;
  readonly to: number;
  readonly commits: CommitTable;
}

export interface WindowOptions {
  readonly from: number;
  readonly to: number;
  /** Largest number of blocks that are returned one by one. */
  readonly limit: number;
  /** If there are more: the largest number of bins in the range; the answer has more than half of that. */
  readonly bins: number;
  /** Only these blocks. */
  readonly filter?: BlockFilter | null;
}

/**
 * Blocks that overlap [from, to), or bins when there are more of them than `limit`. Bins are a power of two of µs wide
 * and begin at multiples of that, the first at or before `from`, the last ends at or after `to`: all requests for about
 * the same range need the same bins (`bin-tiles.ts`).
 */
export function windowOf(model: CaptureModel, options: WindowOptions): BlockWindow | BinWindow {
  const { from, to, limit, bins, filter } = options;
  if (filter) return filteredWindow(model, options, filteredBlocks(model, filter));
  if (blocksBegunIn(model, from, to) > limit) return binWindow(model, runOver(from, to, bins));
  const rows = blocksInRange(model, from, to);
  if (rows.length > limit) return binWindow(model, runOver(from, to, bins));
  return windowOfRows(model, rows, from, to);
}

function windowOfRows(model: CaptureModel, rows: Uint32Array, from: number, to: number): BlockWindow {
  return {
    detail: "blocks",
    from,
    to,
    row: rows.slice(),
    blocks: pickBlocks(model.blocks, rows),
    hops: model.hops.map((hop) => pickHops(hop, rows)),
  };
}

/** Filters are many, so figures of their bins are not kept. */
function filteredWindow(
  model: CaptureModel,
  { from, to, limit, bins }: WindowOptions,
  filtered: RowSet,
): BlockWindow | BinWindow {
  const inRange = blockRun(model, from, to);
  if (countOfFiltered(filtered, inRange) <= limit)
    return windowOfRows(model, filteredRows(filtered, inRange), from, to);
  const run = runOver(from, to, bins);
  return asWindow(run.first * run.width, run.end * run.width, binFigures(model, filtered)(edgesOf(run)));
}

/** The complete capture in bins that divide it evenly, for a picture without zoom. */
export function captureInBins(model: CaptureModel, bins: number): BinWindow {
  const to = model.duration;
  const edges = Float64Array.from({ length: bins + 1 }, (_, bin) => (to * bin) / bins);
  return asWindow(0, to, binFigures(model)(edges));
}

function blocksBegunIn(model: CaptureModel, from: number, to: number): number {
  const { time } = model.blocks;
  return firstAtOrAfter(time, to) - firstAtOrAfter(time, from);
}

/** Bins over [from, to): the narrowest for which `bins` are enough for its length; over an empty range as over 1 µs. */
function runOver(from: number, to: number, bins: number): BinRun {
  const width = 2 ** Math.ceil(Math.log2((to > from ? to - from : 1) / bins));
  return { width, first: Math.floor(from / width), end: Math.ceil(to / width) };
}

function binWindow(model: CaptureModel, run: BinRun): BinWindow {
  const prepared = preparedFigures(model, run);
  const figures =
    prepared === null
      ? figuresOfBins(model, "window", run, binFigures(model))
      : { ...prepared, ...figuresOfBins(model, "window late", run, figuresByOwnTimes(model)) };
  return asWindow(run.first * run.width, run.end * run.width, figures);
}

function asWindow(from: number, to: number, figures: BinFigures): BinWindow {
  const { [COUNT]: count, [SLOWEST]: slowest, ...lanes } = figures;
  const withPrefix = (prefix: string) =>
    Object.fromEntries(
      Object.entries(lanes)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, column]) => [name.slice(prefix.length), column]),
    );
  return {
    detail: "bins",
    from,
    to,
    length: count.length,
    count: Uint32Array.from(count),
    slowest: Uint32Array.from(slowest),
    max: withPrefix(MAX),
    p50: withPrefix(P50),
  };
}

/** Figures of bins: blocks, the slowest of them, and the largest and middle duration of each lane. */
function binFigures(model: CaptureModel, only: RowSet | null = null): FiguresBetween {
  const commits = only && commitsOfFiltered(model, only);
  return (edges) => {
    const blockRows = placesAt(model.blocks.time, edges, only);
    const commitRows = placesAt(model.commits.start, edges, commits);
    const late = figuresByOwnTimes(model, only)(edges);
    const figures: Record<string, Float64Array> = {
      ...late,
      [COUNT]: blockRows.slice(1).map((end, bin) => end - blockRows[bin]),
      [SLOWEST]: slowestPerBin(model, blockRows, only?.rows),
    };
    for (const [key, column] of laneColumns(model)) {
      if (late[MAX + key] !== undefined) continue;
      const isCommit = key === COMMIT_LANE;
      const { max, p50 } = figuresOfRows(
        model,
        column(),
        isCommit ? commits : only,
        isCommit ? commitRows : blockRows,
      );
      figures[MAX + key] = max;
      figures[P50 + key] = p50;
    }
    return figures;
  };
}

/** Place among rows of the first one at or after each edge. @param only null for all rows */
function placesAt(times: Float64Array, edges: Float64Array, only: RowSet | null): Float64Array {
  const rows = rowsAt(times, edges);
  return only === null ? rows : rows.map((row) => firstAtOrAfter(only.rows, row));
}

/** Rows per run, on average, from which on ranks are quicker than putting the values of each run in order. */
const WORTH_RANKS = 128;

/** @param set null for all rows @param runs places in its rows */
function figuresOfRows(
  model: CaptureModel,
  column: Float64Array,
  set: RowSet | null,
  runs: Float64Array,
): RunFigures {
  if (set === null) return figuresOfRuns(column, runs);
  const { rows } = set;
  const isLong = rows.length > WORTH_RANKS * runs.length;
  const ranked = isLong ? rankedColumn(model, column, rows.length) : null;
  return ranked?.figuresOfRuns(set, runs) ?? figuresOfRuns(gatherFloat64(column, rows), runs);
}

export interface CommitWindowOptions {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Only commits of these blocks. */
  readonly filter?: BlockFilter | null;
}

/** Commits that overlap [from, to), in order of start; the longest `limit`, longest first, when there are more. */
export function commitWindow(
  model: CaptureModel,
  { from, to, limit, filter }: CommitWindowOptions,
): CommitWindow {
  let rows = commitsInRange(model, from, to);
  if (filter) rows = filteredCommits(model, filteredBlocks(model, filter), rows);
  if (rows.length > limit) rows = rankedRows(commitLatencies(model), rows, limit, "descending");
  return { from, to, commits: pickCommits(model.commits, rows) };
}

function pickCommits(commits: CommitTable, rows: Uint32Array): CommitTable {
  return {
    length: rows.length,
    block: Int32Array.from(rows, (row) => commits.block[row]),
    database: Uint16Array.from(rows, (row) => commits.database[row]),
    start: pickRows(commits.start, rows),
    end: pickRows(commits.end, rows),
    gate: Uint8Array.from(rows, (row) => commits.gate[row]),
    timeToCommit: pickRows(commits.timeToCommit, rows),
  };
}
