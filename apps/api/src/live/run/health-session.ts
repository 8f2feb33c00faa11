/** Reads AlwaysOn_health of one replica while a user wants it (docs/contribute/live-protocol.md 7.5). */
import { mergeEvents, readHealth } from "@aglens/evidence";
import type { EvidenceEvent } from "@aglens/evidence";
import type { LiveHealth } from "@aglens/contract";
import { XelFormatError } from "xel-parser/format";
import type { XelEvent } from "xel-parser/format";
import { readEventXml } from "xel-parser/text-events";
import type { Clock } from "../../kernel/clock.ts";
import type { Connection, Row } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { fromBeginning, fromPlace, healthFileIn } from "../server/health-file.ts";
import type { HealthFile } from "../server/health-file.ts";
import { missingPermissions } from "../server/permissions.ts";
import { HEALTH_EVENTS, HEALTH_FILE, HEALTH_SESSION, MOST_HEALTH_EVENTS } from "../server/poll-sql.ts";
import { grant } from "../server/sql.ts";
import type { ReplicaIdentity } from "./replica-identity.ts";
import { textOrNull } from "./poll-values.ts";

const EVERY_MS = 10_000;
/** Interval after several time limits in a row, at most. */
const LONGEST_MS = 160_000;
/** Events are read up to so long after they happened: the session writes them into its file within 30 s. */
const HISTORY_MS = 60_000;
const START = `ALTER EVENT SESSION [${HEALTH_SESSION}] ON SERVER STATE = START;`;

interface Place {
  readonly file: string;
  readonly offset: string;
}

export interface HealthParts {
  readonly identity: ReplicaIdentity;
  readonly clock: Clock;
  /** Time limit of one statement, ms. */
  readonly answerMs: number;
}

export class HealthSession {
  readonly #parts: HealthParts;
  #isOn = false;
  #file: HealthFile | null = null;
  /** The newest block that was read; null before the first one, and after a failure other than a time limit. */
  #place: Place | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #everyMs = EVERY_MS;
  #readAt: number | null = null;
  #problem: LiveHealth["problem"] = null;
  #events = 0;
  #isCut = false;
  /** Time of the newest event, ticks: after a lost place, earlier ones come again. */
  #newest = 0n;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  switchTo(isOn: boolean): void {
    if (this.#isOn === isOn) return;
    this.#isOn = isOn;
    this.#forget();
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#everyMs = EVERY_MS;
    this.#problem = null;
  }

  /** State for clients; `readSeconds` is the age of the newest answer. */
  get state(): LiveHealth {
    return {
      state: !this.#isOn ? "off" : this.#problem === null ? "reading" : "failed",
      problem: this.#problem,
      readSeconds: this.#readAt === null ? null : (this.#parts.clock.now() - this.#readAt) / 1000,
      isCut: this.#isCut,
    };
  }

