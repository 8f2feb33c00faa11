/** D8: work of a secondary in addition to its log write. */
import { ratioOfSums, stageColumn } from "../../columns/index.ts";
import { percentileOf } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect, PassedLimit } from "../aspect.ts";
import { onPathOf, shareOfCommits } from "../effect.ts";
import { severityByShare } from "../severity.ts";
import { replicaName, type Path } from "../paths.ts";
import type { Settings } from "../settings.ts";
import { REMOTE_PARTS } from "../shares.ts";
import { secondaryWork } from "../waiting.ts";
import { formatDuration, formatPercent } from "../../words/words.ts";

export function secondaryWorkAspect(model: CaptureModel, path: Path, settings: Settings): Aspect {
  const name = replicaName(model, path.replica);
  const time = secondaryWork(model, path);
  const share = shareOfCommits(model, time, onPathOf(path.secondary));
  return {
    cause: "secondary_cpu",
    rule: "D8",
    stage: "secondaryAppend",
    place: "secondary",
    replica: path.replica,
    path,
    parts: REMOTE_PARTS.secondary_cpu,
    time,
    figure: time,
    words: `${name} outside its log write took`,
    label: `Slow outside the log write, ${name}`,
    share,
    limit: settings.handlingExcess,
    passed: workLimit(model, path, time, share, settings),
    source: "AG Lens default",
    checkNext: [
      `Query runnable_tasks_count and current_workers_count in sys.dm_os_schedulers on ${name}`,
      "Compare LOGBUFFER waits in sys.dm_os_wait_stats with those of another hour",
    ],
  };
}

function workLimit(
  model: CaptureModel,
  { replica, secondary }: Path,
  time: Float64Array,
  shareOfCommit: number,
  settings: Settings,
): PassedLimit | null {
  const p95 = percentileOf(time, 95);
  const share = ratioOfSums(time, stageColumn(model, secondary, "secondaryTotal"));
  // A high share of a short time means a fast disk, not slow handling.
  const isLarge = share > settings.secondaryWorkShare && p95 > settings.secondaryWorkP95Us / 2;
  if (!(p95 > settings.secondaryWorkP95Us) && !isLarge) return null;
  return {
    severity: severityByShare(shareOfCommit, settings),
    sentence: `${replicaName(model, replica)} spends ${formatDuration(p95)} at p95 outside the log write.`,
    threshold: isLarge
      ? `over ${formatPercent(settings.secondaryWorkShare)} of its time`
      : `p95 over ${formatDuration(settings.secondaryWorkP95Us)}`,
  };
}
