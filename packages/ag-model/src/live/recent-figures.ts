import { blocksInRange } from "../columns/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import { rangeStatistics } from "../query/range-statistics.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { figuresOf, mainSecondary, sharesOf } from "./figures.ts";
import type { LiveModelPicture } from "./picture.ts";
import { readoutsOf } from "./readouts.ts";
import type { Secondaries } from "./secondaries.ts";

const SECOND = 1_000_000;
const VIEW_US = 30 * SECOND;
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

/**
 * Figures of the last seconds: per lane and per secondary over 30 s, rates over 5 s. Each ends where those whose events it
 * needs were last heard.
 * @param model the recent blocks, times in µs of the run
 * @param now µs of the run
 * @param primaryTo up to where the primary was heard, µs of the run; NaN while it is not heard: unknown is not zero
 * @param heardTo the same of an attached replica
 */
export function recentFigures(
  model: CaptureModel,
  secondaries: Secondaries,
  now: number,
  primaryTo: number,
  heardTo: (replica: number) => number,
): RecentFigures {
  const to = Number.isNaN(primaryTo) ? now : primaryTo;
  const statistics = rangeStatistics(model, { from: to - VIEW_US, to });
  const { present } = secondaries;
  const modes = model.replicas.slice(1).map(({ commitMode }) => commitMode);
  const main = mainSecondary(statistics, present, modes);
  const mainTo = main < 0 || present[main].replica < 0 ? primaryTo : heardTo(present[main].replica);
  return {
    figures: figuresOf(statistics, present),
    shares: sharesOf(model, blocksInRange(model, to - VIEW_US, to), present, secondaries.count),
    readouts: readoutsOf(model, {
      now,
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
