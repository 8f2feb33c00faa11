/**
 * Periods of blocks in which an aspect is slow: selects the reported ones, and the blocks that they are compared with
 * (docs/contribute/model/diagnosis.md 6.4).
 */
import { percentileOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { Aspect } from "./aspect.ts";
import { markedRows, totalCommitTime } from "./effect.ts";
import { excessesOf, type SlowPeriod } from "./excess.ts";
import { pausedIn } from "./rules/pauses.ts";
import type { Settings } from "./settings.ts";
import { severityOfLimit } from "./severity.ts";
import type { Window } from "./verdict.ts";

/** Slow periods of an aspect. */
export interface Slow {
  /** In the order of time: the period with most of the time, and those that are like it. */
  readonly told: readonly SlowPeriod[];
  /** Slow periods that are not like these. */
  readonly others: readonly SlowPeriod[];
}

const NOT_SLOW: Slow = { told: [], others: [] };

/**
 * Periods that are like the main one have at least this part of its time, and their mean differs by less than this
 * factor.
 */
const ALIKE_SHARE = 0.1;
const ALIKE_FACTOR = 3;
/** Least number of blocks outside of all slow periods that show the usual durations. */
const FEWEST_USUAL = 20;
const USUAL_SHARE = 0.05;

/**
 * The slow periods of an aspect; empty where their cost is no part of the commits' time, or is a small part of a time
 * that is slow throughout.
 */
export function slowPeriods(model: CaptureModel, aspect: Aspect, settings: Settings): Slow {
  const least = settings.windowShare * (totalCommitTime(model) || totalOf(aspect.time));
  const found = excessesOf(model.blocks.time, aspect.time, aspect.limit, settings).filter(
    ({ rows }) => aspect.isOwn?.(rows) ?? true,
  );
  // An unresponsive server has a finding of its own: such a period is not one more time of this.
  const awake = found.filter((period) => pausedIn(model, windowOf(model, period)) === null);
  const counted = awake.length > 0 ? awake : found;
  const [main] = counted.toSorted((a, b) => extent(b) - extent(a));
  if (main === undefined) return NOT_SLOW;
  const told = counted.filter((period) => isLike(main, period));
  const costs = told.reduce((sum, period) => sum + extent(period), 0);
  if (costs < least || !isLasting(model, told, settings) || isLittle(aspect, told, settings)) return NOT_SLOW;
  return { told, others: found.filter((each) => !told.includes(each) && extent(each) >= least) };
}

/** The period with most of the time. */
export const mainPeriod = (periods: readonly SlowPeriod[]): SlowPeriod =>
  periods.reduce((a, b) => (extent(b) > extent(a) ? b : a));

/** Time that the blocks of a period took longer than usual together, µs. */
export const extent = ({ meanUs, rows }: SlowPeriod): number => meanUs * (rows[1] - rows[0]);

/** From the first instant of a period's first block to the last one of its last, µs. */
export function windowOf(model: CaptureModel, { rows: [first, end] }: Pick<SlowPeriod, "rows">): Window {
  return { from: model.blocks.time[first], to: model.blocks.timeEnd[end - 1] };
}

/** Sum of the known values of a column, µs. It replaces the commit time where no commit is known. */
const totalOf = (column: Float64Array): number => column.reduce((sum, us) => sum + (us || 0), 0);

const isLike = (main: SlowPeriod, period: SlowPeriod): boolean =>
  extent(period) >= ALIKE_SHARE * extent(main) &&
  period.meanUs <= ALIKE_FACTOR * main.meanUs &&
  main.meanUs <= ALIKE_FACTOR * period.meanUs;

/** False for a burst: short, and neither a part of the time nor of the commits. */
function isLasting(model: CaptureModel, periods: readonly SlowPeriod[], settings: Settings): boolean {
  const { time, commits } = model.blocks;
  const lengths = periods.map((period) => {
    const { from, to } = windowOf(model, period);
    return to - from;
  });
  if (Math.max(...lengths) >= settings.lastingUs) return true;
  const all = lengths.reduce((sum, us) => sum + us, 0);
  if (all >= settings.lastingShare * (model.duration - time[0])) return true;
  const inside = periods.reduce((sum, { rows }) => sum + count(commits, ...rows), 0);
  return inside >= settings.lastingCommits * Math.max(count(commits), 1);
}

function count(values: Uint8Array | Uint16Array, first = 0, end = values.length): number {
  let sum = 0;
  for (let row = first; row < end; row++) sum += values[row];
  return sum;
}

/** True for a small part of a time that is over its limit throughout and reported as such, where it differs little from the rest. */
function isLittle(aspect: Aspect, periods: readonly SlowPeriod[], settings: Settings): boolean {
  const { passed, share } = aspect;
  if (passed === null || severityOfLimit(passed.severity, share, settings) === "none") return false;
  if (shareInside(aspect, periods) >= settings.troubleShare) return false;
  const { figure } = aspect;
  const marks = markedRows(
    figure.length,
    periods.map(({ rows }) => rows),
  );
  const medianWhere = (mark: number): number =>
    percentileOf(
      figure.filter((_, row) => marks[row] === mark),
      50,
    );
  return medianWhere(1) < ALIKE_FACTOR * medianWhere(0);
}

/** Part of an aspect's figure, over all blocks, that falls into periods, 0..1. */
export function shareInside({ figure }: Aspect, periods: readonly SlowPeriod[]): number {
  return periods.reduce((sum, { rows }) => sum + totalOf(figure.subarray(...rows)), 0) / totalOf(figure);
}

/**
 * Finds the blocks that slow periods are not compared with, 1 each: those in a slow period of any aspect, or only
 * of the aspect itself where too few others are left.
 */
export interface SlowRows {
  besides(own: Slow): Uint8Array;
}

/** @param all the periods of each aspect */
export function slowRows(model: CaptureModel, all: readonly Slow[]): SlowRows {
  const { length } = model.blocks;
  const runs = ({ told, others }: Slow): readonly SlowPeriod["rows"][] =>
    [...told, ...others].map(({ rows }) => rows);
  const any = markedRows(length, all.flatMap(runs));
  const usual = length - count(any);
  const isEnough = usual >= Math.max(FEWEST_USUAL, USUAL_SHARE * length);
  return { besides: (own) => (isEnough ? any : markedRows(length, runs(own))) };
}
