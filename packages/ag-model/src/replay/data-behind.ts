/** Lag of a replica's log to the primary's, as the primary sees it. */
import { perModel } from "../columns/index.ts";
import {
  allRows,
  gatherFloat64,
  GrowingColumn,
  inChunks,
  percentileOf,
  sortRows,
  stepFor,
  type RowRange,
} from "../numbers/index.ts";
import type { CaptureModel, Phase } from "../replication/index.ts";
import { columnOf, streamsOf, type Stream, type StreamHop } from "./streams.ts";

export interface DataBehind {
  /** p95 over time, sampled per `SAMPLE_US`, µs: time since the oldest block that is not acknowledged was closed. */
  readonly p95Us: number;
  /** Largest number of bytes that were not acknowledged at one time. */
  readonly mostBytes: number;
}

/** Interval of 10 ms; longer in a capture that would have more samples than this, 2.8 h. */
const SAMPLE_US = 10_000;
const MOST_SAMPLES = 1_000_000;

/** Data that a failover to the replica would lose: log that is closed and not acknowledged. */
export const dataBehind = perModel((model: CaptureModel, replica: number): DataBehind =>
  findBehind(model, replica),
);

function findBehind(model: CaptureModel, replica: number): DataBehind {
  const samples = new GrowingColumn(Float64Array);
  let mostBytes = 0;
  for (const stream of streamsOf(model)) {
    const hop = stream.hops.find((each) => each.replica === replica);
    if (hop === undefined) continue;
    const log = sentLog(stream, hop);
    mostBytes = Math.max(mostBytes, mostBehind(log));
    samples.add(samplesBehind(log, model.phases[stream.phase]));
  }
  return { p95Us: percentileOf(samples.values(), 95), mostBytes };
}

/**
 * Blocks with both instants known: each column of instants is ascending on its own, µs; bytes are in the order of the
 * log.
 */
interface SentLog {
  readonly closed: Float64Array;
  readonly processed: Float64Array;
  readonly bytes: Float64Array;
}

function sentLog(stream: Stream, { table }: StreamHop): SentLog {
  const closed = columnOf(stream, stream.blocks.localFlushStart).slice();
  const processed = columnOf(stream, table.ackProcessed).slice();
  const bytes = columnOf(stream, stream.blocks.size).slice();
  let n = 0;
  for (let i = 0; i < closed.length; i++) {
    if (Number.isNaN(closed[i] + processed[i])) continue;
    closed[n] = closed[i];
    processed[n] = processed[i];
    bytes[n++] = bytes[i] || 0;
  }
  return {
    closed: ascending(closed.subarray(0, n)),
    processed: ascending(processed.subarray(0, n)),
    bytes: bytes.subarray(0, n),
  };
}

/** Sorts the values, which are nearly sorted already, often completely. */
function ascending(values: Float64Array): Float64Array {
  for (let i = 1; i < values.length; i++)
    if (values[i] < values[i - 1]) return gatherFloat64(values, sortRows(allRows(values.length), values));
  return values;
}

/** Largest number of bytes that were closed and not acknowledged at one time. */
function mostBehind(log: SentLog): number {
  const before = { acknowledged: 0, behind: 0, most: 0 };
  inChunks(log.closed.length, (chunk) => addBehind(log, before, chunk));
  return before.most;
}

/** @param before blocks acknowledged so far, and bytes of lag then and at most */
function addBehind(
  { closed, processed, bytes }: SentLog,
  before: { acknowledged: number; behind: number; most: number },
  { first, end }: RowRange,
): void {
  let { acknowledged, behind, most } = before;
  for (let i = first; i < end; i++) {
    while (processed[acknowledged] <= closed[i]) behind -= bytes[acknowledged++];
    behind += bytes[i];
    most = Math.max(most, behind);
  }
  before.acknowledged = acknowledged;
  before.behind = behind;
  before.most = most;
}

/** µs since the oldest block that is not acknowledged was closed, at each sample of the phase: outside it the replica is no secondary. */
function samplesBehind(log: SentLog, { from, to }: Phase): Float64Array {
  const step = stepFor(to - from, SAMPLE_US, MOST_SAMPLES);
  const samples = new Float64Array(Math.max(0, Math.ceil((to - from) / step) - 1));
  const before = { oldest: 0 };
  inChunks(samples.length, (chunk) => sampleBehind(log, { samples, step, from }, before, chunk));
  return samples;
}

function sampleBehind(
  { closed, processed }: SentLog,
  { samples, step, from }: { readonly samples: Float64Array; readonly step: number; readonly from: number },
  before: { oldest: number },
  { first, end }: RowRange,
): void {
  let { oldest } = before;
  for (let i = first; i < end; i++) {
    const at = from + (i + 1) * step;
    while (oldest < closed.length && processed[oldest] <= at) oldest++;
    if (oldest < closed.length && closed[oldest] <= at) samples[i] = at - closed[oldest];
  }
  before.oldest = oldest;
}
