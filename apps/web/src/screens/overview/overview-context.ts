import type { lostPlacesFor, uncoveredFor } from "../capture-view/coverage.ts";
import { createContext, use } from "react";
import type { Overview, RangeStatistics, ReplicaRows } from "@aglens/contract";
import type { Ground } from "../../charts/overview/ground.ts";
import type { TimeRange } from "../../charts/time-scale.ts";
import type { LatencyBin, Samples } from "../../charts/overview/latency-bins.ts";
import type { MinimapColumns } from "@aglens/ag-model/minimap";
import type { Answer } from "../../data/use-answer.ts";
import type { ReplicaNames } from "../../lanes/palette.ts";
import type { SlowBlockList } from "../slowest/use-slow-blocks.ts";
import type { SlowCommitList } from "../slowest/use-slow-commits.ts";
import type { Judged } from "./use-judged.ts";
import type { Metric } from "../../charts/overview/samples.ts";

/** State and answers that the parts of the overview share. Instants and durations in µs. */
export interface OpenOverview {
  readonly names: ReplicaNames;
  readonly metric: Metric;
  readonly setMetric: (metric: Metric) => void;
  /** The time in view. */
  readonly scale: TimeRange;
  /**
   * Shows another range, null for the complete capture. `done` is true at the end of a drag, and adds an entry to the
   * browser's history.
   */
  readonly setRange: (range: readonly [number, number] | null, done: boolean) => void;
  readonly ground: Ground;
  readonly overview: Answer<Overview>;
  /** Single commits or blocks. */
  readonly dots: Answer<Samples>;
  readonly bins: readonly LatencyBin[];
  /** Instants that no bin crosses: edges of idle periods and of episodes. */
  readonly breaks: readonly number[];
  /** Shortest and longest duration of the latency chart. */
  readonly domain: readonly [number, number];
  readonly minimap: Answer<MinimapColumns>;
  /** Periods of the complete capture of which a server has no events. */
  readonly uncovered: ReturnType<typeof uncoveredFor>;
  readonly lost: ReturnType<typeof lostPlacesFor>;
  /** Changes of roles, from the last commit before to the first one after each, µs. */
  readonly switches: readonly (readonly [number, number])[];
  /** Statistics of the range in view. */
  readonly statistics: Answer<RangeStatistics>;
  /**
   * Indices of the databases that have rows of their own; empty where the view is about one database, or there are too
   * many.
   */
  readonly databases: readonly number[];
  readonly judged: Judged;
  /** A row per replica; never loaded in a capture with one secondary. */
  readonly replicaRows: Answer<ReplicaRows>;
  readonly slowest: SlowBlockList;
  readonly slowCommits: SlowCommitList;
  /** The cursor through all charts: under the pointer, else where the table points; null without a cursor. */
  readonly cursor: number | null;
  readonly setHover: (at: number | null) => void;
  /** Instant of the table's row under the pointer; null when it leaves. */
  readonly setPointed: (at: number | null) => void;
}

export const OverviewContext = createContext<OpenOverview | null>(null);

/** The overview around this component. */
export function useOverview(): OpenOverview {
  const overview = use(OverviewContext);
  if (overview === null) throw new Error("No overview is around this component.");
  return overview;
}
