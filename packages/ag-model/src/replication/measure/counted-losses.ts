/** The lost events of servers whose events are numbered, on the capture's clock (docs/contribute/model/diagnosis.md 6.6). */
import { lostNumbers, type NumberHole } from "../../events/index.ts";
import type { Aligned } from "../alignment/align.ts";
import { ticksToMicroseconds } from "../clocks/time.ts";
import type { Joined } from "../join/join.ts";
import type { CaptureModel, CountedLoss, LossPlace } from "../shapes/tables.ts";

/** More places of a server than this are joined, except the largest ones. */
const MOST_PLACES = 1_024;
const LARGEST = 256;

/** @param bases index of each server's first file */
export function countedLosses(
  { servers, replicaOf, baseTicks }: Pick<Joined, "servers" | "replicaOf" | "baseTicks">,
  { atUtc }: Pick<Aligned, "atUtc">,
  {
    start,
    duration,
    bases,
  }: { readonly start: number; readonly duration: number; readonly bases: readonly number[] },
): Pick<CaptureModel, "countedLosses"> {
  const counted = servers.flatMap(({ files }, s): CountedLoss[] => {
    const found = lostNumbers(files);
    if (found === null) return [];
    const at = (ticks: number): number =>
      Math.min(Math.max(atUtc[s](ticksToMicroseconds(BigInt(ticks) - baseTicks)) - start, 0), duration);
    const places = found.holes.flatMap(
      ({ before, after, fromTicks, toTicks, ...hole }: NumberHole): LossPlace[] => {
        const [one, other] = [at(fromTicks), at(toTicks)];
        if (Number.isNaN(one + other)) return [];
        const files = { before: bases[s] + before, after: bases[s] + after };
        return [{ from: Math.min(one, other), to: Math.max(one, other), ...hole, ...files }];
      },
    );
    return [
      {
        replica: replicaOf[s],
        events: found.events,
        lost: found.holes.reduce((sum, { events }) => sum + events, 0),
        places: inCells(
          places.toSorted((a, b) => a.from - b.from),
          duration,
        ),
      },
    ];
  });
  return counted.length === 0 ? {} : { countedLosses: counted };
}

/**
 * Joins those of one cause and file that begin in the same small part of the capture, where there are very many. The
 * largest ones stay: they may be periods without an event.
 */
function inCells(places: readonly LossPlace[], duration: number): LossPlace[] {
  if (places.length <= MOST_PLACES) return [...places];
  const single = places.filter(({ isJoined }) => isJoined !== true);
  const largest = new Set(single.toSorted((a, b) => b.events - a.events).slice(0, LARGEST));
  const cellOf = (place: LossPlace): LossPlace | string => {
    const { from, cause, before, after } = place;
    return largest.has(place) ? place : `${Math.floor((from / duration) * MOST_PLACES)} ${cause} ${before} ${after}`;
  };
  return [...Map.groupBy(places, cellOf).values()].map((same) => ({
    ...same[0],
    to: Math.max(...same.map(({ to }) => to)),
    events: same.reduce((sum, { events }) => sum + events, 0),
    ...(same.length > 1 && { isJoined: true }),
  }));
} // prettier-ignore
