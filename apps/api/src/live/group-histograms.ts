/** Durations of the groups that live runs record, by bucket, for a monitoring system. */
import type { StageCount } from "@aglens/ag-model/live";
import { stageInTables } from "@aglens/ag-model/tables";
import type { Clock } from "../kernel/clock.ts";

/** Groups, and replicas of a group, that have series of their own; durations of all others count together. */
export const MOST_GROUPS = 20;
export const MOST_REPLICAS = 9;
export const OTHER = "other";
/** Group of a run whose servers don't show its name. */
const UNKNOWN = "unknown";
/** Series stay so long after their last run, so that a scrape gets their last counts. */
const KEPT_MS = 60_000;

export interface DurationSeries {
  readonly group: string;
  readonly replica: string;
  /** As exported tables name it; null for the latency of commits. */
  readonly stage: string | null;
  /** Durations by bucket of `BUCKETS_US`, and longer ones: not cumulative. */
  readonly counts: number[];
  sumUs: number;
}

interface GroupSeries {
  readonly series: Map<string, DurationSeries>;
  readonly replicas: Set<string>;
  /** When its last run ended, ms; null while one reads. */
  endedAt: number | null;
}

/** A group, with the availability_replica_ids of its replicas that are known. */
export interface KnownGroup {
  readonly name: string;
  readonly replicaIds: readonly string[];
}

interface Source {
  readonly group: KnownGroup;
  /** The group's label. */
  readonly label: string;
}

/** Whether two groups with one name are the same: those of two clusters have no replica in common. */
export const isSameGroup = (a: KnownGroup, b: KnownGroup): boolean =>
  a.name === b.name &&
  (a.replicaIds.length === 0 ||
    b.replicaIds.length === 0 ||
    a.replicaIds.some((id) => b.replicaIds.includes(id)));

export class GroupHistograms {
  readonly #clock: Clock;
  readonly #groups = new Map<string, GroupSeries>();
  readonly #sources = new Map<object, Source>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Adds the counts of a run. Several runs of a group have the same blocks: those of the first one count.
   * @param replicaIds availability_replica_ids of the group that are known
   */
  add(
    run: object,
    groupName: string,
    counts: readonly StageCount[],
    replicaIds: readonly string[] = [],
  ): void {
    this.#forgetEnded();
    const name = groupName === "" ? UNKNOWN : groupName;
    const group = { name, replicaIds };
    for (const [other, source] of this.#sources)
      if (other !== run && isSameGroup(source.group, group)) return;
    const label = this.#groups.has(name) || this.#groups.size < MOST_GROUPS ? name : OTHER;
    this.#sources.set(run, { group, label });
    const known = this.#groups.get(label) ?? { series: new Map(), replicas: new Set(), endedAt: null };
    this.#groups.set(label, known);
    known.endedAt = null;
    for (const count of counts) addCount(known, label, count);
  }

  /** The run is over: another run of its group counts from now on. */
  end(run: object): void {
    const label = this.#sources.get(run)?.label;
    this.#sources.delete(run);
    const group = label === undefined ? undefined : this.#groups.get(label);
    if (group !== undefined && ![...this.#sources.values()].some((source) => source.label === label))
      group.endedAt = this.#clock.now();
  }

  read(): DurationSeries[] {
    this.#forgetEnded();
    return [...this.#groups.values()].flatMap(({ series }) => [...series.values()]);
  }

  #forgetEnded(): void {
    const ended = this.#clock.now() - KEPT_MS;
    for (const [label, { endedAt }] of this.#groups)
      if (endedAt !== null && endedAt <= ended) this.#groups.delete(label);
  }
}

function addCount({ series, replicas }: GroupSeries, group: string, count: StageCount): void {
  const isOther = group === OTHER || (!replicas.has(count.replica) && replicas.size >= MOST_REPLICAS);
  const replica = isOther ? OTHER : count.replica;
  replicas.add(replica);
  const stage = count.stage === "commit" ? null : stageInTables(count.stage);
  const key = JSON.stringify([replica, stage]);
  const known = series.get(key) ?? { group, replica, stage, counts: count.counts.map(() => 0), sumUs: 0 };
  series.set(key, known);
  for (const [bucket, n] of count.counts.entries()) known.counts[bucket] = (known.counts[bucket] ?? 0) + n;
  known.sumUs += count.sumUs;
}
