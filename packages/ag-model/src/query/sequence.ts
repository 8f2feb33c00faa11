import {
  type Anchor,
  anchorAt,
  commitLatencies,
  obtainedAt,
  perModel,
  pausedUs,
  pauseOfHarden,
  pauseOnWay,
  percentUpTo,
  releasedAt,
  stageColumn,
  stageMedian,
  serverStatesOf,
} from "../columns/index.ts";
import { STAGE_IDS, STAGES, type StageDefinition } from "../replication/shapes/stages.ts";
import { formatLsn } from "../replication/shapes/identity.ts";
import { primaryOfBlock } from "../replication/shapes/slots.ts";
import {
  Gate,
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  Obtained,
  recordOf,
  type CaptureModel,
  type WriteParts,
} from "../replication/shapes/tables.ts";
import { equalLsns } from "./equal-lsns.ts";
import { orNull } from "./null-for-nan.ts";
import { placeOfEvent, type EventPlace, type SequenceEvent } from "./sequence-event.ts";

/** Places of a block's events in fire order; the caller reads them from the files and calls `toSequenceEvent`. */
export const eventPlacesOf = ({ events }: CaptureModel, row: number): EventPlace[] =>
  events.runs
    .flatMap((run) => run.rowsOfBlock(row).map((event) => placeOfEvent(run, event)))
    .toSorted((a, b) => inTime(a.fire, b.fire));

/** Unknown instants are last; equal ones stay in the order of their runs. */
const inTime = (a: number, b: number): number =>
  (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0) || a - b || 0;

/**
 * One block from commit to commit, without its raw events (`events` is empty). Instants and durations are µs.
 * Throws RangeError for a row that is not in the capture.
 */
export function sequenceOfBlock(model: CaptureModel, row: number) {
  const { blocks } = model;
  if (!Number.isInteger(row) || row < 0 || row >= blocks.length) {
    throw new RangeError(`The capture has ${blocks.length} log blocks; there is no row ${row}.`);
  }
  return {
    row,
    database: blocks.database[row],
    phase: blocks.phase[row],
    lsn: formatLsn(blocks.blockId[row]),
    equalLsns: equalLsns(model, row),
    blockId: blocks.blockId[row].toString(),
    size: orNull(blocks.size[row]),
    time: blocks.time[row],
    vlfStart: blocks.vlfStart[row] === 1,
    gate: blocks.gate[row],
    local: recordOf(LOCAL_ANCHORS, (name) => orNull(blocks[name][row])),
    split: splitOfWrite(blocks, row, blocks.localFlushEnd[row] - blocks.localFlushStart[row]),
    hops: model.hops.map((_, secondary) => sequenceHop(model, secondary, row)),
    commits: commitsOf(model, row),
    events: [] as SequenceEvent[],
    previousInTime: row > 0 ? row - 1 : null,
    nextInTime: row + 1 < blocks.length ? row + 1 : null,
  };
}

function sequenceHop(model: CaptureModel, secondary: number, row: number) {
  const hop = model.hops[secondary];
  const remoteHarden = stageColumn(model, secondary, "remoteHarden")[row];
  return {
    secondary,
    pause: pauseOfHop(model, secondary, row),
    anchors: recordOf(HOP_ANCHORS, (name) => orNull(hop[name][row])),
    split: splitOfWrite(hop, row, hop.secondaryFlushEnd[row] - hop.secondaryFlushStart[row]),
    stages: STAGES.map((stage) => sequenceStage(model, secondary, stage, row)),
    remoteHarden: orNull(remoteHarden),
    remoteHardenRank: percentUpTo(model, stageColumn(model, secondary, "remoteHarden"), remoteHarden),
    typical: recordOf(STAGE_IDS, (id) => orNull(stageMedian(model, secondary, id))),
  };
}

/** The parts of a log write of `us`; null where no file write shows them. */
function splitOfWrite({ writeQueue, writeCompletion }: WriteParts, row: number, us: number) {
  const [queue, completion] = [writeQueue[row], writeCompletion[row]];
  const device = us - queue - completion;
  return Number.isNaN(device) ? null : { queue, device, completion };
}

/** The server that was unresponsive for most of the block's remote harden, and for how long of it, µs. */
function pauseOfHop(model: CaptureModel, secondary: number, row: number) {
  const { sendStart, ackProcessed } = model.hops[secondary];
  const pause = pauseOfHarden(model, serverStatesOf(model), secondary, row);
  if (pause === null) return null;
  return {
    end: pause.replica === primaryOfBlock(model, row) ? ("primary" as const) : ("secondary" as const),
    us: pausedUs(pause, sendStart[row], ackProcessed[row]),
  };
}

