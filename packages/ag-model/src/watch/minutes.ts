/** Polls as minutes, which are kept for 90 days, as rows of an hour, and in columns of a range (docs/contribute/model/watches.md 8.5). */
import type { WatchMinute, WatchPoint } from "./shapes.ts";
import { HOUR_MS, MINUTE_MS } from "./times.ts";
import { usualAt } from "./usual.ts";
import type { Usual } from "./usual.ts";

/** Columns of one series. */
const MOST_COLUMNS = 4000;
const HOURS_OF_WEEK = 168;

/** Begin of the minute that a point belongs to: the one of the middle of its interval. */
export const minuteAt = ({ at, seconds }: WatchPoint): number => floorTo(at - seconds * 500, MINUTE_MS);

/** A minute with one more of its points. @param minute null for its first point */
export function withPoint(minute: WatchMinute | null, point: WatchPoint): WatchMinute {
  const { at, polls, seconds, commits, delayMs, longestMs, ...queues } =
    minute ?? emptyMinute(minuteAt(point));
  const isPolled = point.seconds > 0;
  return {
    at,
    polls: polls + (isPolled ? 1 : 0),
    seconds: Math.min(60, seconds + point.seconds),
    commits: added(commits, point.commits),
    delayMs: weighted(
      { value: delayMs, weight: commits ?? 0 },
      { value: point.delayMs, weight: point.commits ?? 0 },
    ),
    longestMs: larger(longestMs, point.delayMs),
    sendQueueKb: larger(queues.sendQueueKb, point.sendQueueKb),
    redoQueueKb: larger(queues.redoQueueKb, point.redoQueueKb),
    rpoSeconds: larger(queues.rpoSeconds, point.rpoSeconds),
  };
}

/** Minutes of points in any order, in the order of time. */
export function minutesOf(points: readonly WatchPoint[]): WatchMinute[] {
  const minutes = new Map<number, WatchMinute>();
  for (const point of points) {
    const at = minuteAt(point);
    minutes.set(at, withPoint(minutes.get(at) ?? null, point));
  }
  return [...minutes.values()].toSorted((a, b) => a.at - b.at);
}

const emptyMinute = (at: number): WatchMinute => ({
  at,
  polls: 0,
  seconds: 0,
  commits: null,
  delayMs: null,
  longestMs: null,
  sendQueueKb: null,
  redoQueueKb: null,
  rpoSeconds: null,
});

/** Columns of an hour's minutes as one JSON row; names are short because a watch keeps 2,160 of these rows. */
export interface PackedHour {
  /** Version of this shape. */
  readonly v: 1;
  /** Begin of the hour, ms since 1970. */
  readonly at: number;
  /** Minute of the hour, 0 to 59, ascending; all other columns belong to it. */
  readonly m: readonly number[];
  readonly polls: readonly number[];
  readonly s: readonly number[];
  readonly commits: readonly (number | null)[];
  /** Delays, ms with three decimals. */
  readonly delay: readonly (number | null)[];
  readonly longest: readonly (number | null)[];
  readonly send: readonly (number | null)[];
  readonly redo: readonly (number | null)[];
  readonly rpo: readonly (number | null)[];
}

/** Begin of the hour of a time, which is the key of its row. */
export const hourOf = (at: number): number => floorTo(at, HOUR_MS);

/** The minutes of one hour as a row. Minutes of other hours than the first one's are skipped. */
export function packHour(minutes: readonly WatchMinute[]): PackedHour {
  const hour = hourOf(minutes[0]?.at ?? 0);
  const byMinute = new Map(
    minutes.filter(({ at }) => hourOf(at) === hour).map((minute) => [(minute.at - hour) / MINUTE_MS, minute]),
  );
  const rows = [...byMinute].toSorted(([a], [b]) => a - b);
  const column = <Value>(valueOf: (minute: WatchMinute) => Value): Value[] =>
    rows.map(([, minute]) => valueOf(minute));
  return {
    v: 1,
    at: hour,
    m: rows.map(([minute]) => minute),
    polls: column(({ polls }) => polls),
    s: column(({ seconds }) => rounded(seconds) ?? 0),
    commits: column(({ commits }) => commits),
    delay: column(({ delayMs }) => rounded(delayMs)),
    longest: column(({ longestMs }) => rounded(longestMs)),
    send: column(({ sendQueueKb }) => sendQueueKb),
    redo: column(({ redoQueueKb }) => redoQueueKb),
    rpo: column(({ rpoSeconds }) => rounded(rpoSeconds)),
  };
}

/** Minutes of a row. Damaged values are null, and damaged minutes are skipped: the rest of the hour is still true. */
export function unpackHour(row: unknown): WatchMinute[] {
  if (typeof row !== "object" || row === null) return [];
  const { v, at, m, ...columns } = row as Record<string, unknown>;
  const hour = numberIn(at);
  if (v !== 1 || hour === null || hour % HOUR_MS !== 0 || !Array.isArray(m)) return [];
  const valueAt = (name: string, index: number): number | null => {
    const column = columns[name];
    return Array.isArray(column) ? numberIn(column[index]) : null;
  };
  const minutes = new Map<number, WatchMinute>();
  for (const [index, minute] of (m as unknown[]).slice(0, 60).entries()) {
    const seconds = valueAt("s", index);
    const polls = valueAt("polls", index);
    if (!isMinute(minute) || polls === null || seconds === null) continue;
    minutes.set(minute, {
      at: hour + minute * MINUTE_MS,
      polls,
      seconds: Math.min(60, seconds),
      commits: valueAt("commits", index),
      delayMs: valueAt("delay", index),
      longestMs: valueAt("longest", index),
      sendQueueKb: valueAt("send", index),
      redoQueueKb: valueAt("redo", index),
      rpoSeconds: valueAt("rpo", index),
    });
  }
  return [...minutes.values()].toSorted((a, b) => a.at - b.at);
}

