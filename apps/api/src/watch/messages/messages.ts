/**
 * Messages of watches on their way: each one waits as a row of the catalog for its receiver, is tried again after a
 * refusal, and continues after a restart.
 */
import type { WatchMessageTested, WatchStep } from "@aglens/contract";
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/identity.ts";
import { semaphore } from "../../kernel/semaphore.ts";
import type { WatchSecrets } from "../watch-file.ts";
import type { WatchRow, WatchStore } from "../watch-store.ts";
import type { MessageWatch, NewMessage, WatchMessages } from "../watch-messages.ts";
import { recordsOf, type MessageKind, type MessageRecord, type RecordedResults } from "./message.ts";
import type { Outcome } from "./outcome.ts";
import { resultsOf, type RecordedCaptures } from "./recorded.ts";
import { Sender } from "./sender.ts";
import { timeOfDay } from "./words.ts";

const MINUTE_MS = 60_000;
/** A message is given up so long after it was made. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** Most messages that wait on one server: the oldest are given up. */
const MOST_WAITING = 1_000;

interface MessagesParts {
  readonly store: WatchStore;
  readonly secrets: WatchSecrets;
  readonly captures: RecordedCaptures;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** Null where the server has no public address: messages have no links then. */
  readonly publicUrl: string | null;
  /** A message of an episode was sent, was refused for the first time, or was given up. */
  readonly onStep: (watch: string, episode: string, step: WatchStep) => void;
}

interface Waiting {
  record: MessageRecord;
  isSending: boolean;
  /** The receiver has it, or it was given up: only its row is to be removed. */
  isOver: boolean;
}

/** Messages of the watches that this server runs. */
export class Messages implements WatchMessages {
  readonly #parts: MessagesParts;
  readonly #sender: Sender;
  /** By id, in the order in which they were made. */
  readonly #waiting = new Map<string, Waiting>();
  /** One at a time for each receiver. */
  readonly #lanes = new Map<string, ReturnType<typeof semaphore>>();
  readonly #sending = new Map<Promise<void>, Waiting>();
  /** Watches that this server ran and no longer runs. */
  readonly #ended = new Set<string>();
  /** ms since 1970. */
  #lastMade = 0;
  #cancelTimer = (): void => {};
  #isClosed = false;

  constructor(parts: MessagesParts) {
    this.#parts = parts;
    this.#sender = new Sender(parts);
  }

  /** Continues with the waiting messages of a watch that this server begins to run. */
  async begin(watch: string): Promise<void> {
    this.#ended.delete(watch);
    for (const { record } of await this.#parts.store.rows("message", { watch }))
      this.#keep(record as MessageRecord);
    this.#pump();
  }

  /**
   * Ends the work for a watch that this server no longer runs, or that is paused or deleted; its rows stay. Messages that
   * were added just before get their first try.
   */
  async end(watch: string): Promise<void> {
    const sending = (): [Promise<void>, Waiting][] =>
      [...this.#sending].filter(([, { record }]) => record.watch.id === watch);
    while (sending().some(([, { record }]) => record.tries === 0))
      // oxlint-disable-next-line no-await-in-loop -- each end begins the next one
      await Promise.all(sending().map(([sent]) => sent));
    // Another server may send what is added from now on.
    this.#ended.add(watch);
    for (const [id, { record }] of this.#waiting) if (record.watch.id === watch) this.#waiting.delete(id);
    await Promise.all(sending().map(([sent]) => sent));
  }

  /**
   * Adds a message for each receiver of the watch. A message with the same kind that still waits is not added again.
   * @param episodes rows that are written in the same step
   */
  async add(watch: MessageWatch, message: NewMessage, episodes: readonly WatchRow[] = []): Promise<void> {
    const results = await this.#resultsOf(message);
    // Two messages never have the same time, so that their rows keep their order.
    this.#lastMade = Math.max(this.#parts.clock.now(), this.#lastMade + 1);
    const records = recordsOf(watch, message, results, this.#lastMade).filter(
      ({ id }) => !this.#waiting.has(id),
    );
    await this.#parts.store.saveTogether({ episode: episodes, message: records.map(rowOf) });
    if (this.#ended.has(watch.id)) return;
    for (const record of records) this.#keep(record);
    await this.#giveUpOldest();
    this.#pump();
  }

  /** Sends a test message now. */
  test(receiver: string): Promise<WatchMessageTested> {
    return this.#lane(receiver)(async () => {
      const { clock } = this.#parts;
      const begin = clock.now();
      const { outcome } = await this.#sender.send({
        id: newId(),
        answers: null,
        receiver,
        made: new Date(begin).toISOString(),
        watch: { id: "", group: "", createdBy: null, recordings: 0, mostRecordings: 0 },
        news: { kind: "test" },
      });
      if (!outcome.isAccepted) return { isAccepted: false, text: outcome.sentence };
      const seconds = ((clock.now() - begin) / 1_000).toFixed(1);
      return { isAccepted: true, text: ended(`Accepted in ${seconds}\u00A0s.`, outcome.but) };
    });
  }

