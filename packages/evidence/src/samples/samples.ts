import type { EvidenceSeries, NotUnderstood } from "../shapes.ts";

/** Samples as their file has them. */
export interface FileSeries extends EvidenceSeries {
  /** Times are local, and the file doesn't state its offset from UTC. */
  readonly isLocal: boolean;
}

/** A sentence about the figures, such as a restart between two snapshots. */
export interface Remark {
  /** `{0}` and `{1}` are places of the times. */
  readonly text: string;
  /** In µs since 1970. */
  readonly timesUs: readonly number[];
  readonly isLocal: boolean;
}

/** A sentence without times. */
export const remark = (text: string): Remark => ({ text, timesUs: [], isLocal: false });

/** The answer of each reader of samples. */
export interface Samples {
  readonly series: readonly FileSeries[];
  /** Server that the content names; null where it doesn't. */
  readonly server: string | null;
  readonly remarks: readonly Remark[];
  readonly notUnderstood: NotUnderstood | null;
}

/** The file that is read, and how. */
export interface SampleOptions {
  readonly file: string;
  /** Server by another source; the content wins. */
  readonly server: string | null;
  /** Minutes that local time is ahead of UTC, by the file's head; null where its head doesn't state it. */
  readonly utcOffsetMinutes: number | null;
  /** Names of further columns to keep, as the file writes them. */
  readonly columns?: ReadonlySet<string>;
  /** Keeps user names in paths. */
  readonly keepSensitive?: boolean;
}
