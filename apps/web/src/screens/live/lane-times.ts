/** The replicas that a lane's events come from; they determine how far the lane is known and where it has gaps. */
import type { LiveGap, LiveLane, LivePicture, LiveReplica } from "@aglens/contract";
import { laneOfPhase } from "./phase-lanes.ts";

type Role = Pick<LiveReplica, "index" | "role">;

/** Index of the primary; -1 without one. */
const primaryOf = (replicas: readonly Role[]): number =>
  replicas.find((replica) => replica.role === "primary")?.index ?? -1;

/** The secondary that a number in lanes, shares and clocks means; undefined when it is not attached. */
export function secondaryOf<T extends { readonly index: number }>(
  lanes: readonly LiveLane[],
  replicas: readonly T[],
  secondary: number,
): T | undefined {
  const lane = lanes.find((each) => each.secondary === secondary && each.replica >= 0);
  return replicas.find((replica) => replica.index === lane?.replica);
}

/** Indexes of the replicas whose events a lane needs. @param primary index of the primary of that time */
function sourcesOf(lane: LiveLane, primary: number): number[] {
  const sources = [lane.place === "secondary" ? -1 : primary, lane.place === "primary" ? -1 : lane.replica];
  return sources.filter((replica) => replica >= 0);
}

/** Instant up to which each lane is known, µs: the last event time of the replica that lags most. */
export function laneEnds(
  lanes: readonly LiveLane[],
  replicas: readonly Role[],
  decodedTo: readonly (number | null)[],
): Map<string, number> {
  const primary = primaryOf(replicas);
  const heardTo = (replica: number): number => decodedTo[replica] ?? Number.NEGATIVE_INFINITY;
  return new Map(lanes.map((lane) => [lane.key, Math.min(...sourcesOf(lane, primary).map(heardTo))]));
}

/** Time in which a replica that a lane needs could not be read: `to` is Infinity while it lasts. */
export type LaneGap = Pick<LiveGap, "from" | "reason"> & { readonly to: number };

/** Gaps of each lane, from its replicas of that time. */
export function laneGaps(
  { lanes, phases }: Pick<LivePicture, "lanes" | "phases">,
  replicas: readonly Role[],
  gaps: readonly LiveGap[],
): Map<string, LaneGap[]> {
  const present = {
    from: phases.at(-1)?.to ?? 0,
    to: Number.POSITIVE_INFINITY,
    primary: primaryOf(replicas),
  };
  const of = (lane: LiveLane): LaneGap[] =>
    [
      ...phases.map((phase) => ({ ...phase, lane: laneOfPhase(lane, lanes, phase.lanes) })),
      { ...present, lane },
    ]
      .filter((phase) => phase.lane !== null)
      .flatMap(({ from, to, primary, lane: then }) => {
        const sources = sourcesOf(then!, primary);
        return gaps
          .filter((gap) => sources.includes(gap.replica))
          .map((gap) => ({
            from: Math.max(gap.from, from),
            to: Math.min(gap.to ?? Number.POSITIVE_INFINITY, to),
            reason: gap.reason,
          }))
          .filter((gap) => gap.to > gap.from);
      });
  return new Map(lanes.map((lane) => [lane.key, of(lane)]));
}
