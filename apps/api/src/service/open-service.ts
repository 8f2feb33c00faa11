/** Opens the service: each part after those that it needs. They close in reverse. */
import type { Express } from "express";
import type { CustomFetch } from "openid-client";
import type { Logger } from "pino";
import { passingInMemory } from "../access/passing.ts";
import { workerAnalyzer } from "../captures/analysis/analyzer.ts";
import type { Analyzer } from "../captures/analysis/analyzer.ts";
import { limitsOfMachine } from "../captures/analysis/analysis-queue.ts";
import { DATASET_FOLDER } from "../dataset/dataset-folder.ts";
import { Drain } from "../http/drain.ts";
import type { Route } from "../http/route.ts";
import { stalledBodies } from "../http/stalled-bodies.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Clock } from "../kernel/clock.ts";
import { PATIENCE } from "../live/server/connection.ts";
import type { Patience } from "../live/server/connection.ts";
import type { Config } from "../settings/config.ts";
import { openSql } from "../sql/sql-processes.ts";
import type { Metrics } from "../status/metrics.ts";
import { diskOf } from "../store/space.ts";
import type { DiskBytes } from "../store/space.ts";
import { ThreadActivity } from "../threads/thread-activity.ts";
import { openAccessTo } from "./access.ts";
import { openCaptures } from "./captures.ts";
import type { CaptureServices } from "./captures.ts";
import { createApp } from "./http-app.ts";
import { openLive } from "./live.ts";
import type { OneOfSeveral } from "./one-of-several.ts";
import { createRoutes } from "./routes.ts";
import { openStatus } from "./status.ts";
import { openStores } from "./stores.ts";
import { beginSweeps } from "./sweeps.ts";
import { openWatches } from "./watches.ts";

export interface Service extends Pick<CaptureServices, "captures" | "dataset" | "uploads"> {
  readonly app: Express;
  /** The routes under /api/v1, a row each. */
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  readonly drain: Drain;
  /** Prepares the end: of several servers, others take analyses that it has not begun. */
  rest(): void;
  close(): Promise<void>;
}

/**
 * Parts that a test may replace: threads, the machine's clock and disk, the network to a directory, and the times to
 * wait for servers.
 */
export interface Parts {
  readonly analyzer: Analyzer;
  readonly activity: ThreadActivity;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly disk: (directory: string) => DiskBytes;
  readonly directoryFetch: CustomFetch;
  /** Absent where this server is the only one on its catalog. */
  readonly several: OneOfSeveral;
}

/**
 * Builds the entire API on the data directory, which this process must have locked (`takeDataDirectory`). @throws
 * StartError
 */
export async function openService(
  config: Config,
  log: Logger,
  changes: Partial<Parts> = {},
): Promise<Service> {
  const parts = { ...ofMachine(config, changes), config, log };
  const { clock, disk } = parts;
  await using closing = new AsyncDisposableStack();
  const stores = await openStores(parts, closing);
  const passing = stores.records.passing ?? passingInMemory(clock);
  const access = await openAccessTo({ ...parts, stores, passing }, closing);
  const sql = openSql(config, `${config.dataDirectory}/${DATASET_FOLDER}`);
  closing.defer(() => sql.close());
  const captures = await openCaptures({ ...parts, stores }, closing);
  stores.space.restoreReserve();
  const live = await openLive({ ...parts, ...captures, stores }, closing);
  const watches = await openWatches({ ...parts, ...captures, stores, live }, closing);
  const stalled = stalledBodies(clock);
  closing.defer(() => stalled.end());
  const shown = openStatus({ ...parts, ...captures, stores, live, watches, sql }, closing);
  const drain = new Drain(clock);
  const { catalogue } = stores.records;
  const { routes, links, document } = createRoutes({
    ...parts,
    ...captures,
    ...shown,
    catalogue,
    live,
    watches,
    sql,
    access,
    passing,
  });
  beginSweeps({ ...parts, ...captures, stores, diskBytes: () => disk(config.dataDirectory) }, closing);
  const { records } = captures.captures;
  const app = createApp(config, log, {
    ...captures,
    ...shown,
    routes,
    document,
    links,
    access,
    records,
    watchBodies: stalled.watch,
    drain,
  });
  const opened = closing.move();
  return {
    ...captures,
    app,
    routes,
    metrics: shown.metrics,
    drain,
    rest: () => captures.captures.rest(),
    close: () => opened.disposeAsync(),
  };
}

/** Threads, clock, disk and network, except parts that a test replaces. */
function ofMachine(
  { analyses, analysisMemoryBytes }: Config,
  { activity = new ThreadActivity(() => systemClock.now()), ...changes }: Partial<Parts>,
) {
  const limits = limitsOfMachine(analyses, analysisMemoryBytes);
  return {
    activity,
    analyzer: changes.analyzer ?? workerAnalyzer(limits, undefined, activity),
    clock: changes.clock ?? systemClock,
    patience: changes.patience ?? PATIENCE,
    disk: changes.disk ?? diskOf,
    directoryFetch: changes.directoryFetch,
    several: changes.several,
  };
}
