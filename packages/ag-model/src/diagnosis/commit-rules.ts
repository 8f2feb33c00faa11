import { commitLatencies, stageStatistics } from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { MARKER_KINDS, type CaptureModel, type MarkerKind } from "../replication/tables.ts";
import { replicaName, waitedFor } from "./aspects.ts";
import { releasesOf } from "./releases.ts";
import type { Settings } from "./settings.ts";
import type { Finding, Severity } from "./verdict.ts";
import { formatCount, formatDuration, formatPercent } from "../words/words.ts";

/** D6, D7, D10, D11 and D12: what commits wait for beside the stages of one block. */
export function commitRules(model: CaptureModel, settings: Settings): Finding[] {
  return [
    ...groupCommit(model, settings),
    ...flowControl(model, settings),
    ...stalls(model, settings),
    ...imbalance(model, settings),
    ...redo(model),
  ];
}

function finding(rule: string, severity: Severity, sentence: string, checkNext: string[]): Finding {
  return { rule, severity, sentence, share: null, stage: null, secondary: null, checkNext };
}

function groupCommit(model: CaptureModel, settings: Settings): Finding[] {
  const { p50 } = stageStatistics(model, 0, "commitQueue");
  if (!(p50 > settings.queueP50Us)) return [];
  const byDesign = model.engine === "2016+" && p50 <= settings.queueLongUs;
  const why = byDesign
    ? " (up to 10 ms is by design from 2016 on)"
    : ": the log writer is busy with the previous write";
  const sentence = `Commits wait ${formatDuration(p50)} at p50 to be grouped into a log block${why}.`;
  const checks = [
    "Commits per block and blocks per second",
    "SQL Server 2025: availability group commit time (ms)",
  ];
  return [{ ...finding("D6", byDesign ? "none" : "notice", sentence, checks), stage: "commitQueue" }];
}

function flowControl(model: CaptureModel, settings: Settings): Finding[] {
  const rows = markersOf(model, ["databaseFlowControl", "transportFlowControl"]);
  const total = rows.reduce((sum, row) => sum + model.markers.duration[row], 0);
  if (total <= 0) return [];
  const severity = total > settings.flowControlShare * model.duration ? "slow" : "notice";
  const times = rows.length === 1 ? "once" : `${formatCount(rows.length)} times`;
  const sentence = `Flow control stopped sending ${times}, ${formatDuration(total)} in total.`;
  const checks = [
    "Flow Control/sec, Flow Control Time and Database Flow Control Delay",
    "Log writes and processor load of the secondaries",
  ];
  return [finding("D7", severity, sentence, checks)];
}

function markersOf(model: CaptureModel, kinds: readonly MarkerKind[]): number[] {
  return Array.from(model.markers.kind.keys()).filter((row) =>
    kinds.includes(MARKER_KINDS[model.markers.kind[row]]),
  );
}

function stalls(model: CaptureModel, settings: Settings): Finding[] {
  const long = commitLatencies(model).filter((us) => us >= settings.stallUs).length;
  const stalled = Math.max(long, markersOf(model, ["stillWaiting"]).length);
  if (stalled === 0) return [];
  const what = stalled === 1 ? "commit" : "commits";
  const sentence = `${formatCount(stalled)} ${what} waited over ${formatDuration(settings.stallUs)}.`;
  const checks = [
    "Replica connectivity and session timeout",
    "Synchronization state, errors 35206 and 35267",
  ];
  return [finding("D10", "slow", sentence, checks)];
}

/** One of several synchronous replicas decides nearly every commit and is far behind the next. */
function imbalance(model: CaptureModel, settings: Settings): Finding[] {
  const candidates = waitedFor(model);
  if (candidates.length < 2 || model.commits.length === 0) return [];
  const { gates, known } = releasesOf(model);
  const last = candidates.reduce((a, b) => (gates[b + 1] > gates[a + 1] ? b : a));
  const others = candidates.filter((s) => s !== last);
  const hardenOf = (s: number) => stageStatistics(model, s, "remoteHarden").mean;
  const next = Math.max(...others.map(hardenOf));
  const alone = gates[last + 1] / known > settings.imbalanceShare;
  if (!alone || !(hardenOf(last) > settings.imbalanceFactor * next)) return [];
  const without = statisticsOf(commitsWithout(model, others)).mean;
  const name = replicaName(model, last + 1);
  const sentence =
    `${name} alone decides ${formatPercent(gates[last + 1] / known)} of commits; ` +
    `without it they would take about ${formatDuration(without)} on average.`;
  return [
    { ...finding("D11", "notice", sentence, [`Whether ${name} has to be synchronous`]), secondary: last },
  ];
}

/** Commit latency if only `secondaries` and the local log write had to be waited for, µs. */
function commitsWithout(model: CaptureModel, secondaries: readonly number[]): Float64Array {
  const { block, start } = model.commits;
  return start.map((instant, row) => {
    if (block[row] < 0) return Number.NaN;
    const acks = secondaries.map((s) => model.hops[s].ackProcessed[block[row]]);
    return Math.max(model.blocks.localFlushEnd[block[row]], ...acks) - instant;
  });
}

/** Always true and often asked: these events say nothing about redo. */
function redo(model: CaptureModel): Finding[] {
  if (model.hops.length === 0) return [];
  const sentence = "Commits wait for hardening, not for redo; these events do not show redo.";
  return [
    finding("D12", "none", sentence, ["redo_queue_size, redo_rate and Redone Bytes/sec", "Blocked redo"]),
  ];
}
