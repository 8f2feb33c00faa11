/** How long each write of a changed log writer lasts. */
import { percentile, seededUniform, sortedValues } from "../numbers/index.ts";
import type { WriteFigure } from "./changes.ts";
import type { LogWriter } from "./log-writer.ts";

/**
 * A write takes its duration from a write of the other replica this many writes earlier: at the same time, but not of the
 * same block, because then the two would always be slow together.
 */
const WRITES_EARLIER = 7;
const SEED = 20_160_506;

/**
 * Duration of the write that begins with the block at an index of the writer's columns, µs.
 * @param other the other replica's writer, for a figure that names one
 */
export function changedWrites(
  writer: LogWriter,
  figure: WriteFigure,
  other?: LogWriter,
): (index: number) => number {
  if ("us" in figure) return () => figure.us;
  if ("percentile" in figure) {
    const limit = percentile(sortedValues(writeDurations(writer)), figure.percentile);
    return (index) => Math.min(writer.end[index] - writer.start[index], limit);
  }
  if ("points" in figure) {
    const uniform = seededUniform(SEED);
    const drawn = writer.start.map(() => interpolated(figure.points, 100 * uniform()));
    return (index) => drawn[index];
  }
  return other === undefined ? (index) => writer.end[index] - writer.start[index] : asOther(writer, other);
}

/** Durations of the writes of a log writer, one per write, µs. */
export const writeDurations = ({ start, end, first }: LogWriter): Float64Array =>
  end.map((instant, i) => (first[i] === 1 ? instant - start[i] : Number.NaN));

function asOther(writer: LogWriter, other: LogWriter): (index: number) => number {
  const durations = writeDurations(other);
  const writes = Uint32Array.from(durations.keys()).filter((i) => !Number.isNaN(durations[i]));
  const chosen = new Float64Array(writer.start.length);
  let next = 0;
  for (let i = 0; i < chosen.length; i++) {
    // The first ones have none so much earlier and take the first.
    while (next < writes.length - 1 && other.start[writes[next + 1]] <= writer.start[i]) next++;
    chosen[i] = durations[writes[Math.max(next - WRITES_EARLIER, 0)]];
  }
  return (index) => chosen[index];
}

/** Value of a distribution at a percent; below the first and above the last point it is theirs. */
export function interpolated(points: readonly (readonly [number, number])[], percent: number): number {
  const above = points.findIndex(([each]) => each >= percent);
  if (above === 0) return points[0][1];
  if (above < 0) return points[points.length - 1][1];
  const [[p0, v0], [p1, v1]] = [points[above - 1], points[above]];
  return v0 + ((v1 - v0) * (percent - p0)) / (p1 - p0);
}
