import type { BinWindow, BlockWindow } from "@aglens/contract";
import type { Place } from "../lanes/palette.ts";

/** One entry per pixel column over [from, to) µs. */
export interface MinimapColumns {
  readonly from: number;
  readonly to: number;
  /** Duration of the slowest block, µs; NaN where there is none. */
  readonly slowest: Float64Array;
  /** Place with the largest part of that block. */
  readonly place: readonly Place[];
}

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

/** Columns for the minimap: exact from blocks; from bins the place is the one whose stages reach furthest. */
export function minimapColumns(
  window: BlockWindow | BinWindow,
  secondary: number,
  count: number,
): MinimapColumns {
  return window.detail === "blocks"
    ? fromBlocks(window, secondary, count)
    : fromBins(window, secondary, count);
}

function empty(window: { from: number; to: number }, count: number) {
  const place = Array.from({ length: count }, (): Place => "none");
  return { from: window.from, to: window.to, slowest: new Float64Array(count).fill(Number.NaN), place };
}

function fromBlocks(window: BlockWindow, secondary: number, count: number): MinimapColumns {
  const columns = empty(window, count);
  const { blocks } = window;
  const hop = window.hops[secondary];
  const perUs = count / (window.to - window.from);
  for (let row = 0; row < blocks.length; row++) {
    const localFlush = known(blocks.localFlushEnd[row] - blocks.localFlushStart[row]);
    const harden = hop ? pathOf(hop, row) : 0;
    const duration = Math.max(localFlush, harden);
    if (duration <= 0) continue;
    const place = hop ? decidingPlace(localFlush, harden, partsOf(hop, row)) : "primary";
    const start = blocks.time[row] - window.from;
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

function fromBins(window: BinWindow, secondary: number, count: number): MinimapColumns {
  const columns = empty(window, count);
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
    const first = Math.floor((bin * count) / window.length);
    const last = Math.max(first, Math.ceil(((bin + 1) * count) / window.length) - 1);
    paint(columns, first, last, Math.max(localFlush, harden), decidingPlace(localFlush, harden, parts));
  }
  return columns;
}
