/** How far a replica is behind the primary over time, as the primary knows it: one clock, no uncertainty (docs/model.md 4.6). */
import { allRows, medianOf, sortRows, statisticsOf } from "../numbers/index.ts";
import { oncePerModel } from "../columns/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { orNull } from "./null-for-nan.ts";

const SAMPLE_US = 10_000;

/** What is behind every 10 ms: µs since the oldest block that is not acknowledged was closed, and the bytes of all such blocks. */
interface Samples {
  /** Instant of the first sample, µs. */
  readonly first: number;
  readonly us: Float64Array;
  readonly bytes: Float64Array;
}

export interface BehindOptions {
  /** µs; at least a sample long. */
  readonly from: number;
  readonly to: number;
  /** Stretches with a median each. */
  readonly bins: number;
  /** Stretches with a maximum each: finer, so that no peak is lost between bins. */
  readonly columns: number;
}

/**
 * Of one secondary: figures of the range, and their course. A block is behind from the start of its log write on the primary
 * until its acknowledgement is processed; nothing behind counts as 0. Blocks without a known acknowledgement are left out.
 */
export function behindOverTime(model: CaptureModel, slot: number, options: BehindOptions) {
  const { from, to, bins, columns } = options;
  const samples = samplesOf(model, slot, from, to);
  const us = statisticsOf(samples.us);
  const bytes = statisticsOf(samples.bytes);
  return {
    p50: orNull(us.p50),
    p95: orNull(us.p95),
    max: orNull(us.max),
    bytesP50: orNull(bytes.p50),
    bytesMax: orNull(bytes.max),
    medians: inStretches(samples, samples.us, from, to, bins, medianOf),
    longest: inStretches(samples, samples.us, from, to, columns, largestOf),
    mostBytes: inStretches(samples, samples.bytes, from, to, columns, largestOf),
  };
}

const largestOf = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);

/** A figure per equal stretch of the range; null where no sample falls into it. */
function inStretches(
  { first }: Samples,
  values: Float64Array,
  from: number,
  to: number,
  count: number,
  figureOf: (part: Float64Array) => number,
): (number | null)[] {
  const indexAt = (stretch: number): number =>
    Math.max(0, Math.ceil((from + (stretch * (to - from)) / count - first) / SAMPLE_US));
  return Array.from({ length: count }, (_, stretch) => {
    const part = values.subarray(indexAt(stretch), indexAt(stretch + 1));
    return part.length === 0 ? null : orNull(figureOf(part));
  });
}

function samplesOf(model: CaptureModel, slot: number, from: number, to: number): Samples {
  const first = Math.ceil(Math.max(0, from) / SAMPLE_US) * SAMPLE_US;
  const count = Math.max(0, Math.ceil((Math.min(to, model.duration) - first) / SAMPLE_US));
  const closed = model.blocks.localFlushStart;
  const acknowledged = model.hops[slot].ackProcessed;
  const us = new Float64Array(count);
  const bytes = new Float64Array(count + 1);
  const rows = closedInOrder(model, slot);
  let oldest = 0;
  for (let k = 0; k < count; k++) {
    const at = first + k * SAMPLE_US;
    while (oldest < rows.length && acknowledged[rows[oldest]] <= at) oldest++;
    if (oldest < rows.length && closed[rows[oldest]] <= at) us[k] = at - closed[rows[oldest]];
  }
  const sampleAfter = (instant: number): number =>
    Math.min(count, Math.max(0, Math.ceil((instant - first) / SAMPLE_US)));
  for (const row of rows) {
    const size = model.blocks.size[row] || 0;
    bytes[sampleAfter(closed[row])] += size;
    bytes[sampleAfter(acknowledged[row])] -= size;
  }
  for (let k = 1; k < count; k++) bytes[k] += bytes[k - 1];
  return { first, us, bytes: bytes.subarray(0, count) };
}

/** Rows of blocks with both instants, in the order in which they were closed. */
const closedInOrder = (model: CaptureModel, slot: number): Uint32Array =>
  oncePerModel(model, `behind/rows/${slot}`, () => {
    const closed = model.blocks.localFlushStart;
    const { ackProcessed } = model.hops[slot];
    const order = sortRows(allRows(model.blocks.length), closed);
    return order.filter((row) => ackProcessed[row] > closed[row]);
  });
