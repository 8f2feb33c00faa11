/** Which replicas a lane's events come from, and so how far it is known and where it has holes. */
import type { LiveGap, LiveLane, LiveReplica } from "@aglens/contract";

type Delivery = Pick<LiveReplica, "index" | "role" | "state" | "ownSession" | "buffersBehind">;

/**
 * A session of ours hands over its buffers once a second. What is older than this and has not come did not happen:
 * the database wrote no log, which must not look like late data. Of a session of someone else's the delay is unknown.
 */
const DELIVERED_AFTER_US = 2.5e6;

const primaryOf = <T extends { readonly role: string }>(replicas: readonly T[]): T | undefined =>
  replicas.find((replica) => replica.role === "primary");

/** The secondary that a number in lanes, shares and clocks means; undefined when it is not attached. */
export function secondaryOf<T extends { readonly index: number }>(
  lanes: readonly LiveLane[],
  replicas: readonly T[],
  secondary: number,
): T | undefined {
  const lane = lanes.find((each) => each.secondary === secondary && each.replica >= 0);
  return replicas.find((replica) => replica.index === lane?.replica);
}

/** The replicas without whose events a lane shows nothing. */
function sourcesOf<T extends { readonly index: number; readonly role: string }>(
  lane: LiveLane,
  replicas: readonly T[],
): T[] {
  const primary = lane.place === "secondary" ? undefined : primaryOf(replicas);
  const secondary =
    lane.place === "primary" ? undefined : replicas.find((replica) => replica.index === lane.replica);
  return [primary, secondary].filter((replica) => replica !== undefined);
}

/** Instant up to which each lane is known, µs: no further than what all its replicas delivered. */
export function laneEnds(
  lanes: readonly LiveLane[],
  replicas: readonly Delivery[],
  decodedTo: readonly (number | null)[],
  now: number,
): Map<string, number> {
  const deliveredTo = (replica: Delivery): number => {
    const decoded = decodedTo[replica.index] ?? Number.NEGATIVE_INFINITY;
    const isPrompt = replica.ownSession && replica.state === "reading" && replica.buffersBehind === 0;
    return isPrompt ? Math.max(decoded, now - DELIVERED_AFTER_US) : decoded;
  };
  return new Map(
    lanes.map((lane) => [lane.key, Math.min(...sourcesOf(lane, replicas).map((r) => deliveredTo(r)))]),
  );
}

/** Time in which a lane's replicas could not be read: from, to (Infinity while it goes on). */
export function laneGaps(
  lanes: readonly LiveLane[],
  replicas: readonly Pick<LiveReplica, "index" | "role">[],
  gaps: readonly LiveGap[],
): Map<string, [number, number][]> {
  const of = (lane: LiveLane): [number, number][] => {
    const sources = new Set(sourcesOf(lane, replicas).map((replica) => replica.index));
    return gaps
      .filter((gap) => sources.has(gap.replica))
      .map((gap) => [gap.from, gap.to ?? Number.POSITIVE_INFINITY]);
  };
  return new Map(lanes.map((lane) => [lane.key, of(lane)]));
}
