/** Slow periods in which a server was unresponsive. */
import { PAUSE_SHARE, pausedUs, pausesOfReplica } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Window } from "../verdict.ts";

/**
 * Index of the replica that was unresponsive for most of a window: the slow work in the window waited for that server.
 * Null without one.
 */
export function pausedIn(model: CaptureModel, { from, to }: Window): number | null {
  const paused = model.replicas.findIndex((_, replica) => {
    const still = pausesOfReplica(model, replica).reduce((sum, each) => sum + pausedUs(each, from, to), 0);
    return still > 0 && still > PAUSE_SHARE * (to - from);
  });
  return paused < 0 ? null : paused;
}
