/** Rules that compare other files with the figures of a capture. A figure of a stage never comes from them. */
import type { Evidence, EvidenceSeries } from "../shapes.ts";
import type { Agreement, CaptureFigures, CommitFigure, LogWriteFigure } from "./figures.ts";
import { longRequestRules } from "./long-requests.ts";
import {
  coveredUs,
  figureText,
  intervalsIn,
  isSameServer,
  isWithin,
  mostIn,
  msText,
  samplesIn,
  threeDigits,
  weightedMean,
  type Figure,
  type Window,
} from "./window-figures.ts";

/** Waits and events count the same thing by two ways: their means differ by less than this. */
const SAME_WAIT = 1.5;
/** A session that waits for the log may wait for two writes, or share one: means of writes and waits differ by that. */
const LOG_WAIT = 2;

/** All rules that have both figures: contradictions first, then those that agree, then those that are not decided. */
export function checkAgreement(
  evidence: Pick<Evidence, "events" | "files" | "series">,
  figures: CaptureFigures,
): Agreement[] {
  const { series } = evidence;
  const order = [false, true, null];
  return [
    ...transactionDelay(series, figures),
    ...syncCommitWaits(series, figures),
    ...figures.logWrites.flatMap((write) => [
      ...logWriteWaits(series, figures, write),
      ...logDisk(series, figures, write),
      ...diskspd(series, write),
    ]),
    ...longRequestRules(evidence, figures),
  ].sort((a, b) => order.indexOf(a.agrees) - order.indexOf(b.agrees));
}

type Series = readonly EvidenceSeries[];

const sourcesOf = (series: Series): Agreement["sources"] =>
  series.map(({ source }) => ({ file: source.file, place: source.column }));

/** The replica that commits waited longest for: it decides their wait. */
const slowest = ({ commits }: CaptureFigures): CommitFigure | undefined =>
  commits.toSorted((a, b) => b.meanMs - a.meanMs)[0];

/** Transaction Delay / Mirrored Write Transactions is the mean wait of a commit. */
function transactionDelay(series: Series, figures: CaptureFigures): Agreement[] {
  const commit = slowest(figures);
  if (commit === undefined) return [];
  const isPrimary = ({ server }: EvidenceSeries): boolean =>
    figures.primary === null || isSameServer(server, figures.primary);
  const named = (metric: string): EvidenceSeries[] =>
    series.filter((one) => one.metric === metric && isPrimary(one));
  const delays = named("transaction delay in ms");
  const total = delays.filter(({ of }) => of === "_Total");
  const used: EvidenceSeries[] = [];
  const waits: number[] = [];
  const transactions: number[] = [];
  // The sum of all databases has a row of its own.
  for (const delay of total.length > 0 ? total : delays) {
    const mirrored = named("mirrored write transactions").find(
      ({ of, server, source }) =>
        of === delay.of && server === delay.server && source.file === delay.source.file,
    );
    if (mirrored === undefined) continue;
    used.push(delay, mirrored);
    const counts = samplesIn(mirrored, figures);
    for (const [us, ms] of samplesIn(delay, figures)) {
      const count = counts.get(us) ?? 0;
      if (count <= 0) continue;
      waits.push(ms / count);
      transactions.push(count);
    }
  }
  const counter = weightedMean(waits, transactions);
  if (counter === null) return [];
  const events = { value: commit.meanMs, plusMinus: commit.plusMinusMs };
  return [
    {
      rule: "transactionDelay",
      agrees: isWithin(counter, events, SAME_WAIT),
      server: used[0]?.server ?? null,
      text: `By counters a transaction waited ${figureText(counter)} for its commit. In the events it waited ${figureText(events)} for ${commit.replica}.`,
      sources: sourcesOf(used),
    },
  ];
}

/** Waits of a type in the window. */
interface WaitFigure {
  /** Mean of a wait in ms; its uncertainty is null where no interval between snapshots is inside of the window. */
  readonly mean: number;
  readonly plusMinus: number | null;
  /** Sessions that were waiting on average. */
  readonly sessions: number;
  readonly server: string | null;
  readonly used: readonly EvidenceSeries[];
}

