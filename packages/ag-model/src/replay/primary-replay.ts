/**
 * Replays the primary's log writer. A faster or slower write closes blocks earlier or later and so puts other commits
 * into them: blocks are formed again from the commits in their order.
 */
import { perModel, perModelBy } from "../columns/index.ts";
import { allRows, inChunks, valueAtRank, viewOrGather, type RowRange } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { logWriterOf, type LogWriter } from "./log-writer.ts";
import { columnOf, type Stream } from "./streams.ts";
import { writeUsAt, type WriteDurations } from "./write-durations.ts";
import { WriteQueue } from "./write-queue.ts";

/** Blocks of one stream as they were replayed. */
export interface ReplayedBlocks {
  /** Position in `Stream.rows` of the recorded block whose durations a replayed block takes. */
  readonly position: Uint32Array;
  readonly flushStart: Float64Array;
  readonly flushEnd: Float64Array;
  /** µs by which the write of a replayed block starts later than that of the recorded one; null where none does. */
  readonly shiftAt: ((block: number) => number) | null;
  /** Replayed block of each commit of the stream, in the order of `PrimaryLog.commits`. */
  readonly blockOfCommit: Uint32Array;
}

/** Facts about the primary's side of a stream. */
export interface PrimaryLog {
  /** Rows of the commit table whose block is in the stream, ordered by start. */
  readonly commits: Uint32Array;
  /** Position in `Stream.rows` of each of these commits' block. */
  readonly positionOfCommit: Uint32Array;
  readonly writer: LogWriter;
  /** Index into the columns of `writer` by position; a block whose own write is unknown has that of the one before. */
  readonly write: Int32Array;
  /** Usual time from closing a block to its write, µs. */
  readonly closing: number;
  /** The blocks as they were recorded. */
  readonly recorded: ReplayedBlocks;
}

const CLOSING_PERCENTILE = 0.05;

/** The commits and log writes of a stream on its primary. */
export const primaryLogOf = perModelBy(
  ({ phase, database }: Stream) => `${phase} ${database}`,
  (model: CaptureModel, stream): PrimaryLog => {
    const { commits, positionOfCommit } = commitsOf(model, stream);
    const { start } = model.commits;
    const { length } = stream.rows;
    const firstCommit = new Float64Array(length).fill(Number.NaN);
    const lastCommit = new Float64Array(length).fill(Number.NaN);
    for (let k = 0; k < commits.length; k++) {
      const i = positionOfCommit[k];
      if (Number.isNaN(firstCommit[i])) firstCommit[i] = start[commits[k]];
      lastCommit[i] = start[commits[k]];
    }
    const flushStart = columnOf(stream, stream.blocks.localFlushStart);
    const flushEnd = columnOf(stream, stream.blocks.localFlushEnd);
    const byCommits = usualClosing(lastCommit, flushStart);
    const entered = firstCommit;
    for (let i = 0; i < length; i++) if (Number.isNaN(entered[i])) entered[i] = flushStart[i] - byCommits;
    const { writer, write } = knownWrites(entered, flushStart, flushEnd);
    return {
      commits,
      positionOfCommit,
      writer,
      write,
      closing: writer.turnaround > 0 ? Math.min(writer.turnaround, byCommits) : byCommits,
      recorded: {
        position: allRows(length),
        flushStart,
        flushEnd,
        shiftAt: null,
        blockOfCommit: positionOfCommit,
      },
    };
  },
);

function commitsOf(model: CaptureModel, stream: Stream): Pick<PrimaryLog, "commits" | "positionOfCommit"> {
  const positionOfRow = stream.isComplete ? stream.rows : positionsOf(stream);
  const { block } = model.commits;
  const commits = new Uint32Array(block.length);
  const positionOfCommit = new Uint32Array(block.length);
  let n = 0;
  for (let c = 0; c < block.length; c++) {
    const position = block[c] < 0 ? -1 : positionOfRow[block[c]];
    if (position < 0) continue;
    commits[n] = c;
    positionOfCommit[n++] = position;
  }
  return { commits: commits.subarray(0, n), positionOfCommit: positionOfCommit.subarray(0, n) };
}

/** Position in the stream of each row of the block table, -1 for a block of another stream. */
function positionsOf({ rows, blocks }: Stream): Int32Array {
  const positions = new Int32Array(blocks.length).fill(-1);
  for (let i = 0; i < rows.length; i++) positions[rows[i]] = i;
  return positions;
}

