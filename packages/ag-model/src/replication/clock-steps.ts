import type { ClockFit } from "./tables.ts";

/** A jump between two windows of a clock. */
export interface ClockStep {
  /** When the later window begins, µs. */
  readonly at: number;
  /** What the replica's counter jumped by against the other one, µs. */
  readonly us: number;
}

/** Where a clock jumps by more than its drift and its uncertainty explain, in order of time. */
export function clockSteps({ windows }: ClockFit): ClockStep[] {
  return windows.slice(1).flatMap((next, i) => {
    const before = windows[i];
    const expected = before.offsetUs + (before.driftPpm * (next.from - before.from)) / 1e6;
    const us = next.offsetUs - expected;
    return Math.abs(us) > before.uncertaintyUs + next.uncertaintyUs ? [{ at: next.from, us }] : [];
  });
}
