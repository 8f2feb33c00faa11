/**
 * Events as CSV: the grid of SSMS' viewer of Extended Events (a row per event, a column per field and action), and the
 * result grid of a query with an `event_data` column, or a ring buffer's `target_data`, with or without its header.
 */
import Papa from "papaparse";
import { DEFAULT_LIMITS, type XelEvent, type XelValue } from "../format/index.ts";
import { TextChunks } from "./decode-text.ts";
import { EventXmlParser, droppedByServerGap } from "./event-xml.ts";
import { Losses } from "./losses.ts";
import type { ReadTextOptions } from "./options.ts";
import { ticksOfTime, valueOf } from "./values.ts";

/** Places of the columns that every grid has; -1 for a missing one. */
interface Grid {
  readonly names: readonly string[];
  readonly name: number;
  readonly time: number;
  readonly eventData: number;
}

/** A row of the CSV, and its end: characters after the start of the parsed text. */
interface Row {
  readonly cells: readonly string[];
  readonly end: number;
  /** Its quotes do not match, so that further text may have become part of it. */
  readonly misquoted: boolean;
}

/** A row while it is read: its number, and its place in the file. */
interface RowPlace {
  readonly number: number;
  readonly offset: number;
  readonly bytes: number;
}

const DELIMITERS = [",", ";", "\t", "|"];

/** Parses CSV in pieces into events. */
export class EventCsvParser {
  readonly #text: TextChunks;
  readonly #losses: Losses;
  readonly #options: ReadTextOptions;
  #rest = "";
  /** Bytes before the rest, without a byte order mark. */
  #offset = 0;
  #rows: RowReader | undefined;
  #grid: Grid | undefined;
  #row = 0;
  #count = 0;
  /** Length at which the rest is parsed again: a long row must not be parsed again with each piece. */
  #enough = 0;
  /** Reading has stopped: the CSV has neither the viewer's columns nor event_data, or a row has no end. */
  #stopped = false;
  /** The rest is one row without an end in sight. */
  #endless = false;
  /** The server marks the ring buffer's XML as incomplete (truncated). */
  truncatedByServer = false;

  /** `text` has the pieces; `options.typeOf` has the types of fields. */
  constructor(text: TextChunks, losses: Losses, options: ReadTextOptions) {
    this.#text = text;
    this.#losses = losses;
    this.#options = options;
  }

