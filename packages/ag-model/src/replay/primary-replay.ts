/**
 * Plays the primary's log writer again. A faster or slower write closes blocks earlier or later and so puts other commits
 * into them: blocks are formed anew from the commits as they came.
 */
import { oncePerModel, pickRows } from "../columns/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { logWriterOf, type LogWriter } from "./log-writer.ts";
import type { Stream } from "./streams.ts";
import { WriteQueue } from "./write-queue.ts";

/** Blocks of one stream as they were replayed. */
export interface ReplayedBlocks {
  /** Position in `Stream.rows` of the recorded block whose durations a replayed block takes. */
  readonly position: Uint32Array;
  readonly flushStart: Float64Array;
  readonly flushEnd: Float64Array;
  /** µs by which its write starts later than that of the recorded block. */
  readonly shift: Float64Array;
  /** Replayed block of each commit of the stream, in the order of `PrimaryLog.commits`. */
  readonly blockOfCommit: Uint32Array;
}

/** What is known of the primary's side of a stream. */
export interface PrimaryLog {
  /** Rows of the commit table whose block is in the stream, ordered by start. */
  readonly commits: Uint32Array;
  /** Position in `Stream.rows` of each of these commits' block. */
  readonly positionOfCommit: Uint32Array;
  readonly writer: LogWriter;
  /** Index into the columns of `writer` by position; a block whose own write is not known has that of the one before. */
  readonly write: Int32Array;
  /** Usual time from closing a block to its write, µs. */
  readonly closing: number;
}

const CLOSING_PERCENTILE = 0.05;

/** The commits and log writes of a stream on its primary. */
export const primaryLogOf = (model: CaptureModel, stream: Stream): PrimaryLog =>
  oncePerModel(model, `replay/primary/${stream.phase}/${stream.database}`, () => {
    const { rows, blocks } = stream;
    const positionOfRow = new Int32Array(blocks.length).fill(-1);
    for (let i = 0; i < rows.length; i++) positionOfRow[rows[i]] = i;
    const { block, start } = model.commits;
    const commits = Uint32Array.from({ length: block.length }, (_, c) => c).filter(
      (c) => block[c] >= 0 && positionOfRow[block[c]] >= 0,
    );
    const positionOfCommit = commits.map((c) => positionOfRow[block[c]]);
    const firstCommit = new Float64Array(rows.length).fill(Number.NaN);
    const lastCommit = new Float64Array(rows.length).fill(Number.NaN);
    for (let k = 0; k < commits.length; k++) {
      const i = positionOfCommit[k];
      if (Number.isNaN(firstCommit[i])) firstCommit[i] = start[commits[k]];
      lastCommit[i] = start[commits[k]];
    }
    const flushStart = pickRows(blocks.localFlushStart, rows);
    const flushEnd = pickRows(blocks.localFlushEnd, rows);
    const distances = flushStart
      .map((instant, i) => instant - lastCommit[i])
      .filter((us) => us >= 0)
      .sort();
    const byCommits = distances[Math.floor(CLOSING_PERCENTILE * distances.length)] ?? 0;
    const entered = firstCommit.map((instant, i) =>
      Number.isNaN(instant) ? flushStart[i] - byCommits : instant,
    );
    const { writer, write } = knownWrites(entered, flushStart, flushEnd);
    const closing = writer.turnaround > 0 ? Math.min(writer.turnaround, byCommits) : byCommits;
    return { commits, positionOfCommit, writer, write, closing };
  });

function knownWrites(
  entered: Float64Array,
  start: Float64Array,
  end: Float64Array,
): { writer: LogWriter; write: Int32Array } {
  const known: number[] = [];
  const write = new Int32Array(start.length);
  for (let i = 0; i < start.length; i++) {
    if (!Number.isNaN(entered[i] + start[i] + end[i])) known.push(i);
    write[i] = known.length - 1;
  }
  const pick = (column: Float64Array): Float64Array => pickRows(column, known);
  return { writer: logWriterOf({ entered: pick(entered), start: pick(start), end: pick(end) }), write };
}

/** The blocks as they were recorded. */
export function recordedBlocks({ rows, blocks }: Stream, log: PrimaryLog): ReplayedBlocks {
  return {
    position: rows.map((_, i) => i),
    flushStart: pickRows(blocks.localFlushStart, rows),
    flushEnd: pickRows(blocks.localFlushEnd, rows),
    shift: new Float64Array(rows.length),
    blockOfCommit: log.positionOfCommit,
  };
}

/**
 * Forms the blocks anew. A block is closed when its first commit has been grouped and the write before has ended; every
 * commit that came until then is in it.
 * @param writeUs duration of the write that has the place of an index in the writer's columns, µs; as measured when
 * not given
 */
export function reformBlocks(
  model: CaptureModel,
  log: PrimaryLog,
  writeUs?: (index: number) => number,
): ReplayedBlocks {
  const { commits, positionOfCommit, writer, write, closing } = log;
  const queue = new WriteQueue(writer.policy === "atOnce" ? "atOnce" : "oneByOne", writer.turnaround);
  const position: number[] = [];
  const flushStart: number[] = [];
  const flushEnd: number[] = [];
  const blockOfCommit = new Uint32Array(commits.length);
  const came = pickRows(model.commits.start, commits);
  for (let k = 0; k < came.length;) {
    const w = Math.max(write[positionOfCommit[k]], 0);
    const grouped = came[k] + Math.max(writer.ready[w] - writer.entered[w], 0);
    queue.take(grouped, writeUs?.(w) ?? writer.end[w] - writer.start[w]);
    const block = position.length;
    position.push(positionOfCommit[k]);
    flushStart.push(queue.start);
    flushEnd.push(queue.end);
    const closed = queue.start - closing;
    do blockOfCommit[k++] = block;
    while (k < came.length && came[k] <= closed);
  }
  const starts = Float64Array.from(flushStart);
  return {
    position: Uint32Array.from(position),
    flushStart: starts,
    flushEnd: Float64Array.from(flushEnd),
    shift: starts.map((instant, j) => instant - writer.start[Math.max(write[position[j]], 0)]),
    blockOfCommit,
  };
}
