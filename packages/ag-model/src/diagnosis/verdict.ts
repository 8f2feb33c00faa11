/** What diagnosis says; `packages/contract` has the same shapes, and does not compile when they differ. */
import type { RemoteStageId, StageId } from "../replication/stages.ts";

export type Severity = "none" | "notice" | "slow";
export type VerdictPlace = "primary" | "network" | "secondary" | "none";

/** One rule of docs/model.md 6.2 that fired. */
export interface Finding {
  /** D0 to D14. */
  rule: string;
  severity: Severity;
  sentence: string;
  /** Share of the mean remote harden, 0..1. */
  share: number | null;
  stage: StageId | null;
  secondary: number | null;
  checkNext: string[];
}

/** Mean µs per stage of the remote path, and of remote harden; null where no block has the stage. */
export type EpisodeMeans = Record<RemoteStageId | "remoteHarden", number | null>;

/** A stretch of time in which one stage is far from the rest of the capture; instants in µs. */
export interface Episode {
  label: string;
  from: number;
  to: number;
  blocks: number;
  stage: StageId;
  secondary: number;
  inside: EpisodeMeans;
  outside: EpisodeMeans;
}

/** One figure with the words around it; `value` is what is printed in bold. */
export interface EvidenceFigure {
  before: string;
  value: string;
  after: string;
}

export interface Verdict {
  sentence: string;
  severity: Severity;
  place: VerdictPlace;
  stage: StageId | null;
  evidence: EvidenceFigure[];
  checkNext: string[];
  findings: Finding[];
  episodes: Episode[];
}
