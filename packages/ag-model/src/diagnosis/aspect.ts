import type { RemoteStageId, StageId } from "../replication/shapes/stages.ts";
import type { Path } from "./paths.ts";
import type { Rows } from "./excess.ts";
import type { ExcessLimit } from "./settings.ts";
import type { Cause, Severity, VerdictPlace } from "./verdict.ts";

/** A limit that a complete capture passes. */
export interface PassedLimit {
  readonly severity: Severity;
  readonly sentence: string;
  readonly threshold: string;
}

/** One cause that commits can wait for, with its figures in one capture. */
export interface Aspect {
  readonly cause: Cause;
  /** Rule of docs/contribute/model/diagnosis.md 6.2. */
  readonly rule: string;
  /** Stage whose name a verdict uses for it. */
  readonly stage: StageId;
  readonly place: VerdictPlace;
  /** Index into the model's replicas of the one to check. */
  readonly replica: number;
  /** Null for work on the primary that is the same for every secondary. */
  readonly path: Path | null;
  /** Stages of the remote path that are its parts; empty when it is no part of remote harden. */
  readonly parts: readonly RemoteStageId[];
  /** Time per block, queue included, µs. */
  readonly time: Float64Array;
  /** Figure that a sentence compares, µs per block, and the words before it: `a log write on SQL2 took`. */
  readonly figure: Float64Array;
  readonly words: string;
  /** Name of an episode. */
  readonly label: string;
  /** Share of the mean commit latency, over the commits on whose path it was, 0..1; NaN when no commit is known. */
  readonly share: number;
  readonly limit: ExcessLimit;
  readonly passed: PassedLimit | null;
  /** Whether the aspect applies to a period of rows; to all when absent. */
  readonly isOwn?: (rows: Rows) => boolean;
  /** Publisher of the limit. */
  readonly source: string;
  readonly checkNext: readonly string[];
}
