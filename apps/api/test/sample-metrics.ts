/** Metrics of a service with a watched group that is being recorded. */
import type { StageCount } from "@aglens/ag-model/live";
import type { PolledGroup } from "@aglens/ag-model/watch";
import { GroupHistograms } from "../src/live/group-histograms.ts";
import type { Clock } from "../src/kernel/clock.ts";
import { addProcessMetrics, createMetrics } from "../src/status/metrics.ts";
import type { Metrics } from "../src/status/metrics.ts";
import { WatchCounts } from "../src/watch/watch-figures.ts";
import type { WatchFigures } from "../src/watch/watch-figures.ts";
import { stubAnalyzer } from "./stub-analyzer.ts";

const DATABASES = [
  {
    replicaId: "a",
    isLocal: true,
    synchronization: "SYNCHRONIZED",
    sendQueueKb: null,
    dataLossSeconds: null,
  },
  { replicaId: "b", isLocal: false, synchronization: "SYNCHRONIZING", sendQueueKb: 300, dataLossSeconds: 2 },
].map((row) => ({ ...row, database: "Sales", redoQueueKb: 20 }));

/** SQL2, a synchronous secondary, is behind; commits waited for 30 ms each. */
const POLLED: PolledGroup = {
  group: "SALES-AG",
  replicas: [
    {
      serverName: "SQL1",
      replicaId: "a",
      role: "primary",
      commitMode: "sync",
      reading: {
        seconds: 5,
        waits: [{ type: "HADR_SYNC_COMMIT", waitMs: 3_000, count: 100 }],
        counters: null,
        databases: DATABASES,
      },
    },
    { serverName: "SQL2", replicaId: "b", role: "secondary", commitMode: "sync", reading: null },
  ],
};

export interface SampleMetrics {
  readonly metrics: Metrics;
  /** Counts commits of SQL1 and log writes of SQL2 that took from 20 to 50 ms. */
  readonly count: (commits: number) => void;
  /** The watch can't reach its servers, from now on. */
  readonly loseServers: () => void;
}

export function sampleMetrics(clock: Clock): SampleMetrics {
  const histograms = new GroupHistograms(clock);
  const run = {};
  const counts = new WatchCounts();
  let watch: WatchFigures = {
    group: "SALES-AG",
    state: "recording",
    delayLimitMs: 15,
    counts,
    polled: POLLED,
  };
  const metrics = createMetrics({
    load: () => stubAnalyzer().load,
    disk: () => ({ free: 1, total: 2 }),
    captures: () => Promise.resolve(0),
    liveRuns: () => 0,
    tablesWaiting: () => 0,
    queries: () => ({ running: 0, waiting: 0 }),
    unclaimed: () => ({ files: 0, bytes: 0, types: [] }),
    durations: () => histograms.read(),
    liveGroups: () => [],
    watches: () => [watch],
  });
  addProcessMetrics(metrics);
  metrics.answered({ method: "GET", route: "/x", status: 200, ms: 1, bytes: 1 }, false);
  const counted = (stage: StageCount["stage"], replica: string, n: number): StageCount => ({
    stage,
    replica,
    // The sixth bucket has durations from 20 to 50 ms.
    counts: Array.from({ length: 15 }, (_, bucket) => (bucket === 6 ? n : 0)),
    sumUs: n * 30_000,
  });
  return {
    metrics,
    count: (n) =>
      histograms.add(run, "SALES-AG", [counted("commit", "SQL1", n), counted("secondaryFlush", "SQL2", n)]),
    loseServers: () => {
      watch = { ...watch, state: "unreachable", polled: null };
    },
  };
}
