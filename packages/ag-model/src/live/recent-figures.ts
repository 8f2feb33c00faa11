import { blocksInRange } from "../columns/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import { rangeStatistics } from "../query/range-statistics.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { figuresOf, mainSecondary, sharesOf } from "./figures.ts";
import type { LiveModelPicture, LiveModelPeriod } from "./picture.ts";
import { readoutsOf } from "./readouts.ts";
import type { Secondaries } from "./secondaries.ts";

const SECOND = 1_000_000;
const RATE_S = 5;

export type RecentFigures = Pick<
  LiveModelPicture,
  "figures" | "shares" | "readouts" | "blocksPerSecond" | "commitsPerSecond"
>;

export const NO_FIGURES: RecentFigures = {
  figures: {},
  shares: [],
  readouts: [],
  blocksPerSecond: Number.NaN,
  commitsPerSecond: Number.NaN,
};

/** Scope of the figures; µs of the run. */
export interface FigureScope {
  readonly now: number;
  /** The blocks that the verdict is about: its figures are about the same blocks. */
  readonly window: LiveModelPeriod;
  /** Time up to which the primary's events were received; NaN while it sends none: unknown is not zero. */
  readonly primaryTo: number;
  /** The same of an attached replica. */
  readonly heardTo: (replica: number) => number;
}

/**
 * Figures of the last seconds: per lane and per secondary over the verdict's window, readouts over the same length,
 * each up to the time to which the events that it needs were received, and rates over 5 s.
 * @param model the recent blocks, times in µs of the run
 */
export function recentFigures(
  model: CaptureModel,
  secondaries: Secondaries,
  { now, window, primaryTo, heardTo }: FigureScope,
): RecentFigures {
  const statistics = rangeStatistics(model, window);
  const { present } = secondaries;
  const modes = model.replicas.slice(1).map(({ commitMode }) => commitMode);
  const main = mainSecondary(statistics, present, modes);
  const mainTo = main < 0 || present[main].replica < 0 ? primaryTo : heardTo(present[main].replica);
  return {
    figures: figuresOf(statistics, present),
    shares: sharesOf(model, blocksInRange(model, window.from, window.to), present, secondaries.count),
    readouts: readoutsOf(model, {
      now,
      windowUs: window.to - window.from,
      primaryTo,
      mainTo: Math.min(primaryTo, mainTo),
      main,
      number: present[main]?.number ?? -1,
    }),
    blocksPerSecond: perSecond(model.blocks.time, primaryTo),
    commitsPerSecond: perSecond(model.commits.start, primaryTo),
  };
}

function perSecond(times: Float64Array, to: number): number {
  if (Number.isNaN(to)) return Number.NaN;
  const seconds = Math.min(RATE_S, Math.max(1, to / SECOND));
  return (firstAtOrAfter(times, to) - firstAtOrAfter(times, to - seconds * SECOND)) / seconds;
}
