/** The complete capture in columns: its slowest block in each, and the place that decided how long that one took. */
import {
  durationKey,
  pauseBehind,
  pauseOfHarden,
  pauseOnWay,
  pausesAtEnds,
  stageDuration,
  type ServerStates,
} from "../columns/index.ts";
import type { VerdictPlace as Place } from "../diagnosis/verdict.ts";
import { laneLimits } from "../lanes/index.ts";
import type { BinWindow, BlockWindow } from "../query/window.ts";

/** One entry per column over [from, to) µs. */
export interface MinimapColumns {
  readonly from: number;
  readonly to: number;
  /** Duration of the slowest block, or of a longer wait of its commits, µs; NaN without a block. */
  readonly slowest: Float64Array;
  /** Place with the largest part of that; "none" where unknown, or where a server was unresponsive for most of it. */
  readonly place: readonly Place[];
}

/**
 * Largest number of bins to request, whatever the minimap's width: all views request the same bins, and no column is
 * narrower than a bin.
 */
export const MINIMAP_BINS = 4_096;

/** µs. */
type Period = Pick<MinimapColumns, "from" | "to">;

/** A bin that only begins where a column ends belongs to the next one, however the divisions are rounded. */
const ROUNDING = 1e-6;

interface Parts {
  readonly handling: number;
  readonly network: number;
  readonly secondary: number;
}

const knownUs = (us: number): number => (us > 0 ? us : 0);

/**
 * Place that decided how long a block took: the primary when its own log write outlasted the remote path, else the
 * largest part of that path. "none" where the unknown rest of the path is larger than every known part: at the end of a
 * file it is unknown whether the network or the secondary's disk was slow.
 */
export function decidingPlace(localFlush: number, harden: number, parts: Parts): Place {
  if (localFlush >= harden) return localFlush > 0 ? "primary" : "none";
  const most = Math.max(parts.handling, parts.network, parts.secondary);
  const rest = harden - (parts.handling + parts.network + parts.secondary);
  if (rest > most) return "none";
  if (most === parts.network) return "network";
  return most === parts.secondary ? "secondary" : "primary";
}

/** Waits of commits before and after a block's path; all of them are on the primary. */
const BESIDE_PATH = ["commitQueue", "captureLag", "commitWakeUp"] as const;

/**
 * The longest stage outside the path, µs, where commits over their limit waited longer for it than for the path; 0
 * elsewhere. Flow control delays blocks that take no longer than others once they are sent: without this the minimap
 * would be flat.
 * @param commit µs, NaN where unknown
 * @param path the block's log write or its remote path, µs
 */
function besidePath(
  commit: number,
  path: number,
  durationOf: (id: (typeof BESIDE_PATH)[number]) => number,
): number {
  if (!(commit > laneLimits("commit").limitUs)) return 0;
  const longest = Math.max(...BESIDE_PATH.map((id) => knownUs(durationOf(id))));
  return longest > path && longest <= commit ? longest : 0;
}

/**
 * Columns for the minimap: exact from blocks; from bins the place is the one whose stages reach furthest.
 * @param standing of the window's capture
 * @param range that the columns divide; a window in bins may reach a little beyond it
 */
export function minimapColumns(
  window: BlockWindow | BinWindow,
  secondary: number,
  count: number,
  standing: ServerStates,
  range: Period = window,
): MinimapColumns {
  return window.detail === "blocks"
    ? fromBlocks(window, secondary, count, standing, range)
    : fromBins(window, secondary, count, standing, range);
}

function empty({ from, to }: Period, count: number) {
  const place = Array.from({ length: count }, (): Place => "none");
  return { from, to, slowest: new Float64Array(count).fill(Number.NaN), place };
}

