/** Performance counters of the availability group: cumulative values become rates and means. */
import type { LiveCounters } from "@aglens/contract";
import type { Row } from "../server/connection.ts";

/** Instance name of the sum over all instances; only the single instances are read. */
const TOTAL = "_total";

type Values = ReadonlyMap<string, number>;

/** By counter, then by instance. Names differ by a plural "s" between versions: they are matched by their beginning. */
const COUNTERS = {
  delay: "transaction delay",
  mirrored: "mirrored write transaction",
  received: "log bytes received",
  redone: "redone bytes",
  sent: "bytes sent to replica",
  flowControlTime: "flow control time",
  flowControls: "flow control/sec",
} as const;
type CounterName = keyof typeof COUNTERS;
type Sample = Readonly<Record<CounterName, Values>>;

export class CounterDeltas {
  #sample: Sample | null = null;
  #milliseconds = 0;

  /**
   * @param milliseconds the server's clock @returns null for the first sample, and for one whose counters were reset
   */
  next(rows: readonly Row[], milliseconds: number): LiveCounters | null {
    const before = this.#sample;
    const now = sampleOf(rows);
    const seconds = (milliseconds - this.#milliseconds) / 1000;
    this.#sample = now;
    this.#milliseconds = milliseconds;
    if (before === null || seconds <= 0 || hasFallen(before, now)) return null;
    const grown = (name: CounterName, instance: string): number | null =>
      growth(before[name].get(instance), now[name].get(instance));
    const perSecond = (name: CounterName, instance: string): number | null => {
      const by = grown(name, instance);
      return by === null ? null : by / seconds;
    };
    return {
      seconds,
      databases: instancesOf(now, ["delay", "mirrored", "received", "redone"]).map((database) => ({
        database,
        transactionDelayMs: ratio(grown("delay", database), grown("mirrored", database)),
        mirroredPerSecond: perSecond("mirrored", database),
        receivedBytesPerSecond: perSecond("received", database),
        redoneBytesPerSecond: perSecond("redone", database),
      })),
      replicas: instancesOf(now, ["sent", "flowControlTime", "flowControls"]).map((instance) => ({
        name: replicaName(instance),
        sentBytesPerSecond: perSecond("sent", instance),
        flowControlMsPerSecond: perSecond("flowControlTime", instance),
        flowControlsPerSecond: perSecond("flowControls", instance),
      })),
    };
  }
}

function sampleOf(rows: readonly Row[]): Sample {
  const values = Object.fromEntries(
    Object.entries(COUNTERS).map(([name, beginning]) => [name, valuesOf(rows, beginning)]),
  );
  return values as Record<CounterName, Values>;
}

function valuesOf(rows: readonly Row[], beginning: string): Values {
  return new Map(
    rows
      .filter((row) => String(row["counter_name"]).trim().toLowerCase().startsWith(beginning))
      .map((row): [string, number] => [String(row["instance_name"]).trim(), Number(row["cntr_value"])])
      .filter(([instance]) => instance.toLowerCase() !== TOTAL),
  );
}

function hasFallen(before: Sample, now: Sample): boolean {
  return Object.keys(COUNTERS).some((name) =>
    [...now[name as CounterName]].some(
      ([instance, value]) => value < (before[name as CounterName].get(instance) ?? value),
    ),
  );
}

function instancesOf(sample: Sample, names: readonly CounterName[]): string[] {
  return [...new Set(names.flatMap((name) => [...sample[name].keys()]))].toSorted();
}

function growth(before: number | undefined, now: number | undefined): number | null {
  return before === undefined || now === undefined ? null : now - before;
}

function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

/** An instance of Availability Replica is `group:replica`. */
const replicaName = (instance: string): string => instance.slice(instance.indexOf(":") + 1);
