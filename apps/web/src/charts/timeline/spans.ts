/** Data that the lanes draw from: start and end of every bar in columns, taken from one buffered window. */
import type { BinWindow, BlockWindow, CommitWindow } from "@aglens/contract";
import { ackEnds, anchorColumn, NO_PAUSES, type Anchor, type ServerStates } from "@aglens/ag-model/columns";
import { runningMaximum } from "@aglens/ag-model/numbers";
import { isOnSecondaryClock } from "@aglens/ag-model/replication";
import { largestPlaces } from "./largest-place.ts";
import type { Lane } from "../../lanes/lanes.ts";

/** Bars of one lane, parallel arrays in the order of `time`. Instants in µs; NaN for an unknown end. */
export interface LaneSpans {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Ascending; where the bar's block (or commit) begins. */
  readonly time: Float64Array;
  /** Largest end of a block up to and including this entry: makes "who still runs at t" a binary search. */
  readonly reach: Float64Array;
  /** Position of the block in the window; -1 for a commit whose block is not in it. */
  readonly block: Int32Array;
  /** Color of each bar, where a lane has several: index into the list of path colors. */
  readonly color?: Uint8Array;
}

/** Microseconds that a secondary's instants move in raw clock mode, per secondary; 0 when aligned. */
export type ClockShift = readonly number[];

function shifted(column: Float64Array, by: number): Float64Array {
  return by === 0 ? column : column.map((t) => t + by);
}

function instants(window: BlockWindow, lane: Lane, name: Anchor, shift: ClockShift): Float64Array {
  const column = anchorColumn(window, lane.secondary, name);
  if (!column) return new Float64Array(window.blocks.length).fill(Number.NaN);
  return shifted(column, isOnSecondaryClock(name) ? (shift[lane.secondary] ?? 0) : 0);
}

/** Order of the commits by start; null when they are already in this order. */
function startOrder(start: Float64Array): Uint32Array | null {
  let ascending = true;
  for (let i = 1; i < start.length && ascending; i++) ascending = start[i - 1] <= start[i];
  return ascending ? null : Uint32Array.from(start, (_, i) => i).sort((a, b) => start[a] - start[b]);
}

/** Position of each commit's block in the window: its rows ascend without a gap inside one window. */
function positions(block: Int32Array, rows: Uint32Array | null): Int32Array {
  if (!rows || rows.length === 0) return new Int32Array(block.length).fill(-1);
  const gapless = rows[rows.length - 1] - rows[0] === rows.length - 1;
  if (gapless)
    return block.map((row) => (row >= rows[0] && row <= rows[rows.length - 1] ? row - rows[0] : -1));
  const position = new Map(Array.from(rows, (row, i) => [row, i]));
  return block.map((row) => position.get(row) ?? -1);
}

/** The same bars without the blocks of other databases: every entry keeps its place. */
function ofDatabase(spans: LaneSpans, databases: Uint16Array, database: number): LaneSpans {
  const own = (column: Float64Array): Float64Array =>
    column.map((at, entry) => (databases[entry] === database ? at : Number.NaN));
  return { ...spans, start: own(spans.start), end: own(spans.end) };
}

/** Database of each commit in the order of their spans. */
function commitDatabases({ commits }: CommitWindow): Uint16Array {
  const order = startOrder(commits.start);
  return order === null ? commits.database : commits.database.map((_, i) => commits.database[order[i]]);
}

function commitSpans(window: BlockWindow | null, { commits }: CommitWindow): LaneSpans {
  const order = startOrder(commits.start);
  const inOrder = <T extends Float64Array | Int32Array>(column: T): T =>
    order ? (column.map((_, i) => column[order[i]]) as T) : column;
  const start = inOrder(commits.start);
  const end = inOrder(commits.end);
  const block = positions(inOrder(commits.block), window?.row ?? null);
  return { start, end, time: start, reach: runningMaximum(end), block };
}

/** Start and end of a lane's bars; an acknowledgment that released its block's commits lasts until they woke up. */
function barsOf(
  window: BlockWindow,
  lane: Lane,
  [from, to]: NonNullable<Lane["anchors"]>,
  shift: ClockShift,
): Pick<LaneSpans, "start" | "end"> {
  return {
    start: instants(window, lane, from, shift),
    end: lane.figure === "ackWakeUp" ? ackEnds(window, lane.secondary) : instants(window, lane, to, shift),
  };
}

export type BinsOf = ReadonlyMap<number, BinWindow>;

/** One buffered range of the capture, ready for layout. */
export interface Buffer {
  readonly from: number;
  readonly to: number;
  readonly blocks: BlockWindow | null;
  readonly bins: BinWindow | null;
  /** Bins of each database alone, by its index, where lanes are split and the window has bins. */
  readonly binsOf: BinsOf;
  readonly commits: CommitWindow;
  readonly spans: ReadonlyMap<string, LaneSpans>;
}

interface BufferOptions {
  readonly binsOf?: BinsOf;
  /** Unresponsive periods of the window's capture: the colors of folded lanes need them. */
  readonly standing?: ServerStates;
}

/** Builds the columns of every lane; arrays of the window are shared, not copied, unless the clock is shifted. */
export function buildBuffer(
  window: BlockWindow | BinWindow,
  commits: CommitWindow,
  lanes: readonly Lane[],
  shift: ClockShift,
  { binsOf = new Map(), standing = NO_PAUSES }: BufferOptions = {},
): Buffer {
  const spans = new Map<string, LaneSpans>();
  if (window.detail === "bins") {
    spans.set("commit", commitSpans(null, commits));
    return { from: window.from, to: window.to, blocks: null, bins: window, binsOf, commits, spans };
  }
  const { time, timeEnd, length } = window.blocks;
  const largestShift = Math.max(0, ...shift.map(Math.abs));
  const reach = runningMaximum(largestShift === 0 ? timeEnd : timeEnd.map((t) => t + largestShift));
  const block = Int32Array.from({ length }, (_, i) => i);
  const ofCommits = commitSpans(window, commits);
  spans.set("commit", ofCommits);
  const isSplit = lanes.some(({ anchors, database }) => anchors === null && database !== null);
  const databases = isSplit ? commitDatabases(commits) : commits.commits.database;
  for (const lane of lanes) {
    const { database } = lane;
    if (lane.anchors === null) {
      spans.set(lane.key, database === null ? ofCommits : ofDatabase(ofCommits, databases, database));
    } else {
      // That of an asynchronous replica has PATH_TOKEN, as in bins.
      const color =
        lane.whenFolded && !lane.asynchronous
          ? { color: largestPlaces(window, lane.secondary, standing) }
          : {};
      const bars = { ...barsOf(window, lane, lane.anchors, shift), ...color, time, reach, block };
      spans.set(lane.key, database === null ? bars : ofDatabase(bars, window.blocks.database, database));
    }
  }
  return { from: window.from, to: window.to, blocks: window, bins: null, binsOf, commits, spans };
}

/** Position of a capture row in the buffered window; -1 when it is outside. Rows ascend. */
export function positionOf(buffer: Buffer | null, row: number | null): number {
  if (!buffer?.blocks || row === null) return -1;
  return buffer.blocks.row.indexOf(row);
}

/** For a window without commits. */
export const NO_COMMITS: CommitWindow = {
  from: 0,
  to: 0,
  commits: {
    length: 0,
    block: new Int32Array(),
    database: new Uint16Array(),
    start: new Float64Array(),
    end: new Float64Array(),
    gate: new Uint8Array(),
    timeToCommit: new Float64Array(),
  },
};
