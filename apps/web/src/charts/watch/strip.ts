/** Layout of a watch's strip: polls, marks and times to places. Values are ms since 1970, ms of delay, and px. */
import type { Place } from "../../lanes/palette.ts";

/** Polls in columns of equal width, as `WatchSeries` of the contract has them; null where the value is unknown. */
export interface StripPolls {
  /** Begin of the first column, and width of each. */
  readonly from: number;
  readonly width: number;
  /** Mean, and the largest mean of one poll, ms. */
  readonly delay: readonly (number | null)[];
  readonly longest: readonly (number | null)[];
  /** The usual of weekday and hour, ms. */
  readonly usualLow: readonly (number | null)[];
  readonly usualHigh: readonly (number | null)[];
  /** Share of the column that was polled, 0..1. */
  readonly polled: readonly number[];
}

/** A trigger on the strip. */
export interface StripMark {
  readonly id: string;
  readonly at: number;
  readonly kind: "recorded" | "refused" | "failed" | "recording";
  readonly place: Place;
}

/** Times at the edges of the strip, ms since 1970, and its size, px. */
export interface StripScale {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
}

/** Marks are above the scale of delays, px. */
export const MARK_ROOM = 16;
export const MARK_WIDTH = 8;
export const MARK_HEIGHT = 9;
/** Least distance of the middles of two marks, px. */
const MARK_STEP = 9;
/** A press so near to a mark is one on it, px. */
const NEAR = 6;

/** Ends of the logarithmic scale, ms. */
const [LEAST_MS, MOST_MS] = [1, 100];

/** Values with a label at the right edge, ms. */
export const STRIP_TICKS = [100, 10, 1] as const;

/** Place of a time; may be outside of the strip. */
export const stripX = ({ from, to, width }: StripScale, at: number): number =>
  ((at - from) / (to - from)) * width;

/** Time of a place. */
export const stripTime = ({ from, to, width }: StripScale, x: number): number =>
  from + (x / width) * (to - from);

/** Place of a delay; a value beyond an end of the scale is at that end. */
export function stripY({ height }: Pick<StripScale, "height">, ms: number): number {
  const share = Math.log(Math.min(MOST_MS, Math.max(LEAST_MS, ms)) / LEAST_MS) / Math.log(MOST_MS / LEAST_MS);
  return height - share * (height - MARK_ROOM);
}

/** A column at its place. */
export interface StripColumn {
  readonly left: number;
  readonly right: number;
  /** Places of the mean and of the longest poll; null where they are unknown. */
  readonly delay: number | null;
  readonly longest: number | null;
  /** Top and bottom of the usual; null where it is unknown, and where nothing was polled. */
  readonly usual: readonly [top: number, bottom: number] | null;
  /** True where a poll was over the limit. */
  readonly isOver: boolean;
}

/** A column of polls, or several of them as one. */
interface Column {
  readonly from: number;
  readonly to: number;
  readonly delay: number | null;
  readonly longest: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly polled: number;
}

/** Columns of at least a pixel: narrower ones are put together, and keep the longest poll. */
function columnsOf(polls: StripPolls, scale: StripScale): Column[] {
  const px = (polls.width / (scale.to - scale.from)) * scale.width;
  const group = Math.max(1, Math.ceil(1 / px - 1e-6));
  const count = Math.ceil(polls.delay.length / group);
  return Array.from({ length: count }, (_, i) => {
    const [first, end] = [i * group, Math.min(polls.delay.length, (i + 1) * group)];
    const of = (values: readonly (number | null)[]): number[] =>
      values.slice(first, end).filter((value) => value !== null);
    const delays = of(polls.delay);
    const [longest, low, high] = [of(polls.longest), of(polls.usualLow), of(polls.usualHigh)];
    return {
      from: polls.from + first * polls.width,
      to: polls.from + end * polls.width,
      delay: delays.length === 0 ? null : delays.reduce((sum, value) => sum + value, 0) / delays.length,
      longest: longest.length === 0 ? null : Math.max(...longest),
      low: low.length === 0 ? null : Math.min(...low),
      high: high.length === 0 ? null : Math.max(...high),
      polled: Math.max(...polls.polled.slice(first, end)),
    };
  });
}

