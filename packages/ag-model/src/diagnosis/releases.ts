import { gatesOfAllCommits } from "../columns/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Releases of the commits of a capture. */
export interface Releases {
  /** [0] by the local log write, [s + 1] by the acknowledgment of secondary s. */
  readonly gates: readonly number[];
  /** Commits whose release is known. */
  readonly known: number;
  /** Index in `gates` of the one that released most; 0 without a known release. */
  readonly most: number;
}

export function releasesOf(model: CaptureModel): Releases {
  const gates = gatesOfAllCommits(model);
  return {
    gates,
    known: gates.reduce((sum, n) => sum + n, 0),
    most: gates.indexOf(Math.max(...gates)),
  };
}
