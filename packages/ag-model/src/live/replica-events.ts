import { firstAtOrAfter } from "../numbers/index.ts";
import {
  EVENT_REQUEST,
  eventColumnsOf,
  IdsOfParts,
  ImpossibleIds,
  mergeColumns,
  type EventColumns,
} from "../events/index.ts";
import { openColumnStream, type FileReport, type PushReport, type StreamRow } from "xel-parser/format";
import { bytesOf } from "./held.ts";
import { PlausibleEvents } from "./plausible-events.ts";
import { sliceOf } from "./roles.ts";

const NO_FILE: FileReport = { fileSize: 0, events: 0, gaps: [], clean: true, metadata: [] };

/** Events that arrived since the last time, publish times ascending. */
export interface FreshEvents {
  readonly ticks: BigInt64Array;
  /** Publish time of the newest event that had arrived before, FILETIME ticks; 0 for none. */
  readonly newestBefore: bigint;
  /** Publish time of the oldest event of the last row, FILETIME ticks: the others had arrived with it, or before it. */
  readonly lastRow: bigint;
}

/** The events of one replica that may still change the picture, in order of publish time. */
export class ReplicaEvents {
  readonly #name: string;
  #stream = openColumnStream(EVENT_REQUEST);
  #held: EventColumns | undefined;
  #plausible = new PlausibleEvents();
  #ids = new IdsOfParts();
  /** Reason why the stream is no longer read; null while it is read. */
  #refusal: string | null = null;
  #waiting = 0;
  /** Events of the last row that had any. */
  #lastRowEvents = 0;
  /** Publish time of the newest event decoded, FILETIME ticks; 0 before the first. */
  newestTicks = 0n;

  constructor(name: string) {
    this.#name = name;
  }

  push(row: StreamRow): PushReport {
    if (this.#refusal !== null)
      return { kind: "unreadable", events: 0, undecoded: { code: "bad-event", message: this.#refusal } };
    const report = this.#stream.push(row);
    this.#waiting += report.events;
    if (report.events > 0) this.#lastRowEvents = report.events;
    return report;
  }

  /** A new session sends its metadata again; ids of the old one no longer count. */
  restart(): void {
    this.collect();
    this.#stream = openColumnStream(EVENT_REQUEST);
    this.#plausible = new PlausibleEvents();
    this.#ids = new IdsOfParts();
    this.#refusal = null;
  }

  /** Joins the events that were pushed since the last time to those in memory; null without new events. */
  collect(): FreshEvents | null {
    if (this.#waiting === 0) return null;
    this.#waiting = 0;
    const taken = eventColumnsOf(this.#stream.take(), NO_FILE, this.#name);
    if (taken.length === 0) return null;
    const fresh = this.#plausible.filter(taken);
    if (fresh.length === 0 || !this.#arePossible(fresh)) return null;
    const newestBefore = this.newestTicks;
    const newest = fresh.ticks[fresh.length - 1];
    if (newest > this.newestTicks) this.newestTicks = newest;
    const joined = this.#held === undefined ? fresh : mergeColumns([this.#held, fresh]);
    // Places in a file mean nothing here, and the list of files would grow with every merge.
    joined.file.fill(0);
    this.#held = { ...joined, files: fresh.files };
    // A session sends its rows in the order of their events.
    const lastRow = fresh.ticks[Math.max(0, fresh.length - this.#lastRowEvents)];
    return { ticks: fresh.ticks, newestBefore, lastRow };
  }

  /**
   * Whether the ids of the stream's events can be those of a server; if not, reading stops until the stream begins
   * again.
   */
  #arePossible(fresh: EventColumns): boolean {
    try {
      this.#ids.add(fresh);
      return true;
    } catch (error) {
      if (!(error instanceof ImpossibleIds)) throw error;
      this.#refusal = error.message;
      this.#held = undefined;
      return false;
    }
  }

  /** The events in memory; undefined without events. */
  get columns(): EventColumns | undefined {
    return this.#held !== undefined && this.#held.length > 0 ? this.#held : undefined;
  }

  /** Bytes of memory of the events. */
  get bytes(): number {
    return this.#held === undefined ? 0 : bytesOf(this.#held);
  }

  /** Drops the oldest events beyond `count`. */
  dropBeyond(count: number): void {
    const held = this.#held;
    if (held !== undefined && held.length > count)
      this.#held = sliceOf(held, held.length - count, held.length);
  }

  /** Drops events published before an instant, FILETIME ticks. */
  dropBefore(ticks: bigint): void {
    const held = this.#held;
    if (held === undefined) return;
    const from = firstAtOrAfter(held.ticks, ticks);
    if (from > 0) this.#held = sliceOf(held, from, held.length);
  }

  clear(): void {
    this.collect();
    this.#held = undefined;
  }
}
