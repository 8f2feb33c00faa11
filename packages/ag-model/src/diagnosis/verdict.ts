/** Result of the diagnosis; `packages/contract` has the same shapes, and does not compile when they differ. */
import type { RemoteStageId, StageId } from "../replication/shapes/stages.ts";

export const SEVERITIES = ["none", "notice", "slow"] as const;
export type Severity = (typeof SEVERITIES)[number];
export type VerdictPlace = "primary" | "network" | "secondary" | "none";

/** Cause of a finding; the same ids in the CLI, the API and exported tables. `none`: nothing is wrong. */
export const CAUSES = [
  "none",
  "primary_disk",
  "secondary_disk",
  "network",
  "send",
  "compression",
  "group_commit",
  "flow_control",
  "secondary_cpu",
  "primary_ack",
  "stall",
  "server_pause",
  "imbalance",
  "async_replica",
  "async_lag",
  "role_change",
  "mode_change",
  "replica_away",
  "clock_step",
  "lost_events",
  "no_start_timestamp",
  "data_quality",
] as const;
export type Cause = (typeof CAUSES)[number];

/** A range of time, µs. */
export interface Window {
  from: number;
  to: number;
}

/** Commit latency in a finding's windows against the time outside of all slow periods, µs; null without a commit. */
export interface CommitEffect {
  p50Inside: number | null;
  p50Outside: number | null;
  p95Inside: number | null;
  p95Outside: number | null;
}

/**
 * Whether the last commit of the old primary and the first of the new one are known for certain: the window of a change
 * of roles is between them. Where one is not, the window ends at that primary's log block.
 */
export interface CommitsKnown {
  before: boolean;
  after: boolean;
}

/** One rule of docs/contribute/model/diagnosis.md 6.2 that fired. */
export interface Finding {
  /** D0 to D20. */
  rule: string;
  cause: Cause;
  severity: Severity;
  sentence: string;
  /** Share of the mean commit latency, 0..1; null for a finding about another time. */
  share: number | null;
  stage: StageId | null;
  /** Index into the model's replicas; null for a finding without a replica. */
  replica: number | null;
  /** Index into the model's databases; null for a finding about all of them. */
  database: number | null;
  /** Window of the finding; of several windows the one that costs commits most. Null for a finding without a time. */
  window: Window | null;
  /** Every window, in the order of time (`windowsOf`); absent where an earlier version analyzed the capture. */
  windows?: Window[] | undefined;
  effect: CommitEffect | null;
  /** Only for a change of roles (D18). */
  commitsKnown?: CommitsKnown | undefined;
  /** The limit that was passed, and its publisher; empty for a finding without a limit. */
  threshold: string;
  source: string;
  checkNext: string[];
}

/** Every window of a finding, in the order of time; empty for a finding without a time. */
export const windowsOf = ({ window, windows }: Pick<Finding, "window" | "windows">): readonly Window[] =>
  windows ?? (window === null ? [] : [window]);

/** Mean µs per stage of the remote path, and of remote harden; null where no block has the stage. */
export type EpisodeMeans = Record<RemoteStageId | "remoteHarden", number | null>;

/** A period in which one stage is far from the rest of the capture; instants in µs. */
export interface Episode {
  label: string;
  cause: Cause;
  from: number;
  to: number;
  blocks: number;
  stage: StageId;
  secondary: number;
  inside: EpisodeMeans;
  outside: EpisodeMeans;
}

/** One figure with the words around it; `value` is printed in bold. */
export interface EvidenceFigure {
  before: string;
  value: string;
  after: string;
}

export interface Verdict {
  sentence: string;
  severity: Severity;
  cause: Cause;
  place: VerdictPlace;
  stage: StageId | null;
  /** Index into the model's replicas; null for a verdict without a replica. */
  replica: number | null;
  window: Window | null;
  /** Every window of the headline's finding. */
  windows?: Window[] | undefined;
  evidence: EvidenceFigure[];
  checkNext: string[];
  /** Most severe first; the first one with a severity is the headline's. */
  findings: Finding[];
  episodes: Episode[];
  /** How the figures were measured and their limits; absent where an earlier version analyzed the capture. */
  measured?: string[] | undefined;
}
