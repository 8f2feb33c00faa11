/** D17: asynchronous replicas. No commit waits for them, so their lag is reported and never a severity. */
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { statisticsOf } from "../../numbers/index.ts";
import { databaseSlowIn } from "../concerned-database.ts";
import { excessesOf } from "../excess.ts";
import { hardenedBehind } from "./hardened-behind.ts";
import { pathsOf, replicaName } from "../paths.ts";
import { pausedIn } from "./pauses.ts";
import { plainFinding } from "../plain-finding.ts";
import type { Settings } from "../settings.ts";
import { windowOf } from "../slow-periods.ts";
import type { Finding } from "../verdict.ts";
import { clockTimes } from "../when.ts";
import { figureText, formatDuration, sizeFigure } from "../../words/words.ts";

const sizeText = (bytes: number): string => figureText(sizeFigure(bytes), "\u00A0");

export function asynchronousReplicas(model: CaptureModel, settings: Settings): Finding[] {
  return pathsOf(model)
    .filter(({ isWaitedFor }) => !isWaitedFor)
    .flatMap((path) => {
      const name = replicaName(model, path.replica);
      const { us, bytes } = hardenedBehind(model, path);
      const found = plainFinding(
        "D17",
        "async_replica",
        "none",
        `${name} is asynchronous: no commit waits for it. ${lagWords(us, bytes)}`,
        {
          replica: path.replica,
          checkNext: [`Query log_send_queue_size of ${name} in sys.dm_hadr_database_replica_states`],
        },
      );
      return [found, ...lagWindow(model, path.replica, us, bytes, settings)];
    });
}

/**
 * The lag of its log blocks: less than the age of the oldest block without an acknowledgment at any time, which screens
 * call behind.
 */
function lagWords(us: Float64Array, bytes: Float64Array): string {
  const lag = statisticsOf(us);
  if (lag.n === 0) return "Its lag is not known.";
  const [p50, p95] = [lag.p50, lag.p95].map(formatDuration);
  const most = sizeText(statisticsOf(bytes).max);
  return `A log block is acknowledged ${p50} after the primary hardened it at p50 and ${p95} at p95, with up to ${most} hardened and not acknowledged.`;
}

/** Finds the period in which the lag was far above its quiet part. */
function lagWindow(
  model: CaptureModel,
  replica: number,
  us: Float64Array,
  bytes: Float64Array,
  settings: Settings,
): Finding[] {
  // While a server is unresponsive nothing is hardened, and the pause is reported.
  const periods = excessesOf(model.blocks.time, us, settings.lagExcess, settings).filter(
    (period) => pausedIn(model, windowOf(model, period)) === null,
  );
  const main = periods.toSorted((a, b) => b.meanUs * b.slowRows - a.meanUs * a.slowRows)[0];
  if (main === undefined) return [];
  const name = replicaName(model, replica);
  const window = windowOf(model, main);
  const inside = statisticsOf(us.subarray(...main.rows));
  const outside = statisticsOf(us.filter((_, row) => row < main.rows[0] || row >= main.rows[1]));
  const sentence =
    `${name} lagged by up to ${formatDuration(inside.max)} (${sizeText(statisticsOf(bytes.subarray(...main.rows)).max)}) ` +
    `between ${clockTimes(model, window)}: ${formatDuration(inside.p50)} at p50, ${formatDuration(outside.p50)} otherwise. No commit waits for it.`;
  return [
    plainFinding("D17", "async_lag", "none", sentence, {
      replica,
      database: databaseSlowIn(model, us, main.rows, settings.lagExcess.us),
      window,
      threshold: `${formatDuration(settings.lagExcess.us)} and ${settings.lagExcess.share * 100} % above the quiet part`,
      source: "AG Lens default",
      checkNext: [
        `Measure log write time and processor load of ${name}`,
        `Query log_send_queue_size and redo_queue_size of ${name}, which a failover to it would lose or redo`,
      ],
    }),
  ];
}
