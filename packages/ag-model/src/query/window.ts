import {
  blocksInRange,
  commitLatencies,
  commitsInRange,
  durationKey,
  longestCommits,
  oncePerModel,
  pickBlocks,
  pickHops,
  pickRows,
  stageColumn,
  STRETCH_IDS,
  stretchColumn,
} from "../columns/index.ts";
import { firstAtOrAfter, largest, medianOf } from "../numbers/index.ts";
import { isLocalStage, STAGES } from "../replication/stages.ts";
import type { BlockTable, CaptureModel, CommitTable, HopTable } from "../replication/tables.ts";

/** Blocks in a range of time, in columns; `row` is each block's row number in the whole capture. */
export interface BlockWindow {
  readonly detail: "blocks";
  readonly from: number;
  readonly to: number;
  readonly row: Uint32Array;
  readonly blocks: Omit<BlockTable, "eventStart">;
  readonly hops: readonly HopTable[];
}

/** What remains when a range holds more blocks than asked for: per equal-width bin, the maximum and median of each lane. */
export interface BinWindow {
  readonly detail: "bins";
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** Blocks per bin. */
  readonly count: Uint32Array;
  /** Row of the slowest block of the bin (largest commit, else remote harden); 0xffffffff when empty. */
  readonly slowest: Uint32Array;
  /** µs by lane key: a stage id of the primary, or `hop0.<stage id or acknowledge, unseen, ackWakeUp>`; `commit` for the commits. NaN when empty. */
  readonly max: Readonly<Record<string, Float64Array>>;
  readonly p50: Readonly<Record<string, Float64Array>>;
}

export interface CommitWindow {
  readonly from: number;
  readonly to: number;
  readonly commits: CommitTable;
}

/** Row of an empty bin's slowest block. */
export const NO_ROW = 0xffffffff;

export interface WindowOptions {
  readonly from: number;
  readonly to: number;
  /** Most blocks to give one by one. */
  readonly limit: number;
  /** Bins when there are more. */
  readonly bins: number;
}

/** Blocks that overlap [from, to), or bins when there are more of them than `limit`. */
export function windowOf(model: CaptureModel, options: WindowOptions): BlockWindow | BinWindow {
  const { from, to, limit, bins } = options;
  const rows = blocksInRange(model, from, to);
  if (rows.length > limit) return binWindow(model, from, to, bins);
  return {
    detail: "blocks",
    from,
    to,
    row: rows.slice(),
    blocks: pickBlocks(model.blocks, rows),
    hops: model.hops.map((hop) => pickHops(hop, rows)),
  };
}

function binWindow(model: CaptureModel, from: number, to: number, bins: number): BinWindow {
  const edges = Array.from({ length: bins + 1 }, (_, bin) => from + ((to - from) * bin) / bins);
  const blockRows = edges.map((edge) => firstAtOrAfter(model.blocks.time, edge));
  const commitRows = edges.map((edge) => firstAtOrAfter(model.commits.start, edge));
  const max: Record<string, Float64Array> = {};
  const p50: Record<string, Float64Array> = {};
  const addLane = (key: string, column: Float64Array, rows: readonly number[]) => {
    max[key] = perBin(column, rows, largest);
    p50[key] = perBin(column, rows, medianOf);
  };
  addLane("commit", commitLatencies(model), commitRows);
  for (let secondary = 0; secondary < Math.max(1, model.hops.length); secondary++) {
    for (const { id } of STAGES) {
      const key = durationKey(id, secondary);
      if (!(key in max) && (isLocalStage(id) || secondary < model.hops.length)) {
        addLane(key, stageColumn(model, secondary, id), blockRows);
      }
    }
  }
  model.hops.forEach((_, secondary) => {
    for (const id of STRETCH_IDS)
      addLane(durationKey(id, secondary), stretchColumn(model, secondary, id), blockRows);
  });
  const slowness = blockSlowness(model);
  return {
    detail: "bins",
    from,
    to,
    length: bins,
    count: Uint32Array.from({ length: bins }, (_, bin) => blockRows[bin + 1] - blockRows[bin]),
    slowest: Uint32Array.from({ length: bins }, (_, bin) =>
      rowOfLargest(slowness, blockRows[bin], blockRows[bin + 1]),
    ),
    max,
    p50,
  };
}

function perBin(
  column: Float64Array,
  rows: readonly number[],
  figure: (values: Float64Array) => number,
): Float64Array {
  return Float64Array.from({ length: rows.length - 1 }, (_, bin) =>
    figure(column.subarray(rows[bin], rows[bin + 1])),
  );
}

function rowOfLargest(column: Float64Array, first: number, end: number): number {
  let found = first < end ? first : NO_ROW;
  for (let row = first; row < end; row++) if (column[row] > column[found]) found = row;
  return found;
}

/** How slow a block is: its longest commit, else its longest remote harden; 0 when neither is known. */
function blockSlowness(model: CaptureModel): Float64Array {
  return oncePerModel(model, "blocks/slowness", () =>
    longestCommits(model).map((commit, row) => {
      if (!Number.isNaN(commit)) return commit;
      const hardens = model.hops.map((_, s) => stageColumn(model, s, "remoteHarden")[row]);
      return Math.max(0, ...hardens.filter((us) => !Number.isNaN(us)));
    }),
  );
}

export interface CommitWindowOptions {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** Commits that overlap [from, to), in order of start; the longest `limit`, longest first, when there are more. */
export function commitWindow(model: CaptureModel, { from, to, limit }: CommitWindowOptions): CommitWindow {
  let rows = commitsInRange(model, from, to);
  if (rows.length > limit) {
    const latency = commitLatencies(model);
    rows = rows
      .slice()
      .sort((a, b) => latency[b] - latency[a])
      .subarray(0, limit);
  }
  return { from, to, commits: pickCommits(model.commits, rows) };
}

function pickCommits(commits: CommitTable, rows: Uint32Array): CommitTable {
  return {
    length: rows.length,
    block: Int32Array.from(rows, (row) => commits.block[row]),
    database: Uint16Array.from(rows, (row) => commits.database[row]),
    start: pickRows(commits.start, rows),
    end: pickRows(commits.end, rows),
    gate: Uint8Array.from(rows, (row) => commits.gate[row]),
    timeToCommit: pickRows(commits.timeToCommit, rows),
  };
}
