/** Lag of a replica over time, as the primary sees it: one clock, no uncertainty (docs/contribute/model/stages.md 4.6). */
import { allRows, medianOf, sortRows, statisticsOf, stepFor } from "../numbers/index.ts";
import { perModel } from "../columns/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { orNull } from "./null-for-nan.ts";

/** Interval between samples of the lag: 10 ms; longer in a range that would have more samples than this, 2.8 h. */
const SAMPLE_US = 10_000;
const MOST_SAMPLES = 1_000_000;

/**
 * Lag at each sample: µs since the oldest block that is not acknowledged was closed, and the bytes of all such blocks.
 */
interface Samples {
  /** Instant of the first sample, and from one to the next, µs. */
  readonly first: number;
  readonly step: number;
  readonly us: Float64Array;
  readonly bytes: Float64Array;
  /**
   * The largest lag from each sample to the next: a peak just before an acknowledgment arrives, or as a block is
   * closed, is between two samples.
   */
  readonly mostUs: Float64Array;
  readonly mostBytes: Float64Array;
}

export interface BehindOptions {
  /** µs; at least a sample long. */
  readonly from: number;
  readonly to: number;
  /** Number of periods with a median each. */
  readonly bins: number;
  /** Number of periods with a maximum each: finer, so that no peak is lost between bins. */
  readonly columns: number;
}

/**
 * Lag of one secondary: figures of the range, and their course. A block counts as lag from the start of its log write
 * on the primary until its acknowledgment is processed; without such a block the lag is 0. Blocks without a known
 * acknowledgment are skipped.
 */
export function behindOverTime(model: CaptureModel, slot: number, options: BehindOptions) {
  const { from, to, bins, columns } = options;
  const samples = samplesOf(model, slot, from, to);
  const us = statisticsOf(samples.us);
  const bytes = statisticsOf(samples.bytes);
  const peaks = { from, to, count: columns };
  return {
    p50: orNull(us.p50),
    p95: orNull(us.p95),
    max: orNull(statisticsOf(samples.mostUs).max),
    bytesP50: orNull(bytes.p50),
    bytesMax: orNull(statisticsOf(samples.mostBytes).max),
    medians: inPeriods(samples, samples.us, { from, to, count: bins }, medianOf),
    longest: inPeriods(samples, samples.mostUs, peaks, largestOf),
    mostBytes: inPeriods(samples, samples.mostBytes, peaks, largestOf),
  };
}

const largestOf = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);

/** A figure per equal period of the range; null where no sample falls into it. */
function inPeriods(
  { first, step }: Samples,
  values: Float64Array,
  { from, to, count }: { readonly from: number; readonly to: number; readonly count: number },
  figureOf: (part: Float64Array) => number,
): (number | null)[] {
  const indexAt = (period: number): number =>
    Math.max(0, Math.ceil((from + (period * (to - from)) / count - first) / step));
  return Array.from({ length: count }, (_, period) => {
    const part = values.subarray(indexAt(period), indexAt(period + 1));
    return part.length === 0 ? null : orNull(figureOf(part));
  });
}

function samplesOf(model: CaptureModel, slot: number, from: number, to: number): Samples {
  const step = stepFor(Math.min(to, model.duration) - Math.max(0, from), SAMPLE_US, MOST_SAMPLES);
  const first = Math.ceil(Math.max(0, from) / step) * step;
  const count = Math.max(0, Math.ceil((Math.min(to, model.duration) - first) / step));
  const closed = model.blocks.localFlushStart;
  const acknowledged = model.hops[slot].ackProcessed;
  const us = new Float64Array(count);
  const bytes = new Float64Array(count + 1);
  const rows = closedInOrder(model, slot);
  let oldest = 0;
  for (let k = 0; k < count; k++) {
    const at = first + k * step;
    while (oldest < rows.length && acknowledged[rows[oldest]] <= at) oldest++;
    if (oldest < rows.length && closed[rows[oldest]] <= at) us[k] = at - closed[rows[oldest]];
  }
  const sampleAfter = (instant: number): number =>
    Math.min(count, Math.max(0, Math.ceil((instant - first) / step)));
  for (const row of rows) {
    const size = model.blocks.size[row] || 0;
    bytes[sampleAfter(closed[row])] += size;
    bytes[sampleAfter(acknowledged[row])] -= size;
  }
  for (let k = 1; k < count; k++) bytes[k] += bytes[k - 1];
  const sampled = bytes.subarray(0, count);
  const peaks = peaksOf(model, slot);
  const inRange = (all: Peaks): Peaks => all.filter(([at]) => at >= from && at < to);
  return {
    first,
    step,
    us,
    bytes: sampled,
    mostUs: withPeaks(us, first, step, inRange(peaks.us)),
    mostBytes: withPeaks(sampled, first, step, inRange(peaks.bytes)),
  };
}

/** Instants, µs, and the lag at that time. */
type Peaks = readonly (readonly [at: number, most: number])[];

/** Each sample, or the highest peak until the next one; a peak before the first sample counts with it. */
function withPeaks(samples: Float64Array, first: number, step: number, peaks: Peaks): Float64Array {
  const most = samples.slice();
  for (const [at, peak] of peaks) {
    const k = Math.max(0, Math.floor((at - first) / step));
    most[k] = Math.max(most[k], peak);
  }
  return most;
}

/** Peaks of the lag in time, as its oldest block is acknowledged, and of the lag in bytes, as a block is closed. */
const peaksOf = perModel((model: CaptureModel, slot: number): { us: Peaks; bytes: Peaks } => {
  const { localFlushStart: closed, size } = model.blocks;
  const { ackProcessed } = model.hops[slot];
  const rows = closedInOrder(model, slot);
  const acknowledged = sortRows(rows.slice(), ackProcessed);
  const us: (readonly [number, number])[] = [];
  const bytes: (readonly [number, number])[] = [];
  let [latest, sum, next] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const row of rows) {
    const at = ackProcessed[row];
    if (at > latest) us.push([at, at - closed[row]]);
    latest = Math.max(latest, at);
    while (ackProcessed[acknowledged[next]] <= closed[row]) sum -= size[acknowledged[next++]] || 0;
    sum += size[row] || 0;
    bytes.push([closed[row], sum]);
  }
  return { us, bytes };
});

/** Rows of blocks with both instants, in the order in which they were closed. */
const closedInOrder = perModel((model: CaptureModel, slot: number): Uint32Array => {
  const closed = model.blocks.localFlushStart;
  const { ackProcessed } = model.hops[slot];
  const order = sortRows(allRows(model.blocks.length), closed);
  return order.filter((row) => ackProcessed[row] > closed[row]);
});
