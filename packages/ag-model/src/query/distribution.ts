/** Distribution of each stage's duration, block by block: histograms, one stage by time, write time by size. */
import { isSplit, rowsOfRun, writePartColumn, type CaptureScope } from "../columns/index.ts";
import { FLUSH_LIMITS_US } from "../diagnosis/flush-classes.ts";
import { cellsOfRanks, valuesAtRanks } from "../numbers/index.ts";
import { partsOf, type SplitStage } from "../replication/shapes/write-parts.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import {
  BINS_PER_DECADE,
  CODES,
  FIRST_BIN,
  linearEdges,
  LOG_EDGES,
  NO_SIZE,
  NO_VALUE,
  OVER,
  SIZE_EDGES,
  sizeBinsOf,
  UNDER,
} from "./distribution-bins.ts";
import { binnedDurations, distributionsOf, type DistributionStage } from "./distribution-stages.ts";
import {
  countCodes,
  countCodesAt,
  countKnown,
  countsUnder,
  durationsOf,
  durationStatistics,
  firstRowFrom,
  rowsOfRange,
  sumOfCounts,
  type Durations,
  type TimeRange,
} from "./durations.ts";
import { orNull } from "./null-for-nan.ts";
import { scopeRows } from "./scope-rows.ts";

export interface DistributionOptions extends TimeRange {
  /** A second range to lay over the first. */
  readonly other: TimeRange | null;
  readonly secondary: number;
  readonly scale: "log" | "linear";
  /**
   * The stage that the answer also contains by time and, for log writes, by size; on the linear scale its longest value
   * ends the axis.
   */
  readonly stage: DistributionStage;
  readonly scope: CaptureScope;
}

/** On the logarithmic scale the axis begins at 1 µs where a row has more than this share under 10 µs, and ends at 1 s or later. */
const SHORT_SHARE = 0.01;
const USUAL_FIRST = BINS_PER_DECADE;
const USUAL_END = 6 * BINS_PER_DECADE;
/** With fewer values there is no p95, and no p99. */
const LEAST_P95 = 20;
const LEAST_P99 = 100;
const TIME_BINS = 160;

/**
 * Histograms of the usual stages and of the chosen one over one or two ranges, on the same bins; the chosen one also by
 * time and by size. Blocks and commits that overlap a range count, as in `rangeStatistics`.
 */
export function distributionOf(model: CaptureModel, options: DistributionOptions) {
  const { from, to, other, secondary, scale, stage, scope } = options;
  const usual = distributionsOf(model, secondary);
  const stages = usual.includes(stage) ? usual : [...usual, stage];
  const ranges = (other === null ? [{ from, to }] : [{ from, to }, other]).map((range) =>
    rowsOfRange(model, range, scopeRows(model, scope)),
  );
  const rows = stages.map((id) => ({
    stage: id,
    ranges: ranges.map((asked) => durationsOf(model, id, secondary, asked)),
  }));
  const chosen = rows.find((row) => row.stage === stage)!.ranges;
  const binned = scale === "log" ? logBinned(rows) : linearBinned(chosen);
  return {
    from,
    to,
    other,
    secondary,
    scale,
    stage,
    edges: Array.from(binned.edges),
    rows: rows.map((row) => ({
      stage: row.stage,
      ranges: row.ranges.map((durations) => ({
        ...percentiles(durations),
        ...binned.histogram(durations),
        classes: isLogWrite(row.stage) ? classesOf(durations) : null,
      })),
    })),
    heat: heatOf(chosen[0], from, to),
    sizes: isLogWrite(stage) ? sizesOf(model, chosen[0]) : null,
    splits: SPLIT_STAGES.filter((id) => isSplit(model, secondary, id)).map((id) =>
      splitOf(model, id, secondary, rows.find((row) => row.stage === id)!.ranges[0]),
    ),
  };
}

/**
 * Computes the data that `distributionOf` needs of a long capture, a column at each step, for times without requests.
 */
export function* prepareDistributions(model: CaptureModel): Generator<void> {
  for (let secondary = 0; secondary < Math.max(1, model.hops.length); secondary++)
    for (const id of distributionsOf(model, secondary)) {
      binnedDurations(model, id, secondary);
      yield;
    }
  sizeBinsOf(model);
}

const isLogWrite = (id: DistributionStage): boolean => id === "localFlush" || id === "secondaryFlush";

