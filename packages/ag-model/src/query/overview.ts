import { commitLatencies, commonCoverage, oncePerModel, stageColumn } from "../columns/index.ts";
import { firstAtOrAfter, percentile, runningMaximum, sortedValues } from "../numbers/index.ts";
import { REMOTE_STAGE_IDS } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { orNull } from "./null-for-nan.ts";

/** A stretch without log blocks is worth a mark when it is longer than this and than three bins. */
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
  const edges = Float64Array.from({ length: bins + 1 }, (_, bin) => (bin === bins ? to : from + bin * binUs));
  const blockRuns = runsOf(model.blocks.time, edges);
  const commitRuns = runsOf(model.commits.start, edges);
  const commit = percentilesPerRun(commitLatencies(model), commitRuns);
  const complete = completeRows(model, secondary);
  const harden = percentilesPerRun(stageColumn(model, secondary, "remoteHarden"), blockRuns);
  return {
    from,
    to,
    binUs,
    blocks: blockRuns.map(([first, end]) => end - first),
    bytes: sumsPerRun(model.blocks.size, blockRuns),
    commits: commitRuns.map(([first, end]) => end - first),
    commitP50: commit.p50,
    commitP95: commit.p95,
    commitP99: commit.p99,
    commitMax: commit.max,
    hardenP50: harden.p50,
    hardenP95: harden.p95,
    hardenP99: harden.p99,
    hardenMax: harden.max,
    stageSums: recordOf(REMOTE_STAGE_IDS, (id) =>
      sumsPerRun(completeOnly(stageColumn(model, secondary, id), complete), blockRuns),
    ),
    idle: idleStretches(model, from, to, binUs),
    uncovered: uncoveredStretches(model, from, to, binUs),
  };
}

type Run = readonly [first: number, end: number];

function runsOf(times: Float64Array, edges: Float64Array): Run[] {
  const rows = Array.from(edges, (edge) => firstAtOrAfter(times, edge));
  return rows.slice(1).map((end, bin) => [rows[bin], end] as const);
}

/** Rows with every stage of the remote path: shares of a block half seen would blame the half that was. */
function completeRows(model: CaptureModel, secondary: number): Uint8Array {
  const columns = REMOTE_STAGE_IDS.map((id) => stageColumn(model, secondary, id));
  return Uint8Array.from(columns[0], (_, row) =>
    columns.some((column) => Number.isNaN(column[row])) ? 0 : 1,
  );
}

const completeOnly = (column: Float64Array, complete: Uint8Array): Float64Array =>
  column.map((value, row) => (complete[row] === 1 ? value : Number.NaN));

function sumsPerRun(column: Float64Array, runs: readonly Run[]): number[] {
  return runs.map(([first, end]) => {
    let sum = 0;
    for (let row = first; row < end; row++) if (!Number.isNaN(column[row])) sum += column[row];
    return sum;
  });
}

function percentilesPerRun(column: Float64Array, runs: readonly Run[]) {
  const sorted = runs.map(([first, end]) => sortedValues(column.subarray(first, end)));
  const at = (p: number) => sorted.map((values) => orNull(percentile(values, p)));
  return { p50: at(50), p95: at(95), p99: at(99), max: at(100) };
}

/** Stretches without a log block inside the time that every file covers: "nothing was lost" there. */
function idleStretches(model: CaptureModel, from: number, to: number, binUs: number): [number, number][] {
  const [coverFrom, coverTo] = commonCoverage(model);
  const low = Math.max(from, coverFrom);
  const high = Math.min(to, coverTo);
  const shortest = Math.max(IDLE_US, IDLE_BINS * binUs);
  return gapsBetweenBlocks(model, coverFrom, coverTo)
    .filter(([start, end]) => end - start > shortest && end > low && start < high)
    .map(([start, end]) => [Math.max(start, low), Math.min(end, high)]);
}

/** Every gap of over 2 s between blocks of the whole capture; found once. */
function gapsBetweenBlocks(model: CaptureModel, from: number, to: number): readonly [number, number][] {
  return oncePerModel(model, "overview/gaps", () => {
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
  });
}

/** Stretches of the range that a file does not cover; those of under half a bin cannot be drawn and are left out. */
function uncoveredStretches(
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
