/** D4 and D5: passing blocks to transport, and compressing them. */
import { ratioOfSums, stageColumn, stageStatistics } from "../../columns/index.ts";
import { percentileOf } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect, PassedLimit } from "../aspect.ts";
import { onPathOf, shareOfCommits } from "../effect.ts";
import { severityByShare } from "../severity.ts";
import { replicaName, type Path } from "../paths.ts";
import type { Settings } from "../settings.ts";
import { REMOTE_PARTS } from "../shares.ts";
import { compressionTime, sendTime } from "../waiting.ts";
import { formatDuration, formatPercent } from "../../words/words.ts";

export function sendAspect(model: CaptureModel, path: Path, settings: Settings): Aspect {
  const name = replicaName(model, path.replica);
  const primary = replicaName(model, 0);
  const share = shareOfCommits(model, sendTime(model, path), onPathOf(path.secondary));
  const own = ownSend(model, path);
  return {
    cause: "send",
    rule: "D4",
    stage: "send",
    place: "primary",
    replica: path.replica,
    path,
    parts: REMOTE_PARTS.send,
    time: sendTime(model, path),
    figure: own,
    words: `sending a block to ${name} to transport took`,
    label: `Slow send to ${name}`,
    share,
    limit: settings.handlingExcess,
    passed: sendLimit(model, path, own, share, settings),
    source: "AG Lens default",
    checkNext: [
      `Query runnable_tasks_count and current_workers_count in sys.dm_os_schedulers on ${primary}`,
      "Count the availability databases, and read the encryption in sys.database_mirroring_endpoints",
      "Watch the counters Flow Control/sec and Flow Control Time",
    ],
  };
}

/** Send without its compression, µs. */
function ownSend(model: CaptureModel, { secondary }: Path): Float64Array {
  const compressions = stageColumn(model, secondary, "compression");
  const sends = stageColumn(model, secondary, "send");
  const own = new Float64Array(sends.length);
  for (let row = 0; row < own.length; row++) own[row] = sends[row] - (compressions[row] || 0);
  return own;
}

function sendLimit(
  model: CaptureModel,
  { replica, secondary }: Path,
  own: Float64Array,
  shareOfCommit: number,
  settings: Settings,
): PassedLimit | null {
  const p95 = percentileOf(own, 95);
  const share = ratioOfSums(own, stageColumn(model, secondary, "remoteHarden"));
  // A high share of a short time means that the rest is fast, not that the send is slow.
  const isLarge = share > settings.sendShare && p95 > settings.sendP95Us / 2;
  if (!(p95 > settings.sendP95Us) && !isLarge) return null;
  return {
    severity: severityByShare(shareOfCommit, settings),
    sentence: `Sending log blocks to ${replicaName(model, replica)} takes ${formatDuration(p95)} at p95 on the primary.`,
    threshold: isLarge
      ? `over ${formatPercent(settings.sendShare)} of remote harden`
      : `p95 over ${formatDuration(settings.sendP95Us)}`,
  };
}

/** Compression on the primary; no aspect for a replica whose blocks are not compressed. Decompression has its own. */
export function compressionAspect(model: CaptureModel, path: Path, settings: Settings): Aspect[] {
  const name = replicaName(model, path.replica);
  const checkNext = [
    `Measure the processor load of ${replicaName(model, 0)} and ${name}`,
    "Run DBCC TRACESTATUS (9592, 1462, 9567), which decide on compression",
  ];
  const common = {
    cause: "compression",
    rule: "D5",
    replica: path.replica,
    path,
    parts: [],
    limit: settings.handlingExcess,
    source: "AG Lens default",
    checkNext,
  } as const;
  const aspects: Aspect[] = [];
  if (stageStatistics(model, path.secondary, "compression").n > 0) {
    const packing = compressionTime(model, path);
    const packingShare = shareOfCommits(model, packing, onPathOf(path.secondary));
    aspects.push({
      ...common,
      stage: "compression",
      place: "primary",
      time: packing,
      share: packingShare,
      figure: stageColumn(model, path.secondary, "compression"),
      words: `compressing a block for ${name} took`,
      label: `Slow compression for ${name}`,
      passed: compressionLimit(model, path, "compression", packingShare, settings),
    });
  }
  if (stageStatistics(model, path.secondary, "decompression").n > 0) {
    const time = stageColumn(model, path.secondary, "decompression");
    const share = shareOfCommits(model, time, onPathOf(path.secondary));
    aspects.push({
      ...common,
      stage: "decompression",
      place: "secondary",
      time,
      share,
      figure: time,
      words: `decompressing a block on ${name} took`,
      label: `Slow decompression on ${name}`,
      passed: compressionLimit(model, path, "decompression", share, settings),
    });
  }
  return aspects;
}

function compressionLimit(
  model: CaptureModel,
  { replica, secondary }: Path,
  stage: "compression" | "decompression",
  share: number,
  settings: Settings,
): PassedLimit | null {
  const { p95 } = stageStatistics(model, secondary, stage);
  if (!(p95 > settings.compressionP95Us)) return null;
  const word = stage === "compression" ? "Compression for" : "Decompression on";
  return {
    severity: severityByShare(share, settings),
    sentence: `${word} ${replicaName(model, replica)} costs ${formatDuration(p95)} per block at p95.`,
    threshold: `p95 over ${formatDuration(settings.compressionP95Us)}`,
  };
}
