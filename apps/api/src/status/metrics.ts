/** Metrics of this process for a monitoring system, in the text format of Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { UnclaimedFigures } from "@aglens/contract";
import type { AnalyzerLoad } from "../captures/analysis/analyzer.ts";
import type { PolledGroup } from "@aglens/ag-model/watch";
import type { DurationSeries } from "../live/group-histograms.ts";
import { COUNTED_EVENTS } from "../captures/intake/unclaimed-payloads.ts";
import type { DiskBytes } from "../store/space.ts";
import { addPolledGroups, durationsText } from "./group-metrics.ts";
import { addWatches } from "./watch-metrics.ts";
import type { WatchFigures } from "../watch/watch-figures.ts";
import type { CountedAnswer } from "./request-figures.ts";

/** Limits from the 30 ms of a view to uploads of gigabytes. */
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60, 600];

/** Figures that are read at each request for the metrics. */
export interface Counted {
  readonly load: () => AnalyzerLoad;
  readonly disk: () => DiskBytes;
  readonly captures: () => Promise<number>;
  readonly liveRuns: () => number;
  readonly tablesWaiting: () => number;
  readonly queries: () => { readonly running: number; readonly waiting: number };
  /** Counts files that this process received. */
  readonly unclaimed: () => UnclaimedFigures;
  /** Durations that live runs and recordings counted. */
  readonly durations: () => readonly DurationSeries[];
  /** The last polls of groups with a live run. */
  readonly liveGroups: () => readonly PolledGroup[];
  readonly watches: () => readonly WatchFigures[];
}

export interface Metrics {
  readonly registry: Registry;
  /** All metrics, in the text format. */
  text(): Promise<string>;
  /**
   * Counts an answer. Streams of events last as long as a client is connected: with them, the durations of answers
   * would be useless.
   */
  answered(answered: CountedAnswer, isStream: boolean): void;
}

/** Metrics of one service; each has a registry of its own. */
export function createMetrics({
  load,
  disk,
  captures,
  liveRuns,
  tablesWaiting,
  queries,
  unclaimed,
  durations,
  liveGroups,
  watches,
}: Counted): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const seconds = new Histogram({
    name: "aglens_http_request_duration_seconds",
    help: "Time from a request to the end of its answer",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const gauge = (name: string, help: string, value: () => number | Promise<number>): void => {
    const collected: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: async () => collected.set(await value()),
    });
  };
  gauge("aglens_analyses_running", "Analyses that run", () => load().analysing);
  gauge("aglens_analyses_waiting", "Analyses that wait for cores or memory", () => load().analysesWaiting);
  gauge("aglens_recognitions_running", "Threads that recognize files", () => load().recognising);
  gauge("aglens_recognitions_waiting", "Files that wait for recognition", () => load().filesWaiting);
  gauge("aglens_captures", "Captures", captures);
  gauge("aglens_live_runs", "Live runs that read", liveRuns);
  gauge("aglens_tables_waiting", "Captures whose tables wait to be written as Parquet files", tablesWaiting);
  gauge("aglens_queries_running", "Queries in SQL that run", () => queries().running);
  gauge("aglens_queries_waiting", "Queries in SQL that wait for a process", () => queries().waiting);
  gauge("aglens_disk_free_bytes", "Free bytes of the data directory's disk", () => disk().free);
  gauge("aglens_disk_bytes", "Bytes of the data directory's disk", () => disk().total);
  addUnclaimed(registry, unclaimed);
  // A watch polls its group permanently, a live run for a time.
  addPolledGroups(registry, () => [...watches().flatMap(({ polled }) => polled ?? []), ...liveGroups()]);
  addWatches(registry, watches);
  return {
    registry,
    text: async () => `${await registry.metrics()}\n${durationsText(durations())}`,
    answered: ({ method, route, status, ms }, isStream) => {
      if (!isStream) seconds.observe({ method, route, status }, ms / 1000);
    },
  };
}

/** Each label has a value from the start: Prometheus finds no increase from a series that wasn't there. */
function addUnclaimed(registry: Registry, unclaimed: Counted["unclaimed"]): void {
  const counter = (name: string, help: string, value: "events" | "bytes"): void => {
    const collected: Counter<"event"> = new Counter({
      name,
      help,
      labelNames: ["event"],
      registers: [registry],
      collect: () => {
        const types = new Map(unclaimed().types.map((type) => [type.event, type[value]]));
        collected.reset();
        for (const event of COUNTED_EVENTS) collected.inc({ event }, types.get(event) ?? 0);
      },
    });
  };
  counter(
    "aglens_unclaimed_payload_bytes_total",
    "Payload bytes of received files that no column claims, by event: the decoder may be wrong",
    "bytes",
  );
  counter(
    "aglens_unclaimed_payload_events_total",
    "Events of received files with payload bytes that no column claims",
    "events",
  );
}

/** Adds Node's figures of the process: memory, event loop, garbage collections. Once per process. */
export function addProcessMetrics({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}
