import type { Window } from "./window-figures.ts";

/** Figures of the data-movement events in a window of time. */
export interface CaptureFigures extends Window {
  /** Server of the primary replica; null where unknown. */
  readonly primary: string | null;
  /** Mean wait of commits for each secondary replica. */
  readonly commits: readonly CommitFigure[];
  readonly logWrites: readonly LogWriteFigure[];
}

export interface CommitFigure {
  readonly replica: string;
  readonly meanMs: number;
  readonly plusMinusMs: number;
  readonly count: number;
}

export interface LogWriteFigure {
  readonly server: string;
  /** Volume of the log, such as `F:`; null where unknown. */
  readonly volume: string | null;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly longestMs: number;
  readonly plusMinusMs: number;
}

export type AgreementRule =
  | "transactionDelay"
  | "syncCommitWaits"
  | "logWriteWaits"
  | "logDisk"
  | "longRequests"
  | "ioSubsystem"
  | "diskspd";

/** Answer of a rule. */
export interface Agreement {
  readonly rule: AgreementRule;
  /** Null where the files don't decide. */
  readonly agrees: boolean | null;
  readonly server: string | null;
  /** Both figures with their uncertainty. */
  readonly text: string;
  readonly sources: readonly { readonly file: string; readonly place: string }[];
}