  /**
   * Reads the events since the last reading, if it is on and due. A failure is kept for `state`.
   * @param aheadMs of the server's UTC, to this machine's
   * @returns events with times of the server's clock, each thing once
   */
  async readIfDue(line: Connection, aheadMs: number): Promise<readonly EvidenceEvent[]> {
    const now = this.#parts.clock.now();
    if (!this.#isOn || now - this.#askedAt < this.#everyMs) return [];
    this.#askedAt = now;
    try {
      const isAgain = this.#place === null;
      // After a place, those since the last reading that succeeded: time limits may have been between.
      const sinceMs = isAgain ? now : (this.#readAt ?? now);
      const rows = await this.#rows(line, sinceMs + aheadMs - HISTORY_MS);
      const events = rows === null ? [] : await this.#eventsIn(rows, isAgain);
      this.#readAt = this.#parts.clock.now();
      this.#everyMs = EVERY_MS;
      return events;
    } catch (error) {
      if (!(error instanceof LiveFailure)) throw error;
      // The server is busy, and the place stays: from the beginning, the next reading would take longer.
      if (isTimeLimit(error)) this.#everyMs = Math.min(LONGEST_MS, 2 * this.#everyMs);
      // A place in a file that was deleted since is no place any more.
      else this.#forget();
      this.#problem = this.#problemOf(error);
      return [];
    }
  }

  #forget(): void {
    this.#file = null;
    this.#place = null;
  }

  /** @returns null while the session does not run @throws LiveFailure */
  async #rows(line: Connection, sinceMs: number): Promise<Row[] | null> {
    if (this.#file === null || this.#place === null) {
      const [target] = (await this.#ask(line, HEALTH_FILE, {})).slice(0, 1);
      this.#file = target === undefined ? null : healthFileIn(target["target_data"]);
    }
    if (this.#file === null) {
      this.#problem = {
        detail: `${HEALTH_SESSION} doesn't run on ${this.#parts.identity.name}. Start it to read its events.`,
        sql: START,
      };
      return null;
    }
    const parameters =
      this.#place === null ? fromBeginning(this.#file, sinceMs) : fromPlace(this.#file, this.#place, sinceMs);
    const rows = await this.#ask(line, HEALTH_EVENTS, parameters);
    this.#problem = null;
    const [newest] = rows;
    if (newest !== undefined)
      this.#place = { file: String(newest["file_name"]), offset: String(newest["file_offset"]) };
    return rows;
  }

  async #ask(line: Connection, sql: string, parameters: Readonly<Record<string, string>>): Promise<Row[]> {
    return (await line.query(sql, parameters, this.#parts.answerMs)).flat();
  }

  /** @param isAgain whether the rows may have events that were read before */
  async #eventsIn(rows: readonly Row[], isAgain: boolean): Promise<readonly EvidenceEvent[]> {
    const texts = rows.flatMap((row) => textOrNull(row["event_data"]) ?? []);
    if (texts.length === MOST_HEALTH_EVENTS) this.#isCut = true;
    const read: XelEvent[] = [];
    for (const text of texts) read.push(...(await eventIn(text)));
    const events = isAgain ? read.filter(({ ticks }) => ticks > this.#newest) : read;
    for (const { ticks } of events) if (ticks > this.#newest) this.#newest = ticks;
    const { name } = this.#parts.identity;
    const before = this.#events;
    this.#events += events.length;
    const reading = await readHealth(
      { name: `${HEALTH_SESSION} on ${name}`, server: name },
      events.toSorted((a, b) => Number(a.ticks - b.ticks)),
    );
    return mergeEvents([
      reading.events.map((event) => ({
        ...event,
        sources: event.sources.map((source) => ({ ...source, place: before + source.place })),
      })),
    ]);
  }

  #problemOf({ code, message }: LiveFailure): LiveHealth["problem"] {
    const { identity } = this.#parts;
    if (code !== "live-permission")
      return { detail: `Can't read ${HEALTH_SESSION} on ${identity.name}. ${message}`, sql: null };
    const [missing] = missingPermissions(identity.who, false);
    const permission = missing?.permission ?? "VIEW SERVER STATE";
    const grantee = String(identity.who["grantee"] ?? identity.who["login_name"]);
    return {
      detail: `Can't read ${HEALTH_SESSION} on ${identity.name}: the login lacks ${permission}.`,
      sql: `USE master; ${grant(permission, grantee)}`,
    };
  }
}

/** A statement that was given up has the code of a lost connection, after which the place is valid too. */
const isTimeLimit = ({ code }: LiveFailure): boolean => code === "live-connection-lost";

/** The event of a row; none for a text that isn't one. */
async function eventIn(text: string): Promise<XelEvent[]> {
  try {
    const events: XelEvent[] = [];
    for await (const event of readEventXml(once(text))) events.push(event);
    return events;
  } catch (error) {
    if (error instanceof XelFormatError) return [];
    throw error;
  }
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
