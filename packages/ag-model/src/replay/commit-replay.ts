/** Replays the commits of a capture with one change: how long each would have taken, and what would release it. */
import { perModel } from "../columns/index.ts";
import { CHUNK, inChunks, type RowRange } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import type { Change } from "./changes.ts";
import { hopLegsOf, secondaryWriterOf } from "./hop-legs.ts";
import { replayHop, type HopChange } from "./hop-replay.ts";
import { Latencies, LEFT_OUT, measuredLatencies } from "./latencies.ts";
import type { LogWriter } from "./log-writer.ts";
import { primaryLogOf, reformBlocks, type PrimaryLog, type ReplayedBlocks } from "./primary-replay.ts";
import { columnOf, streamsOf, type Stream, type StreamHop } from "./streams.ts";
import { AS_MEASURED, changedWrites } from "./write-durations.ts";

/** Commits as they were and as they would be; the same commits are excluded from both. */
export interface ReplayedCommits {
  readonly measured: Latencies;
  readonly predicted: Latencies;
}

/** Release by the local log write; r + 1 is the acknowledgment of replica r. */
export const LOCAL_RELEASE = 0;

/** Columns that every replay of a capture fills again, by row of the commit table. */
interface Columns {
  readonly predicted: Float64Array;
  readonly releaseMeasured: Uint8Array;
  readonly releasePredicted: Uint8Array;
  /**
   * Room for the acknowledgments of one secondary each, for the largest number of blocks in a replay; as many as
   * replays needed so far.
   */
  readonly ends: Float64Array[];
}

const columnsOf = perModel((model: CaptureModel): Columns => {
  const { length } = model.commits;
  return {
    // Commits without a block are in no stream and keep this value.
    predicted: new Float64Array(length).fill(Number.NaN),
    releaseMeasured: new Uint8Array(length).fill(LEFT_OUT),
    releasePredicted: new Uint8Array(length).fill(LEFT_OUT),
    ends: [],
  };
});

/**
 * Replays the commits. C1' = C1 - (latest old end - latest new end), where the ends are those of the local log write
 * and of the acknowledgments that commits wait for. The predicted latencies are overwritten by the next replay of the
 * same capture.
 * @param isApplied false replays the same steps as measured, so that the difference is the replay's own error
 */
export function replayCommits(model: CaptureModel, change: Change, isApplied = true): ReplayedCommits {
  const columns = columnsOf(model);
  for (const stream of streamsOf(model))
    replayStream({ model, stream, log: primaryLogOf(model, stream), change, isApplied }, columns);
  return {
    measured: measuredLatencies(model, columns.releaseMeasured),
    predicted: new Latencies(model, columns.predicted, columns.releasePredicted),
  };
}

/** One secondary's acknowledgments. */
interface Candidate {
  readonly hop: StreamHop;
  /** As recorded, by position, µs. */
  readonly old: Float64Array;
  /** As replayed, by replayed block, µs. */
  readonly processed: Float64Array;
  readonly waitsMeasured: boolean;
  readonly waitsPredicted: boolean;
}

/** A stream, and the change in it. */
interface StreamReplay {
  readonly model: CaptureModel;
  readonly stream: Stream;
  readonly log: PrimaryLog;
  readonly change: Change;
  readonly isApplied: boolean;
}

function replayStream(replay: StreamReplay, columns: Columns): void {
  const { model, stream, log, change, isApplied } = replay;
  const replayed = replayedBlocks(replay);
  const candidates = stream.hops.map((hop, place): Candidate => {
    const waitsMeasured = hop.mode !== "async";
    const changed = hop.replica === change.replica && isApplied ? change.kind : undefined;
    const waitsPredicted = changed === "async" ? false : changed === "sync" ? true : waitsMeasured;
    const old = columnOf(stream, hop.table.ackProcessed);
    const room = (): Float64Array => roomFor(model, columns, place).subarray(0, replayed.position.length);
    const processed = replayedEnds(replay, hop, replayed, room) ?? old;
    return { hop, old, processed, waitsMeasured, waitsPredicted };
  });
  const played = { commitTable: model.commits, log, replayed, columns };
  const [measured, predicted] = [new Float64Array(CHUNK), new Float64Array(CHUNK)];
  inChunks(log.commits.length, ({ first, end }) => {
    const chunk = { first, end, measured, predicted };
    beginWithLocalEnds(played, chunk);
    for (const candidate of candidates) considerAcknowledgments(played, candidate, chunk);
    endWithLatencies(played, chunk);
  });
}

/** Input and output of the passes over the commits of a stream. */
interface PlayedStream {
  readonly commitTable: CaptureModel["commits"];
  readonly log: PrimaryLog;
  readonly replayed: ReplayedBlocks;
  readonly columns: Columns;
}

/** Commits of a chunk, by their place in it. */
interface Chunk extends RowRange {
  /** The latest end so far of the steps that each commit waits for, as recorded and as replayed, µs. */
  readonly measured: Float64Array;
  readonly predicted: Float64Array;
}

