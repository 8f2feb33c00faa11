/**
 * Selects rows of a capture with one primary as a capture of their own, such as those of one database. Data that
 * belongs to a server and not to a block (replicas, clocks, markers) stays as it is.
 */
import { NO_EVENTS } from "../replication/shapes/event-runs.ts";
import type { CaptureModel, MarkerTable } from "../replication/shapes/tables.ts";
import { gatherFloat64, gatherInt32, gatherUint16, gatherUint8 } from "../numbers/gather.ts";
import { firstAtOrAfter } from "../numbers/search.ts";
import { pickBlocks, pickClientColumns, pickHops } from "./pick.ts";
import { blocksInRange, commitsInRange, pickRows } from "./rows-in-range.ts";

/** The blocks and commits of one database, by its index in the capture; -1 selects none. */
export const ofDatabase = (model: CaptureModel, database: number): CaptureModel =>
  ofScope(model, { database, phase: null }).model;

/** Part of a capture that a request is about: one database, one phase or both; null for all of them. */
export interface CaptureScope {
  /** Index into `CaptureModel.databases`. */
  readonly database: number | null;
  /** Index into `CaptureModel.phases`. */
  readonly phase: number | null;
}

/** Part of a capture as a capture of its own. */
export interface ScopedModel {
  readonly model: CaptureModel;
  /** Row in the complete capture of each of its blocks. */
  readonly rows: Uint32Array;
  /** Row in the complete capture of each of its commits. */
  readonly commitRows: Uint32Array;
}

/** The blocks and commits of a scope as a capture of their own. */
export function ofScope(model: CaptureModel, scope: CaptureScope): ScopedModel {
  const { rows, commitRows } = rowsOfScope(model, scope);
  return { model: withRows(model, rows, commitRows), rows, commitRows };
}

/** Rows of the blocks and commits of a scope. */
export function rowsOfScope(
  model: CaptureModel,
  scope: CaptureScope,
): Pick<ScopedModel, "rows" | "commitRows"> {
  const { hasBlock, hasCommit } = membersOf(model, scope);
  return {
    rows: matchingRows(model.blocks.length, hasBlock),
    commitRows: matchingRows(model.commits.length, hasCommit),
  };
}

/**
 * Tests whether rows belong to a scope; a commit whose block is not in the capture belongs to the phase in whose time
 * it began.
 */
function membersOf({ blocks, commits, phases }: CaptureModel, { database, phase }: CaptureScope) {
  const isCommitOfPhase = (commit: number): boolean => {
    if (phase === null) return true;
    const block = commits.block[commit];
    if (block >= 0) return blocks.phase[block] === phase;
    const { databases, from, to } = phases[phase];
    const start = commits.start[commit];
    return databases.includes(commits.database[commit]) && start >= from && start <= to;
  };
  return {
    hasBlock: (row: number): boolean =>
      (database === null || blocks.database[row] === database) &&
      (phase === null || blocks.phase[row] === phase),
    hasCommit: (row: number): boolean =>
      (database === null || commits.database[row] === database) && isCommitOfPhase(row),
  };
}

/**
 * The blocks that begin in [from, to) with the commits of that time, or the last `fewest` blocks before `to` where the
 * range has fewer.
 */
export function between(model: CaptureModel, from: number, to: number, fewest: number): CaptureModel {
  const { time } = model.blocks;
  const { start } = model.commits;
  const end = firstAtOrAfter(time, to);
  const first = Math.max(0, Math.min(firstAtOrAfter(time, from), end - fewest));
  const begin = Math.min(from, time[first] ?? from);
  const rows = (f: number, e: number): Uint32Array =>
    Uint32Array.from({ length: Math.max(0, e - f) }, (_, i) => f + i);
  const picked = withRows(
    model,
    rows(first, end),
    rows(firstAtOrAfter(start, begin), firstAtOrAfter(start, to)),
  );
  return beginningAt(picked, begin);
}

/**
 * The blocks and commits that overlap [from, to), as statistics of it count them, with the markers that reach into it,
 * as a capture of their own; the coverage of files is cut to that time.
 * @param from µs
 * @param to µs
 * @param scope that they belong to
 */
export function ofTimeRange(
  model: CaptureModel,
  from: number,
  to: number,
  scope: CaptureScope = { database: null, phase: null },
): CaptureModel {
  const { hasBlock, hasCommit } = membersOf(model, scope);
  const picked = withRows(
    model,
    blocksInRange(model, from, to).filter(hasBlock),
    commitsInRange(model, from, to).filter(hasCommit),
  );
  return {
    ...picked,
    replicas: model.replicas.map((replica) => ({
      ...replica,
      from: Math.max(replica.from, from),
      to: Math.min(replica.to, to),
    })),
    // Blocks name phases by their index: a phase outside stays, without a length, at the nearer end.
    phases: model.phases.map((phase) => ({
      ...phase,
      from: Math.min(Math.max(phase.from, from), to),
      to: Math.max(Math.min(phase.to, to), from),
    })),
    markers: markersWithin(model.markers, from, to),
  };
}

function markersWithin(markers: MarkerTable, from: number, to: number): MarkerTable {
  const own = matchingRows(
    markers.length,
    (m) => markers.time[m] < to && markers.time[m] + markers.duration[m] >= from,
  );
  return {
    length: own.length,
    kind: Uint8Array.from(own, (m) => markers.kind[m]),
    replica: Uint8Array.from(own, (m) => markers.replica[m]),
    time: pickRows(markers.time, own),
    duration: pickRows(markers.duration, own),
  };
}

/** Facts about the time before the rows would be about other rows. */
function beginningAt(model: CaptureModel, from: number): CaptureModel {
  return {
    ...model,
    replicas: model.replicas.map((replica) => ({ ...replica, from: Math.max(replica.from, from) })),
    phases: model.phases.map((phase) => ({ ...phase, from: Math.max(phase.from, from) })),
  };
}

/** @param blockRows @param commitRows ascending */
function withRows(model: CaptureModel, blockRows: Uint32Array, commitRows: Uint32Array): CaptureModel {
  const { blocks, hops, commits } = model;
  const rowOf = new Int32Array(blocks.length).fill(-1);
  for (let k = 0; k < blockRows.length; k++) rowOf[blockRows[k]] = k;
  return {
    ...model,
    blocks: pickBlocks(blocks, blockRows),
    hops: hops.map((hop) => pickHops(hop, blockRows)),
    commits: {
      length: commitRows.length,
      block: blocksOf(gatherInt32(commits.block, commitRows), rowOf),
      database: gatherUint16(commits.database, commitRows),
      start: gatherFloat64(commits.start, commitRows),
      end: gatherFloat64(commits.end, commitRows),
      gate: gatherUint8(commits.gate, commitRows),
      timeToCommit: gatherFloat64(commits.timeToCommit, commitRows),
      ...pickClientColumns(commits, commitRows),
    },
    events: NO_EVENTS,
  };
}

/** Converts rows of blocks in the complete capture to rows among the picked ones, in place. */
function blocksOf(blocks: Int32Array, rowOf: Int32Array): Int32Array {
  for (let k = 0; k < blocks.length; k++) if (blocks[k] >= 0) blocks[k] = rowOf[blocks[k]];
  return blocks;
}

function matchingRows(length: number, is: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(length);
  let n = 0;
  for (let row = 0; row < length; row++) if (is(row)) rows[n++] = row;
  return rows.subarray(0, n);
}
