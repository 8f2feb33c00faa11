/** Servers that stood still, as the model's markers have them. */
import { MARKER_KINDS, type CaptureModel } from "../replication/tables.ts";
import type { Window } from "./verdict.ts";

/** When a replica stood still, in order of time. */
export function pausesOfReplica({ markers }: CaptureModel, replica: number): Window[] {
  const { kind, time, duration } = markers;
  return Array.from(kind.keys())
    .filter((row) => MARKER_KINDS[kind[row]] === "pause" && markers.replica[row] === replica)
    .map((row) => ({ from: time[row], to: time[row] + duration[row] }));
}

/** Share of a slow stretch in which a server stood still, from which on the stretch is the pause's. */
const PAUSE_SHARE = 0.5;

/** Index of the replica that stood still for most of a window: what was slow in it waited for that server. Null for none. */
export function pausedIn(model: CaptureModel, { from, to }: Window): number | null {
  const paused = model.replicas.findIndex((_, replica) => {
    const stretches = pausesOfReplica(model, replica);
    const still = stretches.reduce(
      (sum, each) => sum + Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)),
      0,
    );
    return still > 0 && still > PAUSE_SHARE * (to - from);
  });
  return paused < 0 ? null : paused;
}
