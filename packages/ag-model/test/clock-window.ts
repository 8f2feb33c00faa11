import type { ClockWindow } from "../src/replication/clocks/clock-windows.ts";

/** A window without drift: the other counter is `a` µs ahead of the first one's from its instant `from` on, for `length` µs. */
export const clockWindow = (from: number, a: number, length = 900): ClockWindow => ({
  from,
  to: from + length,
  t0: from,
  a,
  b: 0,
  width: 0,
  hardBound: 0,
  driftFeasible: [0, 0],
  ownFrom: from + a,
  ownTo: from + a + length,
  errors: new Float64Array(17),
  blocks: 1,
});