/** p5 of the time from a block's last commit to its write, µs. Overwrites `lastCommit`. */
function usualClosing(lastCommit: Float64Array, flushStart: Float64Array): number {
  const distances = lastCommit;
  let n = 0;
  for (let i = 0; i < flushStart.length; i++) {
    const us = flushStart[i] - lastCommit[i];
    if (us >= 0) distances[n++] = us;
  }
  return n > 0 ? valueAtRank(distances.subarray(0, n), Math.floor(CLOSING_PERCENTILE * n)) : 0;
}

function knownWrites(
  entered: Float64Array,
  start: Float64Array,
  end: Float64Array,
): { writer: LogWriter; write: Int32Array } {
  const known = new Uint32Array(start.length);
  const write = new Int32Array(start.length);
  let n = 0;
  for (let i = 0; i < start.length; i++) {
    if (!Number.isNaN(entered[i] + start[i] + end[i])) known[n++] = i;
    write[i] = n - 1;
  }
  const pick = (column: Float64Array): Float64Array => viewOrGather(column, known.subarray(0, n));
  const instants = { entered: pick(entered), start: pick(start), end: pick(end) };
  // All commits that wait for a primary's writer become one block: no two blocks of a recording show that they share a
  // write.
  return { writer: logWriterOf(instants, "together"), write };
}

/**
 * Forms the blocks again. A block is closed when its first commit has been grouped and the write before has ended;
 * every commit that arrived until then is in it. The next replay of the same capture, or of another stream of it,
 * overwrites them.
 */
export function reformBlocks(model: CaptureModel, log: PrimaryLog, writeUs: WriteDurations): ReplayedBlocks {
  const { commits, writer } = log;
  const blocks = roomForBlocks(model);
  const { position, flushStart, flushEnd, blockOfCommit } = blocks;
  const came = viewOrGather(model.commits.start, commits);
  const queue = new WriteQueue("oneByOne", writer.turnaround);
  const last = { block: -1, closed: -Infinity };
  inChunks(came.length, (chunk) => formBlocks(log, { writeUs, came, queue }, blocks, last, chunk));
  const n = last.block + 1;
  return {
    position: position.subarray(0, n),
    flushStart: flushStart.subarray(0, n),
    flushEnd: flushEnd.subarray(0, n),
    shiftAt: (block) => flushStart[block] - writer.start[writeOf(log, position[block])],
    blockOfCommit: blockOfCommit.subarray(0, commits.length),
  };
}

/** When commits began, µs, and the log writer that their blocks wait for. */
interface CommitsToForm {
  readonly came: Float64Array;
  readonly writeUs: WriteDurations;
  readonly queue: WriteQueue;
}

/** Puts the commits of a chunk into blocks. @param last the block that commits were put into before, and when it is closed, µs */
function formBlocks(
  log: PrimaryLog,
  { writeUs, came, queue }: CommitsToForm,
  { position, flushStart, flushEnd, blockOfCommit }: Omit<ReplayedBlocks, "shiftAt">,
  last: { block: number; closed: number },
  { first, end }: RowRange,
): void {
  const { positionOfCommit, writer, closing } = log;
  let { block, closed } = last;
  for (let k = first; k < end; k++) {
    if (!(came[k] <= closed)) {
      const w = writeOf(log, positionOfCommit[k]);
      const grouped = came[k] + Math.max(writer.ready[w] - writer.entered[w], 0);
      queue.take(grouped, writeUsAt(writeUs, writer, w));
      block++;
      position[block] = positionOfCommit[k];
      flushStart[block] = queue.start;
      flushEnd[block] = queue.end;
      closed = queue.start - closing;
    }
    blockOfCommit[k] = block;
  }
  last.block = block;
  last.closed = closed;
}

/** Index into the writer's columns of the write that represents the block at a position. */
const writeOf = ({ write }: PrimaryLog, position: number): number => Math.max(write[position], 0);

/** Room for the blocks of one stream, which are at most as many as commits. */
const roomForBlocks = perModel((model: CaptureModel) => {
  const { length } = model.commits;
  return {
    position: new Uint32Array(length),
    flushStart: new Float64Array(length),
    flushEnd: new Float64Array(length),
    blockOfCommit: new Uint32Array(length),
  };
});
