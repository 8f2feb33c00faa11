/** A trace for tools that draw tracks over time: lanes with slices, and counters, before any file format. */
import { sortRows } from "../numbers/index.ts";

/** A value of a slice; names are as in the exported tables. */
export type TraceArg = readonly [name: string, value: string | number];

/** Slices that belong together; those that overlap are drawn in rows below each other. */
export interface TraceLane {
  /** Index into `CaptureTrace.replicas`; null for a lane of the capture. */
  readonly replica: number | null;
  /** Heading over lanes of one replica, in the order of the lanes; null without one. */
  readonly group: string | null;
  readonly name: string;
  /** Name of a slice; the lane's name without it. */
  readonly nameOf?: (slice: number) => string;
  readonly about: string;
  /** µs from the capture's origin, each end at or after its start. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly argsOf: (slice: number) => readonly TraceArg[];
  /** Number of the path that a slice is part of, the same in all its lanes; 0 for none. */
  readonly pathOf: (slice: number) => number;
}

export interface TraceCounter {
  readonly replica: number | null;
  readonly group: string | null;
  readonly name: string;
  readonly unit: string;
  readonly about: string;
  /** µs from the capture's origin, ascending. */
  readonly at: Float64Array;
  readonly values: Float64Array;
}

export interface CaptureTrace {
  /** UTC of the capture's origin, ns since 1970. */
  readonly originNs: bigint;
  readonly replicas: readonly string[];
  /** Contents of the trace, and the number of skipped slices. */
  readonly about: readonly TraceArg[];
  /** Lanes of a path are in the order of the path. */
  readonly lanes: readonly TraceLane[];
  readonly counters: readonly TraceCounter[];
}

/** Slices of a lane at one time, each of which has a row of its own, at most. */
export const MOST_ROWS = 500;

/** The rows whose slices find a free row of their lane, in their order. @param rows indexes of `starts` and `ends` */
export function withFreeRow(rows: Uint32Array, starts: Float64Array, ends: Float64Array): Uint32Array {
  const freeFrom = new Float64Array(MOST_ROWS).fill(-Infinity);
  const crowded = new Set<number>();
  for (const row of sortRows(rows.slice(), starts)) {
    const free = freeFrom.findIndex((us) => us <= starts[row]);
    if (free < 0) crowded.add(row);
    else freeFrom[free] = ends[row];
  }
  return rows.filter((row) => !crowded.has(row));
}

/** µs to three decimals: a trace counts in ns. */
export const inNs = (us: number): number => Math.round(us * 1_000) / 1_000;

/** A possible error in µs, rounded up to ns. */
export const errorArg = (us: number): TraceArg => [
  "uncertainty_us",
  Number.isNaN(us) ? "unknown" : Math.ceil(us * 1_000) / 1_000,
];
