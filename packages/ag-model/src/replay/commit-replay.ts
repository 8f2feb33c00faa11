/** Plays the commits of a capture again, with one thing changed: how long each would have taken, and what would release it. */
import { pickRows } from "../columns/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import type { Change } from "./changes.ts";
import { hopLegsOf } from "./hop-legs.ts";
import { replayHop, type HopChange } from "./hop-replay.ts";
import type { LogWriter } from "./log-writer.ts";
import {
  primaryLogOf,
  recordedBlocks,
  reformBlocks,
  type PrimaryLog,
  type ReplayedBlocks,
} from "./primary-replay.ts";
import { streamsOf, type Stream, type StreamHop } from "./streams.ts";
import { changedWrites } from "./write-durations.ts";

/** Commits by row of the commit table. */
export interface ReplayedCommits {
  /** Latency as measured, µs; NaN for a commit that is left out because its block is not fully joined. */
  readonly measured: Float64Array;
  /** Latency as predicted, µs; NaN for the same commits. */
  readonly predicted: Float64Array;
  /** What released each: 0 the local log write, r + 1 the acknowledgement of replica r. */
  readonly releaseMeasured: Uint8Array;
  readonly releasePredicted: Uint8Array;
}

/** Release by the local log write; r + 1 is the acknowledgement of replica r. */
export const LOCAL_RELEASE = 0;

/**
 * Replays the commits. C1' = C1 - (latest old end - latest new end), the ends being those of the local log write and of
 * the acknowledgements that commits wait for.
 * @param isApplied false plays the same steps again as measured, so that the difference is the replay's own error
 */
export function replayCommits(model: CaptureModel, change: Change, isApplied = true): ReplayedCommits {
  const { length } = model.commits;
  const result = {
    measured: new Float64Array(length).fill(Number.NaN),
    predicted: new Float64Array(length).fill(Number.NaN),
    releaseMeasured: new Uint8Array(length),
    releasePredicted: new Uint8Array(length),
  };
  for (const stream of streamsOf(model)) replayStream(model, stream, change, isApplied, result);
  return result;
}

/** One secondary's acknowledgements: as recorded by position, and as replayed by replayed block. */
interface Candidate {
  readonly hop: StreamHop;
  readonly old: Float64Array;
  readonly processed: Float64Array;
  readonly waitsMeasured: boolean;
  readonly waitsPredicted: boolean;
}

function replayStream(
  model: CaptureModel,
  stream: Stream,
  change: Change,
  isApplied: boolean,
  result: ReplayedCommits,
): void {
  const log = primaryLogOf(model, stream);
  const reforms = change.kind === "write" && change.replica === stream.primary;
  const writeUs = reforms && isApplied ? writesOf(model, stream, log, change) : undefined;
  const replayed = reforms ? reformBlocks(model, log, writeUs) : recordedBlocks(stream, log);
  const candidates = stream.hops.map((hop): Candidate => {
    const isChanged = hop.replica === change.replica;
    const waitsMeasured = hop.mode !== "async";
    const modes = isChanged && isApplied ? change.kind : undefined;
    return {
      hop,
      old: pickRows(hop.table.ackProcessed, stream.rows),
      processed: processedOf(model, stream, hop, log, replayed, change, isApplied),
      waitsMeasured,
      waitsPredicted: modes === "async" ? false : modes === "sync" ? true : waitsMeasured,
    };
  });
  releaseCommits(model, stream, log, replayed, candidates, result);
}

function processedOf(
  model: CaptureModel,
  stream: Stream,
  hop: StreamHop,
  log: PrimaryLog,
  replayed: ReplayedBlocks,
  change: Change,
  isApplied: boolean,
): Float64Array {
  const isChanged = hop.replica === change.replica && change.kind !== "async";
  const isMoved = change.kind === "write" && change.replica === stream.primary;
  if (!isChanged && !isMoved) return pickRows(hop.table.ackProcessed, stream.rows);
  const isSeen = model.replicas[hop.replica].hasCapture;
  const hopChange = isChanged && isApplied ? hopChangeOf(model, stream, log, hop, change) : {};
  return replayHop(hopLegsOf(model, stream, hop), replayed, isSeen, hopChange);
}

function hopChangeOf(
  model: CaptureModel,
  stream: Stream,
  log: PrimaryLog,
  hop: StreamHop,
  change: Change,
): HopChange {
  switch (change.kind) {
    case "write":
      return {
        writeUs: changedWrites(
          hopLegsOf(model, stream, hop).writer,
          change.figure,
          otherWriter(model, stream, log, change),
        ),
      };
    case "network":
      return { roundTripUs: change.roundTripUs };
    case "compression":
      return { compressionUs: change.us };
    default:
      return {};
  }
}

const writesOf = (
  model: CaptureModel,
  stream: Stream,
  log: PrimaryLog,
  change: Extract<Change, { kind: "write" }>,
): ((index: number) => number) =>
  changedWrites(log.writer, change.figure, otherWriter(model, stream, log, change));

/** The log writer of the replica that a changed write is compared with, in the same stream. */
function otherWriter(
  model: CaptureModel,
  stream: Stream,
  log: PrimaryLog,
  { figure }: Extract<Change, { kind: "write" }>,
): LogWriter | undefined {
  if (!("replica" in figure)) return undefined;
  if (figure.replica === stream.primary) return log.writer;
  const hop = stream.hops.find(({ replica }) => replica === figure.replica);
  return hop && hopLegsOf(model, stream, hop).writer;
}

function releaseCommits(
  model: CaptureModel,
  { rows, blocks }: Stream,
  log: PrimaryLog,
  replayed: ReplayedBlocks,
  candidates: readonly Candidate[],
  result: ReplayedCommits,
): void {
  const { start, end, gate } = model.commits;
  for (let k = 0; k < log.commits.length; k++) {
    const c = log.commits[k];
    const position = log.positionOfCommit[k];
    const j = replayed.blockOfCommit[k];
    if (gate[c] === 0) continue;
    let oldEnd = blocks.localFlushEnd[rows[position]];
    let newEnd = replayed.flushEnd[j];
    let [releaseMeasured, releasePredicted] = [LOCAL_RELEASE, LOCAL_RELEASE];
    for (const { hop, old, processed, waitsMeasured, waitsPredicted } of candidates) {
      const before = old[position];
      const isRequired = hop.mode === "sync" || (waitsPredicted && !waitsMeasured);
      if (!isRequired && (Number.isNaN(before) || Number.isNaN(processed[j]))) continue;
      // A commit that ended before an acknowledgement did not wait for it.
      const waited = waitsMeasured && !(before > end[c]);
      if (waited && !(before <= oldEnd)) {
        oldEnd = before;
        releaseMeasured = hop.replica + 1;
      }
      if ((waited || !waitsMeasured) && waitsPredicted && !(processed[j] <= newEnd)) {
        newEnd = processed[j];
        releasePredicted = hop.replica + 1;
      }
    }
    const predicted = end[c] - oldEnd + newEnd - start[c];
    if (Number.isNaN(predicted)) continue;
    result.measured[c] = end[c] - start[c];
    result.predicted[c] = predicted;
    result.releaseMeasured[c] = releaseMeasured;
    result.releasePredicted[c] = releasePredicted;
  }
}
