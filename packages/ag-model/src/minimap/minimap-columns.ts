/** The whole capture in so many columns: its slowest block in each, and the place that decided how long that one took. */
import type { VerdictPlace as Place } from "../diagnosis/verdict.ts";
import type { BinWindow, BlockWindow } from "../query/window.ts";

/** One entry per column over [from, to) µs. */
export interface MinimapColumns {
  readonly from: number;
  readonly to: number;
  /** Duration of the slowest block, µs; NaN where there is none. */
  readonly slowest: Float64Array;
  /** Place with the largest part of that block. */
  readonly place: readonly Place[];
}

/** Most bins to ask for, whatever the minimap's width: everybody who looks asks the same, and no column is narrower than a bin. */
export const MINIMAP_BINS = 4_096;

/** µs. */
type Stretch = Pick<MinimapColumns, "from" | "to">;

/** A bin that only begins where a column ends belongs to the next one, whatever the divisions round to. */
const ROUNDING = 1e-6;

interface Parts {
  readonly handling: number;
  readonly network: number;
  readonly secondary: number;
}

const known = (us: number): number => (us > 0 ? us : 0);

/**
 * Place that decided how long a block took: the primary when its own log write outlasted the remote path, else the
 * largest part of that path. "none" where the unknown rest of the path is larger than every known part: at the end of a
 * file it is not known whether the network or the secondary's disk was slow.
 */
export function decidingPlace(localFlush: number, harden: number, parts: Parts): Place {
  if (localFlush >= harden) return localFlush > 0 ? "primary" : "none";
  const most = Math.max(parts.handling, parts.network, parts.secondary);
  const rest = harden - (parts.handling + parts.network + parts.secondary);
  if (rest > most) return "none";
  if (most === parts.network) return "network";
  return most === parts.secondary ? "secondary" : "primary";
}

/**
 * Columns for the minimap: exact from blocks; from bins the place is the one whose stages reach furthest.
 * @param range that the columns divide; a window in bins may reach a little beyond it
 */
export function minimapColumns(
  window: BlockWindow | BinWindow,
  secondary: number,
  count: number,
  range: Stretch = window,
): MinimapColumns {
  return window.detail === "blocks"
    ? fromBlocks(window, secondary, count, range)
    : fromBins(window, secondary, count, range);
}

function empty({ from, to }: Stretch, count: number) {
  const place = Array.from({ length: count }, (): Place => "none");
  return { from, to, slowest: new Float64Array(count).fill(Number.NaN), place };
}

function fromBlocks(window: BlockWindow, secondary: number, count: number, range: Stretch): MinimapColumns {
  const columns = empty(range, count);
  const { blocks } = window;
  const hop = window.hops[secondary];
  const perUs = count / (range.to - range.from);
  for (let row = 0; row < blocks.length; row++) {
    const localFlush = known(blocks.localFlushEnd[row] - blocks.localFlushStart[row]);
    const harden = hop ? pathOf(hop, row) : 0;
    const duration = Math.max(localFlush, harden);
    if (duration <= 0) continue;
    const place = hop ? decidingPlace(localFlush, harden, partsOf(hop, row)) : "primary";
    const start = blocks.time[row] - range.from;
    paint(columns, Math.floor(start * perUs), Math.floor((start + duration) * perUs), duration, place);
  }
  return columns;
}

/** What is known of a block's remote path, µs: all of it, or without the primary's file its time on the secondary. */
function pathOf(hop: BlockWindow["hops"][number], row: number): number {
  const whole = known(hop.ackProcessed[row] - hop.sendStart[row]);
  return whole > 0 ? whole : known(hop.ackSent[row] - hop.received[row]);
}

/** A block fills every column it lasts through; the slowest one wins. */
function paint(
  columns: ReturnType<typeof empty>,
  first: number,
  last: number,
  duration: number,
  place: Place,
): void {
  const end = Math.min(columns.slowest.length - 1, last);
  for (let column = Math.max(0, first); column <= end; column++) {
    if (columns.slowest[column] >= duration) continue;
    columns.slowest[column] = duration;
    columns.place[column] = place;
  }
}

function partsOf(hop: BlockWindow["hops"][number], row: number): Parts {
  return {
    handling:
      known(hop.sendEnd[row] - hop.sendStart[row]) + known(hop.ackProcessed[row] - hop.ackReceived[row]),
    network: known(hop.received[row] - hop.sendEnd[row]) + known(hop.ackReceived[row] - hop.ackSent[row]),
    secondary: known(hop.ackSent[row] - hop.received[row]),
  };
}

function fromBins(window: BinWindow, secondary: number, count: number, range: Stretch): MinimapColumns {
  const columns = empty(range, count);
  const perBin = (window.to - window.from) / window.length;
  const columnAt = (bin: number): number =>
    ((window.from + bin * perBin - range.from) * count) / (range.to - range.from);
  const lane = (key: string, bin: number): number => known(window.max[key]?.[bin] ?? 0);
  for (let bin = 0; bin < window.length; bin++) {
    if (window.count[bin] === 0) continue;
    const hop = (id: string): number => lane(`hop${secondary}.${id}`, bin);
    const localFlush = lane("localFlush", bin);
    const parts = {
      handling: hop("send") + hop("ackReceive"),
      network: hop("wireOut") + hop("wireBack"),
      secondary: hop("secondaryAppend") + hop("secondaryFlush") + hop("ackBuild") + hop("ackSend"),
    };
    const harden = hop("remoteHarden") > 0 ? hop("remoteHarden") : parts.secondary;
    const first = Math.floor(columnAt(bin) + ROUNDING);
    const last = Math.max(first, Math.ceil(columnAt(bin + 1) - ROUNDING) - 1);
    paint(columns, first, last, Math.max(localFlush, harden), decidingPlace(localFlush, harden, parts));
  }
  return columns;
}