function fromBlocks(
  window: BlockWindow,
  secondary: number,
  count: number,
  standing: ServerStates,
  range: Period,
): MinimapColumns {
  const columns = empty(range, count);
  const { blocks } = window;
  const hop = window.hops[secondary];
  const perUs = count / (range.to - range.from);
  for (let row = 0; row < blocks.length; row++) {
    const localFlush = knownUs(blocks.localFlushEnd[row] - blocks.localFlushStart[row]);
    const harden = hop ? pathOf(hop, row) : 0;
    const path = Math.max(localFlush, harden);
    const commit = blocks.commitEnd[row] - blocks.commitStart[row];
    const beside = besidePath(commit, path, (id) => stageDuration(window, secondary, id, row));
    const duration = Math.max(path, beside);
    if (duration <= 0) continue;
    const place = placeOfBlock(window, secondary, standing, row, { localFlush, harden, beside });
    const start = blocks.time[row] - range.from;
    paint(columns, Math.floor(start * perUs), Math.floor((start + duration) * perUs), duration, place);
  }
  return columns;
}

/** Parts of a block's time, µs. */
interface Spent {
  readonly localFlush: number;
  readonly harden: number;
  readonly beside: number;
}

/** Place of the longest of these; "none" where a server was unresponsive for most of it. */
function placeOfBlock(
  window: BlockWindow,
  secondary: number,
  standing: ServerStates,
  row: number,
  { localFlush, harden, beside }: Spent,
): Place {
  if (beside > 0) return isCommitPaused(window, secondary, standing, row) ? "none" : "primary";
  const isPaused =
    harden > localFlush
      ? pauseOfHarden(window, standing, secondary, row) !== null
      : isWritePaused(window, standing, row);
  if (isPaused) return "none";
  const hop = window.hops[secondary];
  return hop ? decidingPlace(localFlush, harden, partsOf(hop, row)) : "primary";
}

/** Whether a server at either end was unresponsive for most of the time of a block's commits. */
function isCommitPaused(
  window: BlockWindow,
  secondary: number,
  standing: ServerStates,
  row: number,
): boolean {
  const { commitStart, commitEnd } = window.blocks;
  const part = { secondary, row, from: commitStart[row], to: commitEnd[row] };
  return pauseOnWay(window, standing, part) !== null;
}

/** Whether the primary was unresponsive for most of a block's local log write. */
function isWritePaused({ blocks }: BlockWindow, standing: ServerStates, row: number): boolean {
  const [from, to] = [blocks.localFlushStart[row], blocks.localFlushEnd[row]];
  return pauseOnWay({ blocks }, standing, { secondary: 0, row, from, to, clock: "primary" }) !== null;
}

/** Known part of a block's remote path, µs: all of it, or without the primary's file its time on the secondary. */
function pathOf(hop: BlockWindow["hops"][number], row: number): number {
  const whole = knownUs(hop.ackProcessed[row] - hop.sendStart[row]);
  return whole > 0 ? whole : knownUs(hop.ackSent[row] - hop.received[row]);
}

/** A block fills every column of its duration; the slowest block of a column is shown. */
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
      knownUs(hop.sendEnd[row] - hop.sendStart[row]) + knownUs(hop.ackProcessed[row] - hop.ackReceived[row]),
    network: knownUs(hop.received[row] - hop.sendEnd[row]) + knownUs(hop.ackReceived[row] - hop.ackSent[row]),
    secondary: knownUs(hop.ackSent[row] - hop.received[row]),
  };
}

function fromBins(
  window: BinWindow,
  secondary: number,
  count: number,
  standing: ServerStates,
  range: Period,
): MinimapColumns {
  const columns = empty(range, count);
  const perBin = (window.to - window.from) / window.length;
  const pauses = pausesAtEnds(standing, secondary);
  const columnAt = (bin: number): number =>
    ((window.from + bin * perBin - range.from) * count) / (range.to - range.from);
  const lane = (key: string, bin: number): number => knownUs(window.max[key]?.[bin] ?? 0);
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
    const path = Math.max(localFlush, harden);
    const beside = besidePath(lane("commit", bin), path, (id) => lane(durationKey(id, secondary), bin));
    const duration = Math.max(path, beside);
    // A bin does not show which block was the slowest, nor when it began: the bin's middle is the best estimate.
    const begun = window.from + (bin + 0.5) * perBin;
    const isPaused = pauseBehind(pauses, begun, begun + duration) !== null;
    const place = beside > 0 ? "primary" : decidingPlace(localFlush, harden, parts);
    paint(columns, first, last, duration, isPaused ? "none" : place);
  }
  return columns;
}
