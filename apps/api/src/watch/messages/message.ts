/** Messages of a watch: what each one is about, and how it waits for its receiver. */
import type { WatchEpisode } from "@aglens/contract";
import { hashOf } from "../../kernel/identity.ts";
import { isRefusedByFailure } from "../stored-watch.ts";
import type { MessageWatch, NewMessage } from "../watch-messages.ts";

export type MessageKind = NewMessage["kind"] | "test";

/** An episode as a message needs it, with the results of its capture. */
export interface ToldEpisode extends Omit<WatchEpisode, "steps"> {
  readonly recordedOn: readonly string[];
  readonly missing: readonly string[];
  readonly results: RecordedResults | null;
}

/** Results that a capture has in addition to its episode. */
export interface RecordedResults {
  /** "SQL2 log write"; null where no stage stands out. */
  readonly stage: string | null;
  /** Period of the verdict, UTC, ISO 8601; null where it has none. */
  readonly window: { readonly from: string; readonly to: string } | null;
  /** 95th percentile of commit latency in the window and outside of it, µs. */
  readonly p95InsideUs: number | null;
  readonly p95OutsideUs: number | null;
  readonly checkNext: readonly string[];
}

/** The contents of a message, which are the same for each receiver. */
export type ToldNews =
  | { readonly kind: "start" | "refused" | "end"; readonly episode: ToldEpisode }
  | {
      readonly kind: "broken" | "mended";
      readonly server: string | null;
      readonly since: string;
      readonly code: string | null;
    }
  | { readonly kind: "test" };

/** A message for one receiver, as rows "message" keep it. */
export interface MessageRecord {
  readonly id: string;
  /** Id of the message that this one answers; null for the first one of its thread. */
  readonly answers: string | null;
  /** Messages of one thread arrive in their order. */
  readonly thread: string;
  readonly receiver: string;
  /** UTC, ISO 8601. */
  readonly made: string;
  /** Number of refusals. */
  readonly tries: number;
  /** Earliest time of the next try, UTC, ISO 8601; null: at once. */
  readonly next: string | null;
  readonly watch: {
    readonly id: string;
    readonly group: string;
    /** Name of the person who created it; null where no sign-in was required. */
    readonly createdBy: string | null;
    /** Recordings of the last 7 days, and their limit. */
    readonly recordings: number;
    readonly mostRecordings: number;
  };
  readonly news: ToldNews;
}

/** Longest text of a message, in UTF-16 units, and most entries of a list: a row has 64 KB at most. */
const LONGEST_TEXT = 500;
const LONGEST_LIST = 10;

/** The rows of a message: one for each receiver. @param now ms since 1970 */
export function recordsOf(
  watch: MessageWatch,
  message: NewMessage,
  results: RecordedResults | null,
  now: number,
): MessageRecord[] {
  const made = new Date(now).toISOString();
  const thread = "episode" in message ? message.episode.id : `${message.server ?? ""} ${message.since}`;
  const opener = openerOf(message);
  return [...new Set(watch.definition.receivers)].map((receiver) => {
    const idOf = (kind: MessageKind): string =>
      hashOf(JSON.stringify([watch.id, thread, kind, receiver])).slice(0, 32);
    const record: MessageRecord = {
      id: idOf(message.kind),
      answers: opener === null ? null : idOf(opener),
      thread,
      receiver,
      made,
      tries: 0,
      next: null,
      watch: {
        id: watch.id,
        group: watch.definition.group,
        createdBy: watch.owner?.name ?? null,
        recordings: watch.week.recordings,
        mostRecordings: watch.definition.recording.mostPerWeek,
      },
      news: newsOf(message, results),
    };
    return shortened(record);
  });
}

/** The kind of the message that a later one of the thread answers. */
function openerOf(message: NewMessage): MessageKind | null {
  if (message.kind === "mended") return "broken";
  if (message.kind !== "end") return null;
  return message.episode.state === "refused" ? "refused" : "start";
}

function newsOf(message: NewMessage, results: RecordedResults | null): ToldNews {
  if (!("episode" in message)) {
    const { kind, server, since, code = null } = message;
    return { kind, server, since, code };
  }
  const { steps: _steps, ...episode } = message.episode;
  const { kind, recordedOn = [], missing = [] } = message;
  const refusal = isRefusedByFailure(message.episode) ? null : episode.refusal;
  return { kind, episode: { ...episode, refusal, recordedOn, missing, results } };
}

/** A record without texts and lists that are too long. */
function shortened(record: MessageRecord): MessageRecord {
  const text = JSON.stringify(record, (_, value: unknown) => {
    if (typeof value === "string") return clipped(value, LONGEST_TEXT);
    return Array.isArray(value) ? value.slice(0, LONGEST_LIST) : value;
  });
  return JSON.parse(text) as MessageRecord;
}

/** A text of at most so many UTF-16 units; a longer one ends in an ellipsis. */
export const clipped = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
