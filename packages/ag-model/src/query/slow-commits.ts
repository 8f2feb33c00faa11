import {
  commitLatencies,
  commitsInRange,
  commitWakeUps,
  perModel,
  pausedPaths,
  pickRows,
  releasedAt,
  stageColumn,
} from "../columns/index.ts";
import { countOfLargest, rankedRows } from "../numbers/index.ts";
import { PATH_STAGES } from "../replication/shapes/stages.ts";
import { formatLsn } from "../replication/shapes/identity.ts";
import { replicaOfHop } from "../replication/shapes/slots.ts";
import { Gate, recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { type BlockFilter, filteredBlocks, filteredCommits } from "./block-filter.ts";
import { largestStage } from "./largest-stage.ts";
import { orNull } from "./null-for-nan.ts";

/**
 * Orders of commits: by the complete wait, by its parts before the log write and after the release, or by their begin.
 */
export const COMMIT_ORDERS = ["waited", "wokenAfter", "queued", "time"] as const;
export type CommitOrder = (typeof COMMIT_ORDERS)[number];

export interface SlowCommitsOptions {
  /** µs */
  readonly from: number;
  readonly to: number;
  readonly order: CommitOrder;
  /** Slot of the shown path for a commit that no acknowledgment released. */
  readonly secondary: number;
  readonly limit: number;
  readonly offset: number;
  /** Only commits of the filter's blocks. */
  readonly filter?: BlockFilter | null;
}

/**
 * Commits that overlap the range, longest first, or first by time. `waitedUs` is the sum of all of them, and `half` the
 * smallest number of commits with at least half of it.
 */
export function slowCommits(model: CaptureModel, options: SlowCommitsOptions) {
  const { from, to, order, secondary, limit, offset, filter = null } = options;
  const inRange = commitsInRange(model, from, to);
  const rows = filter === null ? inRange : filteredCommits(model, filteredBlocks(model, filter), inRange);
  const ranked = rankedRows(
    orderColumn(model, order),
    rows,
    offset + limit,
    order === "time" ? "ascending" : "descending",
  );
  return {
    total: rows.length,
    ...sumAndHalf(commitLatencies(model), rows),
    rows: Array.from(ranked.subarray(offset), (row) => slowCommit(model, row, secondary)),
  };
}

function orderColumn(model: CaptureModel, order: CommitOrder): Float64Array {
  switch (order) {
    case "waited":
      return commitLatencies(model);
    case "wokenAfter":
      return commitWakeUps(model);
    case "queued":
      return queuedColumn(model);
    case "time":
      return model.commits.start;
  }
}

const queuedColumn = perModel((model: CaptureModel) =>
  model.commits.start.map((_, row) => queuedUs(model, row)),
);

/** From the commit's start to its block's log write, µs; NaN where unknown. */
function queuedUs({ commits, blocks }: CaptureModel, row: number): number {
  const block = commits.block[row];
  return block < 0 ? Number.NaN : blocks.localFlushStart[block] - commits.start[row];
}

/** Sum of the commits' waits, µs, and the number of the longest waits that make up half of it. */
function sumAndHalf(latencies: Float64Array, rows: Uint32Array): { waitedUs: number; half: number } {
  const values = pickRows(latencies, rows);
  let known = 0;
  let waitedUs = 0;
  for (const us of values) {
    if (Number.isNaN(us)) continue;
    waitedUs += us;
    values[known++] = us;
  }
  return { waitedUs, half: countOfLargest(values.subarray(0, known), waitedUs / 2) };
}

function slowCommit(model: CaptureModel, row: number, chosen: number) {
  const { commits, blocks } = model;
  const block = commits.block[row];
  const gate = commits.gate[row];
  const isReleasedByAck = gate !== Gate.unknown && gate !== Gate.localFlush;
  const secondary = isReleasedByAck ? Gate.secondaryOf(gate) : chosen;
  const start = commits.start[row];
  const after = (instant: number): number | null => orNull(instant - start);
  const paths = block < 0 ? [] : model.hops.map((_, slot) => pathOf(model, block, slot, after));
  return {
    row,
    block: block < 0 ? null : block,
    database: commits.database[row],
    lsn: block < 0 ? null : formatLsn(blocks.blockId[block]),
    start,
    waited: orNull(commitLatencies(model)[row]),
    queued: orNull(queuedUs(model, row)),
    wokenAfter: orNull(commitWakeUps(model)[row]),
    gate,
    secondary,
    releasedBy: isReleasedByAck && block >= 0 ? replicaOfHop(model, block, secondary) : null,
    commitsOfBlock: block < 0 ? null : blocks.commits[block],
    otherEarlierBy: block < 0 ? null : orNull(otherEarlierBy(model, block, gate)),
    largest:
      gate === Gate.localFlush ? ("localFlush" as const) : largestStage(paths[secondary]?.stages ?? null),
    localStart: block < 0 ? null : after(blocks.localFlushStart[block]),
    localEnd: block < 0 ? null : after(blocks.localFlushEnd[block]),
    paths,
  };
}

/** The way of a block to one secondary and back; `after` counts an instant from the commit's start. */
const pathOf = (
  model: CaptureModel,
  block: number,
  slot: number,
  after: (instant: number) => number | null,
) => ({
  start: after(model.hops[slot].sendStart[block]),
  end: after(model.hops[slot].ackProcessed[block]),
  stages: recordOf(PATH_STAGES, (id) => orNull(stageColumn(model, slot, id)[block])),
  paused: pausedPaths(model, slot).get(block) ?? null,
});

/**
 * How long before the release the other side had finished, µs: the local write, or the last acknowledgment that a
 * commit can wait for. NaN where that is not known, or where the other side finished later: a replica that was away
 * acknowledges long after the commit.
 */
function otherEarlierBy(model: CaptureModel, block: number, gate: number): number {
  const released = releasedAt(model, block, gate);
  if (gate !== Gate.localFlush) return released - model.blocks.localFlushEnd[block];
  const { commitModes } = model.phases[model.blocks.phase[block]];
  const acks = model.hops
    .map((hop, slot) => (commitModes[slot] === "async" ? Number.NaN : hop.ackProcessed[block]))
    .filter((at) => at <= released);
  return released - (acks.length > 0 ? Math.max(...acks) : Number.NaN);
}
