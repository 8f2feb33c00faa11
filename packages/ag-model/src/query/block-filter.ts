/** Filters of blocks: conditions that all have to be met, and the rows that meet them. */
import { commitLatencies, perModel } from "../columns/index.ts";
import { FLUSH_LIMITS_US, type FlushClass } from "../diagnosis/flush-classes.ts";
import { firstAtOrAfter, type RowRun, type RowSet } from "../numbers/index.ts";
import { Gate, type CaptureModel } from "../replication/shapes/tables.ts";
import { blockDurations, isOfPrimary, type DistributionStage } from "./distribution-stages.ts";
import { logWritesOf } from "./log-writes.ts";

/** A stage that a condition is about; "logWrite" is the primary's or any secondary's. */
export type FilterStage = DistributionStage | "logWrite";

/** Against one amount, or from `amount` on and under `limit`. */
export type Comparison =
  | { readonly sign: ">" | ">=" | "<" | "<="; readonly amount: number }
  | { readonly sign: ".."; readonly amount: number; readonly limit: number };

/**
 * A stage took this long, µs; `secondary` null means to any secondary. For "commit", a commit of the block took this
 * long.
 */
export interface DurationCondition {
  readonly kind: "duration";
  readonly stage: FilterStage;
  readonly secondary: number | null;
  readonly comparison: Comparison;
}

/** A commit of the block is of one of these sessions, applications or statements. */
export interface ClientCondition {
  readonly kind: "client";
  readonly column: "session" | "application" | "statement";
  /** Ids of sessions, or numbers in `CommitClients`; 0 for commits without one. */
  readonly values: readonly number[];
}

/** One condition on a block. */
export type BlockCondition =
  | DurationCondition
  /** Its size in bytes. */
  | { readonly kind: "size"; readonly comparison: Comparison }
  /** Released by a secondary's acknowledgment, or (null) by the primary's own log write. */
  | { readonly kind: "gate"; readonly secondary: number | null }
  /** Its LSN is between both, each in the form of `formatLsn`; both included. */
  | { readonly kind: "lsn"; readonly first: string; readonly last: string }
  | { readonly kind: "database"; readonly database: number }
  | ClientCondition
  /** A log write of that class, of one replica in whichever role (index into `CaptureModel.replicas`) or of any (null). */
  | { readonly kind: "class"; readonly writeClass: FlushClass; readonly replica: number | null };

/** Conditions of a filter; it selects the blocks that meet all of them. */
export type BlockFilter = readonly BlockCondition[];

/**
 * Computes a value once per model and question, and keeps it until `most` other values were requested.
 * @param most values of a model that are kept
 */
export function latestPerModel<Question, T>(
  most: number,
  compute: (model: CaptureModel, question: Question) => T,
): (model: CaptureModel, question: Question) => T {
  const keptOf = perModel(() => new Map<string, { readonly value: T }>());
  return (model, question) => {
    const [kept, key] = [keptOf(model), JSON.stringify(question)];
    const found = kept.get(key) ?? { value: compute(model, question) };
    kept.delete(key);
    kept.set(key, found);
    for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
    return found.value;
  };
}

/**
 * Number of filters whose blocks are kept, and of conditions whose rows are: a list of suggestions requests a few of
 * each.
 */
export const MOST_KEPT = 4;
const MOST_KEPT_CONDITIONS = 12;

/** The blocks of the complete capture that match a filter. */
export const filteredBlocks = latestPerModel(
  MOST_KEPT,
  (model: CaptureModel, filter: BlockFilter): RowSet => {
    const isIn = new Uint8Array(model.blocks.length).fill(1);
    for (const condition of filter) {
      const holds = rowsWithin(model, condition);
      for (let row = 0; row < isIn.length; row++) isIn[row] &= holds[row];
    }
    let count = 0;
    for (let row = 0; row < isIn.length; row++) count += isIn[row];
    const rows = new Uint32Array(count);
    let n = 0;
    for (let row = 0; row < isIn.length; row++) if (isIn[row] === 1) rows[n++] = row;
    return { rows, isIn };
  },
);