  /** Reads a piece and returns the events of its complete rows. */
  push(text: string): XelEvent[] {
    if (this.#stopped) return [];
    this.#rest += text;
    if (this.#rest.length < this.#enough) return [];
    const events = this.#take(false);
    this.#enough = this.#rest.length * 2;
    const most = this.#options.limits?.valueBytes ?? DEFAULT_LIMITS.valueBytes;
    if (this.#rest.length > most / 2) {
      this.#stopped = true;
      this.#endless = true;
      this.#rest = "";
    }
    return events;
  }

  /** The events of the last piece, and of the last row, which need not have a line end. */
  end(text: string): XelEvent[] {
    if (this.#endless) {
      const offset = this.#text.markBytes + this.#offset;
      const place = { number: this.#row + 1, offset, bytes: this.#text.bytes - offset };
      return this.#lose(place, "it is too long, a quote may not be closed");
    }
    if (this.#stopped) return [];
    this.#rest += text;
    return this.#take(true);
  }

  #take(last: boolean): XelEvent[] {
    if (this.#rest === "" || (!last && !this.#rest.includes("\n"))) return [];
    this.#rows ??= new RowReader(this.#rest);
    const events: XelEvent[] = [];
    let from = 0;
    for (const row of this.#rows.read(this.#rest, last)) {
      const bytes = this.#text.bytesOf(this.#rest, from, row.end);
      const place = { number: ++this.#row, offset: this.#text.markBytes + this.#offset, bytes };
      for (const event of this.#eventsOf(row, place)) events.push({ ...event, offset: this.#count++ });
      this.#offset += bytes;
      from = row.end;
    }
    this.#rest = this.#rest.slice(from);
    return events;
  }

  #eventsOf({ cells, misquoted }: Row, place: RowPlace): XelEvent[] {
    if (this.#stopped || (cells.length === 1 && cells[0].trim() === "")) return [];
    if (misquoted) {
      return this.#lose(place, "a quote in it is not closed or not doubled, and rows after it may be lost");
    }
    if (this.#grid === undefined) {
      const found = gridOf(cells);
      this.#stopped = found.eventData < 0 && (found.name < 0 || found.time < 0);
      this.#grid = found;
      // Without a header the first row is an event already.
      if (found.names.length > 0) return [];
    }
    const grid = this.#grid;
    if (grid.names.length > 0 && cells.length > grid.names.length) {
      return this.#lose(
        place,
        `it has ${cells.length} cells, the header ${grid.names.length}; save it with quotes`,
      );
    }
    return grid.eventData >= 0 ? this.#fromXml(cells, grid, place) : this.#fromRow(cells, grid, place);
  }

  #fromXml(cells: readonly string[], { eventData, time }: Grid, place: RowPlace): XelEvent[] {
    const losses = new Losses({ gaps: 2 });
    const xml = new EventXmlParser(new TextChunks(), losses, this.#options);
    const events = xml.end(cells[eventData] ?? "");
    this.truncatedByServer ||= xml.truncatedByServer;
    if (xml.truncatedByServer) this.#losses.add(droppedByServerGap(place.offset + place.bytes));
    // The gap for events that the server omitted is the last one of the XML.
    if (losses.gaps.length > (xml.truncatedByServer ? 1 : 0))
      this.#lose(place, "a part of its XML cannot be read");
    else if (events.length === 0 && !xml.truncatedByServer)
      this.#lose(place, "its event_data contains no event");
    // timestamp_utc has all seven decimals, the XML three.
    const ticks = events.length === 1 ? ticksOfTime(cells[time] ?? "") : undefined;
    return ticks === undefined ? events : events.map((event) => ({ ...event, ticks }));
  }

  #fromRow(cells: readonly string[], grid: Grid, place: RowPlace): XelEvent[] {
    const name = nameOf(cells[grid.name] ?? "");
    const ticks = ticksOfTime(cells[grid.time] ?? "");
    if (name === "") return this.#lose(place, "it has no event name");
    if (ticks === undefined)
      return this.#lose(
        place,
        `its time is "${cells[grid.time] ?? ""}"; export it as 2017-10-17 20:37:03.1482054`,
      );
    const fields = Object.create(null) as Record<string, XelValue>;
    for (const [index, field] of grid.names.entries()) {
      const text = cells[index] ?? "";
      // The grid has a column for every field of every event; those the event has not are empty or NULL.
      if (index === grid.name || field === "" || GRID_TIME.test(field) || text === "" || text === "NULL")
        continue;
      fields[field] = valueOf(text, this.#options.typeOf?.(name, field));
    }
    const actions = Object.create(null) as Record<string, XelValue>;
    return [{ name, package: "", uuid: "", ticks, offset: 0, fields, actions }];
  }

  /** Reports a row without an event, or with an incomplete one. */
  #lose({ number, offset, bytes }: RowPlace, reason: string): [] {
    const message = `Row ${number} of the CSV contains no event: ${reason}.`;
    this.#losses.add({ code: "bad-event", offset, bytes, message });
    return [];
  }
}

/** The rows of CSV, with the delimiter and line end of its beginning. */
class RowReader {
  readonly #parser: Papa.Parser;
  #rows: Row[] = [];

  constructor(head: string) {
    this.#parser = parserFor(head, ({ data: [cells], errors, meta }) => {
      this.#rows.push({ cells, end: meta.cursor, misquoted: errors.length > 0 });
    });
  }

  /** The rows of a text that end in it; the `last` one need not have a line end. */
  read(text: string, last: boolean): readonly Row[] {
    this.#rows = [];
    this.#parser.parse(text, 0, !last);
    return this.#rows;
  }
}

const GRID_TIME = /^(timestamp|timestamp \(utc\)|timestamp_utc)$/iu;

/** A name in the form of .xel files. */
function nameOf(cell: string): string {
  return cell.replaceAll("\0", "").trim();
}

function gridOf(cells: readonly string[]): Grid {
  const names = cells.map(nameOf);
  const lower = names.map((name) => name.toLowerCase());
  const xml = names.findIndex((name) => /^<(?:event|RingBufferTarget)\s/u.test(name));
  if (xml >= 0) return { names: [], name: -1, time: -1, eventData: xml };
  const utc = lower.findIndex((name) => name === "timestamp (utc)" || name === "timestamp_utc");
  return {
    names,
    name: lower.indexOf("name"),
    time: utc >= 0 ? utc : lower.indexOf("timestamp"),
    eventData: lower.findIndex((name) => name === "event_data" || name === "target_data"),
  };
}

/** Whether the first line of a file is the first line of such a CSV. */
export function isEventCsv(head: string): boolean {
  const [row] = new RowReader(head).read(firstLine(head), true);
  const grid = gridOf(row?.cells ?? []);
  return grid.eventData >= 0 || (grid.name >= 0 && grid.time >= 0);
}

/** A row in the form of the parser. */
interface Step {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly unknown[];
  readonly meta: { readonly cursor: number };
}

function parserFor(head: string, step: (row: Step) => void): Papa.Parser {
  const line = firstLine(head);
  const counts = DELIMITERS.map((delimiter) => line.replaceAll(/"[^"]*"/gu, "").split(delimiter).length);
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))];
  const end = head.indexOf("\n");
  return new Papa.Parser({ delimiter, newline: head[end - 1] === "\r" ? "\r\n" : "\n", step });
}

function firstLine(head: string): string {
  const end = head.indexOf("\n");
  return (end < 0 ? head : head.slice(0, end)).replace(/\r$/u, "");
}