/** Room for the acknowledgments of the secondary at an index of a stream's secondaries. */
const roomFor = ({ blocks, commits }: CaptureModel, { ends }: Columns, place: number): Float64Array =>
  (ends[place] ??= new Float64Array(Math.max(blocks.length, commits.length)));

function replayedBlocks(replay: StreamReplay): ReplayedBlocks {
  const { model, stream, log, change, isApplied } = replay;
  if (change.kind !== "write" || change.replica !== stream.primary) return log.recorded;
  const { writer } = log;
  const writeUs = isApplied ? changedWrites(writer, change.figure, otherWriter(replay, change)) : AS_MEASURED;
  return reformBlocks(model, log, writeUs);
}

/** When the acknowledgments of a replayed secondary are processed; undefined for a secondary without a change. */
function replayedEnds(
  replay: StreamReplay,
  hop: StreamHop,
  replayed: ReplayedBlocks,
  room: () => Float64Array,
): Float64Array | undefined {
  const { model, stream, log, change, isApplied } = replay;
  const isChanged = hop.replica === change.replica && change.kind !== "async";
  if (!isChanged && replayed === log.recorded) return undefined;
  const hopChange = isChanged && isApplied ? hopChangeOf(replay, hop) : {};
  return replayHop(hopLegsOf(model, stream, hop), replayed, room(), hopChange);
}

function hopChangeOf(replay: StreamReplay, hop: StreamHop): HopChange {
  const { model, stream, change } = replay;
  switch (change.kind) {
    case "write": {
      const { writer } = secondaryWriterOf(model, stream, hop);
      return { writeUs: changedWrites(writer, change.figure, otherWriter(replay, change)) };
    }
    case "network":
      return { roundTripUs: change.roundTripUs };
    case "compression":
      return { compressionUs: change.us };
    default:
      return {};
  }
}

/** The log writer of the replica that a changed write is compared with, in the same stream. */
function otherWriter(
  { model, stream, log }: StreamReplay,
  { figure }: Extract<Change, { kind: "write" }>,
): LogWriter | undefined {
  if (!("replica" in figure)) return undefined;
  if (figure.replica === stream.primary) return log.writer;
  const hop = stream.hops.find(({ replica }) => replica === figure.replica);
  return hop && secondaryWriterOf(model, stream, hop).writer;
}

/* A pass over the commits of a chunk for the local log write, one for each secondary, and one for their latencies. */

function beginWithLocalEnds(
  { log, replayed, columns }: PlayedStream,
  { first, end: beyond, measured, predicted }: Chunk,
): void {
  const { commits, positionOfCommit, recorded } = log;
  const { blockOfCommit, flushEnd } = replayed;
  const { releaseMeasured, releasePredicted } = columns;
  for (let k = first; k < beyond; k++) {
    const c = commits[k];
    measured[k - first] = recorded.flushEnd[positionOfCommit[k]];
    predicted[k - first] = flushEnd[blockOfCommit[k]];
    releaseMeasured[c] = LOCAL_RELEASE;
    releasePredicted[c] = LOCAL_RELEASE;
  }
}

function considerAcknowledgments(
  { commitTable: { end }, log, replayed, columns }: PlayedStream,
  { hop, old, processed, waitsMeasured, waitsPredicted }: Candidate,
  { first, end: beyond, measured, predicted }: Chunk,
): void {
  const { commits, positionOfCommit } = log;
  const { blockOfCommit } = replayed;
  const { releaseMeasured, releasePredicted } = columns;
  const isRequired = hop.mode === "sync" || (waitsPredicted && !waitsMeasured);
  for (let k = first; k < beyond; k++) {
    const c = commits[k];
    const before = old[positionOfCommit[k]];
    const after = processed[blockOfCommit[k]];
    if (!isRequired && (Number.isNaN(before) || Number.isNaN(after))) continue;
    // A commit that ended before an acknowledgment did not wait for it.
    const waited = waitsMeasured && !(before > end[c]);
    if (waited && !(before <= measured[k - first])) {
      measured[k - first] = before;
      releaseMeasured[c] = hop.replica + 1;
    }
    if ((waited || !waitsMeasured) && waitsPredicted && !(after <= predicted[k - first])) {
      predicted[k - first] = after;
      releasePredicted[c] = hop.replica + 1;
    }
  }
}

function endWithLatencies(
  { commitTable: { start, end, gate }, log: { commits }, columns }: PlayedStream,
  { first, end: beyond, measured, predicted }: Chunk,
): void {
  for (let k = first; k < beyond; k++) {
    const c = commits[k];
    const latency =
      gate[c] === 0 ? Number.NaN : end[c] - measured[k - first] + predicted[k - first] - start[c];
    columns.predicted[c] = latency;
    if (Number.isNaN(latency)) {
      columns.releaseMeasured[c] = LEFT_OUT;
      columns.releasePredicted[c] = LEFT_OUT;
    }
  }
}
