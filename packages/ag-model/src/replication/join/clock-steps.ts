import { DRIFT_LIMIT } from "../clocks/clock.ts";
import type { ClockFit } from "../shapes/tables.ts";

/** A jump between two windows of a clock. */
export interface ClockStep {
  /** When the later window begins, µs. */
  readonly at: number;
  /** Size of the replica counter's step against the other counter, µs. */
  readonly us: number;
}

type Window = ClockFit["windows"][number];

/**
 * Finds where a clock jumps by more than its drift and its uncertainty explain, in order of time. A step that is
 * shorter than a round trip is in a window of the blocks that may belong to either clock, which is too uncertain to
 * show it: then the windows around that one show it.
 */
export function clockSteps({ windows }: ClockFit): ClockStep[] {
  const steps: ClockStep[] = [];
  for (let i = 1; i < windows.length; i++) {
    const isTold = steps.at(-1)?.at === windows[i - 1].from;
    const us = jumpBetween(windows[i - 1], windows[i]) ?? (isTold ? undefined : jumpAcross(windows, i));
    if (us !== undefined) steps.push({ at: windows[i].from, us });
  }
  return steps;
}

/** From the window before the last one, unless the counter may have run at another speed in between. */
function jumpAcross(windows: readonly Window[], i: number): number | undefined {
  if (i < 2) return undefined;
  return jumpBetween(windows[i - 2], windows[i], DRIFT_LIMIT * (windows[i].from - windows[i - 2].to));
}

/** Undefined where both windows' uncertainties and another `possible` difference, µs, explain it. */
function jumpBetween(before: Window, next: Window, possible = 0): number | undefined {
  const expected = before.offsetUs + (before.driftPpm * (next.from - before.from)) / 1e6;
  const us = next.offsetUs - expected;
  return Math.abs(us) > before.uncertaintyUs + next.uncertaintyUs + possible ? us : undefined;
}