function sequenceStage(model: CaptureModel, secondary: number, stage: StageDefinition, row: number) {
  const duration = stageColumn(model, secondary, stage.id)[row];
  const remoteHarden = stageColumn(model, secondary, "remoteHarden")[row];
  const [from, to] = instantsOf(model, secondary, stage, row);
  return {
    id: stage.id,
    from: orNull(from),
    to: orNull(to),
    duration: orNull(duration),
    share: stage.onRemotePath ? orNull(duration / remoteHarden) : null,
    rank: percentUpTo(model, stageColumn(model, secondary, stage.id), duration),
    typical: orNull(stageMedian(model, secondary, stage.id)),
    obtained: obtainedStage(model, secondary, stage, row, duration),
    isPaused:
      pauseOnWay(model, serverStatesOf(model), { secondary, row, from, to, clock: stage.clock }) !== null,
    uncertaintyUs: stage.clock === "aligned" ? orNull(model.hops[secondary].uncertainty[row]) : null,
  };
}

function instantsOf(
  model: CaptureModel,
  secondary: number,
  stage: StageDefinition,
  row: number,
): [number, number] {
  const at = (name: Anchor | null) => (name === null ? Number.NaN : anchorAt(model, secondary, name, row));
  if (stage.id === "commitWakeUp") return [releasedAt(model, row, model.blocks.gate[row]), at("commitEnd")];
  return [at(stage.from), at(stage.to)];
}

const OBTAINED_WORDS = ["missing", "measured", "derived", "fallback"] as const;

/** The quality of a stage is that of the weaker of its anchors. */
function obtainedStage(
  model: CaptureModel,
  secondary: number,
  stage: StageDefinition,
  row: number,
  duration: number,
): (typeof OBTAINED_WORDS)[number] {
  if (Number.isNaN(duration)) return "missing";
  // The wake-up begins at the release of the block, which may be another secondary's acknowledgment.
  if (stage.id === "commitWakeUp")
    return OBTAINED_WORDS[
      Math.max(Obtained.measured, howReleased(model, row), obtainedAt(model, secondary, "commitEnd", row))
    ];
  const how = anchorsOf(stage).map((name) => obtainedAt(model, secondary, name, row));
  return OBTAINED_WORDS[Math.max(Obtained.measured, ...how)];
}

function howReleased(model: CaptureModel, row: number): Obtained {
  const gate = model.blocks.gate[row];
  return gate === Gate.localFlush
    ? obtainedAt(model, 0, "localFlushEnd", row)
    : obtainedAt(model, Gate.secondaryOf(gate), "ackProcessed", row);
}

function anchorsOf(stage: StageDefinition): Anchor[] {
  if (stage.id === "networkRoundTrip") return ["sendEnd", "received", "ackSent", "ackReceived"];
  return [stage.from, stage.to].filter((name) => name !== null);
}

function commitsOf(model: CaptureModel, block: number) {
  const { commits, blocks } = model;
  const latency = commitLatencies(model);
  return Array.from(commitRowsOf(model, block), (row) => ({
    start: commits.start[row],
    end: commits.end[row],
    queued: orNull(blocks.localFlushStart[block] - commits.start[row]),
    wokenAfter: orNull(commits.end[row] - releasedAt(model, block, commits.gate[row])),
    rank: percentUpTo(model, latency, latency[row]),
    gate: commits.gate[row],
    timeToCommit: orNull(commits.timeToCommit[row]),
  }));
}

/** Rows of a block's commits, in order of start. */
function commitRowsOf(model: CaptureModel, block: number): Uint32Array {
  const index = commitsByBlock(model);
  return index.rows.subarray(index.start[block], index.start[block + 1]);
}

/** Commit rows grouped by block (counting sort); `start` has one entry more than there are blocks. */
const commitsByBlock = perModel((model: CaptureModel): { start: Uint32Array; rows: Uint32Array } => {
  const { block, length } = model.commits;
  const start = new Uint32Array(model.blocks.length + 1);
  for (let row = 0; row < length; row++) if (block[row] >= 0) start[block[row] + 1]++;
  for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
  const next = start.slice();
  const rows = new Uint32Array(start[model.blocks.length]);
  for (let row = 0; row < length; row++) if (block[row] >= 0) rows[next[block[row]]++] = row;
  return { start, rows };
});
