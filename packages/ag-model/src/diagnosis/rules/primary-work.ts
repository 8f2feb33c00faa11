/** D6 and D9: work of the primary at the beginning and at the end of a commit. */
import { percentileOf } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect, PassedLimit } from "../aspect.ts";
import { onEveryPath, shareOfCommits } from "../effect.ts";
import { severityByShare } from "../severity.ts";
import { replicaName, type Path } from "../paths.ts";
import type { Settings } from "../settings.ts";
import { acknowledgment, grouping } from "../waiting.ts";
import { formatDuration, formatPercent, formatRoughly } from "../../words/words.ts";

/** @param otherShare the largest share of commit latency of any other cause */
export function groupCommitAspect(model: CaptureModel, otherShare: number, settings: Settings): Aspect {
  const time = grouping(model);
  const share = shareOfCommits(model, time, onEveryPath);
  return {
    cause: "group_commit",
    rule: "D6",
    stage: "commitQueue",
    place: "primary",
    replica: 0,
    path: null,
    parts: [],
    time,
    figure: time,
    words: "the wait to be grouped into a log block was",
    label: "Long wait to be grouped into a log block",
    share,
    limit: settings.handlingExcess,
    passed: groupingLimit(model, { time, share, isLargest: share > otherShare }, settings),
    source: "Microsoft: availability group commit time",
    checkNext: [
      "Watch Log Flushes/sec and Transactions/sec of the database",
      "Read availability group commit time (ms) in sp_configure, from SQL Server 2025 on",
    ],
  };
}

interface Grouping {
  readonly time: Float64Array;
  readonly share: number;
  /** No other cause takes a larger part of commits. */
  readonly isLargest: boolean;
}

function groupingLimit(
  model: CaptureModel,
  { time, share, isLargest }: Grouping,
  settings: Settings,
): PassedLimit | null {
  const p50 = percentileOf(time, 50);
  if (!(p50 > settings.queueP50Us)) return null;
  const isByDesign = model.engine === "2016+" && p50 <= settings.queueLongUs;
  const isNotable = isLargest && p50 >= settings.queueNoticeUs;
  const part = Number.isFinite(share) ? `${formatPercent(share)} of commit latency` : "part of each commit";
  const why = isByDesign
    ? ` Up to ${formatRoughly(settings.queueLongUs)} is by design from SQL Server 2016 on.`
    : "";
  return {
    severity: isByDesign && !isNotable ? "none" : severityByShare(share, settings),
    sentence: `The group commit wait takes ${part}: ${formatDuration(p50)} at p50.${why}`,
    threshold: `p50 over ${formatDuration(isByDesign ? settings.queueP50Us : settings.queueLongUs)}`,
  };
}

/** Processing of acknowledgments and wake-up of the commits that they release: one thread's work, so one aspect. */
export function acknowledgmentAspect(
  model: CaptureModel,
  paths: readonly Path[],
  settings: Settings,
): Aspect {
  const name = replicaName(model, 0);
  const time = acknowledgment(model, paths);
  const share = shareOfCommits(model, time, onEveryPath);
  return {
    cause: "primary_ack",
    rule: "D9",
    stage: "ackReceive",
    place: "primary",
    replica: 0,
    path: null,
    parts: [],
    time,
    figure: time,
    words: `acknowledgment and wake-up on ${name} took`,
    label: `Slow acknowledgment and wake-up, ${name}`,
    share,
    limit: settings.handlingExcess,
    passed: acknowledgmentLimit(model, time, share, settings),
    source: "AG Lens default",
    checkNext: [
      `Compare processor load with sys.dm_os_schedulers on ${name}`,
      "Query HADR_LOGPROGRESS_SYNC waits in sys.dm_os_wait_stats",
    ],
  };
}

function acknowledgmentLimit(
  model: CaptureModel,
  time: Float64Array,
  share: number,
  settings: Settings,
): PassedLimit | null {
  const p95 = percentileOf(time, 95);
  if (!(p95 > settings.ackP95Us)) return null;
  return {
    severity: severityByShare(share, settings),
    sentence: `${replicaName(model, 0)} takes ${formatDuration(p95)} at p95 to act on acknowledgments and wake the commits they release.`,
    threshold: `p95 over ${formatDuration(settings.ackP95Us)}`,
  };
}