/** Counts blocks of a filter and their commits, for a list of many filters: only the results of conditions are kept. */
export function countHits(
  model: CaptureModel,
  filter: BlockFilter,
): { readonly blocks: number; readonly commits: number } {
  const masks = filter.map((condition) => rowsWithin(model, condition));
  const [first = new Uint8Array(model.blocks.length).fill(1), ...others] = masks;
  const isIn = others.length === 0 ? first : first.slice();
  for (const mask of others) for (let row = 0; row < isIn.length; row++) isIn[row] &= mask[row];
  const commitsOf = commitsPerBlock(model);
  let [blocks, commits] = [0, 0];
  for (let row = 0; row < isIn.length; row++) {
    blocks += isIn[row];
    commits += isIn[row] * commitsOf[row];
  }
  return { blocks, commits };
}

/** How many commits of the capture each block has. */
const commitsPerBlock = perModel((model: CaptureModel): Uint32Array => {
  const counts = new Uint32Array(model.blocks.length);
  const { block } = model.commits;
  for (let row = 0; row < block.length; row++) if (block[row] >= 0) counts[block[row]]++;
  return counts;
});

/** 1 for every block that meets a condition. */
const rowsWithin = latestPerModel(
  MOST_KEPT_CONDITIONS,
  (model: CaptureModel, condition: BlockCondition): Uint8Array => {
    const { blocks } = model;
    switch (condition.kind) {
      case "duration":
        return condition.stage === "commit"
          ? rowsOfCommits(model, condition.comparison)
          : rowsOfDurations(model, condition.stage, condition.secondary, condition.comparison);
      case "size":
        return maskWhere(blocks.length, [blocks.size], intervalOf(condition.comparison));
      case "gate": {
        const { secondary } = condition;
        const wanted = secondary === null ? Gate.localFlush : Gate.ofSecondary(secondary);
        return maskWhere(blocks.length, [blocks.gate], only(wanted));
      }
      case "database":
        return maskWhere(blocks.length, [blocks.database], only(condition.database));
      case "client":
        return rowsOfClients(model, condition);
      case "lsn":
        return rowsOfLsns(model, blockIdOfLsn(condition.first), blockIdOfLsn(condition.last));
      case "class": {
        const { replica, writeClass } = condition;
        const replicas = replica === null ? Array.from(model.replicas.keys()) : [replica];
        const columns = replicas.map((each) => logWritesOf(model, each));
        return maskWhere(blocks.length, columns, CLASS_INTERVALS[writeClass]);
      }
    }
  },
);

const rowsOfDurations = (
  model: CaptureModel,
  stage: Exclude<FilterStage, "commit">,
  secondary: number | null,
  comparison: Comparison,
): Uint8Array =>
  maskWhere(model.blocks.length, stageColumns(model, stage, secondary), intervalOf(comparison));

/** The columns of durations that a condition is about: one for each possible secondary. */
export function stageColumns(
  model: CaptureModel,
  stage: Exclude<FilterStage, "commit">,
  secondary: number | null,
): Float64Array[] {
  const slots = secondary === null ? Array.from(model.hops.keys()) : [secondary];
  if (stage === "logWrite")
    return [
      blockDurations(model, "localFlush", 0),
      ...slots.map((slot) => blockDurations(model, "secondaryFlush", slot)),
    ];
  if (isOfPrimary(stage)) return [blockDurations(model, stage, 0)];
  return slots.map((slot) => blockDurations(model, stage, slot));
}

function rowsOfCommits(model: CaptureModel, comparison: Comparison): Uint8Array {
  const isIn = new Uint8Array(model.blocks.length);
  const { low, high } = intervalOf(comparison);
  const latencies = commitLatencies(model);
  const { block } = model.commits;
  for (let row = 0; row < latencies.length; row++)
    if (block[row] >= 0 && latencies[row] >= low && latencies[row] <= high) isIn[block[row]] = 1;
  return isIn;
}

function rowsOfClients(model: CaptureModel, condition: ClientCondition): Uint8Array {
  const isIn = new Uint8Array(model.blocks.length);
  const commits = clientsWithin(model, condition);
  const { block } = model.commits;
  for (let row = 0; row < commits.length; row++)
    if (commits[row] === 1 && block[row] >= 0) isIn[block[row]] = 1;
  return isIn;
}

/** 1 for every commit of these clients; no commit of a capture without that column. */
export function clientsWithin({ commits }: CaptureModel, { column, values }: ClientCondition): Uint8Array {
  const isIn = new Uint8Array(commits.length);
  const wanted = new Set(values);
  const given = commits[column];
  if (given !== undefined)
    for (let row = 0; row < isIn.length; row++) isIn[row] = wanted.has(given[row]) ? 1 : 0;
  return isIn;
}

