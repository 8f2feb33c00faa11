/**
 * Figures of the work that a log writer or a network served, for one regime: the episodes of the verdict, if there are
 * any.
 */
import { firstAtOrAfter, largest, meanOf, percentileOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { busyEntryUs, busySeconds } from "./busy-seconds.ts";
import { markWithin, type TimePeriod } from "./slow-periods.ts";

/** Waiting counts as queueing over this share of waited and served time, and over this many µs. */
export const QUEUED_SHARE = 0.2;
export const QUEUED_US = 1_000;
/** An episode belongs to a row that takes this many times as long in it as otherwise. */
const EPISODE_FACTOR = 2;
const SECOND_US = 1_000_000;

export interface Served {
  readonly entered: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly waited: Float64Array;
  readonly served: Float64Array;
}

/** Periods in which a row was slow, and its means outside of them, µs. */
export interface RowEpisode {
  readonly stretches: readonly TimePeriod[];
  readonly waitedUs: number;
  readonly servedUs: number;
  /** Both directions of a network together; NaN for other rows. */
  readonly roundTripUs: number;
}

/**
 * Figures of a row in its slow periods by the verdict; the row's own figures decide whether it follows these periods.
 */
export function rowFigures(
  model: CaptureModel,
  all: Served,
  limitUs: number,
  periods: readonly TimePeriod[],
) {
  const busy = busySeconds(all.start, all.end, model.duration);
  const parts = episodeParts(all, periods);
  const part = parts === null ? usual(all) : within(parts.inside, periods);
  const { waitedUs, servedUs } = part;
  const usualUs = parts === null ? Infinity : meanOf(parts.outside.served);
  return {
    blocks: all.start.length,
    busy,
    busyUs: busyEntryUs(model.duration),
    busyMost: largest(busy),
    mostPerSecond: mostInASecond(all.entered, model.duration),
    ...part,
    isSlow: servedUs > limitUs || servedUs >= EPISODE_FACTOR * usualUs,
    isQueued: waitedUs > QUEUED_US && waitedUs > QUEUED_SHARE * (waitedUs + servedUs),
    episode:
      parts === null
        ? null
        : {
            stretches: periods,
            waitedUs: meanOf(parts.outside.waited),
            servedUs: usualUs,
            roundTripUs: Number.NaN,
          },
  };
}

/** Parts inside and outside of the periods; null where these are no episode of the row. */
function episodeParts(
  all: Served,
  periods: readonly TimePeriod[],
): { readonly inside: Served; readonly outside: Served } | null {
  if (periods.length === 0) return null;
  const isIn = markWithin(all.entered, periods);
  const [inside, outside] = [pickMarked(all, isIn, 1), pickMarked(all, isIn, 0)];
  if (inside.start.length === 0) return null;
  const isLonger = !(totalUs(inside) < EPISODE_FACTOR * totalUs(outside));
  return isLonger ? { inside, outside } : null;
}

const totalUs = ({ waited, served }: Served): number => meanOf(waited) + meanOf(served);

const pickMarked = (
  { entered, start, end, waited, served }: Served,
  isIn: Uint8Array,
  mark: 0 | 1,
): Served => {
  const pick = (column: Float64Array): Float64Array => column.filter((_, i) => isIn[i] === mark);
  return {
    entered: pick(entered),
    start: pick(start),
    end: pick(end),
    waited: pick(waited),
    served: pick(served),
  };
};

const means = ({ waited, served }: Served) => ({
  waitedUs: meanOf(waited),
  servedUs: meanOf(served),
  waitedP95Us: percentileOf(waited, 95),
});

function usual(all: Served) {
  const { entered, start, end } = all;
  const span = Math.max(largest(end) - entered[0], 1);
  const covered = largest(end) - start[0];
  return {
    ...means(all),
    busyMean: Math.min(1, unionOf(start, end) / Math.max(covered, 1)),
    perSecond: (start.length * SECOND_US) / span,
  };
}

function within(inside: Served, periods: readonly TimePeriod[]) {
  const lasted = Math.max(
    1,
    periods.reduce((sum, [from, to]) => sum + to - from, 0),
  );
  return {
    ...means(inside),
    busyMean: Math.min(1, unionOf(inside.start, inside.end) / lasted),
    perSecond: (inside.start.length * SECOND_US) / lasted,
  };
}

/** Largest number of instants in one second of the capture. */
function mostInASecond(instants: Float64Array, duration: number): number {
  const seconds = Math.max(1, Math.ceil(duration / SECOND_US));
  const inOrder = instants.map((at) => Math.floor(at / SECOND_US));
  // Nearly all are in order, and a sort of ordered values takes longer than the rest of this function.
  if (inOrder.some((second, i) => !(second >= (inOrder[i - 1] ?? second)))) inOrder.sort();
  let [most, count] = [0, 0];
  for (let i = firstAtOrAfter(inOrder, 0); i < inOrder.length && inOrder[i] < seconds; i++) {
    count = inOrder[i] === inOrder[i - 1] ? count + 1 : 1;
    most = Math.max(most, count);
  }
  return most;
}

function unionOf(start: Float64Array, end: Float64Array): number {
  let [sum, until] = [0, -Infinity];
  for (let i = 0; i < start.length; i++) {
    sum += Math.max(0, end[i] - Math.max(start[i], until));
    until = Math.max(until, end[i]);
  }
  return sum;
}
