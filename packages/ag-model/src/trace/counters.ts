/** Counters of a trace: rates and queues of the log, in equal intervals of its range, and queues of other files. */
import { isSameServer } from "@aglens/evidence";
import { firstAtOrAfter, sortRows } from "../numbers/index.ts";
import { primaryOfBlock, replicaOfSlot, type CaptureModel } from "../replication/index.ts";
import type { TabledEvidence } from "../tables/index.ts";
import type { TraceCounter } from "./trace.ts";

/** Intervals of a range, at most; no interval is shorter than 1 ms. */
const MOST_INTERVALS = 500;
const SHORTEST_US = 1_000;

/** Equal intervals of time: interval `i` begins at `(first + i) * width`, µs. */
interface Intervals {
  readonly width: number;
  readonly first: number;
  readonly count: number;
}

/** Intervals of 1, 2 or 5 times a power of ten that cover the range. */
export function intervalsOver(from: number, to: number): Intervals {
  const least = Math.max(SHORTEST_US, (to - from) / MOST_INTERVALS);
  const power = 10 ** Math.floor(Math.log10(least));
  const width = power * [1, 2, 5, 10].find((step) => step * power >= least * (1 - 1e-9))!;
  const first = Math.floor(from / width);
  return { width, first, count: Math.max(1, Math.ceil(to / width) - first) };
}

export function logCounters(model: CaptureModel, from: number, to: number): TraceCounter[] {
  const intervals = intervalsOver(from, to);
  return [...new Set(model.phases.map(({ primary }) => primary))].flatMap((primary) =>
    inCoverage(model, primary, intervals, [
      ...ofPrimary(model, primary, intervals),
      ...model.hops.flatMap((_, slot) => unacknowledged(model, primary, slot, intervals)),
    ]),
  );
}

/** Counters of a primary without the intervals that no file of it covers: a 0 there was not measured. */
function inCoverage(
  { replicas }: CaptureModel,
  primary: number,
  { width, first, count }: Intervals,
  counters: readonly TraceCounter[],
): TraceCounter[] {
  const { hasCapture, from, to } = replicas[primary];
  const covered = rowsWhere(
    count,
    (i) => !hasCapture || ((first + i + 1) * width > from && (first + i) * width <= to),
  );
  return counters.map((counter) => ({
    ...counter,
    at: Float64Array.from(covered, (i) => (first + i) * width),
    values: Float64Array.from(covered, (i) => counter.values[i]),
  }));
}

/** Rates and waiting commits of a primary; none without a log block, and none of commits where these were not recorded. */
function ofPrimary(model: CaptureModel, primary: number, intervals: Intervals): TraceCounter[] {
  const { blocks, commits } = model;
  const isOwn = (block: number): boolean => block >= 0 && primaryOfBlock(model, block) === primary;
  const blockRows = rowsWhere(blocks.length, isOwn);
  const { start, end } = commits;
  // False if a time is unknown.
  const commitRows = rowsWhere(commits.length, (row) => end[row] >= start[row] && isOwn(commits.block[row]));
  if (blockRows.length === 0) return [];
  const rates = (
    name: string,
    unit: string,
    rows: Uint32Array,
    at: Float64Array,
    weights?: Float64Array,
  ) => ({
    name,
    unit: `${unit}/s`,
    about: `Mean of each ${widthText(intervals)}, of all log blocks.`,
    values: ratesOf(rows, at, intervals, weights),
  });
  return [
    rates("Log blocks", "blocks", blockRows, blocks.time),
    rates("Log generated", "bytes", blockRows, blocks.time, blocks.size),
    ...(commits.length === 0
      ? []
      : [
          rates("Commits", "commits", commitRows, commits.end),
          {
            name: "Commits waiting",
            unit: "commits",
            about: `Largest number at one time in each ${widthText(intervals)}.`,
            values: mostAtOnce(commitRows, commits.start, commits.end, intervals),
          },
        ]),
  ].map((counter) => ({ ...counter, replica: primary, group: "Primary", at: begins(intervals) }));
}

