/** D19: a replica was away. The log that was written meanwhile was on the primary alone. */
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import {
  figureText,
  formatCount,
  formatDuration,
  formatTimesOfDay,
  sizeFigure,
  plural,
} from "../../words/words.ts";
import { disconnectedPeriods, type DisconnectedPeriod } from "./disconnected.ts";
import { clockTimes } from "../when.ts";
import { pathsOf, replicaName, type Path } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import type { Finding, Window } from "../verdict.ts";

/** Returns a finding for each period; databases that were away together share one. */
export const disconnectedReplicas = (model: CaptureModel): Finding[] =>
  pathsOf(model).flatMap((path) =>
    together(disconnectedPeriods(model, path)).map((periods) => findingOf(model, path, periods)),
  );

/** Groups periods of different databases that overlap, in order of time. */
function together(periods: readonly DisconnectedPeriod[]): DisconnectedPeriod[][] {
  const groups: DisconnectedPeriod[][] = [];
  for (const period of periods.toSorted((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    if (last !== undefined && last.some(({ to }) => to > period.from)) last.push(period);
    else groups.push([period]);
  }
  return groups;
}

function findingOf(model: CaptureModel, path: Path, periods: readonly DisconnectedPeriod[]): Finding {
  const name = replicaName(model, path.replica);
  const window = {
    from: Math.min(...periods.map(({ from }) => from)),
    to: Math.max(...periods.map(({ to }) => to)),
  };
  const databases = [...new Set(periods.map(({ database }) => database))];
  const isPart = databases.length < model.databases.length;
  const names = databases.map((database) => model.databases[database].name).join(" and ");
  if (isPart && isUnknownTo(model, path, periods)) return perhapsAbsent(path, name, names, databases);
  const { words, isOver } = timeText(model, periods, window);
  const blocks = periods.reduce((sum, { rows }) => sum + rows.length, 0);
  const size = figureText(sizeFigure(bytesOf(model, periods)), "\u00A0");
  const only = `${formatCount(blocks)} log blocks (${size}) of that period`;
  const lost = isOver
    ? `${only} were on the primary only: a failover would have lost them.`
    : `${only} are on the primary only: a failover loses them.`;
  return plainFinding(
    "D19",
    "replica_away",
    path.isWaitedFor ? "notice" : "none",
    `Nothing${isPart ? ` of ${names}` : ""} reached ${name} ${words}: ${whyWords(model, path, window, isOver)}. ${lost}${waitWords(model, path, periods)}`,
    {
      replica: path.replica,
      database: isPart && databases.length === 1 ? databases[0] : null,
      window,
      threshold: "nothing reached it for 2 s while 20 log blocks were written",
      source: "AG Lens default",
      checkNext: [
        `Query is_suspended and suspend_reason_desc in sys.dm_hadr_database_replica_states for ${name}`,
        "Search the error logs of both servers for errors 35206 and 35267 (connection), 35264 and 35265 (suspended, resumed)",
      ],
    },
  );
}

/** Whether a replica with files has no event of these databases, and no block of them was sent to it. */
function isUnknownTo(
  { databases, replicas }: CaptureModel,
  { replica }: Path,
  periods: readonly DisconnectedPeriod[],
): boolean {
  return (
    replicas[replica].hasCapture &&
    periods.every(
      ({ database, isFromBegin, isToEnd }) =>
        isFromBegin && isToEnd && databases[database].localIds[replica] === -1,
    )
  );
}

/** Databases that a replica may not have at all: that is no problem of a period, and the same in each phase. */
const perhapsAbsent = (
  { replica }: Path,
  name: string,
  names: string,
  databases: readonly number[],
): Finding =>
  plainFinding(
    "D19",
    "replica_away",
    "none",
    `Nothing of ${names} reached ${name}: it doesn't have the ${plural(databases.length, "database")}, or data movement is suspended. A failover to it loses what is written to ${names}.`,
    {
      replica,
      database: databases.length === 1 ? databases[0] : null,
      checkNext: [`Query the rows of ${names} for ${name} in sys.dm_hadr_database_replica_states`],
    },
  );

/** Reason why no block reached it, as far as events show. */
function whyWords(
  { replicas }: CaptureModel,
  { replica }: Path,
  { from, to }: Window,
  isOver: boolean,
): string {
  if (replicas[replica].restarts?.some((at) => at >= from && at <= to) === true)
    return "its machine restarted";
  return isOver
    ? "data movement was suspended, or it was unreachable"
    : "data movement is suspended, or it is unreachable";
}

/** Time as a part of a sentence, and whether it was over before the capture ended. */
function timeText(
  model: CaptureModel,
  periods: readonly DisconnectedPeriod[],
  window: Window,
): { readonly words: string; readonly isOver: boolean } {
  const isOver = periods.every(({ isToEnd }) => !isToEnd);
  const isFromBegin = periods.some((period) => period.isFromBegin);
  const [from, to] = formatTimesOfDay(model.origin, window.from, window.to);
  if (isOver) return { words: isFromBegin ? `until ${to}` : `between ${clockTimes(model, window)}`, isOver };
  return { words: isFromBegin ? `up to ${to}` : `from ${from} on`, isOver };
}

function bytesOf({ blocks }: CaptureModel, periods: readonly DisconnectedPeriod[]): number {
  let sum = 0;
  for (const { rows } of periods) for (let i = 0; i < rows.length; i++) sum += blocks.size[rows[i]] || 0;
  return sum;
}

/** Number of commits that returned without it, with a space before; empty for a replica that none waits for. */
function waitWords(
  model: CaptureModel,
  { secondary, isWaitedFor }: Path,
  periods: readonly DisconnectedPeriod[],
): string {
  if (!isWaitedFor) return "";
  const { blocks, commits } = model;
  const { ackProcessed } = model.hops[secondary];
  const isAway = new Uint8Array(blocks.length);
  for (const { rows } of periods) for (let i = 0; i < rows.length; i++) isAway[rows[i]] = 1;
  let [all, passed] = [0, 0];
  for (let c = 0; c < commits.length; c++) {
    const row = commits.block[c];
    if (row < 0 || isAway[row] === 0) continue;
    all++;
    if (!(ackProcessed[row] <= commits.end[c])) passed++;
  }
  if (passed === 0) return "";
  const of = passed === all ? formatCount(all) : `${formatCount(passed)} of ${formatCount(all)}`;
  const noun = plural(passed, "commit");
  return ` ${of} ${noun} in that period returned before it had hardened their log.${caughtUpWords(model, secondary, periods)}`;
}

/** Time until it had acknowledged all blocks that were sent late; empty where unknown. */
function caughtUpWords(
  model: CaptureModel,
  secondary: number,
  periods: readonly DisconnectedPeriod[],
): string {
  const { ackProcessed } = model.hops[secondary];
  const waits = periods.map(({ rows, to, isToEnd }) => {
    let last = Number.NaN;
    for (let i = 0; i < rows.length; i++) if (!(ackProcessed[rows[i]] <= last)) last = ackProcessed[rows[i]];
    return isToEnd ? Number.NaN : last - to;
  });
  const longest = Math.max(...waits);
  return Number.isNaN(longest) ? "" : ` It had hardened all of that log ${formatDuration(longest)} later.`;
}
