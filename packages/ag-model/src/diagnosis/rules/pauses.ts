/** Slow stretches in which a server stood still. */
import { PAUSE_SHARE, pausedUs, pausesOfReplica } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Window } from "../verdict.ts";

/** Index of the replica that stood still for most of a window: what was slow in it waited for that server. Null for none. */
export function pausedIn(model: CaptureModel, { from, to }: Window): number | null {
  const paused = model.replicas.findIndex((_, replica) => {
    const still = pausesOfReplica(model, replica).reduce((sum, each) => sum + pausedUs(each, from, to), 0);
    return still > 0 && still > PAUSE_SHARE * (to - from);
  });
  return paused < 0 ? null : paused;
}
