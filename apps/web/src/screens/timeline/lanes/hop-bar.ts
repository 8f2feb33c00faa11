/** A block's path to one secondary, for a block bar. */
import type { Sequence } from "@aglens/contract";
import type { BarStages, PausedStages } from "../../../charts/block-pieces.ts";

type Hop = Pick<Sequence["hops"][number], "stages">;

/** Durations of its stages, µs; empty without a path. */
export const stagesOfHop = (hop: Hop | undefined): BarStages =>
  Object.fromEntries((hop?.stages ?? []).map(({ id, duration }) => [id, duration]));

/** Part of them in which a server was unresponsive. */
export function pausedOfHop(hop: Hop | undefined): PausedStages {
  const paused = (hop?.stages ?? []).filter(({ isPaused }) => isPaused);
  return { stages: Object.fromEntries(paused.map(({ id, duration }) => [id, duration ?? 0])) };
}
