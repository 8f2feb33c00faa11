/** What diagnosis says; the shape of `Verdict` in contract/api.ts. */
export type Severity = "none" | "notice" | "slow";
export type VerdictPlace = "primary" | "network" | "secondary" | "none";

/** One rule of ag-domain section 5 that fired. */
export interface Finding {
  /** D0 to D14. */
  rule: string;
  severity: Severity;
  sentence: string;
  /** Share of the mean remote harden, 0..1. */
  share: number | null;
  stage: string | null;
  secondary: number | null;
  checkNext: string[];
}

/** A stretch of time in which one stage is far from the rest of the capture; instants in µs. */
export interface Episode {
  label: string;
  from: number;
  to: number;
  blocks: number;
  stage: string;
  secondary: number;
  /** Mean µs per stage of the remote path inside and outside. */
  inside: Record<string, number | null>;
  outside: Record<string, number | null>;
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
  stage: string | null;
  evidence: EvidenceFigure[];
  checkNext: string[];
  findings: Finding[];
  episodes: Episode[];
}
