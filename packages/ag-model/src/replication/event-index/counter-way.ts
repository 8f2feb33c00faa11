/** The way from one server's counter to another's (docs/model.md 5): plain data, so that another thread can go it too. */
import {
  toFirstCounter,
  toOtherCounter,
  windowAt,
  windowsByCounter,
  type ClockWindow,
} from "../clocks/clock-windows.ts";

/** By a constant, µs; or by the fit of two clocks, to the first one's counter or to the other's. */
type CounterStep =
  | { readonly by: number }
  | { readonly toFirst: readonly ClockWindow[] }
  | { readonly toOther: readonly ClockWindow[] };

/** Steps after each other; none where the counters are one. */
export type CounterWay = readonly CounterStep[];

/** Takes an instant of the counter at the way's beginning, µs, to the one at its end. */
export function alongWay(way: CounterWay): (counter: number) => number {
  const steps = way.map(stepOf);
  const [only, ...others] = steps;
  if (only === undefined) return (counter) => counter;
  return others.length === 0 ? only : (counter) => steps.reduce((at, step) => step(at), counter);
}

function stepOf(step: CounterStep): (counter: number) => number {
  if ("by" in step) return (counter) => counter + step.by;
  if ("toOther" in step) return (counter) => toOtherCounter(windowAt(step.toOther, counter), counter);
  const byCounter = windowsByCounter(step.toFirst);
  return (counter) => toFirstCounter(byCounter(counter), counter);
}
