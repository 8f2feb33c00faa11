import { failoversOf } from "../happened/failovers.ts";
import type { FolderEvidence } from "./merge-facts.ts";

/**
 * The evidence with all times of each server moved, so that servers' clocks that differ become one. Failovers are found
 * again, because their order of events may be another one.
 * @param wayOf the move of a server's times, in µs since 1970; null for files that name no server
 */
export function movedEvidence(
  evidence: FolderEvidence,
  wayOf: (server: string | null) => (us: number) => number,
): FolderEvidence {
  const events = evidence.events
    .map((event) => {
      const move = wayOf(event.server);
      return { ...event, atUs: move(event.atUs), fromUs: event.fromUs === null ? null : move(event.fromUs) };
    })
    .sort((a, b) => a.atUs - b.atUs);
  const failovers = failoversOf(events);
  return {
    ...evidence,
    events,
    series: evidence.series.map((series) => ({ ...series, atUs: series.atUs.map(wayOf(series.server)) })),
    failovers,
    cause: failovers.at(-1) ?? null,
  };
}