/** Log that was not acknowledged by the replica of a slot; none where no block has both instants. */
function unacknowledged(
  model: CaptureModel,
  primary: number,
  slot: number,
  intervals: Intervals,
): TraceCounter[] {
  const { localFlushStart, size, length } = model.blocks;
  const { ackProcessed } = model.hops[slot];
  const rows = rowsWhere(
    length,
    (row) => ackProcessed[row] > localFlushStart[row] && primaryOfBlock(model, row) === primary,
  );
  if (rows.length === 0) return [];
  return [
    {
      replica: primary,
      group: `To ${model.replicas[replicaOfSlot(primary, slot)].name}`,
      name: "Unacknowledged log",
      unit: "bytes",
      about: `Log blocks with an acknowledgment in the capture, from the start of the log write on the primary until it is processed: the most in each ${widthText(intervals)}.`,
      at: begins(intervals),
      values: mostAtOnce(rows, localFlushStart, ackProcessed, intervals, size),
    },
  ];
}

/** Queues that performance counters of the capture's other files have. */
export function queueCounters(
  { replicas }: CaptureModel,
  { series, originUs }: TabledEvidence,
  from: number,
  to: number,
): TraceCounter[] {
  return series
    .filter(({ metric }) => metric.endsWith("queue"))
    .map(({ metric, unit, server, of, atUs, values, source }) => {
      const [first, end] = [firstAtOrAfter(atUs, from + originUs), firstAtOrAfter(atUs, to + originUs)];
      const rows = rowsWhere(end - first, (row) => !Number.isNaN(values[first + row]));
      const replica = replicas.findIndex(({ name }) => server !== null && isSameServer(name, server));
      return {
        replica: replica < 0 ? null : replica,
        group: null,
        name: [metric[0].toUpperCase() + metric.slice(1), of, replica < 0 ? server : null]
          .filter((part) => part !== null)
          .join(" "),
        unit,
        about: `${source.column} of ${source.file}.`,
        at: Float64Array.from(rows, (row) => atUs[first + row] - originUs),
        values: Float64Array.from(rows, (row) => values[first + row]),
      };
    })
    .filter(({ at }) => at.length > 0);
}

const widthText = ({ width }: Intervals): string => `interval of ${width / 1_000} ms`;

const begins = ({ width, first, count }: Intervals): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => (first + i) * width);

function rowsWhere(length: number, isIn: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (isIn(row)) rows[count++] = row;
  return rows.slice(0, count);
}

/** Sum of weights per second in each interval; without weights the number of rows. Unknown weights count as 0. */
function ratesOf(
  rows: Uint32Array,
  at: Float64Array,
  { width, first, count }: Intervals,
  weights?: Float64Array,
): Float64Array {
  const sums = new Float64Array(count);
  for (const row of rows) {
    const interval = Math.floor(at[row] / width) - first;
    if (interval >= 0 && interval < count) sums[interval] += weights === undefined ? 1 : weights[row] || 0;
  }
  return sums.map((sum) => (sum * 1e6) / width);
}

/** The largest sum of weights in each interval of rows that last from a start to an end. */
function mostAtOnce(
  rows: Uint32Array,
  starts: Float64Array,
  ends: Float64Array,
  { width, first, count }: Intervals,
  weights?: Float64Array,
): Float64Array {
  const most = new Float64Array(count);
  const begun = sortRows(rows.slice(), starts);
  const ended = sortRows(rows.slice(), ends);
  const weightOf = (row: number): number => (weights === undefined ? 1 : weights[row] || 0);
  let [sum, begin, end] = [0, 0, 0];
  for (let interval = 0; interval < count; interval++) {
    const until = (first + interval + 1) * width;
    let isFirst = true;
    for (;;) {
      const [next, done] = [starts[begun[begin]] ?? Infinity, ends[ended[end]] ?? Infinity];
      // The sum at the beginning of the interval counts, once all before it has happened.
      if (isFirst && Math.min(next, done) > until - width) {
        most[interval] = sum;
        isFirst = false;
      }
      if (Math.min(next, done) >= until) break;
      // A row that ends as another one begins does not overlap it.
      sum += done <= next ? -weightOf(ended[end++]) : weightOf(begun[begin++]);
      if (!isFirst) most[interval] = Math.max(most[interval], sum);
    }
  }
  return most;
}
