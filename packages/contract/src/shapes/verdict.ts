/** The verdict on a capture. Times are µs relative to the capture's origin on the primary's clock. */
import { CAUSES } from "@aglens/ag-model/diagnosis";
import { PATH_STAGES } from "@aglens/ag-model/replication";
import { StageId, us, Window } from "../units.ts";
import { z } from "../zod.ts";

const Severity = z.enum(["none", "notice", "slow"]);

const Place = z.enum(["primary", "network", "secondary", "none"]);

/** Subject of a finding; docs/contribute/model/diagnosis.md 6.2 explains each. */
const Cause = z.enum(CAUSES);

/** One rule of docs/contribute/model/diagnosis.md 6.2 that fired. */
export const Finding = z.object({
  rule: z.string(),
  cause: Cause,
  severity: Severity,
  sentence: z.string(),
  /** Share of the mean commit latency, 0..1; null when it is not part of it. */
  share: us,
  stage: StageId.nullable(),
  /** Index into the summary's replicas. */
  replica: z.number().nullable(),
  /** Index into the summary's databases; null when it is about all. */
  database: z.number().nullable(),
  window: Window.nullable(),
  /** Each time that it happened, in the order of time; absent where an earlier version analyzed the capture. */
  windows: z.array(Window).optional(),
  /** Commit latency in the windows compared with the rest of the capture, µs. */
  effect: z.object({ p50Inside: us, p50Outside: us, p95Inside: us, p95Outside: us }).nullable(),
  /**
   * For a change of roles (D18): whether a commit bounds the window at each end; where it is not known, the window ends
   * at a log block.
   */
  commitsKnown: z.object({ before: z.boolean(), after: z.boolean() }).optional(),
  /** The limit that was exceeded, and its publisher. */
  threshold: z.string(),
  source: z.string(),
  checkNext: z.array(z.string()),
});
export type Finding = z.infer<typeof Finding>;

const EpisodeMeans = z.record(z.enum(PATH_STAGES), us);

/** A period in which one stage is far from the rest of the capture. */
export const Episode = z.object({
  label: z.string(),
  cause: Cause,
  from: z.number(),
  to: z.number(),
  blocks: z.number(),
  stage: StageId,
  secondary: z.number(),
  /** Mean µs per stage of the remote path, and of `remoteHarden`, inside and outside. */
  inside: EpisodeMeans,
  outside: EpisodeMeans,
});
export type Episode = z.infer<typeof Episode>;

export const Verdict = z.object({
  sentence: z.string(),
  severity: Severity,
  cause: Cause,
  place: Place,
  stage: StageId.nullable(),
  /** Index into the summary's replicas. */
  replica: z.number().nullable(),
  window: Window.nullable(),
  /** Each time that it happened, as of the headline's finding. */
  windows: z.array(Window).optional(),
  /** At most four short evidence figures: value in bold, words around it. */
  evidence: z.array(z.object({ before: z.string(), value: z.string(), after: z.string() })),
  checkNext: z.array(z.string()),
  findings: z.array(Finding),
  episodes: z.array(Episode),
  /** Method of the measurement and its limits; absent where an earlier version analyzed the capture. */
  measured: z.array(z.string()).optional(),
});
export type Verdict = z.infer<typeof Verdict>;
