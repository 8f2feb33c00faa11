import { TextChunks } from "xel-parser/text-events";

/** An entry of an ERRORLOG with its continuation lines. */
export interface ErrorlogEntry {
  /** Line of the text, from 1. */
  readonly line: number;
  /** Local time as if it were UTC, in µs since 1970. */
  readonly localUs: number;
  /** Half of the last decimal place or more: SQL Server prints two or three decimals. In µs. */
  readonly plusMinusUs: number;
  /** For example `spid42s`, `Server` or `Logon`. */
  readonly source: string;
  readonly text: string;
  /** Number, severity and state of the line `Error: n, Severity: n, State: n.` before it. */
  readonly error: { readonly number: number; readonly severity: number; readonly state: number } | null;
}

/** Longer lines, and more continuation lines, are cut: stack dumps are of no use here. */
const MOST_LINE = 32_768;
const MOST_TEXT = 8_192;
/** `2026-05-14 02:17:41.23 `. */
const TIME_LENGTH = 23;
const CENTISECOND_PLUS_MINUS = 10_000;
const MILLISECOND_PLUS_MINUS = 5_000;
const ERROR_LINE = /^Error: (\d+), Severity: (\d+), State: (\d+)\./u;

interface OpenEntry {
  line: number;
  localUs: number;
  plusMinusUs: number;
  source: string;
  text: string;
}

/** Takes an ERRORLOG in pieces and returns its entries. */
export class ErrorlogEntries {
  /** Lines before the first entry. */
  readonly strayLines: string[] = [];
  /** Number of lines before the first entry. */
  strays = 0;
  readonly #text = new TextChunks();
  #rest = "";
  #skipping = false;
  #line = 0;
  #open: OpenEntry | undefined;
  #error: (ErrorlogEntry["error"] & { readonly entry: OpenEntry }) | undefined;
  #day = "";
  #dayUs = Number.NaN;

  /** Reads a piece and returns the entries that are complete. */
  push(chunk: Uint8Array): ErrorlogEntry[] {
    return this.#take(this.#text.push(chunk));
  }

  /** The last entries. */
  end(): ErrorlogEntry[] {
    const entries = this.#take(`${this.#text.end()}\n`);
    this.#close(entries);
    this.#closeError(entries);
    return entries;
  }

  #take(text: string): ErrorlogEntry[] {
    const entries: ErrorlogEntry[] = [];
    const all = this.#rest === "" ? text : this.#rest + text;
    let from = 0;
    for (let to = all.indexOf("\n"); to >= 0; to = all.indexOf("\n", from)) {
      const end = all.charCodeAt(to - 1) === 13 && to > from ? to - 1 : to;
      this.#takeLine(all.slice(from, Math.min(end, from + MOST_LINE)), entries);
      from = to + 1;
    }
    this.#rest = all.slice(from);
    if (this.#rest.length > MOST_LINE) this.#cutRest(entries);
    return entries;
  }

  /** A line without an end in sight counts with its beginning; the rest up to its end is skipped. */
  #cutRest(entries: ErrorlogEntry[]): void {
    const wasSkipping = this.#skipping;
    if (!wasSkipping) this.#takeLine(this.#rest.slice(0, MOST_LINE), entries);
    this.#skipping = true;
    this.#rest = "";
  }

  #takeLine(line: string, entries: ErrorlogEntry[]): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    this.#line++;
    const opened = this.#entryOf(line);
    if (opened === undefined) return this.#continue(line);
    this.#close(entries);
    this.#open = opened;
  }

  #continue(line: string): void {
    if (this.#open !== undefined) {
      if (line !== "" && this.#open.text.length < MOST_TEXT) this.#open.text += `\n${line}`;
    } else if (line.trim() !== "") {
      this.strays++;
      if (this.strayLines.length < 3) this.strayLines.push(line.slice(0, 200));
    }
  }

  #entryOf(line: string): OpenEntry | undefined {
    // Cheap refusals first: a file has many continuation lines and as many entries.
    if (line.charCodeAt(4) !== 45 || line.charCodeAt(19) !== 46 || line.charCodeAt(13) !== 58)
      return undefined;
    const decimals = line.charCodeAt(22) === 32 ? 2 : line.charCodeAt(23) === 32 ? 3 : 0;
    if (decimals === 0) return undefined;
    const day = this.#dayOf(line.slice(0, 10));
    const hours = Number(line.slice(11, 13));
    const minutes = Number(line.slice(14, 16));
    const seconds = Number(line.slice(17, 20 + decimals));
    const localUs = day + ((hours * 60 + minutes) * 60 + seconds) * 1e6;
    if (!(hours < 24 && minutes < 60 && seconds < 60) || Number.isNaN(localUs)) return undefined;
    const at = TIME_LENGTH + decimals - 2;
    const space = line.indexOf(" ", at);
    const source = space < 0 ? line.slice(at) : line.slice(at, space);
    return {
      line: this.#line,
      localUs: Math.round(localUs),
      plusMinusUs: decimals === 2 ? CENTISECOND_PLUS_MINUS : MILLISECOND_PLUS_MINUS,
      source,
      text: space < 0 ? "" : line.slice(space).trim(),
    };
  }

  #dayOf(day: string): number {
    if (day === this.#day) return this.#dayUs;
    this.#day = day;
    const ms = Date.parse(`${day}T00:00:00Z`);
    // Date.parse accepts 2026-02-30 in some engines; the day has to print as it is.
    const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
    this.#dayUs = isDay ? ms * 1000 : Number.NaN;
    return this.#dayUs;
  }

  /** The open entry is complete. The line with an error's number is part of the entry after it. */
  #close(entries: ErrorlogEntry[]): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const found = ERROR_LINE.exec(open.text);
    if (found !== null) {
      this.#closeError(entries);
      const [, number, severity, state] = found.map(Number);
      this.#error = { number: number!, severity: severity!, state: state!, entry: open };
      return;
    }
    const error = this.#error;
    // Another session may write between the two lines.
    if (error !== undefined && error.entry.source === open.source) {
      this.#error = undefined;
      entries.push({ ...open, error: numbersOf(error) });
      return;
    }
    entries.push({ ...open, error: null });
  }

  #closeError(entries: ErrorlogEntry[]): void {
    const error = this.#error;
    if (error === undefined) return;
    this.#error = undefined;
    entries.push({ ...error.entry, error: numbersOf(error) });
  }
}

const numbersOf = ({
  number,
  severity,
  state,
}: NonNullable<ErrorlogEntry["error"]>): ErrorlogEntry["error"] => ({
  number,
  severity,
  state,
});
