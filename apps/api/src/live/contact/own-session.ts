/**
 * The part of a first contact that creates something: its own event session, read for a while, and dropped in any case.
 */
import type { ContactLine } from "@aglens/contract";
import { pause } from "../../kernel/clock.ts";
import type { Clock } from "../../kernel/clock.ts";
import { ServerClock } from "../run/server-clock.ts";
import { openStream } from "../run/stream.ts";
import { missingPermissions } from "../server/permissions.ts";
import { dropOwnSession } from "../server/session.ts";
import type { Connection } from "../server/connection.ts";
import { ASKED_AGAIN, END_LINE, WHILE_READ } from "./contact-run.ts";
import type { ContactParts, ContactRun } from "./contact-run.ts";
import { formatError } from "./compare.ts";
import type { SeenError } from "./seen.ts";
import { streamLines } from "./stream-lines.ts";
import type { ArrivedRow, ReadStream } from "./stream-lines.ts";

const READ_MS = 20_000;
/** Time until the server shows a reader. */
const READER_SHOWN_MS = 2_000;
/** Between two looks at the clock of the server. */
const CLOCK_MS = 3_000;
/** The end of the stream after STOP. */
const END_MS = 5_000;
/** Bytes of rows that are kept to be decoded; more are counted only. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** The session was stopped or dropped (docs/contribute/live-protocol.md 9.2). */
const STOPPED = 25_727;

/** Creates the session, reads it and drops it. @returns a sentence where it's still there; null where it isn't */
export async function readOwnSession(
  run: ContactRun,
  parts: ContactParts,
  session: string,
): Promise<string | null> {
  const why = whyNot(run, parts);
  if (why !== null) {
    run.skipRest(why);
    return null;
  }
  const { seen } = await run.tell("createSession");
  // Without an answer it may be there.
  if (seen.end === "refused") {
    run.skipRest("the session was not created");
    return null;
  }
  let dropped = false;
  try {
    await run.tell("startSession");
    if (!parts.signal.aborted) await readAndStop(run, parts, session);
  } finally {
    dropped = (await run.tell("dropSession")).seen.end === "answered";
  }
  return dropped ? null : leftSentence(run, parts, session);
}

/** Whether nothing may be created, in a few words. */
function whyNot({ facts }: ContactRun, { who, signal }: ContactParts): string | null {
  if (signal.aborted) return "ended before";
  // A login that can create a session but can't drop it would leave it on the server.
  if (missingPermissions(who).some(({ blocking }) => blocking)) return "a permission is missing";
  if (facts.events.length === 0) return "no event is known";
  return facts.databases.length === 0 ? "no availability database is known" : null;
}

/** After a failed DROP: checks whether the session is gone, and drops it again if not. */
async function leftSentence(run: ContactRun, parts: ContactParts, session: string): Promise<string | null> {
  try {
    await dropOwnSession(await run.asker.connection(), session);
    return null;
  } catch (error) {
    return parts.leave(error);
  }
}

async function readAndStop(run: ContactRun, parts: ContactParts, session: string): Promise<void> {
  const reader = await openReader(parts, session);
  // Without a second connection, the other lines are "not tried".
  if (reader === null) return;
  const offset = await readFor(run, parts, reader);
  const stopped = parts.clock.now();
  await run.tell("stopSession");
  await Promise.race([reader.ended, pause(parts.clock, END_MS)]);
  const endMs = reader.hasEnded ? parts.clock.now() - stopped : null;
  await reader.stop();
  // Unexpected bytes must not affect the other lines: these are "not tried" then.
  const lines = await streamLines({ ...reader.read(), offset }).catch(() => []);
  for (const { line, text } of lines) run.add({ line, rests: "", text });
  run.add({ line: endLine(endMs, reader.errors), rests: "", text: [] });
}

/** Reads while the polls look at the session. */
async function readFor(
  run: ContactRun,
  { clock, signal }: ContactParts,
  reader: Reader,
): Promise<ReadStream["offset"]> {
  const begin = clock.now();
  const server = new ServerClock();
  const isOver = (): boolean => signal.aborted || reader.hasEnded || clock.now() - begin >= READ_MS;
  await Promise.race([reader.ended, pause(clock, READER_SHOWN_MS, signal)]);
  for (const name of ASKED_AGAIN) if (!isOver()) await run.tell(name, 1, WHILE_READ);
  for (;;) {
    const askedMs = clock.now();
    const { rows } = await run.ask("POLL_CLOCK");
    const utc = rows[0]?.[0]?.["utc_now"];
    if (utc instanceof Date) server.take({ askedMs, answeredMs: clock.now(), serverMs: utc.getTime() });
    if (isOver()) return server.offset;
    const left = READ_MS - (clock.now() - begin);
    await Promise.race([reader.ended, pause(clock, Math.min(CLOCK_MS, left), signal)]);
  }
}

interface Reader {
  readonly ended: Promise<void>;
  readonly hasEnded: boolean;
  readonly errors: readonly SeenError[];
  read(): Omit<ReadStream, "offset">;
  stop(): Promise<void>;
}

/** Opens the stream on a connection of its own. @returns null where that failed */
async function openReader({ open, clock }: ContactParts, session: string): Promise<Reader | null> {
  let connection: Connection;
  try {
    connection = await open();
  } catch {
    return null;
  }
  const errors: SeenError[] = [];
  connection.driver.on("errorMessage", ({ number, state, class: severity }) => {
    errors.push({ number, state, severity });
  });
  const kept = new KeptRows(clock);
  const stream = await openStream(connection, session, clock, (row) => kept.take(row));
  let hasEnded = false;
  const ended = stream.ended
    .catch(() => {})
    .then(() => {
      hasEnded = true;
    });
  return {
    ended,
    get hasEnded() {
      return hasEnded;
    },
    errors,
    read: () => kept.read(),
    stop: () => stream.stop(),
  };
}

class KeptRows {
  readonly #clock: Clock;
  readonly #openedMs: number;
  readonly #rows: ArrivedRow[] = [];
  #bytes = 0;
  #notKept = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#openedMs = clock.now();
  }

  take(row: ArrivedRow["row"]): void {
    this.#bytes += row.data.byteLength;
    if (this.#bytes > KEPT_BYTES && this.#rows.length > 0) this.#notKept++;
    else this.#rows.push({ row, atMs: this.#clock.now() });
  }

  read(): Omit<ReadStream, "offset"> {
    return { rows: this.#rows, openedMs: this.#openedMs, rowsNotKept: this.#notKept };
  }
}

/** @param ms from STOP to the end; null where it didn't end */
function endLine(ms: number | null, errors: readonly SeenError[]): ContactLine {
  const differences = [
    ...(ms === null ? [`The stream did not end within ${END_MS} ms after STOP.`] : []),
    ...(errors.some(({ number }) => number === STOPPED) ? [] : [`Error ${STOPPED} did not come.`]),
  ];
  return {
    statement: END_LINE,
    section: "6",
    state: differences.length === 0 ? "asExpected" : "differs",
    ms,
    answer: errors.length === 0 ? "no error" : errors.map(formatError).join("; "),
    differences,
  };
}
