import { stageColumn, stageStatistics } from "../columns/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { replicaName, shareOf, waitedFor } from "./aspects.ts";
import { flushClass, type FlushClass } from "./flush-classes.ts";
import { releasesOf } from "./releases.ts";
import type { Finding, Severity } from "./verdict.ts";
import { formatCount, formatDuration, formatPercent } from "../words/words.ts";

/** D1, D2 and D14: log writes on the primary and on each secondary, and first blocks of a VLF. */
export function logWriteRules(model: CaptureModel): Finding[] {
  return [
    ...primaryLogWrite(model),
    ...model.hops.flatMap((_, s) => secondaryLogWrite(model, s)),
    ...vlfSwitch(model),
  ];
}

const severityOf = (found: FlushClass): Severity =>
  found === "good" ? "none" : found === "reasonable" ? "notice" : "slow";

function primaryLogWrite(model: CaptureModel): Finding[] {
  const { p95 } = stageStatistics(model, 0, "localFlush");
  if (Number.isNaN(p95) || flushClass(p95) === "good") return [];
  const { gates, known } = releasesOf(model);
  const gated = known > 0 ? ` and gate ${formatPercent(gates[0] / known)} of commits` : "";
  const name = replicaName(model, 0);
  return [
    {
      rule: "D1",
      severity: severityOf(flushClass(p95)),
      sentence: `Log writes on ${name} take ${formatDuration(p95)} at p95 (${flushClass(p95)})${gated}.`,
      share: null,
      stage: "localFlush",
      secondary: null,
      checkNext: [
        `WRITELOG waits and dm_io_virtual_file_stats of the log file on ${name}`,
        `Other I/O on the log volume of ${name}, backups included`,
        "Number of VLFs and log file placement",
      ],
    },
  ];
}

function secondaryLogWrite(model: CaptureModel, secondary: number): Finding[] {
  const { p95 } = stageStatistics(model, secondary, "secondaryFlush");
  if (Number.isNaN(p95) || flushClass(p95) === "good") return [];
  // Nobody waits for an asynchronous replica: its log writes are no part of what commits take (docs/model.md 4.5).
  const isWaitedFor = waitedFor(model).includes(secondary);
  const share = isWaitedFor ? shareOf(model, secondary, ["secondaryFlush"]) : Number.NaN;
  const name = replicaName(model, secondary + 1);
  const known = Number.isNaN(share) ? "" : `: ${formatPercent(share)} of remote harden time`;
  const part = isWaitedFor ? known : "; commits do not wait for it";
  return [
    {
      rule: "D2",
      severity: severityOf(flushClass(p95)),
      sentence: `${name} hardens its log in ${formatDuration(p95)} at p95 (${flushClass(p95)})${part}.`,
      share: Number.isNaN(share) ? null : share,
      stage: "secondaryFlush",
      secondary,
      checkNext: [
        `WRITELOG waits and dm_io_virtual_file_stats of the log file on ${name}`,
        `Read-only workload, checkpoint and redo I/O on the same disk of ${name}`,
        `Storage class of ${name} against ${replicaName(model, 0)}`,
      ],
    },
  ];
}

/** Not an anomaly: the first block of a VLF is written after the VLF's header. */
function vlfSwitch(model: CaptureModel): Finding[] {
  const switches = model.blocks.vlfStart.reduce((sum, flag) => sum + flag, 0);
  if (switches === 0) return [];
  const column = stageColumn(model, 0, "localFlush").filter((_, row) => model.blocks.vlfStart[row] === 1);
  const longest = column.reduce((a, b) => (b > a ? b : a), 0);
  const writes = longest > 0 ? ` (longest write ${formatDuration(longest)})` : "";
  const what = switches === 1 ? "log block starts a VLF" : "log blocks start a VLF";
  return [
    {
      rule: "D14",
      severity: "none",
      sentence: `${formatCount(switches)} ${what}: its header is one more log write${writes}.`,
      share: null,
      stage: "localFlush",
      secondary: null,
      checkNext: ["VLF size"],
    },
  ];
}