function rowsOfLsns({ blocks }: CaptureModel, first: bigint, last: bigint): Uint8Array {
  const isIn = new Uint8Array(blocks.length);
  for (let row = 0; row < isIn.length; row++)
    if (blocks.blockId[row] >= first && blocks.blockId[row] <= last) isIn[row] = 1;
  return isIn;
}

/** Values from `low` to `high`, both included; an unknown one (NaN) is in no interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const only = (value: number): Interval => ({ low: value, high: value });
const over = (value: number): Interval => ({ low: nextAbove(value), high: Infinity });
const upTo = (value: number): Interval => ({ low: -Infinity, high: value });
const between = (above: number, value: number): Interval => ({ low: nextAbove(above), high: value });

/**
 * 1 where a value of any column is in an interval. One loop for all conditions: a function per value would take four
 * times as long.
 */
function maskWhere(
  length: number,
  columns: readonly (Float64Array | Uint8Array | Uint16Array)[],
  { low, high }: Interval,
): Uint8Array {
  const isIn = new Uint8Array(length);
  for (const column of columns)
    for (let row = 0; row < length; row++) if (column[row] >= low && column[row] <= high) isIn[row] = 1;
  return isIn;
}

/** The durations or sizes that meet a condition; all for a condition that is about neither. */
export function conditionInterval(condition: BlockCondition): Interval {
  if (condition.kind === "class") return CLASS_INTERVALS[condition.writeClass];
  if (condition.kind === "duration" || condition.kind === "size") return intervalOf(condition.comparison);
  return { low: -Infinity, high: Infinity };
}

function intervalOf(comparison: Comparison): Interval {
  const { sign, amount } = comparison;
  switch (sign) {
    case ">":
      return over(amount);
    case ">=":
      return { low: amount, high: Infinity };
    case "<":
      return upTo(-nextAbove(-amount));
    case "<=":
      return upTo(amount);
    case "..":
      return { low: amount, high: -nextAbove(-comparison.limit) };
  }
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The smallest number above a finite one. */
function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0] += value > 0 ? 1n : -1n;
  return double[0];
}

const { good, reasonable, busy } = FLUSH_LIMITS_US;
const CLASS_INTERVALS: Readonly<Record<FlushClass, Interval>> = {
  good: upTo(good),
  reasonable: between(good, reasonable),
  busy: between(reasonable, busy),
  bad: over(busy),
};

const blockIdOfLsn = (lsn: string): bigint => BigInt(`0x${lsn.replace(":", "")}`);

/** The rows of a run that are among others, ascending. */
export function filteredRows({ rows, isIn }: RowSet, { before, first, end }: RowRun): Uint32Array {
  const inside = rows.subarray(firstAtOrAfter(rows, first), firstAtOrAfter(rows, end));
  const earlier = rowsIn(before, isIn);
  const all = new Uint32Array(earlier.length + inside.length);
  all.set(earlier);
  all.set(inside, earlier.length);
  return all;
}

/** How many rows `filteredRows` finds. */
export function countOfFiltered({ rows, isIn }: RowSet, { before, first, end }: RowRun): number {
  return rowsIn(before, isIn).length + firstAtOrAfter(rows, end) - firstAtOrAfter(rows, first);
}

/** Those rows that are marked with 1. */
export function rowsIn(rows: Uint32Array, isIn: Uint8Array): Uint32Array {
  const found = new Uint32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (isIn[rows[i]] === 1) found[n++] = rows[i];
  return found.subarray(0, n);
}

/** All commits of filtered blocks. */
export function commitsOfFiltered({ commits: { length, block } }: CaptureModel, blocks: RowSet): RowSet {
  const rows = new Uint32Array(length);
  const isIn = new Uint8Array(length);
  let n = 0;
  for (let row = 0; row < length; row++) {
    if (blocks.isIn[block[row]] !== 1) continue;
    rows[n++] = row;
    isIn[row] = 1;
  }
  return { rows: rows.subarray(0, n), isIn };
}

/** Commits of filtered blocks among rows of the commit table. */
export function filteredCommits(
  { commits: { block } }: CaptureModel,
  { isIn }: Pick<RowSet, "isIn">,
  rows: Uint32Array,
): Uint32Array {
  const found = new Uint32Array(rows.length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (isIn[block[rows[i]]] === 1) found[n++] = rows[i];
  return found.subarray(0, n);
}
