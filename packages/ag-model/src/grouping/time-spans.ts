/** Ranges of time in FILETIME ticks, and their text in names and sentences (UTC). */
import { filetimeText } from "xel-parser/format";
import { ticksToMicroseconds } from "../replication/index.ts";
import { formatDate, formatDay, formatDuration } from "../words/words.ts";

export interface TickSpan {
  readonly fromTicks: bigint;
  readonly toTicks: bigint;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The range that contains all of them. @param spans at least one */
export function spanOf(spans: readonly TickSpan[]): TickSpan {
  return {
    fromTicks: spans.map((s) => s.fromTicks).reduce(smaller),
    toTicks: spans.map((s) => s.toTicks).reduce(larger),
  };
}

/** Ticks that two ranges have in common; negative is the time between them. */
export const commonTicks = (a: TickSpan, b: TickSpan): bigint =>
  smaller(a.toTicks, b.toTicks) - larger(a.fromTicks, b.fromTicks);

/**
 * Whether two ranges run in parallel: for more than half of the shorter one. Files of one session follow each other;
 * their ends overlap only by events that were published late.
 */
export function runsInParallel(a: TickSpan, b: TickSpan): boolean {
  const shorter = smaller(a.toTicks - a.fromTicks, b.toTicks - b.fromTicks);
  const common = commonTicks(a, b);
  return common > 0n && common * 2n > shorter;
}

/** The items in groups with at most `gap` ticks without any item between two of one group. */
export function nearInTime<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => TickSpan,
  gap: bigint,
): Item[][] {
  const groups: Item[][] = [];
  let end = 0n;
  for (const item of [...items].sort((a, b) => (timeOf(a).fromTicks < timeOf(b).fromTicks ? -1 : 1))) {
    const { fromTicks, toTicks } = timeOf(item);
    const last = groups.at(-1);
    if (last === undefined || fromTicks - end > gap) {
      groups.push([item]);
      end = toTicks;
    } else {
      last.push(item);
      end = larger(end, toTicks);
    }
  }
  return groups;
}

function partsOf(ticks: bigint): { readonly time: string; readonly date: string } {
  return { time: minuteText(ticks), date: formatDate(ticks) };
}

/** The day of an instant, UTC: `6 May 2016`, `22 Jul 2026`. */
export const dayText = (ticks: bigint): string => `${formatDay(ticks)} ${filetimeText(ticks).slice(0, 4)}`;

/** The minute of an instant, UTC: `02:16`. */
export const minuteText = (ticks: bigint): string => filetimeText(ticks).slice(11, 16);

/** A range in minutes: `02:16 to 02:18, 6 May 2016`. */
export function spanText({ fromTicks, toTicks }: TickSpan): string {
  const [from, to] = [partsOf(fromTicks), partsOf(toTicks)];
  if (from.date !== to.date) return `${from.time}, ${from.date} to ${to.time}, ${to.date}`;
  return from.time === to.time ? `${from.time}, ${from.date}` : `${from.time} to ${to.time}, ${from.date}`;
}

/** The length of a number of ticks: `12 min 05 s`. */
export const ticksText = (ticks: bigint): string => formatDuration(ticksToMicroseconds(ticks));
