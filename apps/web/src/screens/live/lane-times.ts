/** Which replicas a lane's events come from, and so how far it is known and where it has holes. */
import type { LiveGap, LiveReplica } from "xel-parser/contract";
import { needsFileOf, type Lane } from "../../charts/timeline/lanes.ts";
import type { BinStore } from "./picture.ts";

type Known = readonly (number | null)[];
type Replicas = readonly Pick<LiveReplica, "index" | "role">[];

/** Request indices by the lanes' own numbering: 0 the primary, then the other replicas in the order they were given. */
export function laneReplicas(replicas: Replicas): number[] {
  const primary = replicas.find((replica) => replica.role === "primary") ?? replicas[0];
  if (primary === undefined) return [];
  return [primary, ...replicas.filter((replica) => replica !== primary)].map((replica) => replica.index);
}

function sourcesOf(lane: Lane, order: readonly number[]): number[] {
  return order.filter((_, position) => needsFileOf(lane, position));
}

/** Instant up to which each lane is known, µs: no further than what all its replicas delivered and what was drawn of it. */
export function laneEnds(
  lanes: readonly Lane[],
  replicas: Replicas,
  decodedTo: Known,
  bins: Pick<BinStore, "width" | "firstBin" | "length"> | null,
): Map<string, number> {
  const order = laneReplicas(replicas);
  const drawn = bins === null ? Number.NEGATIVE_INFINITY : (bins.firstBin + bins.length) * bins.width;
  const end = (lane: Lane): number =>
    Math.min(drawn, ...sourcesOf(lane, order).map((index) => decodedTo[index] ?? Number.NEGATIVE_INFINITY));
  return new Map(lanes.map((lane) => [lane.key, end(lane)]));
}

/** Time in which a lane's replicas could not be read: from, to (`now` while it goes on). */
export function laneGaps(
  lanes: readonly Lane[],
  replicas: Replicas,
  gaps: readonly LiveGap[],
): Map<string, [number, number][]> {
  const order = laneReplicas(replicas);
  return new Map(
    lanes.map((lane) => {
      const sources = sourcesOf(lane, order);
      return [
        lane.key,
        gaps
          .filter((gap) => sources.includes(gap.replica))
          .map((gap): [number, number] => [gap.from, gap.to ?? Number.POSITIVE_INFINITY]),
      ];
    }),
  );
}