const SPLIT_STAGES = ["localFlush", "secondaryFlush"] as const;

/** Sums of the parts over the log writes of a range whose parts are known, µs: shares are shares of sums. */
function splitOf(model: CaptureModel, stage: SplitStage, secondary: number, writes: Durations) {
  const [queue, device, completion] = partsOf(stage).map((id) => writePartColumn(model, secondary, id));
  const sums = { queue: 0, device: 0, completion: 0 };
  let split = 0;
  for (const row of writes.rows ?? rowsOfRun(writes.run)) {
    if (Number.isNaN(device[row])) continue;
    split++;
    sums.queue += queue[row];
    sums.device += device[row];
    sums.completion += completion[row];
  }
  return { stage, writes: countKnown(writes.counts), split, sums };
}

/** The percentiles that this number of values has; one value is one figure. */
function percentiles(durations: Durations) {
  const { n, p50, p95, p99, max } = durationStatistics(durations);
  return {
    n,
    missing: durations.counts[NO_VALUE],
    p50: n === 1 ? null : orNull(p50),
    p95: n < LEAST_P95 ? null : orNull(p95),
    p99: n < LEAST_P99 ? null : orNull(p99),
    max: orNull(max),
  };
}

interface Histogram {
  /** Values under the first edge, and at or over the last one. */
  readonly under: number;
  readonly over: number;
  readonly counts: number[];
}

interface Binned {
  readonly edges: Float64Array;
  readonly histogram: (durations: Durations) => Histogram;
}

type Rows = readonly { readonly ranges: readonly Durations[] }[];

/** The same range of the logarithmic bins for all rows: 10 µs to 1 s, more where values need it. */
function logBinned(rows: Rows): Binned {
  const all = rows.flatMap(({ ranges }) => ranges);
  const first = all.some(isShort) ? 0 : USUAL_FIRST;
  const last = Math.max(
    ...all.map(({ counts }) => counts.findLastIndex((n, code) => n > 0 && code > NO_VALUE)),
  );
  const decades = Math.ceil((last - FIRST_BIN + 1) / BINS_PER_DECADE);
  const end = Math.min(LOG_EDGES.length - 1, Math.max(USUAL_END, decades * BINS_PER_DECADE));
  return {
    edges: LOG_EDGES.subarray(first, end + 1),
    histogram: ({ counts }) => ({
      under: sumOfCounts(counts.subarray(UNDER, FIRST_BIN + first)),
      over: sumOfCounts(counts.subarray(FIRST_BIN + end)),
      counts: Array.from(counts.subarray(FIRST_BIN + first, FIRST_BIN + end)),
    }),
  };
}

const isShort = ({ counts }: Durations): boolean =>
  sumOfCounts(counts.subarray(FIRST_BIN, FIRST_BIN + USUAL_FIRST)) > SHORT_SHARE * countKnown(counts);

/** Equal bins up to the longest value of the chosen stage. */
function linearBinned(chosen: readonly Durations[]): Binned {
  const edges = linearEdges(Math.max(0, ...chosen.map((each) => durationStatistics(each).max || 0)));
  return {
    edges,
    histogram: (durations) => {
      const below = countsUnder(durations, edges);
      const n = countKnown(durations.counts);
      return {
        under: below[0],
        over: n - below[below.length - 1],
        counts: Array.from(below.subarray(1), (count, bin) => count - below[bin]),
      };
    },
  };
}

/** Limits of the classes belong to the class below them: the next larger number is the first over it. */
const CLASS_LIMITS = Float64Array.from(
  [FLUSH_LIMITS_US.good, FLUSH_LIMITS_US.reasonable, FLUSH_LIMITS_US.busy],
  (limit) => limit * (1 + Number.EPSILON),
);

/** Log writes up to 10, 20, 50 ms, and above. */
function classesOf(durations: Durations) {
  const [good, reasonable, busy] = countsUnder(durations, CLASS_LIMITS);
  const n = countKnown(durations.counts);
  return { good, reasonable: reasonable - good, busy: busy - reasonable, bad: n - busy };
}

/**
 * The chosen stage by time: `counts[t * durations + d]` over the logarithmic bins that have values. A row counts where
 * it began, one that began before the range in the first bin. The first and the last bin of durations also contain
 * values outside of them.
 */