  /** Waits for messages that are being sent. Others stay in the catalog. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await Promise.all(this.#sending.keys());
  }

  async #resultsOf(message: NewMessage): Promise<RecordedResults | null> {
    const captureId = message.kind === "end" ? message.episode.captureId : null;
    if (captureId === null) return null;
    try {
      return resultsOf(await this.#parts.captures.summary(captureId));
    } catch {
      // A recording without an analysis: the episode has the reason.
      return null;
    }
  }

  #keep(record: MessageRecord): void {
    if (!this.#waiting.has(record.id))
      this.#waiting.set(record.id, { record, isSending: false, isOver: false });
  }

  #lane(receiver: string): ReturnType<typeof semaphore> {
    const lane = this.#lanes.get(receiver) ?? semaphore(1);
    this.#lanes.set(receiver, lane);
    return lane;
  }

  /** Begins to send what is due, and sets the timer for the next one. */
  #pump(): void {
    this.#cancelTimer();
    if (this.#isClosed) return;
    const now = this.#parts.clock.now();
    const busy = new Set<string>();
    for (const { record, isSending } of this.#waiting.values()) if (isSending) busy.add(record.receiver);
    let next = Infinity;
    for (const each of this.#firstOfThreads()) {
      if (busy.has(each.record.receiver)) continue;
      const due = each.record.next === null ? now : Date.parse(each.record.next);
      if (due > now) next = Math.min(next, due);
      else {
        busy.add(each.record.receiver);
        this.#begin(each);
      }
    }
    this.#cancelTimer =
      next === Infinity ? () => {} : this.#parts.clock.after(next - now, () => this.#pump());
  }

  /** The oldest message of each thread and receiver, those with the fewest refusals first. */
  #firstOfThreads(): Waiting[] {
    const first = new Map<string, Waiting>();
    for (const each of this.#waiting.values()) {
      const { receiver, watch, thread } = each.record;
      const key = JSON.stringify([receiver, watch.id, thread]);
      if (!first.has(key)) first.set(key, each);
    }
    return [...first.values()].toSorted((a, b) => a.record.tries - b.record.tries);
  }

  #begin(each: Waiting): void {
    each.isSending = true;
    const sent = this.#lane(each.record.receiver)(() => this.#send(each))
      .catch((error: unknown) => {
        // The catalog can't be written: the next try comes in a minute, or the row is removed then.
        this.#parts.log.warn({ err: error }, "can't keep the state of a message");
        each.record = { ...each.record, next: this.#later(MINUTE_MS) };
      })
      .finally(() => {
        each.isSending = false;
        this.#sending.delete(sent);
        this.#pump();
      });
    this.#sending.set(sent, each);
  }