/** Wait time and waits of a type between the snapshots around the window. */
function waitsOf(series: Series, type: string, server: string | null, window: Window): WaitFigure | null {
  const isWanted = (one: EvidenceSeries): boolean =>
    one.of === type && one.form === "delta" && (server === null || isSameServer(one.server, server));
  const times = mostIn(
    series.filter((one) => one.metric === "wait time" && isWanted(one)),
    (one) => coveredUs(one, window),
  );
  const counts = series.find(
    (one) => one.metric === "waits" && isWanted(one) && one.source.file === times?.source.file,
  );
  if (times === undefined || counts === undefined) return null;
  const meanIn = (isUsed: (interval: Window) => boolean): { ms: number; count: number; us: number } => {
    const waited = intervalsIn(times, window).filter(isUsed);
    const counted = new Map(intervalsIn(counts, window).map(({ untilUs, delta }) => [untilUs, delta]));
    return {
      ms: sum(waited.map(({ delta }) => delta)),
      count: sum(waited.map(({ untilUs }) => counted.get(untilUs) ?? 0)),
      us: sum(waited.map(({ fromUs, untilUs }) => untilUs - fromUs)),
    };
  };
  const all = meanIn(() => true);
  if (all.count === 0) return null;
  const inside = meanIn(({ fromUs, untilUs }) => fromUs >= window.fromUs && untilUs <= window.untilUs);
  const mean = all.ms / all.count;
  if (!Number.isFinite(mean)) return null;
  return {
    mean,
    plusMinus: inside.count === 0 ? null : Math.abs(mean - inside.ms / inside.count),
    sessions: (all.ms * 1000) / all.us,
    server: times.server,
    used: [times, counts],
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** HADR_SYNC_COMMIT is the wait of commits for secondary replicas. */
function syncCommitWaits(series: Series, figures: CaptureFigures): Agreement[] {
  const commit = slowest(figures);
  const waits = waitsOf(series, "HADR_SYNC_COMMIT", figures.primary, figures);
  if (commit === undefined || waits === null) return [];
  const events = { value: commit.meanMs, plusMinus: commit.plusMinusMs };
  const sessions = (commit.meanMs * 1000 * commit.count) / (figures.untilUs - figures.fromUs);
  return [
    {
      rule: "syncCommitWaits",
      agrees: agrees(waits, events, SAME_WAIT),
      server: waits.server,
      text: `${waitText("HADR_SYNC_COMMIT", waits)} In the events commits waited ${figureText(events)} for ${commit.replica} (${sessionsText(sessions)}).`,
      sources: sourcesOf(waits.used),
    },
  ];
}

/** WRITELOG is the wait of sessions for a log write of their own server. */
function logWriteWaits(series: Series, window: Window, write: LogWriteFigure): Agreement[] {
  const waits = waitsOf(series, "WRITELOG", write.server, window);
  if (waits === null) return [];
  const events = { value: write.meanMs, plusMinus: write.plusMinusMs };
  return [
    {
      rule: "logWriteWaits",
      agrees: agrees(waits, events, LOG_WAIT),
      server: write.server,
      text: `${waitText("WRITELOG", waits)} In the events a log write took ${figureText(events)}.`,
      sources: sourcesOf(waits.used),
    },
  ];
}

const agrees = ({ mean, plusMinus }: WaitFigure, events: Figure, factor: number): boolean | null =>
  plusMinus === null ? null : isWithin({ value: mean, plusMinus }, events, factor);

const sessionsText = (sessions: number): string => `${threeDigits(sessions)} sessions waiting`;

function waitText(type: string, { mean, plusMinus, sessions, server }: WaitFigure): string {
  const where = server === null ? "" : ` on ${server}`;
  const figure =
    plusMinus === null
      ? `${msText(mean)} between snapshots that reach beyond this time`
      : figureText({ value: mean, plusMinus });
  return `${type}${where} took ${figure} (${sessionsText(sessions)}).`;
}

/** Latency of the volume of the log, by performance counters. */
function logDisk(series: Series, window: Window, write: LogWriteFigure): Agreement[] {
  const volume = write.volume?.toUpperCase();
  if (volume === undefined) return [];
  const used = mostIn(
    series.filter(
      ({ metric, of, server }) =>
        metric === "disk write latency" &&
        isSameServer(server, write.server) &&
        (of ?? "").toUpperCase().split(" ").includes(volume),
    ),
    (one) => samplesIn(one, window).size,
  );
  if (used === undefined) return [];
  // A sample without a write is 0.
  const values = Array.from(samplesIn(used, window).values()).filter((value) => value > 0);
  const counter = weightedMean(
    values,
    values.map(() => 1),
  );
  if (counter === null) return [];
  const events = { value: write.meanMs, plusMinus: write.plusMinusMs };
  return [
    {
      rule: "logDisk",
      agrees: isWithin(counter, events, LOG_WAIT),
      server: write.server,
      text: `By counters a write to ${volume} on ${write.server} took ${figureText(counter)}. In the events a log write took ${figureText(events)}.`,
      sources: sourcesOf([used]),
    },
  ];
}

/** Half of the last digit that Diskspd prints, in ms. */
const DISKSPD_DIGIT = 0.0005;

/** The disk of the log was tested: its median then, and that of the log writes now. */
function diskspd(series: Series, write: LogWriteFigure): Agreement[] {
  const used = series.find(
    ({ metric, server, of }) =>
      metric === "reference log write p50" &&
      isSameServer(server, write.server) &&
      (of === null || write.volume === null || of === write.volume.toUpperCase()),
  );
  const reference = used?.values[0];
  if (used === undefined || reference === undefined || !(reference > DISKSPD_DIGIT)) return [];
  const tested = { value: reference, plusMinus: DISKSPD_DIGIT };
  const events = { value: write.p50Ms, plusMinus: write.plusMinusMs };
  // Faster than the test is no contradiction.
  const isAsFast = events.value - events.plusMinus <= (tested.value + tested.plusMinus) * LOG_WAIT;
  const isSure = used.of !== null && write.volume !== null;
  return [
    {
      rule: "diskspd",
      agrees: isSure ? isAsFast : null,
      server: write.server,
      text: `Log writes on ${write.server} took ${figureText(events)} (p50), ${threeDigits(events.value / tested.value)} times the ${figureText(tested)} of Diskspd${isSure ? "" : ". The volume is not known"}.`,
      sources: sourcesOf([used]),
    },
  ];
}
