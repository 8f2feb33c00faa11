import { isOffset } from "../shapes.ts";
import type { FoundFile } from "./uses.ts";

/** Rowsets of SQL LogScout and PSSDIAG that are read; a line with two dashes names each. */
const ROWSET = /^-- (?:dm_os_wait_stats|file_io_stats|dm_os_schedulers) --\s*$/mu;
const SCHEDULERS_ONLY = /^-- dm_os_schedulers --\s*$/mu;
const OTHER_ROWSETS = /^-- (?:dm_os_wait_stats|file_io_stats) --\s*$/mu;
/** Form of a line: `2026-05-14 02:17:41.23 spid42s     text`. */
const ERRORLOG_LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d\d (?:Server|Logon|Backup|spid\d+s?|Error)\s/gmu;
const CLUSTER_LOG_LINE = /^[0-9a-f]{8}\.[0-9a-f]{8}::\d{4}\/\d\d\/\d\d-\d\d:\d\d:\d\d\.\d{3} /mu;
/** Columns that exports of the Windows event log have, by the program that wrote them. */
const WINDOWS_EVENT_COLUMNS = [
  ["ProviderName", "TimeCreated"],
  ["Source", "EventID"],
  ["Source", "Event ID"],
  ["EntryType", "TimeGenerated"],
] as const;

/** A text that isn't events. @param end the last part of a long text */
export function textFile(name: string, text: string, end: string): FoundFile {
  // The output of typeperf begins with an empty line.
  const plain = text.replace(/^\uFEFF?\s*/u, "");
  if (/^\s*</u.test(plain)) return xmlFile(plain);
  if (/^"?\(PDH-[CT]SV \d/u.test(plain)) return countersFile(plain);
  if (isErrorlog(plain)) return errorlogFile(plain);
  if (ROWSET.test(plain) || ROWSET.test(end)) {
    const all = `${plain}\n${end}`;
    return { kind: SCHEDULERS_ONLY.test(all) && !OTHER_ROWSETS.test(all) ? "schedulers" : "rowsets" };
  }
  if (CLUSTER_LOG_LINE.test(plain) || /^\[=== /mu.test(plain)) return { kind: "clusterLog" };
  if (/^Command Line: /mu.test(plain) && /^Input parameters:/mu.test(plain)) return { kind: "diskspd" };
  return tableFile(name, plain);
}

/** Two lines of its form; of a file with a single one, the head. */
const isErrorlog = (text: string): boolean => {
  const lines = text.match(ERRORLOG_LINE)?.length ?? 0;
  return lines >= 2 || (lines === 1 && /Microsoft SQL Server/u.test(text));
};

function errorlogFile(text: string): FoundFile {
  return {
    kind: "errorlog",
    server: /\bServer name is '([^']+)'/u.exec(text)?.[1] ?? null,
    utcOffsetMinutes: utcAdjustment(text),
  };
}

/** Minutes of `UTC adjustment: -7:00`. */
function utcAdjustment(text: string): number | null {
  const found = /\bUTC adjustment: ([+-]?)(\d{1,2}):(\d\d)/u.exec(text);
  if (found === null) return null;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return offsetOrNull(found[1] === "-" ? -minutes : minutes);
}

const offsetOrNull = (minutes: number): number | null => (isOffset(minutes) ? minutes : null);

function countersFile(text: string): FoundFile {
  if (/^"?\(PDH-TSV/u.test(text))
    return {
      kind: "counters",
      state: "convert",
      use: "Performance counters with tabs. Run on Windows: relog FILE -f csv -o FILE.csv",
    };
  const head = text.slice(0, text.search(/[\r\n]|$/u));
  // Minutes to add to local time for UTC.
  const bias = /^"\(PDH-CSV [\d.]+\) \([^)]*\)\((-?\d+)\)"/u.exec(head)?.[1];
  const server = /"\\\\([^\\"]+)\\/u.exec(head)?.[1] ?? null;
  return {
    kind: "counters",
    server,
    utcOffsetMinutes: bias === undefined ? null : offsetOrNull(0 - Number(bias)),
  };
}

function xmlFile(text: string): FoundFile {
  if (text.includes("<AGInfoRoot")) return { kind: "topology" };
  if (/<Results>/u.test(text) && /<TimeSpan>/u.test(text)) return { kind: "diskspd" };
  if (/<Profile>/u.test(text) && /<TimeSpans>/u.test(text))
    return { kind: "diskspd", state: "notUsed", use: "Diskspd profile without results. Provide the result." };
  if (/\bwait_?type\b/iu.test(text) && /\bwait_(?:time_ms|s)\b/iu.test(text)) return { kind: "waits" };
  return { kind: "unknown" };
}

function tableFile(name: string, text: string): FoundFile {
  const columns = columnsOf(text);
  const has = (...names: readonly string[]): boolean => names.every((column) => columns.has(column));
  if (has("wait_type", "wait_time_ms") || has("WaitType", "Wait_S")) return { kind: "waits" };
  if (has("scheduler_id", "runnable_tasks_count")) return { kind: "schedulers" };
  if (WINDOWS_EVENT_COLUMNS.some((names) => has(...names))) return { kind: "windowsEvents", server: null };
  return { kind: /\.(?:out|txt|log|csv)$/iu.test(name) ? "scriptOutput" : "unknown" };
}

/** Names in the first line that has several cells; PowerShell writes a line with a type before it. */
function columnsOf(text: string): ReadonlySet<string> {
  const lines = text.split(/\r?\n/u, 5);
  const head = lines.find((line) => /[,;\t]/u.test(line) && !line.startsWith("#TYPE")) ?? "";
  return new Set(head.split(/[,;\t]/u).map((cell) => cell.trim().replaceAll('"', "")));
}
