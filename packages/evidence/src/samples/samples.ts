import type { EvidenceSeries, NotUnderstood } from "../shapes.ts";

/** The answer of each reader of samples. */
export interface Samples {
  readonly series: readonly EvidenceSeries[];
  /** Server that the content names; null where it doesn't. */
  readonly server: string | null;
  /** Sentences about the figures, such as a restart between two snapshots. */
  readonly remarks: readonly string[];
  readonly notUnderstood: NotUnderstood | null;
}

/** The file that is read, and how. */
export interface SampleOptions {
  readonly file: string;
  /** Server by another source; the content wins. */
  readonly server: string | null;
  /** Minutes that local time is ahead of UTC, from another file of the server; null where no file has it. */
  readonly utcOffsetMinutes: number | null;
  /** Names of further columns to keep, as the file writes them. */
  readonly columns?: ReadonlySet<string>;
  /** Keeps user names in paths. */
  readonly keepSensitive?: boolean;
}

/** Samples without a UTC offset can't be placed next to the events. */
export const CHOOSE_ZONE = "The file has no UTC offset. Choose its time zone.";
