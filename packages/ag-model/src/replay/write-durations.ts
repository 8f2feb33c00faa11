/** Durations of the writes of a changed log writer. */
import { differences, percentileOf, seededUniform } from "../numbers/index.ts";
import type { WriteFigure } from "./changes.ts";
import type { LogWriter } from "./log-writer.ts";

/**
 * A write takes its duration from a write of the other replica this many writes earlier: at the same time, but not of the
 * same block, because then the two would always be slow together.
 */
const WRITES_EARLIER = 7;
const SEED = 20_160_506;

/**
 * Durations of a log writer's writes, µs. Durations that follow from measured ones have no column: a replay of millions
 * of blocks would spend more time on new memory than on the replay.
 */
export interface WriteDurations {
  /** Duration of every write; NaN where they are not all equally long. */
  readonly fixedUs: number;
  /**
   * Duration of the write that begins with the block at each place of the writer's columns; null for measured
   * durations.
   */
  readonly drawn: Float64Array | null;
  /** Upper limit of the measured durations. */
  readonly mostUs: number;
}

/** As long as measured. */
export const AS_MEASURED: WriteDurations = { fixedUs: Number.NaN, drawn: null, mostUs: Infinity };

/** Duration of the write that begins with the block at a place of a writer's columns, µs. */
export function writeUsAt(
  { fixedUs, drawn, mostUs }: WriteDurations,
  { start, end }: LogWriter,
  place: number,
): number {
  // Only NaN differs from itself.
  if (fixedUs === fixedUs) return fixedUs;
  return drawn === null ? Math.min(end[place] - start[place], mostUs) : drawn[place];
}

/** Duration of the write of each block, µs; blocks that share a write have the same. */
export const durationsOf = ({ start, end }: LogWriter): Float64Array => differences(end, start);

/**
 * Durations of the writes of a changed log writer.
 * @param other the other replica's writer, for a figure that names one
 */
export function changedWrites(writer: LogWriter, figure: WriteFigure, other?: LogWriter): WriteDurations {
  if ("us" in figure) return { ...AS_MEASURED, fixedUs: figure.us };
  if ("percentile" in figure)
    return { ...AS_MEASURED, mostUs: percentileOf(writeDurations(writer), figure.percentile) };
  if ("points" in figure) return { ...AS_MEASURED, drawn: drawn(figure.points, writer.start.length) };
  return other === undefined ? AS_MEASURED : { ...AS_MEASURED, drawn: asOther(writer, other) };
}

/** Durations of the writes of a log writer, one per write, µs; NaN for the other blocks of a write. */
export function writeDurations(writer: LogWriter): Float64Array {
  const durations = durationsOf(writer);
  for (let i = 0; i < durations.length; i++) if (writer.first[i] !== 1) durations[i] = Number.NaN;
  return durations;
}

function drawn(points: readonly (readonly [number, number])[], length: number): Float64Array {
  const uniform = seededUniform(SEED);
  const distribution = {
    percents: Float64Array.from(points, ([percent]) => percent),
    us: Float64Array.from(points, ([, us]) => us),
  };
  const durations = new Float64Array(length);
  for (let i = 0; i < length; i++) durations[i] = interpolated(distribution, 100 * uniform());
  return durations;
}

function asOther(writer: LogWriter, other: LogWriter): Float64Array {
  const { starts, durations } = writesOf(other);
  const chosen = new Float64Array(writer.start.length);
  let next = 0;
  for (let i = 0; i < chosen.length; i++) {
    // The first writes have no write that much earlier, and use the first.
    while (next < starts.length - 1 && starts[next + 1] <= writer.start[i]) next++;
    chosen[i] = durations[Math.max(next - WRITES_EARLIER, 0)];
  }
  return chosen;
}

/** The writes of a log writer with a known duration, µs. */
function writesOf(writer: LogWriter): { readonly starts: Float64Array; readonly durations: Float64Array } {
  const durations = writeDurations(writer);
  const starts = new Float64Array(durations.length);
  let n = 0;
  for (let i = 0; i < durations.length; i++) {
    if (Number.isNaN(durations[i])) continue;
    starts[n] = writer.start[i];
    durations[n++] = durations[i];
  }
  return { starts: starts.subarray(0, n), durations: durations.subarray(0, n) };
}

/** Points of a distribution, in columns: to draw millions of values from pairs would take twice as long. */
interface Distribution {
  /** Ascending. */
  readonly percents: Float64Array;
  readonly us: Float64Array;
}

/** Value of a distribution at a percent, µs; below the first and above the last point it is that point's value. */
function interpolated({ percents, us }: Distribution, percent: number): number {
  let above = 0;
  while (above < percents.length && !(percents[above] >= percent)) above++;
  if (above === 0) return us[0];
  if (above === percents.length) return us[above - 1];
  const from = percents[above - 1];
  return us[above - 1] + ((us[above] - us[above - 1]) * (percent - from)) / (percents[above] - from);
}
