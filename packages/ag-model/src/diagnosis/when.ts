/** Times in words: once between two times of day, or several times. */
import { percentile } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { MOST_STRETCHES } from "./excess.ts";
import type { Window } from "./verdict.ts";
import { formatCount, formatRoughly, formatTimesOfDay } from "../words/words.ts";

/** Gaps that differ from their median by less are regular. */
const REGULAR_SHARE = 0.15;
/** The two gaps of three windows are alike by chance once in six times. */
const FEWEST_REGULAR = 4;

/** Time from one begin to the next, µs, where windows recur regularly; else null. */
export function periodOf(windows: readonly Window[]): number | null {
  if (windows.length < FEWEST_REGULAR) return null;
  const gaps = windows.slice(1).map(({ from }, i) => from - windows[i].from);
  const median = percentile(
    gaps.toSorted((a, b) => a - b),
    50,
  );
  return gaps.every((gap) => Math.abs(gap - median) <= REGULAR_SHARE * median) ? median : null;
}

/** `02:17:28 and 02:18:04`, UTC, with enough digits to distinguish the two. */
export const clockTimes = (model: CaptureModel, { from, to }: Window): string =>
  formatTimesOfDay(model.origin, from, to).join(" and ");

/** From the first begin to the last end. */
export const spanOf = (windows: readonly Window[]): Window => ({
  from: windows[0].from,
  to: windows[windows.length - 1].to,
});

/** `4`; at the largest number of searched windows there may be more. */
const countText = (n: number): string => `${n < MOST_STRETCHES ? "" : "at least "}${formatCount(n)}`;

/** `, every 12 s`; empty where they are not regular. */
function periodText(windows: readonly Window[]): string {
  const us = periodOf(windows);
  return us === null ? "" : `, every ${formatRoughly(us)}`;
}

/** `Between 02:17:28 and 02:18:04`, or `4 times between 02:17:28 and 02:18:04, every 12 s,`: the begin of a sentence. */
export function whenText(model: CaptureModel, windows: readonly Window[]): string {
  const times = clockTimes(model, spanOf(windows));
  if (windows.length === 1) return `Between ${times}`;
  const period = periodText(windows);
  const count = countText(windows.length);
  return `${count.charAt(0).toUpperCase()}${count.slice(1)} times between ${times}${period}${period === "" ? "" : ","}`;
}

/** `between 02:17:28 and 02:18:04`, or `in 4 episodes between 02:17:28 and 02:18:04, every 12 s`: after "falls". */
export function whereText(model: CaptureModel, windows: readonly Window[]): string {
  const times = clockTimes(model, spanOf(windows));
  if (windows.length === 1) return `between ${times}`;
  return `in ${countText(windows.length)} episodes between ${times}${periodText(windows)}`;
}