/** All columns with their places. @param limitMs null without a limit */
export function stripColumns(polls: StripPolls, scale: StripScale, limitMs: number | null): StripColumn[] {
  const y = (ms: number | null): number | null => (ms === null ? null : stripY(scale, ms));
  return columnsOf(polls, scale).map(({ from, to, delay, longest, low, high, polled }) => ({
    left: stripX(scale, from),
    right: stripX(scale, to),
    delay: y(delay),
    longest: y(longest),
    usual: low === null || high === null || polled === 0 ? null : [stripY(scale, high), stripY(scale, low)],
    isOver: limitMs !== null && longest !== null && longest > limitMs,
  }));
}

/** Where nothing was polled, up to now. @param now ms since 1970: later times aren't missing */
export function unpolled(polls: StripPolls, scale: StripScale, now: number): [left: number, right: number][] {
  const holes: [number, number][] = [];
  const end = Math.min(stripX(scale, now), scale.width);
  for (const { from, to, polled } of columnsOf(polls, scale)) {
    const [left, right] = [Math.max(0, stripX(scale, from)), Math.min(end, stripX(scale, to))];
    if (polled > 0 || right <= left) continue;
    const last = holes.at(-1);
    if (last !== undefined && Math.abs(last[1] - left) < 1e-6) last[1] = right;
    else holes.push([left, right]);
  }
  return holes;
}

/** A mark at its place: the stem is at its time, the box may be to the left of it. */
export interface PlacedMark extends StripMark {
  readonly stem: number;
  /** Middle of the box. */
  readonly x: number;
}

/** Marks in view, in the order of time: of two that are closer than 9 px the earlier one moves left. */
export function placeMarks(marks: readonly StripMark[], scale: StripScale): PlacedMark[] {
  const half = MARK_WIDTH / 2;
  let next = Number.POSITIVE_INFINITY;
  return marks
    .filter(({ at }) => at >= scale.from && at <= scale.to)
    .toSorted((a, b) => b.at - a.at)
    .map((mark): PlacedMark => {
      const stem = stripX(scale, mark.at);
      // At the left edge marks are over each other rather than out of the strip.
      next = Math.max(half, Math.min(scale.width - half, stem, next - MARK_STEP));
      return { ...mark, stem, x: next };
    })
    .toReversed();
}

/** The mark at a place; null where no mark is near. */
export function markAt(marks: readonly PlacedMark[], x: number, y: number): PlacedMark | null {
  if (y > MARK_ROOM) return null;
  const nearest = marks.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
  return nearest !== undefined && Math.abs(nearest.x - x) <= NEAR ? nearest : null;
}

/** Polls of the column at a time. */
export interface PollsAt {
  /** Begin of the column. */
  readonly at: number;
  readonly delay: number | null;
  readonly longest: number | null;
  readonly isPolled: boolean;
}

/** Null outside of the polls. */
export function pollsAt(polls: StripPolls, at: number): PollsAt | null {
  const column = Math.floor((at - polls.from) / polls.width);
  if (column < 0 || column >= polls.delay.length) return null;
  return {
    at: polls.from + column * polls.width,
    delay: polls.delay[column] ?? null,
    longest: polls.longest[column] ?? null,
    isPolled: (polls.polled[column] ?? 0) > 0,
  };
}

/** The strip for a screen reader: smallest and largest mean, the longest poll, and time without polls. */
export interface StripSummary {
  readonly least: number | null;
  readonly most: number | null;
  readonly longest: number | null;
  /** ms. */
  readonly unpolledMs: number;
}

/** @param now ms since 1970: later times aren't missing */
export function summaryOf(polls: StripPolls, now: number): StripSummary {
  const delays = polls.delay.filter((value) => value !== null);
  const longest = polls.longest.filter((value) => value !== null);
  const missing = polls.polled.map((share, i) => {
    const begin = polls.from + i * polls.width;
    return share > 0 ? 0 : Math.max(0, Math.min(now, begin + polls.width) - begin);
  });
  return {
    least: delays.length === 0 ? null : delays.reduce((a, b) => Math.min(a, b)),
    most: delays.length === 0 ? null : delays.reduce((a, b) => Math.max(a, b)),
    longest: longest.length === 0 ? null : longest.reduce((a, b) => Math.max(a, b)),
    unpolledMs: missing.reduce((sum, ms) => sum + ms, 0),
  };
}
