/** The figure by which a block meets a condition of a filter; for "any replica", that of the replica which met it. */
import { commitLatencies } from "../columns/index.ts";
import { primaryOfBlock, replicaOfHop } from "../replication/shapes/slots.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import {
  conditionInterval,
  latestPerModel,
  type BlockCondition,
  type BlockFilter,
  type DurationCondition,
  type FilterStage,
  type Interval,
} from "./block-filter.ts";
import { blockDurations, isOfPrimary, type DistributionStage } from "./distribution-stages.ts";
import { logWritesOf } from "./log-writes.ts";

export interface MatchedFigure {
  readonly stage: DistributionStage;
  /**
   * Index into `CaptureModel.replicas`: the replica of the log write, or the secondary of the path; null for a commit.
   */
  readonly replica: number | null;
  readonly us: number;
}

/** Figures that met one condition, by row of the block table. */
export interface Matched {
  /** The largest duration that meets the condition, µs; NaN for a block that doesn't. */
  readonly column: Float64Array;
  figureOf(row: number): MatchedFigure | null;
}

/** A duration that may meet a condition. */
interface Candidate {
  readonly stage: (row: number) => DistributionStage;
  readonly replica: (row: number) => number | null;
  readonly column: Float64Array;
}

/** Figures for the first condition of a filter that is about a duration; null without such a condition. */
export function matchedOf(model: CaptureModel, filter: BlockFilter): Matched | null {
  const condition = filter.find(({ kind }) => kind === "duration" || kind === "class");
  if (condition === undefined) return null;
  return match(model, condition);
}

const match = latestPerModel(1, (model: CaptureModel, condition: BlockCondition): Matched => {
  const interval = conditionInterval(condition);
  const candidates = candidatesOf(model, condition, interval);
  const column = new Float64Array(model.blocks.length).fill(Number.NaN);
  const which = new Uint8Array(column.length);
  for (const [index, each] of candidates.entries()) {
    for (let row = 0; row < column.length; row++) {
      const us = each.column[row];
      if (!(us >= interval.low && us <= interval.high) || us <= column[row]) continue;
      column[row] = us;
      which[row] = index;
    }
  }
  const figureOf = (row: number): MatchedFigure | null => {
    if (Number.isNaN(column[row])) return null;
    const { stage, replica } = candidates[which[row]];
    return { stage: stage(row), replica: replica(row), us: column[row] };
  };
  return { column, figureOf };
});

function candidatesOf(model: CaptureModel, condition: BlockCondition, interval: Interval): Candidate[] {
  if (condition.kind === "class") return classCandidates(model, condition.replica);
  if (condition.kind !== "duration") return [];
  const { stage } = condition;
  if (stage !== "commit") return stageCandidates(model, stage, condition.secondary);
  return [{ stage: () => "commit", replica: () => null, column: commitsWithin(model, interval) }];
}

/** The log writes of one replica, in whichever role it made them, or of each. */
function classCandidates(model: CaptureModel, wanted: number | null): Candidate[] {
  const replicas = wanted === null ? Array.from(model.replicas.keys()) : [wanted];
  return replicas.map((replica) => ({
    stage: (row) => (primaryOfBlock(model, row) === replica ? "localFlush" : "secondaryFlush"),
    replica: () => replica,
    column: logWritesOf(model, replica),
  }));
}

function stageCandidates(
  model: CaptureModel,
  stage: Exclude<FilterStage, "commit">,
  secondary: DurationCondition["secondary"],
): Candidate[] {
  const ofPrimary = (id: Exclude<DistributionStage, "commit">): Candidate => ({
    stage: () => id,
    replica: (row) => primaryOfBlock(model, row),
    column: blockDurations(model, id, 0),
  });
  const slots = secondary === null ? Array.from(model.hops.keys()) : [secondary];
  const ofSecondaries = (id: Exclude<DistributionStage, "commit">): Candidate[] =>
    slots.map((slot) => ({
      stage: () => id,
      replica: (row) => replicaOfHop(model, row, slot),
      column: blockDurations(model, id, slot),
    }));
  if (stage === "logWrite") return [ofPrimary("localFlush"), ...ofSecondaries("secondaryFlush")];
  return isOfPrimary(stage) ? [ofPrimary(stage)] : ofSecondaries(stage);
}

/** The longest commit of each block in an interval, µs. */
function commitsWithin(model: CaptureModel, { low, high }: Interval): Float64Array {
  const longest = new Float64Array(model.blocks.length).fill(Number.NaN);
  const { block } = model.commits;
  for (const [row, us] of commitLatencies(model).entries())
    if (block[row] >= 0 && us >= low && us <= high && !(us <= longest[block[row]])) longest[block[row]] = us;
  return longest;
}
