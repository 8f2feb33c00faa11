/** State of this service: metrics, the status screen, and readiness. */
import type { Analyzer } from "../captures/analysis/analyzer.ts";
import type { ReadyCheck } from "../http/operations.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Live } from "../live/live.ts";
import type { Config } from "../settings/config.ts";
import type { SqlProcesses } from "../sql/sql-processes.ts";
import { watchEventLoop } from "../status/event-loop.ts";
import { createMetrics } from "../status/metrics.ts";
import type { Metrics } from "../status/metrics.ts";
import { RequestFigures } from "../status/request-figures.ts";
import { ServerStatusReader } from "../status/server-status.ts";
import type { DiskBytes } from "../store/space.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import type { Watches } from "../watch/watches.ts";
import type { CaptureServices } from "./captures.ts";
import type { Stores } from "./stores.ts";

export interface StatusServices {
  readonly metrics: Metrics;
  readonly requests: RequestFigures;
  readonly status: ServerStatusReader;
  /** Checks that must pass before a proxy sends requests here, by name. */
  readonly checks: Readonly<Record<string, ReadyCheck>>;
}

interface StatusServiceParts extends CaptureServices {
  readonly config: Config;
  readonly stores: Stores;
  readonly analyzer: Analyzer;
  readonly activity: ThreadActivity;
  readonly live: Live;
  readonly watches: Watches;
  readonly sql: SqlProcesses;
  readonly clock: Clock;
  readonly disk: (directory: string) => DiskBytes;
}

/** @param closing closes opened parts */
export function openStatus(parts: StatusServiceParts, closing: AsyncDisposableStack): StatusServices {
  const { config, stores, captures, dataset, analyzer, activity, live, watches, sql, clock, disk } = parts;
  const { facts, shared, space } = stores;
  const { catalogue, others } = stores.records;
  const countCaptures = (): Promise<number> => catalogue.count({ fewestFiles: 0 });
  const metrics = createMetrics({
    load: () => ({ ...analyzer.load, analysesWaiting: captures.analyses.waiting }),
    disk: () => disk(config.dataDirectory),
    captures: countCaptures,
    liveRuns: () => live.running,
    tablesWaiting: () => dataset.waiting,
    queries: () => sql.load,
    unclaimed: () => captures.unclaimed,
    durations: () => live.histograms.read(),
    liveGroups: () => live.polledGroups(),
    watches: () => watches.figures(),
  });
  const requests = new RequestFigures(() => clock.now());
  // Figures of this process use the machine's time, regardless of the clock of captures and runs.
  const eventLoop = watchEventLoop(systemClock, activity);
  closing.defer(() => eventLoop.close());
  const reader = { captures, analyzer, live, facts, others, clock, config, disk, activity };
  const status = new ServerStatusReader({ ...reader, requests, eventLoop });
  closing.defer(() => status.close());
  const checks = {
    disk: () => space.expectRoom(),
    catalogue: async () => void (await countCaptures()),
    threads: () => analyzer.check(),
    ...(shared && { bucket: () => shared.check() }),
  };
  return { metrics, requests, status, checks };
}
