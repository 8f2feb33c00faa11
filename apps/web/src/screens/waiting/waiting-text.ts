/** Texts of the "Waiting" screen on log writers and networks. */
import { placeName } from "@aglens/ag-model/lanes";
import { stageDefinition } from "@aglens/ag-model/replication";
import type { Summary, WaitingRow } from "@aglens/contract";
import { waitingTexts as texts } from "../../messages/waiting.ts";
import {
  durationText,
  formatBytes,
  formatCount,
  formatPercent,
  formatUncertainty,
  formatTime,
} from "../../ui/words.ts";
import { phaseName } from "../capture-view/phases.ts";

/** The phase of a row, where its database has several: `before`, `phase 3`. */
function phaseOf({ phase, database }: WaitingRow, { phases }: Summary): string | null {
  const ofDatabase = phases.filter(({ databases }) => databases.includes(database));
  return ofDatabase.length < 2 ? null : phaseName({ phases }, phase).toLowerCase();
}

/** Server and role, or the direction, then its kind and phase: `SQL3, sync` and `Log write, Sales, phase 3`. */
export function rowName(row: WaitingRow, summary: Summary): { where: string; what: string } {
  const { replicas, databases } = summary;
  const own = replicas[row.replica]?.name ?? "Secondary";
  const primary = replicas[row.primary]?.name ?? "Primary";
  const phase = phaseOf(row, summary);
  const database = `${databases.length > 1 ? `, ${databases[row.database]?.name ?? ""}` : ""}${phase === null ? "" : `, ${phase}`}`;
  const mode = row.mode === "undetermined" ? texts.syncOrUndetermined : row.mode;
  switch (row.kind) {
    case "logWrite":
      return { where: placeName(own, mode), what: texts.logWrite(database) };
    case "networkOut":
      return { where: `${primary} to ${own}`, what: texts.networkOut(database) };
    case "networkBack":
      return { where: `${own} to ${primary}`, what: texts.networkBack(database) };
    case "unseen":
      return { where: texts.noFile(own), what: texts.networkAndDiskNot(database) };
  }
}

/** Token of the place, and the strong token for its text. */
export function rowColors({ kind, mode }: Pick<WaitingRow, "kind" | "mode">): { bar: string; ink: string } {
  if (kind === "networkOut") return { bar: "var(--n-out)", ink: "var(--n-ink)" };
  if (kind === "networkBack") return { bar: "var(--n-back)", ink: "var(--n-ink)" };
  if (kind === "unseen") return { bar: "var(--wait)", ink: "var(--ink-2)" };
  return mode === "primary"
    ? { bar: "var(--p-disk)", ink: "var(--p-ink)" }
    : { bar: "var(--s-disk)", ink: "var(--s-ink)" };
}

/** A direction that takes less of the round trip is slow together with the other one. */
const MOST_OF_ROUND_TRIP = 2 / 3;

/** Whether a direction takes most of the round trip whatever the error of the clocks; else both are named together. */
const isOneDirection = ({ servedUs, errorUs, roundTripUs }: WaitingRow): boolean =>
  roundTripUs === null || (errorUs !== null && (servedUs ?? 0) - errorUs > MOST_OF_ROUND_TRIP * roundTripUs);

/** Text that distinguishes a log writer from others of its server: ` as primary` where the roles changed. */
function roleAmong({ replica, mode }: WaitingRow, rows: readonly WaitingRow[]): string {
  const isPrimary = mode === "primary";
  const hadBoth = rows.some(
    (each) => each.kind === "logWrite" && each.replica === replica && (each.mode === "primary") !== isPrimary,
  );
  return !hadBoth ? "" : isPrimary ? texts.asPrimary : texts.asSecondary;
}

/** The same text with several databases, each of which has a writer: ` for Sales1`. */
function databaseAmong(
  { replica, database }: WaitingRow,
  rows: readonly WaitingRow[],
  { databases }: Summary,
): string {
  const hasOther = rows.some(
    (each) => each.kind === "logWrite" && each.replica === replica && each.database !== database,
  );
  return hasOther ? texts.for(databases[database]?.name ?? "") : "";
}

