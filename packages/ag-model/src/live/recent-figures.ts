import { firstAtOrAfter } from "../numbers/index.ts";
import { rangeStatistics } from "../query/range-statistics.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { AttachedReplicas } from "./attached-replicas.ts";
import { figuresOf, mainSecondary, sharesOf } from "./figures.ts";
import type { LiveModelPicture } from "./picture.ts";
import { readoutsOf } from "./readouts.ts";
import { CLOCKS_AGREE_US } from "./run-now.ts";
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
 * Figures of the last seconds: per lane and per secondary over 30 s, rates over 5 s.
 * @param model the recent blocks, times in µs of the run
 * @param now µs of the run
 */
export function recentFigures(
  model: CaptureModel,
  secondaries: Secondaries,
  now: number,
  { newest, decodedTo }: Pick<AttachedReplicas, "newest" | "decodedTo">,
): RecentFigures {
  const to = now - newest < CLOCKS_AGREE_US ? newest : now;
  const statistics = rangeStatistics(model, { from: to - VIEW_US, to });
  const { present } = secondaries;
  const main = mainSecondary(statistics, present);
  const readTo = Math.min(to, ...decodedTo.filter((each) => to - each < CLOCKS_AGREE_US));
  return {
    figures: figuresOf(statistics, present),
    shares: sharesOf(statistics, present, secondaries.count),
    readouts: readoutsOf(model, readTo, main, present[main]?.number ?? -1),
    blocksPerSecond: perSecond(model.blocks.time, readTo),
    commitsPerSecond: perSecond(model.commits.start, readTo),
  };
}

function perSecond(times: Float64Array, readTo: number): number {
  const seconds = Math.min(RATE_S, Math.max(1, readTo / SECOND));
  return (firstAtOrAfter(times, readTo) - firstAtOrAfter(times, readTo - seconds * SECOND)) / seconds;
}