const isMinute = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 60;

/** No value of a minute is below 0. */
const numberIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

/** Minutes of a range in columns, as `WatchSeries` of the contract. */
export interface SeriesColumns {
  /** ms since 1970. */
  readonly from: number;
  /** ms; at least a minute. */
  readonly width: number;
  readonly delay: (number | null)[];
  readonly longest: (number | null)[];
  readonly usualLow: (number | null)[];
  readonly usualHigh: (number | null)[];
  readonly sendQueueKb: (number | null)[];
  readonly rpoSeconds: (number | null)[];
  readonly polled: number[];
}

/**
 * Columns of equal width: a minute is in the column of its middle. There are fewer columns than `bins` where these would be narrower
 * than a minute.
 * @param usual null while it is unknown
 */
export function seriesOf(
  minutes: readonly WatchMinute[],
  from: number,
  to: number,
  bins: number,
  usual: Usual | null,
): SeriesColumns {
  const span = Math.max(MINUTE_MS, to - from);
  const columns = Math.max(1, Math.floor(Math.min(bins, MOST_COLUMNS, span / MINUTE_MS)));
  const width = span / columns;
  const found = Array.from({ length: columns }, (): WatchMinute => emptyMinute(0));
  for (const minute of minutes) {
    const column = Math.floor((minute.at + MINUTE_MS / 2 - from) / width);
    if (column >= 0 && column < columns) found[column] = joined(found[column], minute);
  }
  const bounds = Array.from({ length: columns }, (_, column) =>
    usualOfColumn(usual, from + column * width, width),
  );
  return {
    from,
    width,
    delay: found.map(({ delayMs }) => delayMs),
    longest: found.map(({ longestMs }) => longestMs),
    usualLow: bounds.map((bound) => bound?.low ?? null),
    usualHigh: bounds.map((bound) => bound?.high ?? null),
    sendQueueKb: found.map(({ sendQueueKb }) => sendQueueKb),
    rpoSeconds: found.map(({ rpoSeconds }) => rpoSeconds),
    polled: found.map(({ seconds }, column) =>
      Math.min(1, seconds / (60 * minutesIn(from + column * width, from + (column + 1) * width))),
    ),
  };
}

/** Number of minutes whose middle is in a column; at least one, as a column is a minute wide or more. */
function minutesIn(from: number, to: number): number {
  const before = (at: number): number => Math.ceil(at / MINUTE_MS - 0.5);
  return Math.max(1, before(to) - before(from));
}

const joined = (a: WatchMinute, b: WatchMinute): WatchMinute => ({
  at: a.at,
  polls: a.polls + b.polls,
  seconds: a.seconds + b.seconds,
  commits: added(a.commits, b.commits),
  delayMs: weighted(
    { value: a.delayMs, weight: a.commits ?? 0 },
    { value: b.delayMs, weight: b.commits ?? 0 },
  ),
  longestMs: larger(a.longestMs, b.longestMs),
  sendQueueKb: larger(a.sendQueueKb, b.sendQueueKb),
  redoQueueKb: larger(a.redoQueueKb, b.redoQueueKb),
  rpoSeconds: larger(a.rpoSeconds, b.rpoSeconds),
});

/** Mean over the hours of a column; a column of weeks has every hour of a week. */
function usualOfColumn(
  usual: Usual | null,
  from: number,
  width: number,
): { readonly low: number; readonly high: number } | null {
  if (usual === null) return null;
  const hours = Math.min(HOURS_OF_WEEK, Math.max(1, Math.ceil(width / HOUR_MS)));
  const step = Math.min(HOUR_MS, width / hours);
  let [low, high, known] = [0, 0, 0];
  for (let hour = 0; hour < hours; hour++) {
    const there = usualAt(usual, from + (hour + 0.5) * step);
    if (there === null) continue;
    [low, high, known] = [low + there.low, high + there.high, known + 1];
  }
  return known === 0 ? null : { low: low / known, high: high / known };
}

const floorTo = (value: number, step: number): number => Math.floor(value / step) * step;

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 1000) / 1000;

const added = (a: number | null, b: number | null): number | null => (b === null ? a : (a ?? 0) + b);

const larger = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

interface Weighted {
  readonly value: number | null;
  readonly weight: number;
}

function weighted(a: Weighted, b: Weighted): number | null {
  if (a.value === null || b.value === null) return a.value ?? b.value;
  const weight = a.weight + b.weight;
  return weight === 0 ? Math.max(a.value, b.value) : (a.value * a.weight + b.value * b.weight) / weight;
}
