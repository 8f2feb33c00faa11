/**
 * Known facts about a capture while its files are still being read: events per second of the time that was read so far.
 */

/** Progress of reading a file at some moment: time of the last event read (Unix ms), and number of events up to it. */
export interface ReadPoint {
  readonly at: number;
  readonly events: number;
}

/** Points of each file by its id, in the order in which they were reported. */
export type ReadPoints = ReadonlyMap<string, readonly ReadPoint[]>;

/** An interval of capture time, Unix ms, and the mean rate of events in it. */
export interface RateStep {
  readonly from: number;
  readonly to: number;
  readonly perSecond: number;
}

interface Told {
  readonly id: string;
  readonly events: number;
  readonly at: string | null;
}

/** Points after another report. A report without progress in time or events is skipped. */
export function withReport(points: ReadPoints, files: readonly Told[]): ReadPoints {
  const next = new Map(points);
  for (const { id, events, at } of files) {
    const ms = at === null ? Number.NaN : Date.parse(at);
    const known = next.get(id) ?? [];
    const last = known.at(-1);
    if (Number.isNaN(ms) || (last !== undefined && (ms <= last.at || events <= last.events))) continue;
    next.set(id, [...known, { at: ms, events }]);
  }
  return next;
}

/**
 * Rates between points. @param begin start of the first interval: the start of a file, or the first known position of
 * its reader
 */
export function rateSteps(points: readonly ReadPoint[], begin: ReadPoint): RateStep[] {
  const steps: RateStep[] = [];
  let last = begin;
  for (const point of points) {
    const seconds = (point.at - last.at) / 1000;
    if (seconds <= 0) continue;
    steps.push({ from: last.at, to: point.at, perSecond: (point.events - last.events) / seconds });
    last = point;
  }
  return steps;
}
