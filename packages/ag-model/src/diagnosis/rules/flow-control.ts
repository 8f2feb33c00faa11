/** D7: flow control stopped sending. */
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { databaseSlowIn } from "../concerned-database.ts";
import type { Delay } from "./delays.ts";
import { commitsAround, effectOf, markedRows, onPathOf, rowsWithin, shareOfCommits } from "../effect.ts";
import { pathsOf, pathsWaitedFor, replicaName } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import { sourceTerms } from "../source-terms.ts";
import type { Settings } from "../settings.ts";
import { flowControlIntervals, heldByFlowControl } from "../waiting.ts";
import { clockTimes } from "../when.ts";
import { formatCount, formatDuration } from "../../words/words.ts";

/**
 * Returns one finding for all stops; database and transport events of one stop count as one. The events do not name the
 * replica for certain, so the finding names the replica whose blocks were delayed most, and no replica without a
 * delayed block.
 */
export function flowControl(model: CaptureModel, settings: Settings): Delay[] {
  const stops = flowControlIntervals(model);
  if (stops.length === 0) return [];
  const total = stops.reduce((sum, { from, to }) => sum + to - from, 0);
  const held = pathsOf(model).map((path) => {
    const time = heldByFlowControl(model, path);
    return { path, time, us: time.reduce((sum, us) => sum + (us || 0), 0) };
  });
  const most = held.toSorted((a, b) => b.us - a.us).find(({ us }) => us > 0);
  const isWaitedFor = most === undefined || pathsWaitedFor(model).includes(most.path);
  const share = most ? shareOfCommits(model, most.time, onPathOf(most.path.secondary)) : Number.NaN;
  const window = { from: stops[0].from, to: stops[stops.length - 1].to };
  const rows = rowsWithin(model, window.from, window.to);
  const commits = commitsAround(model, [rows]);
  const times = stops.length === 1 ? "once" : `${formatCount(stops.length)} times`;
  const to = most && model.hops.length > 1 ? ` to ${replicaName(model, most.path.replica)}` : "";
  // A phase has the duration of its capture.
  const end = Math.min(model.duration, ...model.phases.map(({ to }) => to));
  const severity = total > settings.flowControlShare * (end - model.blocks.time[0]) ? "slow" : "notice";
  const slower =
    commits.inside.p95 > commits.outside.p95
      ? `; commits took ${formatDuration(commits.inside.p95)} instead of ${formatDuration(commits.outside.p95)} (p95)`
      : "";
  const finding = plainFinding(
    "D7",
    "flow_control",
    isWaitedFor ? severity : "none",
    `Flow control stopped sending${to} ${times} between ${clockTimes(model, window)}, ${formatDuration(total)} in total${slower}.`,
    {
      share: Number.isFinite(share) ? share : null,
      stage: "captureLag",
      replica: most ? most.path.replica : model.replicas.length === 2 ? 1 : null,
      database: most ? databaseSlowIn(model, most.time, rows, settings.handlingExcess.us) : null,
      window,
      effect: effectOf(commits),
      threshold: `any; severe over ${settings.flowControlShare * 100} % of ${sourceTerms(model).whole}`,
      source: "AG Lens default",
      checkNext: [
        "Watch the counters Flow Control/sec, Flow Control Time and Database Flow Control Delay",
        "Measure log write time and processor load of the secondaries",
      ],
    },
  );
  return [
    {
      finding,
      aspect: null,
      stretches: most && isWaitedFor ? [{ rows, meanUs: most.us / Math.max(rows[1] - rows[0], 1) }] : [],
      others: [],
      slow: markedRows(model.blocks.length, [rows]),
      weightUs: most?.us ?? 0,
    },
  ];
}
