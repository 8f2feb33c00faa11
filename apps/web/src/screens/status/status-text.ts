/** Figures of the server in words, and which of them are beyond their limits. */
import type { ServerFigures, StatusDisk, StatusServer, StatusThread } from "@aglens/contract";
import { statusTexts as texts } from "../../messages/status.ts";
import { formatBytes } from "../../ui/words.ts";

const DAY_S = 86_400;
const HOUR_S = 3_600;
const MINUTE_S = 60;

/** Uptime of the server: `41 days`, `3 h`, `12 min`. @param now UTC, ISO 8601 */
export function upText(begun: string, now: string): string {
  return longText(Math.max(0, (Date.parse(now) - Date.parse(begun)) / 1000));
}

/** Whether one of several servers runs: `up 3 h`, `not seen for 40 s`. @param now UTC, ISO 8601 */
export function serverText({ begun, isRunning, unseenMs }: StatusServer, now: string): string {
  if (isRunning) return `up ${upText(begun, now)}`;
  const seconds = unseenMs / 1000;
  return texts.notSeenFor(seconds < 2 * MINUTE_S ? `${Math.floor(seconds)}\u2009s` : longText(seconds));
}

function longText(seconds: number): string {
  if (seconds >= 2 * DAY_S) return texts.days(Math.floor(seconds / DAY_S));
  if (seconds >= 2 * HOUR_S) return `${Math.floor(seconds / HOUR_S)}\u2009h`;
  return texts.min(Math.floor(seconds / MINUTE_S));
}

/** Answers and the main thread are slow over these, ms: users notice both. */
const SLOW_ANSWERS_MS = 500;
const LATE_MS = 100;

/** Why a readout is crimson, in a word; null without a problem. */
export interface Alarms {
  readonly disk: string | null;
  readonly answers: string | null;
  readonly eventLoop: string | null;
}

export function alarmsOf({
  disk,
  answers,
  eventLoop,
}: Pick<ServerFigures, "disk" | "answers" | "eventLoop">): Alarms {
  return {
    disk: disk.free < disk.keptFree ? texts.inTheReserve : null,
    answers: answers.p95Ms !== null && answers.p95Ms > SLOW_ANSWERS_MS ? "slow" : null,
    eventLoop: eventLoop.p99Ms > LATE_MS ? "late" : null,
  };
}

/** The time at which new captures stop, as a sentence; also says when it is not measured yet. */
export function growthText({ free, keptFree, growthPerDay }: StatusDisk): string {
  if (growthPerDay === null) return texts.howFastItFills;
  if (growthPerDay <= 0) return texts.itDidNotGrow;
  const days = (free - keptFree) / growthPerDay;
  const grows = texts.growsByADay(formatBytes(growthPerDay));
  if (days <= 0) return texts.noNewCapturesUntil(grows);
  return texts.newCapturesStop(
    grows,
    days < 1 ? texts.day : texts.days(Math.floor(days)),
    formatBytes(keptFree),
  );
}

const THREAD_NAMES: Readonly<Record<StatusThread["work"], string>> = {
  main: texts.mainEventLoop,
  analysis: "analysis",
  answers: "answers",
  files: "files",
};

export const threadName = ({ work, number }: Pick<StatusThread, "work" | "number">): string =>
  work === "main" ? THREAD_NAMES.main : `${THREAD_NAMES[work]} ${number}`;

/** Share of the minute that a thread worked, 0..1. */
export const busyShare = ({ shares }: Pick<StatusThread, "shares">): number =>
  shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;

/** `2 wait, after 3 of others`. */
export function recognitionText({
  running,
  waiting,
  before,
}: {
  readonly running: number;
  readonly waiting: number;
  readonly before: number;
}): string {
  const reads = running === 0 ? "" : texts.beingRead(running);
  const waits =
    waiting === 0 ? "" : `${texts.wait(waiting)}${before === 0 ? "" : texts.nextAfterOfOther(before)}`;
  return [reads, waits].filter((part) => part !== "").join("; ");
}
