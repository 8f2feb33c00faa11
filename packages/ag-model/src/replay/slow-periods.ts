/** Finds when a log writer or a network was slow by the verdict, and which of its blocks were affected. */
import { episodesOfVerdict } from "../diagnosis/index.ts";
import { replicaOfSlot, type CaptureModel } from "../replication/index.ts";
import type { Stream } from "./streams.ts";

/** A range of time, µs. */
export type TimePeriod = readonly [from: number, to: number];

export type SlowPart = "primaryWrite" | "secondaryWrite" | "network";

const CAUSES = {
  primaryWrite: "primary_disk",
  secondaryWrite: "secondary_disk",
  network: "network",
} as const;

/**
 * The episodes of the verdict that are about a part of a stream, in order of time; empty for a part that is slow
 * throughout or healthy.
 * @param replica index into `CaptureModel.replicas`: the secondary, or the primary for its own log write
 */
export function slowPeriods(
  model: CaptureModel,
  { phase, primary }: Pick<Stream, "phase" | "primary">,
  part: SlowPart,
  replica: number,
): TimePeriod[] {
  const { from, to } = model.phases[phase];
  return episodesOfVerdict(model)
    .filter(
      (episode) =>
        episode.cause === CAUSES[part] &&
        episode.from < to &&
        episode.to > from &&
        (part === "primaryWrite" || replicaOfSlot(primary, episode.secondary) === replica),
    )
    .map((episode) => [episode.from, episode.to]);
}

/** 1 for each instant in one of the periods. */
export function markWithin(instants: Float64Array, periods: readonly TimePeriod[]): Uint8Array {
  const isIn = new Uint8Array(instants.length);
  for (const [from, to] of periods)
    for (let i = 0; i < isIn.length; i++) if (instants[i] >= from && instants[i] <= to) isIn[i] = 1;
  return isIn;
}
