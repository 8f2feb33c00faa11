/**
 * The zooms that led to the range in view. They are kept in the browser's history next to the address, so that its back
 * and forward restore them; a link does not contain them.
 */
import { z } from "@aglens/contract";

/** A range, µs; null for the entire capture. */
export type Period = readonly [number, number] | null;

export interface ZoomTrail {
  /** The range that it leads to. */
  readonly range: Period;
  /** Earlier ones, oldest first. */
  readonly back: readonly Period[];
  /** Ranges that the user went back from, nearest first. */
  readonly ahead: readonly Period[];
}

const MOST_STEPS = 50;

const Range = z.tuple([z.number(), z.number()]).nullable();
const State = z.object({
  zoom: z.object({ range: Range, back: z.array(Range), ahead: z.array(Range) }),
});

/** The trail of an entry of the browser's history whose address has this range. `state` is the state of the entry. */
export function trailOf(state: unknown, range: Period): ZoomTrail {
  const parsed = State.safeParse(state);
  // Before a link to a range comes the entire capture.
  if (!parsed.success) return { range, back: range === null ? [] : [null], ahead: [] };
  const trail = parsed.data.zoom;
  if (isSame(trail.range, range)) return { ...trail, range };
  // Another screen than the timeline has changed the address.
  return zoomedTo(trail, range);
}

/** State of an entry of the history, with the trail in it. */
export const withTrail = (state: unknown, zoom: ZoomTrail): object => ({
  ...(typeof state === "object" ? state : null),
  zoom,
});

/** One step further: going back leads to the previous range, and the ranges ahead are discarded. */
export function zoomedTo({ range: before, back }: ZoomTrail, range: Period): ZoomTrail {
  return { range, back: [...back, before].slice(-MOST_STEPS), ahead: [] };
}

/** The same step with another range: it was moved, or zoomed on before it had stayed. */
export const movedTo = (trail: ZoomTrail, range: Period): ZoomTrail => ({ ...trail, range });

/** The trail after a number of steps back (over 0) or ahead (under 0); null where there are not that many. */
export function stepsBack({ range, back, ahead }: ZoomTrail, steps: number): ZoomTrail | null {
  const all = [...back, range, ...ahead];
  const place = back.length - steps;
  const target = all[place];
  if (target === undefined) return null;
  return { range: target, back: all.slice(0, place), ahead: all.slice(place + 1) };
}

const isSame = (a: Period, b: Period): boolean =>
  // As precise as an address.
  a === b || (a !== null && b !== null && Math.abs(a[0] - b[0]) <= 0.1 && Math.abs(a[1] - b[1]) <= 0.1);
