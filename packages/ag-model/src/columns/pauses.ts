/** Servers that stood still, as the model's markers have them, and what waited for them meanwhile. */
import type { ServerPause } from "../replication/pauses.ts";
import { MARKER_KINDS, type CaptureModel } from "../replication/tables.ts";
import { oncePerModel } from "./once-per-model.ts";

/** Share of a time in which a server stood still, over which that time is the pause's and no stage's. */
export const PAUSE_SHARE = 0.5;

/** Every stretch in which a server stood still, in order of time. */
export const pausesOf = (model: CaptureModel): readonly ServerPause[] =>
  oncePerModel(model, "columns/pauses", () => {
    const { kind, time, duration, replica } = model.markers;
    return Array.from(kind.keys())
      .filter((row) => MARKER_KINDS[kind[row]] === "pause")
      .map((row) => ({ replica: replica[row], from: time[row], to: time[row] + duration[row] }));
  });

/** When any of these replicas stood still, in order of time. @param replicas indexes into `CaptureModel.replicas` */
export const pausesOfReplicas = (model: CaptureModel, replicas: readonly number[]): readonly ServerPause[] =>
  pausesOf(model).filter(({ replica }) => replicas.includes(replica));

/** When one replica stood still, in order of time. */
export const pausesOfReplica = (model: CaptureModel, replica: number): readonly ServerPause[] =>
  pausesOfReplicas(model, [replica]);

/** µs of a duration in which a server stood still. */
export const pausedUs = (pause: ServerPause, from: number, to: number): number =>
  Math.max(0, Math.min(pause.to, to) - Math.max(pause.from, from));

/**
 * The pause that most of a duration was spent in: what took so long was that server, whichever stage its instants fall in. Null for
 * none, and for a duration that is not known or negative.
 * @param pauses of the servers at either end
 * @param from µs
 * @param to µs
 */
export function pauseBehind(pauses: readonly ServerPause[], from: number, to: number): ServerPause | null {
  let [longest, longestUs]: [ServerPause | null, number] = [null, 0];
  for (const pause of pauses) {
    const us = pausedUs(pause, from, to);
    if (us > longestUs) [longest, longestUs] = [pause, us];
  }
  return longestUs > PAUSE_SHARE * (to - from) ? longest : null;
}