function heatOf(durations: Durations, from: number, to: number) {
  const { codes, run, rows } = durations;
  const shown = shownCodes(durations);
  const binUs = (to - from) / TIME_BINS;
  const counts = new Uint32Array(TIME_BINS * shown.width);
  let first = firstRowFrom(durations, -Infinity);
  for (let bin = 0; bin < TIME_BINS; bin++) {
    const isLast = bin === TIME_BINS - 1;
    const end = firstRowFrom(durations, isLast ? Infinity : from + (bin + 1) * binUs);
    const inBin =
      rows === null
        ? countCodes(codes, { before: bin === 0 ? run.before : NO_ROWS, first, end })
        : countCodesAt(codes, rows.subarray(first, end));
    addShown(shown, inBin, counts, bin * shown.width);
    first = end;
  }
  return { from, binUs, bins: TIME_BINS, edges: shown.edges, counts: Array.from(counts) };
}

const NO_ROWS = new Uint32Array();

/** Write time by the block's size: `counts[s * durations + d]`, and the writes and the median write of each size. */
function sizesOf(model: CaptureModel, durations: Durations) {
  const { codes, column, run } = durations;
  const sizeBins = sizeBinsOf(model);
  const shown = shownCodes(durations);
  const all = new Uint32Array(SIZE_BINS.length * CODES);
  const rows = durations.rows ?? rowsOfRun(run);
  for (const row of rows) all[sizeBins[row] * CODES + codes[row]]++;
  const bySize = SIZE_BINS.map((size) => all.subarray(size * CODES, (size + 1) * CODES));
  const writes = bySize.map((counts) => countKnown(counts));
  const medians = bySize.map((counts, size) => medianAmong(counts, writes[size]));
  // One comparison decides for most rows; a function call for each took most of the time of 4 M.
  const isNear = new Uint8Array(all.length);
  for (const [size, median] of medians.entries()) if (median) isNear.set(median.isNear, size * CODES);
  for (const row of rows)
    if (isNear[sizeBins[row] * CODES + codes[row]] === 1) medians[sizeBins[row]]!.take(column[row]);
  const known = SIZE_BINS.slice(0, NO_SIZE);
  const counts = new Uint32Array(known.length * shown.width);
  for (const size of known) addShown(shown, bySize[size], counts, size * shown.width);
  return {
    sizeEdges: [...SIZE_EDGES],
    edges: shown.edges,
    counts: Array.from(counts),
    writes: writes.slice(0, NO_SIZE),
    p50: known.map((size) => medians[size]?.value() ?? null),
    /** Writes of blocks whose size no event has. */
    unknown: writes[NO_SIZE],
  };
}

/** The median of some values, from the counts of its bins alone; null without values. */
function medianAmong(counts: Uint32Array, known: number) {
  if (known === 0) return null;
  const ranks = [(known - 1) / 2];
  const { isNear, kept, below } = cellsOfRanks({ counts, known }, ranks, UNDER);
  const near = new Float64Array(kept);
  let n = 0;
  return {
    isNear,
    take: (value: number): void => void (near[n++] = value),
    value: (): number => valuesAtRanks({ near, below }, ranks)[0],
  };
}

const SIZE_BINS = Array.from({ length: NO_SIZE + 1 }, (_, size) => size);

interface ShownCodes {
  readonly low: number;
  readonly width: number;
  readonly edges: number[];
}

/** The bins from the first to the last that has a value; the first one alone without any. */
function shownCodes({ counts }: Durations): ShownCodes {
  const last = Math.min(
    OVER - 1,
    counts.findLastIndex((n) => n > 0),
  );
  const first = counts.findIndex((n, code) => n > 0 && code >= FIRST_BIN);
  const low = first < 0 ? FIRST_BIN : Math.min(first, OVER - 1);
  const width = Math.max(1, last - low + 1);
  return { low, width, edges: Array.from(LOG_EDGES.subarray(low - FIRST_BIN, low - FIRST_BIN + width + 1)) };
}

/** Adds counts by code to those of the bins from `at` on; codes outside count in the outermost bins. */
function addShown({ low, width }: ShownCodes, byCode: Uint32Array, counts: Uint32Array, at: number): void {
  for (let code = UNDER; code < CODES; code++)
    counts[at + Math.min(width - 1, Math.max(0, code - low))] += byCode[code];
}
