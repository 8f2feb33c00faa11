import { commitLatencies, commonCoverage, completeRows, perModel, stageColumn } from "../columns/index.ts";
import { unseenPeriods } from "../diagnosis/rules/lost-periods.ts";
import { runningMaximum, statisticsOf } from "../numbers/index.ts";
import { REMOTE_STAGE_IDS } from "../replication/shapes/stages.ts";
import { recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { figuresOfBins, rowsAt, type BinFigures, type FiguresBetween } from "./bin-tiles.ts";
import { orNull } from "./null-for-nan.ts";

/** A period without log blocks gets a mark when it is longer than this and than three bins. */
const IDLE_US = 2_000_000;
const IDLE_BINS = 3;

export interface OverviewOptions {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
  readonly secondary: number;
}

/**
 * Equal-width bins over [from, to), µs. A block counts in the bin of its `time`, a commit in the bin of its start.
 * Tables are in order of time, so a bin is a run of rows.
 */
export function overviewOf(model: CaptureModel, { from, to, bins, secondary }: OverviewOptions) {
  const binUs = (to - from) / bins;
  const figures = figuresOver(model, secondary, from, binUs, bins);
  const numbers = (name: string): number[] => Array.from(figures[name]);
  const orNulls = (name: string): (number | null)[] => Array.from(figures[name], orNull);
  return {
    from,
    to,
    binUs,
    blocks: numbers("blocks"),
    bytes: numbers("bytes"),
    commits: numbers("commits"),
    commitP50: orNulls("commitP50"),
    commitP95: orNulls("commitP95"),
    commitP99: orNulls("commitP99"),
    commitMax: orNulls("commitMax"),
    hardenP50: orNulls("hardenP50"),
    hardenP95: orNulls("hardenP95"),
    hardenP99: orNulls("hardenP99"),
    hardenMax: orNulls("hardenMax"),
    stageSums: recordOf(REMOTE_STAGE_IDS, (id) => numbers(STAGE_SUM + id)),
    idle: idlePeriods(model, from, to, binUs),
    uncovered: uncoveredPeriods(model, from, to, binUs),
  };
}

const STAGE_SUM = "sum.";

/** Figures of the bins; those of bins that begin at multiples of their width are kept. */
function figuresOver(
  model: CaptureModel,
  secondary: number,
  from: number,
  binUs: number,
  bins: number,
): BinFigures {
  const compute = overviewFigures(model, secondary);
  const first = from / binUs;
  if (Number.isInteger(first) && Number.isInteger(binUs))
    return figuresOfBins(model, `overview ${secondary}`, { width: binUs, first, end: first + bins }, compute);
  return compute(Float64Array.from({ length: bins + 1 }, (_, bin) => from + bin * binUs));
}

function overviewFigures(model: CaptureModel, secondary: number): FiguresBetween {
  return (edges) => {
    const blockRows = rowsAt(model.blocks.time, edges);
    const commitRows = rowsAt(model.commits.start, edges);
    const complete = completeRows(model, secondary);
    return {
      blocks: countsPerBin(blockRows),
      bytes: sumsPerBin(model.blocks.size, blockRows),
      commits: countsPerBin(commitRows),
      ...percentilesPerBin("commit", commitLatencies(model), commitRows),
      ...percentilesPerBin("harden", stageColumn(model, secondary, "remoteHarden"), blockRows),
      ...Object.fromEntries(
        REMOTE_STAGE_IDS.map((id) => [
          STAGE_SUM + id,
          sumsPerBin(stageColumn(model, secondary, id), blockRows, complete),
        ]),
      ),
    };
  };
}

const countsPerBin = (rows: Float64Array): Float64Array => rows.slice(1).map((end, bin) => end - rows[bin]);

/** Sums of the known values. @param counted 1 for the counted rows; absent for all */
function sumsPerBin(column: Float64Array, rows: Float64Array, counted?: Uint8Array): Float64Array {
  return rows.slice(1).map((end, bin) => {
    let sum = 0;
    for (let row = rows[bin]; row < end; row++)
      if (counted?.[row] !== 0 && !Number.isNaN(column[row])) sum += column[row];
    return sum;
  });
}

function percentilesPerBin(name: string, column: Float64Array, rows: Float64Array): BinFigures {
  const bins = Array.from(rows.subarray(1), (end, bin) => statisticsOf(column.subarray(rows[bin], end)));
  const figure = (id: "p50" | "p95" | "p99" | "max") => Float64Array.from(bins, (bin) => bin[id]);
  return {
    [`${name}P50`]: figure("p50"),
    [`${name}P95`]: figure("p95"),
    [`${name}P99`]: figure("p99"),
    [`${name}Max`]: figure("max"),
  };
}

/** Periods without a log block inside the time that every file covers, and in which no block is known to be lost. */
function idlePeriods(model: CaptureModel, from: number, to: number, binUs: number): [number, number][] {
  const [coverFrom, coverTo] = commonCoverage(model);
  const low = Math.max(from, coverFrom);
  const high = Math.min(to, coverTo);
  const shortest = Math.max(IDLE_US, IDLE_BINS * binUs);
  return gapsBetweenBlocks(model, coverFrom, coverTo)
    .filter(([start, end]) => end - start > shortest && end > low && start < high)
    .filter((gap) => !isUnseen(model, gap))
    .map(([start, end]) => [Math.max(start, low), Math.min(end, high)]);
}

/** Whether log was written in most of a gap without events of any server. */
const isUnseen = (model: CaptureModel, [start, end]: readonly [number, number]): boolean =>
  unseenPeriods(model).some(({ from, to }) => Math.min(end, to) - Math.max(start, from) > (end - start) / 2);

/** Every gap of over 2 s between blocks of the complete capture; found once. */
const gapsBetweenBlocks = perModel(
  (model: CaptureModel, from: number, to: number): readonly [number, number][] => {
    const { time, timeEnd } = model.blocks;
    const latest = runningMaximum(timeEnd);
    const gaps: [number, number][] = [];
    let since = from;
    for (let row = 0; row <= time.length; row++) {
      const next = row < time.length ? Math.min(time[row], to) : to;
      if (next - since > IDLE_US) gaps.push([since, next]);
      since = Math.max(from, latest[row]);
    }
    return gaps;
  },
);

/** Periods of the range that a file does not cover; those of under half a bin can't be drawn and are skipped. */
function uncoveredPeriods(
  model: CaptureModel,
  from: number,
  to: number,
  binUs: number,
): [number, number, number][] {
  return model.replicas.flatMap((replica, index) => {
    if (!replica.hasCapture) return [];
    const before: [number, number, number] = [from, Math.min(replica.from, to), index];
    const after: [number, number, number] = [Math.max(replica.to, from), to, index];
    return [before, after].filter(([start, end]) => end - start >= binUs / 2);
  });
}