/** The same text with several phases in one role: ` before the change`, ` in phase 3`. */
function phaseAmong(row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string {
  const phase = phaseOf(row, summary);
  const isAlike = (each: WaitingRow): boolean =>
    each.phase !== row.phase &&
    each.kind === row.kind &&
    each.replica === row.replica &&
    each.database === row.database &&
    (row.kind === "logWrite"
      ? (each.mode === "primary") === (row.mode === "primary")
      : each.primary === row.primary);
  if (phase === null || !rows.some(isAlike)) return "";
  return summary.phases.length === 2 ? texts.change(phase) : ` in ${phase}`;
}

const amongItsServer = (row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string =>
  `${roleAmong(row, rows)}${databaseAmong(row, rows, summary)}${phaseAmong(row, rows, summary)}`;

/** Server of a log writer, and the text that distinguishes it from others of that server. */
export const writerName = (row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string =>
  `${summary.replicas[row.replica]?.name ?? ""}${amongItsServer(row, rows, summary)}`;

const subject = (row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string => {
  const { where } = rowName(row, summary);
  if (row.kind === "logWrite")
    return texts.sLogWriter(summary.replicas[row.replica]?.name, amongItsServer(row, rows, summary));
  const when = phaseAmong(row, rows, summary);
  if (isOneDirection(row)) return texts.network(where, when);
  const [primary, own] = [row.primary, row.replica].map((replica) => summary.replicas[replica]?.name);
  return texts.networkBetweenAnd(primary, own, when);
};

const adjective = ({ isSlow, isQueued }: WaitingRow): string =>
  isSlow && isQueued ? texts.slowAndQueued : isSlow ? "slow" : isQueued ? "queued" : "";

/** The answer: slow, queued or both, its time, and both durations. */
export function waitingSentences(row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string[] {
  const served = servedText(row);
  const waited = (row.waitedUs ?? 0) < 1 ? texts.noBlockWaits : texts.blockWaits(durationText(row.waitedUs));
  const word = adjective(row);
  const name = subject(row, rows, summary);
  const first =
    row.episode !== null
      ? texts.isAnd({
          name,
          word: word || "busier",
          episode: whenText(row.episode, summary),
          sentenceText: sentence(served),
          waited,
        })
      : word === "" && rows.length > 1
        ? texts.longestIsAnd(nothingStandsOut(rows), name.replace("The", "the"), served, waited)
        : texts.isAndPart(name, word || texts.neitherSlowNorQueued, served, waited);
  if (row.kind !== "logWrite") return [first];
  const full = word === "" ? 0 : fullSeconds(row);
  const often = full === 0 ? "" : texts.andFullInOf(full, row.busy.length, entryText(row));
  const of = row.episode === null ? texts.ofTheTime : texts.ofThatTime;
  return [first, texts.itIsBusy(formatPercent(row.busyMean), of, often)];
}

/** `a write takes 32.0 ms instead of 1.30 ms`: in the episode, and otherwise. */
function servedText(row: WaitingRow): string {
  const [what, us, otherwise] =
    row.kind === "logWrite"
      ? [texts.write, row.servedUs, row.episode?.servedUs]
      : isOneDirection(row)
        ? [texts.block, row.servedUs, row.episode?.servedUs]
        : [texts.roundTrip, row.roundTripUs, row.episode?.roundTripUs];
  const than = otherwise == null ? "" : texts.insteadOf(durationText(otherwise));
  return texts.takes(what, durationText(us), than);
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function whenText({ stretches: periods }: NonNullable<WaitingRow["episode"]>, summary: Summary): string {
  const [only, ...others] = periods;
  if (only === undefined || others.length > 0) return texts.inEpisodes(periods.length);
  const [from, to] = only.map((us) => formatTime(summary, us));
  return texts.betweenAnd(from, to);
}

/** A capture longer than a day is divided into longer periods, each judged by its busiest second. */
const entryText = ({ busyUs }: WaitingRow): string =>
  busyUs === undefined ? texts.seconds : texts.periodsOf(durationText(busyUs));

/**
 * Asynchronous replicas may well be queued, so the sentence excludes them. It includes networks only where one is
 * known.
 */
function nothingStandsOut(rows: readonly WaitingRow[]): string {
  const what = rows.some(isNetwork) ? texts.noLogWriter : texts.noLogWriterLabel;
  const whose = rows.some(({ mode }) => mode === "async") ? texts.thatCommitsWaitFor : "";
  return texts.isSlowOrQueued(what, whose);
}

const isNetwork = ({ kind }: WaitingRow): boolean => kind === "networkOut" || kind === "networkBack";

const FULL_BUSY = 0.9;

/** Seconds in which a write ran for over 90 % of the time. */
const fullSeconds = ({ kind, busy }: WaitingRow): number =>
  kind === "logWrite" ? busy.filter((share) => share >= FULL_BUSY).length : 0;

/** Uncertainty of a direction of a network: `±0.24 ms`; empty for times that one clock measured. */
export const clockError = (row: WaitingRow): string =>
  !isNetwork(row) ? "" : row.errorUs === null ? texts.clocksNotAligned : formatUncertainty(row.errorUs);

/** Figures that support the sentence, as [words, figure, words]. */
export function waitingEvidence(row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string[][] {
  const whole = (row.waitedUs ?? 0) + (row.servedUs ?? 0);
  const found: string[][] = [
    [
      "",
      formatPercent(whole > 0 ? (row.waitedUs ?? 0) / whole : 0),
      texts.ofABlocksTime(
        row.isQueued && row.kind === "logWrite"
          ? texts.partOfTheStage(
              stageDefinition(row.mode === "primary" ? "commitQueue" : "secondaryAppend").label,
            )
          : "",
      ),
    ],
  ];
  if (!isOneDirection(row)) found.push([texts.eachDirectionIsKnown, clockError(row), ""]);
  if (row.isQueued && row.waitAtFastWriteUs !== null)
    found.push([texts.at5Ms, durationText(row.waitAtFastWriteUs), ""]);
  // The behavior of a writer at a rate that the capture never reached is not known.
  if (row.fullPerSecond !== null && row.fullPerSecond <= (row.mostPerSecond ?? 0))
    found.push([
      texts.itIsFullAt,
      formatCount(Math.round(row.fullPerSecond)),
      row.episode === null ? texts.blocksSOnAverage(rate(row.perSecond)) : texts.blocksS(rate(row.perSecond)),
    ]);
  for (const each of rows.filter(isNetwork))
    if (each.bytesPerSecondWaiting !== null)
      found.push([
        texts.networkCarries(rowName(each, summary).where),
        `${formatBytes(each.bytesPerSecondWaiting)}/s`,
        texts.whileBlocksWait,
      ]);
  const [next] = rows
    .filter((each) => each !== row && each.kind === "logWrite")
    .toSorted((a, b) => (b.busyMean ?? 0) - (a.busyMean ?? 0));
  if (row.kind === "logWrite" && next !== undefined)
    found.push([
      `${(next.busyMean ?? 0) > (row.busyMean ?? 0) ? texts.busier : texts.nextBusiest} is ${subject(next, rows, summary)}, `,
      formatPercent(next.busyMean),
      "",
    ]);
  if (!rows.some(isNetwork)) found.push(["", texts.noNetwork, texts.isKnownFromThese]);
  const paused = Math.max(...rows.map(({ pausedBlocks }) => pausedBlocks));
  if (paused > 0) found.push(["", formatCount(paused), texts.blocksWereOnTheir(paused)]);
  return found;
}

/**
 * Log writers of the same database on other servers or in another role; where roles changed back, each server and role
 * once.
 */
function otherWriters(row: WaitingRow, rows: readonly WaitingRow[]): WaitingRow[] {
  const keyOf = ({ replica, mode }: WaitingRow): string => `${replica} ${mode === "primary"}`;
  const first = new Map<string, WaitingRow>();
  for (const each of rows) {
    const key = keyOf(each);
    if (each.kind === "logWrite" && each.database === row.database && key !== keyOf(row) && !first.has(key))
      first.set(key, each);
  }
  return [...first.values()];
}

/** Checks, where something is slow or queued. */
export function waitingAdvice(row: WaitingRow, rows: readonly WaitingRow[], summary: Summary): string[] {
  if (adjective(row) === "" && row.episode === null) return [];
  const nameOf = (replica: number): string => summary.replicas[replica]?.name ?? "";
  const own = nameOf(row.replica);
  if (row.kind !== "logWrite")
    return [texts.watchResentMessagesSec(nameOf(row.primary)), texts.runPsping(nameOf(row.primary), own)];
  const advice = [
    texts.queryIoStallWrite(own),
    row.isQueued ? texts.compareWritelogWaits(own) : texts.countWritesThatWait(own),
  ];
  const [quickest] = otherWriters(row, rows).toSorted((a, b) => (a.servedUs ?? 0) - (b.servedUs ?? 0));
  if (quickest !== undefined)
    advice.push(
      texts.compareItsStorage(
        nameOf(quickest.replica),
        roleAmong(quickest, rows),
        durationText(quickest.servedUs),
      ),
    );
  return advice;
}

/** Rows without effect in one sentence. */
export const foldedText = (folded: readonly WaitingRow[]): string =>
  texts.otherAreNeitherSlow(folded.length, folded.some(isNetwork));

/** Blocks per second with one decimal under 1,000. */
export const rate = (perSecond: number | null): string =>
  perSecond === null ? "–" : perSecond < 999.5 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
