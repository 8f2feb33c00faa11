import { factsOfMessage, isUnknownGroupMessage } from "../messages/messages.ts";
import { isOffset, type EvidenceEvent, type NotUnderstood } from "../shapes.ts";
import { ErrorlogEntries, type ErrorlogEntry } from "./entries.ts";
import { LocalTime, movedEvent, type ChangeNight } from "./local-time.ts";

/** An ERRORLOG, and facts about it from outside. */
export interface ErrorlogFile {
  readonly name: string;
  readonly server: string | null;
  /** Keeps texts of messages that may name logins. */
  readonly keepSensitive?: boolean;
}

/** The events of an ERRORLOG. */
export interface ErrorlogReading {
  /** In UTC, or in local time where the file doesn't state its offset. */
  readonly events: readonly EvidenceEvent[];
  readonly notUnderstood: NotUnderstood;
  /** Entries in all. */
  readonly entries: number;
  /** Minutes that local time is ahead of UTC at the file's beginning; null where the file doesn't state it. */
  readonly utcOffsetMinutes: number | null;
  readonly nights: readonly ChangeNight[];
  /** Whether there are more events than are kept. */
  readonly isCut: boolean;
  /** Texts that aren't kept, because they may name logins. */
  readonly dropped: number;
}

/** More events than a folder can show; further ones are counted as not understood. */
const MOST_EVENTS = 50_000;
const MOST_SAMPLES = 5;
const MOST_SOURCE_TEXT = 2_000;
const UTC_ADJUSTMENT = /^UTC adjustment: ([+-]?)(\d{1,2}):(\d\d)/u;
/** Errors of at least this severity are about the server. */
const SERVER_SEVERITY = 17;

/**
 * Reads the events of an ERRORLOG, streaming. Without a UTC offset in the file they are in local time, which can't be
 * compared with anything until `inUtc` places them.
 */
export async function readErrorlog(
  file: ErrorlogFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ErrorlogReading> {
  const reading = new Reading(file);
  const entries = new ErrorlogEntries();
  for await (const chunk of chunks) for (const entry of entries.push(chunk)) reading.take(entry);
  for (const entry of entries.end()) reading.take(entry);
  return reading.end(entries);
}

/** Lines that no rule understood may be about logins. */
const withoutLogins = (line: string): string =>
  /\blogin\b|\buser '|\[CLIENT:/iu.test(line) ? "(a line about a login)" : line;

class Reading {
  readonly #file: ErrorlogFile;
  readonly #time = new LocalTime();
  #events: EvidenceEvent[] = [];
  readonly #unknown: string[] = [];
  #unknowns = 0;
  #entries = 0;
  #offset: number | null = null;
  #isCut = false;
  #dropped = 0;

  constructor(file: ErrorlogFile) {
    this.#file = file;
  }

  take(entry: ErrorlogEntry): void {
    this.#entries++;
    if (entry.text.startsWith("UTC adjustment")) this.#takeAdjustment(entry);
    const atUs = this.#time.utcOf(entry.localUs, entry.line);
    const facts = factsOfMessage(entry.error?.number ?? null, entry.text, this.#file.server);
    if (facts === undefined) {
      if ((entry.error?.severity ?? 0) >= SERVER_SEVERITY || isUnknownGroupMessage(entry.text))
        this.#addUnknown(entry);
    } else if (this.#events.length < MOST_EVENTS) {
      const { durationUs, isSensitive, ...event } = facts;
      const isDropped = isSensitive && this.#file.keepSensitive !== true;
      if (isDropped) this.#dropped++;
      const source = {
        file: this.#file.name,
        place: entry.line,
        text: isDropped ? null : entry.text.slice(0, MOST_SOURCE_TEXT),
        plusMinusUs: entry.plusMinusUs,
      };
      this.#events.push({
        ...event,
        atUs,
        fromUs: durationUs === null ? null : atUs - durationUs,
        server: this.#file.server,
        sources: [source],
        lsn: null,
      });
    } else {
      this.#isCut = true;
      this.#addUnknown(entry);
    }
  }

  end({ strays, strayLines }: ErrorlogEntries): ErrorlogReading {
    return {
      events: this.#events,
      notUnderstood: {
        file: this.#file.name,
        count: strays + this.#unknowns,
        first: [...strayLines, ...this.#unknown]
          .slice(0, MOST_SAMPLES)
          .map((line) => (this.#file.keepSensitive === true ? line : withoutLogins(line))),
      },
      entries: this.#entries,
      utcOffsetMinutes: this.#offset,
      nights: this.#time.nights,
      isCut: this.#isCut,
      dropped: this.#dropped,
    };
  }

  #takeAdjustment({ text, line }: ErrorlogEntry): void {
    const found = UTC_ADJUSTMENT.exec(text);
    if (found === null) return;
    const minutes = (Number(found[2]) * 60 + Number(found[3])) * (found[1] === "-" ? -1 : 1);
    if (!isOffset(minutes)) return;
    const change = this.#time.takeAdjustment(minutes, line);
    if (this.#offset === null) this.#events = this.#events.map((event) => movedEvent(event, -change * 60e6));
    this.#offset ??= minutes;
  }

  #addUnknown({ text, error }: ErrorlogEntry): void {
    this.#unknowns++;
    if (this.#unknown.length < MOST_SAMPLES)
      this.#unknown.push(`${error === null ? "" : `Error ${error.number}: `}${text.slice(0, 200)}`);
  }
}