  async #send(each: Waiting): Promise<void> {
    if (each.isOver) return this.#remove(each);
    const { record } = each;
    if (this.#isClosed || !this.#waiting.has(record.id)) return;
    if (this.#parts.clock.now() > Date.parse(record.made) + LONGEST_MS)
      return this.#giveUp(each, `It waited for more than ${LONGEST_MS / MINUTE_MS / 60}\u00A0h.`);
    const { outcome, kind } = await this.#sender.send(record);
    const to = kind === null ? `"${record.receiver}"` : `${kind} "${record.receiver}"`;
    if (outcome.isAccepted) return this.#accepted(each, to, outcome.but);
    const refusals = record.tries + 1;
    const next = this.#nextTry(record, outcome);
    if (next === null)
      return this.#giveUp(
        each,
        outcome.sentence,
        outcome.isFinal ? "" : ` within ${LONGEST_MS / MINUTE_MS / 60}\u00A0h`,
        to,
      );
    each.record = { ...record, tries: refusals, next };
    const text = `Can't send the ${NAMES[record.news.kind]} to ${to}. ${outcome.sentence} Next try at ${timeOfDay(next)} UTC.`;
    if (refusals === 1) this.#tell(record, text, true);
    await this.#parts.store.save("message", [rowOf(each.record)]);
  }

  async #accepted(each: Waiting, to: string, but: string | null): Promise<void> {
    each.isOver = true;
    const { record } = each;
    this.#tell(record, ended(`${capital(NAMES[record.news.kind])} sent to ${to}.`, but), but !== null);
    // The receiver works: what it refused earlier need not wait longer.
    for (const other of this.#waiting.values())
      if (other.record.receiver === record.receiver && other.record.tries > 0)
        other.record = { ...other.record, next: null };
    await this.#remove(each);
  }

  async #giveUp(each: Waiting, why: string, when = "", to = `"${each.record.receiver}"`): Promise<void> {
    each.isOver = true;
    this.#tell(each.record, `The ${NAMES[each.record.news.kind]} wasn't sent to ${to}${when}. ${why}`, true);
    await this.#remove(each);
  }

  async #giveUpOldest(): Promise<void> {
    const others = [...this.#waiting.values()].filter(({ isSending, isOver }) => !isSending && !isOver);
    const oldest = others.slice(0, Math.max(0, this.#waiting.size - MOST_WAITING));
    await Promise.all(oldest.map((each) => this.#giveUp(each, `More than ${MOST_WAITING} messages waited.`)));
  }

  async #remove({ record }: Waiting): Promise<void> {
    const { key } = rowOf(record);
    await this.#parts.store.remove("message", {
      watch: record.watch.id,
      from: key,
      before: `${key}\u0020`,
    });
    this.#waiting.delete(record.id);
  }

  /** Time of the next try after a refusal: 1, 2, 4 ... min later, the last one after 24 h; null: given up. */
  #nextTry({ made, tries }: MessageRecord, outcome: Extract<Outcome, { isAccepted: false }>): string | null {
    const now = this.#parts.clock.now();
    const last = Date.parse(made) + LONGEST_MS;
    if (outcome.isFinal || now >= last) return null;
    const wait = Math.max(MINUTE_MS * 2 ** tries, outcome.waitMs ?? 0);
    return new Date(Math.min(now + wait, last)).toISOString();
  }

  #later(ms: number): string {
    return new Date(this.#parts.clock.now() + ms).toISOString();
  }

  #tell({ news, watch }: MessageRecord, text: string, isProblem: boolean): void {
    if ("episode" in news)
      this.#parts.onStep(watch.id, news.episode.id, { at: this.#later(0), text, isProblem });
  }
}

const NAMES: Readonly<Record<MessageKind, string>> = {
  start: "start message",
  refused: "message without a recording",
  end: "end message",
  broken: "message about polls",
  mended: "message about polls",
  test: "test message",
};

const rowOf = (record: MessageRecord): WatchRow => ({
  watch: record.watch.id,
  key: `${record.made} ${record.id}`,
  record,
});

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const ended = (sentence: string, but: string | null): string =>
  but === null ? sentence : `${sentence} ${but}`;
