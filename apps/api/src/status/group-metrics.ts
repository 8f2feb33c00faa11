/** Metrics of availability groups: what live runs and recordings count, and what polls find. */
import { BUCKETS_US } from "@aglens/ag-model/live";
import { groupFigures } from "@aglens/ag-model/watch";
import type { GroupFigures, PolledGroup, SecondaryFigures } from "@aglens/ag-model/watch";
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { isSameGroup, MOST_REPLICAS } from "../live/group-histograms.ts";
import type { DurationSeries, KnownGroup } from "../live/group-histograms.ts";

const US_PER_SECOND = 1e6;
const BYTES_PER_KB = 1024;

/**
 * Histograms in the text format. The library's histogram takes durations one by one, which is too slow for ten thousand blocks a
 * second, and no counts.
 */
export function durationsText(series: readonly DurationSeries[]): string {
  const commits = series.filter(({ stage }) => stage === null);
  const stages = series.filter(({ stage }) => stage !== null);
  return [
    ...histogramText("aglens_commit_seconds", "Commit latency while a live run or a watch records", commits),
    ...histogramText(
      "aglens_stage_seconds",
      "Time of log blocks in a stage while a live run or a watch records",
      stages,
    ),
    "",
  ].join("\n");
}

function histogramText(name: string, help: string, series: readonly DurationSeries[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...series.flatMap((each) => linesOf(name, each)),
  ];
}

function linesOf(name: string, { group, replica, stage, counts, sumUs }: DurationSeries): string[] {
  const names = { group, replica, ...(stage !== null && { stage }) };
  const labels = Object.entries(names).map(([label, value]) => `${label}="${escaped(value)}"`);
  const line = (suffix: string, more: readonly string[], value: number): string =>
    `${name}_${suffix}{${[...labels, ...more].join(",")}} ${value}`;
  let count = 0;
  const buckets = counts.map((own, bucket) => {
    count += own;
    const limit = BUCKETS_US[bucket];
    return line("bucket", [`le="${limit === undefined ? "+Inf" : limit / US_PER_SECOND}"`], count);
  });
  return [...buckets, line("sum", [], sumUs / US_PER_SECOND), line("count", [], count)];
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

interface ReplicaGauge {
  readonly name: string;
  readonly help: string;
  /** Null: no series. */
  readonly value: (figures: SecondaryFigures) => number | null;
}

const bytes = (kb: number | null): number | null => (kb === null ? null : kb * BYTES_PER_KB);

const REPLICA_GAUGES: readonly ReplicaGauge[] = [
  {
    name: "aglens_send_queue_bytes",
    help: "Log not yet sent to the replica, of all databases (log_send_queue_size)",
    value: ({ sendQueueKb }) => bytes(sendQueueKb),
  },
  {
    name: "aglens_redo_queue_bytes",
    help: "Log on the replica that is not redone yet, of all databases (redo_queue_size)",
    value: ({ redoQueueKb }) => bytes(redoQueueKb),
  },
  {
    name: "aglens_estimated_data_loss_seconds",
    help: "Estimated data loss (RPO) of the replica's database with the largest one (last_commit_time)",
    value: ({ rpoSeconds }) => rpoSeconds,
  },
  {
    name: "aglens_synchronized",
    help: "1 where all databases of a synchronous-commit secondary are SYNCHRONIZED, otherwise 0",
    value: ({ isSynchronized }) => (isSynchronized === null ? null : Number(isSynchronized)),
  },
];

/** Adds gauges of the last polls. A value that isn't known now has no series. */
export function addPolledGroups(registry: Registry, polled: () => readonly PolledGroup[]): void {
  const registers = [registry];
  for (const { name, help, value } of REPLICA_GAUGES) {
    const gauge: Gauge<"group" | "replica"> = new Gauge({
      name,
      help,
      labelNames: ["group", "replica"],
      registers,
      collect: () => {
        gauge.reset();
        for (const [group, { secondaries }] of figuresOfGroups(polled()))
          for (const figures of secondaries.slice(0, MOST_REPLICAS)) {
            const known = value(figures);
            if (known !== null) gauge.set({ group, replica: figures.name }, known);
          }
      },
    });
  }
  const delay: Gauge<"group"> = new Gauge({
    name: "aglens_commit_delay_seconds",
    help: "Mean time that commits waited, for secondaries or for log writes on the primary, in the last poll",
    labelNames: ["group"],
    registers,
    collect: () => {
      delay.reset();
      const longest = new Map<string, number>();
      for (const [group, { delayMs }] of figuresOfGroups(polled()))
        if (delayMs !== null) longest.set(group, Math.max(delayMs, longest.get(group) ?? 0));
      for (const [group, delayMs] of longest) delay.set({ group }, delayMs / 1000);
    },
  });
}

/** Each group once, with its name: groups of two clusters may have the same. */
function figuresOfGroups(polled: readonly PolledGroup[]): [name: string, GroupFigures][] {
  const known: KnownGroup[] = [];
  return polled.flatMap(({ group: name, replicas }): [string, GroupFigures][] => {
    const group = { name, replicaIds: replicas.map(({ replicaId }) => replicaId).filter((id) => id !== "") };
    if (name === "" || known.some((each) => isSameGroup(each, group))) return [];
    known.push(group);
    return [[name, groupFigures(replicas)]];
  });
}
