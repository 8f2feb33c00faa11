/** UTC clocks that were set while servers were recorded (docs/contribute/model/clocks.md 5.6). */
import { toFirstCounter, windowsByCounter, type ClockWindow } from "./clock-windows.ts";
import { UTC_BIN_US, UTC_JUMP_US, type UtcMap } from "./utc-map.ts";

/** A server's UTC clock was set. */
export interface UtcChange {
  /** The last time at which it was certainly not set yet, and the first one at which it certainly was, µs. */
  readonly from: number;
  readonly to: number;
  /** Amount by which UTC changed, µs. */
  readonly us: number;
}

/**
 * Windows' time service corrects less than this on its own, µs: a larger change means that a person or a host set the
 * clock.
 */
const LEAST_CHANGE_US = 10_000_000;

/**
 * Changes of two servers' UTC clocks in the time that a fit covers, on the first one's counter. A change that both show
 * at once is a step of that counter: no UTC clock was set.
 */
export function utcChanges(
  first: UtcMap,
  other: UtcMap,
  windows: readonly ClockWindow[],
): { readonly first: readonly UtcChange[]; readonly other: readonly UtcChange[] } {
  const [from, to] = [windows[0].from, windows[windows.length - 1].to];
  const isCovered = (change: UtcChange): boolean => change.to > from && change.from < to;
  const own = changesOf(first).filter(isCovered);
  const others = changesOf(onFirstCounter(other, windows)).filter(isCovered);
  const without = (changes: readonly UtcChange[], same: readonly UtcChange[]): UtcChange[] =>
    changes.filter((change) => !same.some((each) => isSame(change, each)));
  return { first: without(own, others), other: without(others, own) };
}

const isSame = (a: UtcChange, b: UtcChange): boolean =>
  a.from < b.to && b.from < a.to && Math.abs(a.us - b.us) < UTC_JUMP_US;

/** The longest of the times between `from` and `to` without a change: UTC was not set in it. */
export function longestBetween(
  changes: readonly UtcChange[],
  from: number,
  to: number,
): { readonly from: number; readonly to: number } {
  const ordered = changes.toSorted((a, b) => a.from - b.from);
  const begins = [from, ...ordered.map((change) => change.to)];
  const ends = [...ordered.map((change) => change.from), to];
  const times = begins.map((begin, i) => ({ from: begin, to: ends[i] }));
  return times.reduce((longest, time) => (time.to - time.from > longest.to - longest.from ? time : longest));
}

function onFirstCounter({ at, ahead }: UtcMap, windows: readonly ClockWindow[]): UtcMap {
  const windowOf = windowsByCounter(windows);
  const moved = at.map((own) => toFirstCounter(windowOf(own), own));
  return { at: moved, ahead: ahead.map((us, i) => us + at[i] - moved[i]) };
}

/** Finds where UTC jumps against the counter. Jumps in direct sequence are one: a median may be in between. */
function changesOf({ at, ahead }: UtcMap): UtcChange[] {
  const jumps: UtcChange[] = [];
  for (let i = 1; i < at.length; i++) {
    const us = ahead[i] - ahead[i - 1];
    if (Math.abs(us) < UTC_JUMP_US) continue;
    // While the first counter was stopped, the other one's times before and after overlap on it.
    const jump = {
      from: Math.min(at[i - 1], at[i]) - UTC_BIN_US / 2,
      to: Math.max(at[i - 1], at[i]) + UTC_BIN_US / 2,
      us,
    };
    const last = jumps.at(-1);
    if (last !== undefined && jump.from < last.to)
      jumps[jumps.length - 1] = { from: last.from, to: jump.to, us: last.us + us };
    else jumps.push(jump);
  }
  return jumps.filter(({ us }) => Math.abs(us) >= LEAST_CHANGE_US);
}
