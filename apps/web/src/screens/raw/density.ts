/** Places of events on the density strip: time downwards, and the rows of its bins. */
import type { EventDensity } from "@aglens/contract";
import type { EventList } from "./use-event-list.ts";

/** Height of a bin, px. */
const BIN_PX = 3;
const MOST_BINS = 600;

/** Number of bins of a strip with this height in px; in steps of ten, so that resizing a window sends few requests. */
export const binsOfHeight = (height: number): number =>
  Math.min(MOST_BINS, Math.max(10, 10 * Math.round(height / BIN_PX / 10)));

/**
 * Width of each bin's bar, 0 to 1, by replica. It uses the square root, so that small counts next to large ones are
 * still visible.
 */
export function barWidths({ counts }: EventDensity): number[][] {
  const most = Math.sqrt(counts.flat().reduce((most, count) => Math.max(most, count), 1));
  return counts.map((bins) => bins.map((count) => Math.sqrt(count) / most));
}

/** Place of an instant on a strip of this height, px. */
export const yOf = ({ from, to }: EventDensity, at: number, height: number): number =>
  to > from ? ((at - from) / (to - from)) * height : 0;

/** The instant at a place of a strip, µs; the strip's ends outside it. */
export function instantAt({ from, to }: EventDensity, y: number, height: number): number {
  const share = height > 0 ? Math.min(1, Math.max(0, y / height)) : 0;
  return from + share * (to - from);
}

/**
 * The row at an instant: for all events the first of the instant's bin, for a search the first found one that fired
 * then or later.
 */
export function rowAtInstant(density: EventDensity, at: number, { rows, read, rowAt }: EventList): number {
  const last = Math.max(0, rows - 1);
  if (read === null) return Math.min(last, countBefore(density, at));
  for (let row = 0; row < rows; row++) if ((rowAt(row)?.fire ?? -Infinity) >= at) return row;
  return last;
}

function countBefore({ from, to, counts }: EventDensity, at: number): number {
  const bins = counts[0]?.length ?? 0;
  const bin = to > from ? Math.min(bins, Math.floor(((at - from) / (to - from)) * bins)) : 0;
  return counts.reduce((sum, ofReplica) => ofReplica.slice(0, bin).reduce((a, b) => a + b, sum), 0);
}
