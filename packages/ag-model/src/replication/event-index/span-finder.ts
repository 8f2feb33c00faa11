/**
 * Memory: decision 235: 0.4 GB less at 100 M events. Without it the simple way is to use the index of events.
 *
 * Finds the spans of events in one pass over them: an index of all events takes four times as long to make, and memory.
 */
import type { Span } from "../shapes/event-spans.ts";
import type { MovedRun } from "./moved-events.ts";

interface GrowingSpan {
  from: number;
  to: number;
}

/**
 * An event that arrives late belongs to one of this many latest spans; a search of all spans would take as long as
 * there are silences, for each such event.
 */
const LOOKED_BACK = 8;

/**
 * Number of consecutive events that are nearly always of one file and near each other, and are then processed together.
 */
const TOGETHER = 128;

/** Finds the spans of one server's events, which arrive in batches and nearly in the order in which they fired. */
export class SpanFinder {
  readonly #leastGap: number;
  readonly #files: GrowingSpan[];
  /**
   * Spans in which each event is less than the least gap from another one. Two may overlap, where an event arrived very
   * late.
   */
  readonly #busy: GrowingSpan[] = [];

  /** @param files of the server @param leastGap time without an event that counts as a silence, µs */
  constructor(files: number, leastGap: number) {
    this.#leastGap = leastGap;
    this.#files = Array.from({ length: files }, () => ({ from: Infinity, to: -Infinity }));
  }

  add(events: MovedRun): void {
    for (let from = 0; from < events.length; from += TOGETHER) {
      const end = Math.min(events.length, from + TOGETHER);
      if (!this.#addTogether(events, from, end)) this.#addEach(events, from, end);
    }
  }

  /** @returns false where they have to be processed one by one */
  #addTogether({ row, fire, file }: MovedRun, start: number, end: number): boolean {
    const own = file[start];
    let from = Infinity;
    let to = -Infinity;
    for (let i = start; i < end; i++) {
      if (row[i] < 0) continue;
      if (file[i] !== own) return false;
      if (fire[i] < from) from = fire[i];
      if (fire[i] > to) to = fire[i];
    }
    if (from > to) return true;
    const busy = this.#busy.at(-1);
    if (busy === undefined || !this.#isNear(busy, from) || !this.#isNear(busy, to)) return false;
    for (const span of [busy, this.#files[own]]) {
      extend(span, from);
      extend(span, to);
    }
    return true;
  }

  #addEach({ row, fire, file }: MovedRun, start: number, end: number): void {
    let busy = this.#busy.at(-1);
    for (let i = start; i < end; i++) {
      const at = fire[i];
      if (row[i] < 0 || Number.isNaN(at)) continue;
      extend(this.#files[file[i]], at);
      if (busy === undefined || !this.#isNear(busy, at)) busy = this.#busyAt(at);
      extend(busy, at);
    }
  }

  #isNear({ from, to }: Span, at: number): boolean {
    return at - to < this.#leastGap && from - at < this.#leastGap;
  }

  #busyAt(at: number): GrowingSpan {
    for (let i = this.#busy.length - 1; i >= Math.max(0, this.#busy.length - LOOKED_BACK); i--)
      if (this.#isNear(this.#busy[i], at)) return this.#busy[i];
    const begun = { from: at, to: at };
    this.#busy.push(begun);
    return begun;
  }

  /** By file of the server: its first and last event. @param start instant from which spans count, µs of the events' clock */
  files(start: number): Span[] {
    return this.#files.map(({ from, to }) => ({ from: from - start, to: to - start }));
  }

  /** Spans without an event between the first and the last one. @param start as for `files` */
  silences(start: number): Span[] {
    const silences: Span[] = [];
    let last = Infinity;
    for (const { from, to } of this.#busy.toSorted((a, b) => a.from - b.from)) {
      if (from - last >= this.#leastGap) silences.push({ from: last - start, to: from - start });
      if (last === Infinity || to > last) last = to;
    }
    return silences;
  }
}

function extend(span: GrowingSpan, at: number): void {
  if (at < span.from) span.from = at;
  if (at > span.to) span.to = at;
}
