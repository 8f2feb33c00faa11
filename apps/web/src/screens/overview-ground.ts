import type { Overview, Summary } from "@aglens/contract";
import { timeAxis } from "../charts/axis.ts";
import type { Ground } from "../charts/overview/ground.ts";
import type { TimeRange } from "../charts/time-scale.ts";
import { touchingPath } from "./coverage.ts";

/** What lies behind the charts of a range (µs) towards one secondary; of an overview that has not come yet, its grid and episodes. */
export function overviewGround(
  summary: Summary,
  overview: Overview | null,
  secondary: number,
  { from, to }: TimeRange,
): Ground {
  return {
    idle: overview?.idle ?? [],
    // Events of other replicas do not touch these figures.
    uncovered: touchingPath(summary, secondary, [
      ...(overview?.uncovered ?? []),
      ...missingWithin(summary, from, to),
    ]),
    episodes: summary.verdict.episodes.filter((episode) => episode.secondary === secondary),
    ticks: timeAxis(from, to, summary).ticks.map((tick) => tick.at),
  };
}

/** Of which time replicas lost every event, between others, as far as it lies in the range. */
const missingWithin = ({ missing }: Summary, from: number, to: number): [number, number, number][] =>
  missing
    .filter((each) => each.to > from && each.from < to)
    .map((each) => [Math.max(each.from, from), Math.min(each.to, to), each.replica]);
