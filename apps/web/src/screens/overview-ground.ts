import type { Overview, Summary } from "@aglens/contract";
import { timeAxis } from "../charts/axis.ts";
import type { Ground } from "../charts/overview/ground.ts";
import type { TimeRange } from "../charts/time-scale.ts";

/** What lies behind the charts of a range (µs) towards one secondary; of an overview that has not come yet, its grid and episodes. */
export function overviewGround(
  summary: Summary,
  overview: Overview | null,
  secondary: number,
  { from, to }: TimeRange,
): Ground {
  return {
    idle: overview?.idle ?? [],
    // Files of other replicas do not touch these figures.
    uncovered: (overview?.uncovered ?? []).filter(
      ([, , replica]) => replica === 0 || replica === secondary + 1,
    ),
    episodes: summary.verdict.episodes.filter((episode) => episode.secondary === secondary),
    ticks: timeAxis(from, to, summary).ticks.map((tick) => tick.at),
  };
}
