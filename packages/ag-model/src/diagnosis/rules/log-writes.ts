/** D1 and D2: log writes on the primary and on each secondary. */
import { stageColumn, stageStatistics } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect, PassedLimit } from "../aspect.ts";
import { onEveryPath, onLocalPath, onPathOf, shareOfCommits } from "../effect.ts";
import { flushClass, FLUSH_LIMITS_US, type FlushClass } from "../flush-classes.ts";
import { replicaName, type Path } from "../paths.ts";
import { releasesOf } from "../releases.ts";
import type { Settings } from "../settings.ts";
import { REMOTE_PARTS, shareOfHarden } from "../shares.ts";
import type { Severity } from "../verdict.ts";
import { localWrite, secondaryWrite, waitForLocalWrite } from "../waiting.ts";
import { formatDuration, formatPart, formatPercent } from "../../words/words.ts";

const SOURCE = "Microsoft: classes of log write times";
const THRESHOLD = `p95 over ${formatDuration(FLUSH_LIMITS_US.good)}`;

const severityOf = (found: FlushClass): Severity => (found === "reasonable" ? "notice" : "slow");

/** Checks for slow log writes of a primary. */
export const localWriteChecks = (name: string): string[] => [
  `Compare WRITELOG waits with sys.dm_io_virtual_file_stats of the log file on ${name}`,
  `Watch LogicalDisk: Disk Transfers/sec of the log volume on ${name} for other I/O, backups included`,
  "Count the VLFs in sys.dm_db_log_info",
];

/** Checks for slow log writes of a secondary. */
export const secondaryWriteChecks = (name: string, primary: string): string[] => [
  `Compare WRITELOG waits with sys.dm_io_virtual_file_stats of the log file on ${name}`,
  `Measure reads, checkpoints and redo on the same disk of ${name} (sys.dm_io_virtual_file_stats)`,
  `Compare the storage class of ${name} and ${primary}`,
];

export function localWriteAspect(model: CaptureModel, settings: Settings): Aspect {
  const name = replicaName(model, 0);
  return {
    cause: "primary_disk",
    rule: "D1",
    stage: "localFlush",
    place: "primary",
    replica: 0,
    path: null,
    parts: [],
    time: localWrite(model),
    figure: stageColumn(model, 0, "localFlush"),
    words: `a log write on ${name} took`,
    label: `Slow log writes, ${name}`,
    share: shareOfLocalWrite(model),
    limit: settings.writeExcess,
    passed: localLimit(model),
    source: SOURCE,
    checkNext: localWriteChecks(name),
  };
}

/** If an acknowledgment released the commits, only the wait for earlier writes was on their path. */
function shareOfLocalWrite(model: CaptureModel): number {
  const behind = shareOfCommits(model, waitForLocalWrite(model), onEveryPath);
  return behind + shareOfCommits(model, stageColumn(model, 0, "localFlush"), onLocalPath);
}

function localLimit(model: CaptureModel): PassedLimit | null {
  const { p95 } = stageStatistics(model, 0, "localFlush");
  if (Number.isNaN(p95) || flushClass(p95) === "good") return null;
  const { gates, known } = releasesOf(model);
  const gated = known > 0 ? ` and gate ${formatPart(gates[0] / known)} of commits` : "";
  return {
    severity: severityOf(flushClass(p95)),
    sentence: `Log writes on ${replicaName(model, 0)} take ${formatDuration(p95)} at p95 (${flushClass(p95)})${gated}.`,
    threshold: THRESHOLD,
  };
}

export function secondaryWriteAspect(model: CaptureModel, path: Path, settings: Settings): Aspect {
  const name = replicaName(model, path.replica);
  return {
    cause: "secondary_disk",
    rule: "D2",
    stage: "secondaryFlush",
    place: "secondary",
    replica: path.replica,
    path,
    parts: REMOTE_PARTS.secondary_disk,
    time: secondaryWrite(model, path),
    figure: stageColumn(model, path.secondary, "secondaryFlush"),
    words: `a log write on ${name} took`,
    label: `Slow log writes, ${name}`,
    share: shareOfCommits(model, secondaryWrite(model, path), onPathOf(path.secondary)),
    limit: settings.writeExcess,
    passed: secondaryLimit(model, path),
    source: SOURCE,
    checkNext: secondaryWriteChecks(name, replicaName(model, 0)),
  };
}

function secondaryLimit(model: CaptureModel, { replica, secondary }: Path): PassedLimit | null {
  const { p95 } = stageStatistics(model, secondary, "secondaryFlush");
  if (Number.isNaN(p95) || flushClass(p95) === "good") return null;
  const share = shareOfHarden(model, secondary, REMOTE_PARTS.secondary_disk);
  const part = Number.isNaN(share) ? "" : `: ${formatPercent(share)} of remote harden time`;
  return {
    severity: severityOf(flushClass(p95)),
    sentence: `${replicaName(model, replica)} hardens its log in ${formatDuration(p95)} at p95 (${flushClass(p95)})${part}.`,
    threshold: THRESHOLD,
  };
}
