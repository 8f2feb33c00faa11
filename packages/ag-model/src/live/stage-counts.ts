/** Counts durations by bucket, for histograms of a monitoring system: of each block and commit once. */
import { commitLatencies, stageColumn } from "../columns/index.ts";
import { isLocalStage, REMOTE_STAGE_IDS, type StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Upper limits of the buckets, µs, inclusive; one more bucket has all longer durations. */
export const BUCKETS_US: readonly number[] = [
  500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
  5_000_000, 10_000_000,
];

/** Stages that are counted; parts of a stage, and sums that don't reach from one server to another, aren't. */
export const COUNTED_STAGES: readonly StageId[] = [
  "commitQueue",
  "localFlush",
  "commitWakeUp",
  ...REMOTE_STAGE_IDS,
  "remoteHarden",
  "networkRoundTrip",
];

export interface StageCount {
  readonly stage: StageId | "commit";
  /** Name of the replica to which the path leads; of the primary for commits and for stages of the primary alone. */
  readonly replica: string;
  /** Durations by bucket: not cumulative, one more than `BUCKETS_US` has. */
  readonly counts: number[];
  /** Sum of the durations, µs. */
  sumUs: number;
}

export class StageCounts {
  #counted = new Map<string, StageCount>();

  /** Counts all blocks and commits of a model. */
  add(model: CaptureModel): void {
    const [primary, ...secondaries] = model.replicas;
    this.#count("commit", primary.name, commitLatencies(model));
    for (const stage of COUNTED_STAGES) {
      if (isLocalStage(stage)) this.#count(stage, primary.name, stageColumn(model, 0, stage));
      else
        for (const [s, { name }] of secondaries.entries())
          this.#count(stage, name, stageColumn(model, s, stage));
    }
  }

  /** Counts since the last call. */
  take(): StageCount[] {
    const taken = [...this.#counted.values()];
    this.#counted = new Map();
    return taken;
  }

  #count(stage: StageCount["stage"], replica: string, durations: Float64Array): void {
    const key = `${stage} ${replica}`;
    const known = this.#counted.get(key);
    const count = known ?? { stage, replica, counts: BUCKETS_US.map(() => 0).concat(0), sumUs: 0 };
    let isAny = known !== undefined;
    for (const duration of durations) {
      if (Number.isNaN(duration)) continue;
      // The error of two clocks can make a short one-way time negative; a sum that falls looks like a restart.
      count.counts[bucketOf(duration)] += 1;
      count.sumUs += Math.max(0, duration);
      isAny = true;
    }
    if (isAny) this.#counted.set(key, count);
  }
}

function bucketOf(us: number): number {
  let bucket = 0;
  while (bucket < BUCKETS_US.length && us > BUCKETS_US[bucket]) bucket++;
  return bucket;
}
