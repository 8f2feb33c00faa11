/**
 * Whether a recording may begin, and why not (docs/contribute/model/watches.md 8.4). A week is the last 7 days, a day the last
 * 24 h.
 */
import { figureText, formatCount, plural, sizeFigure } from "../words/words.ts";
import { periodText, timeText } from "./sentences.ts";
import type { FiredRule } from "./shapes.ts";
import { DAY_MS, WEEK_MS } from "./times.ts";

/** The limits of a watch; the shape of `WatchRecording` in the contract. */
export interface RecordingLimits {
  readonly holdOffSeconds: number;
  readonly mostPerDay: number;
  readonly mostPerWeek: number;
  readonly mostBytesPerWeek: number;
}

/** A recording that began, with or without events; ms since 1970. */
export interface PastRecording {
  readonly began: number;
  /** Null while it lasts. */
  readonly ended: number | null;
  /** Null while it is unknown. */
  readonly bytes: number | null;
}

export type RecordingRule = FiredRule["rule"] | "hand" | "http";

/** A limit of a watch. */
export type Limit = "holdOff" | "day" | "week" | "bytes";

const ALL: readonly Limit[] = ["holdOff", "day", "week", "bytes"];

/**
 * The limits of each rule. A change of state is rare, and what follows a recording may be its consequence; a schedule was planned:
 * both skip the hold-off. A person has seen the list: only the room for a week's bytes ends that. A tool is no person.
 */
export const LIMITS_OF: Readonly<Record<RecordingRule, readonly Limit[]>> = {
  commitDelay: ALL,
  timesUsual: ALL,
  sendQueue: ALL,
  rpo: ALL,
  state: ["day", "week", "bytes"],
  schedule: ["day", "week", "bytes"],
  http: ALL,
  hand: ["bytes"],
};

/**
 * Why no recording begins now, in a sentence; null where one may. While one lasts, no other begins under any rule.
 * @param recordings of the last 7 days or more, in any order
 */
export function refusalOf(
  rule: RecordingRule,
  now: number,
  recordings: readonly PastRecording[],
  limits: RecordingLimits,
): string | null {
  const running = recordings.find(({ ended }) => ended === null);
  if (running !== undefined) return `A recording has been running since ${timeText(running.began)} UTC.`;
  const refusals = LIMITS_OF[rule].map((limit) => REFUSALS[limit](now, recordings, limits));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

type Refusal = (now: number, recordings: readonly PastRecording[], limits: RecordingLimits) => string | null;

const REFUSALS: Readonly<Record<Limit, Refusal>> = {
  holdOff: (now, recordings, { holdOffSeconds }) => {
    const until = Math.max(...recordings.map(({ ended }) => ended ?? 0)) + holdOffSeconds * 1000;
    if (now >= until) return null;
    return `Hold-off until ${timeText(until)} UTC, ${periodText(holdOffSeconds)} after the last recording.`;
  },
  day: (now, recordings, { mostPerDay }) => {
    const count = since(now - DAY_MS, recordings).length;
    return count < mostPerDay
      ? null
      : `${plural(count, "# recording")} in the last 24\u00A0h: the limit is ${formatCount(mostPerDay)} a day.`;
  },
  week: (now, recordings, { mostPerWeek }) => {
    const count = since(now - WEEK_MS, recordings).length;
    return count < mostPerWeek
      ? null
      : `${plural(count, "# recording")} in the last 7 days: the limit is ${formatCount(mostPerWeek)} a week.`;
  },
  bytes: (now, recordings, { mostBytesPerWeek }) => {
    const bytes = since(now - WEEK_MS, recordings).reduce((sum, each) => sum + (each.bytes ?? 0), 0);
    return bytes < mostBytesPerWeek
      ? null
      : `${sizeText(bytes)} recorded in the last 7 days: the limit is ${sizeText(mostBytesPerWeek)} a week.`;
  },
};

const since = (from: number, recordings: readonly PastRecording[]): readonly PastRecording[] =>
  recordings.filter(({ began }) => began > from);

const sizeText = (bytes: number): string => figureText(sizeFigure(bytes), "\u00A0");
