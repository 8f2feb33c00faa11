/**
 * Events as CSV: the grid of SSMS' viewer of Extended Events (a row per event, a column per field and action), and the
 * result grid of a query with an `event_data` column, with or without its header.
 */
import Papa from "papaparse";
import type { XelEvent, XelValue } from "../format/index.ts";
import { EventXmlParser } from "./event-xml.ts";
import { ticksOfTime, valueOf, type TypeOf } from "./values.ts";

/** Where the columns that every grid has are; -1 when it has none of the name. */
interface Grid {
  readonly names: readonly string[];
  readonly name: number;
  readonly time: number;
  readonly eventData: number;
}

/** A row that holds no event. */
export interface BadRow {
  readonly row: number;
  readonly message: string;
}

const DELIMITERS = [",", ";", "\t", "|"];
/** Longest row taken for real, in characters: a quote that is never closed must not exhaust memory. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Takes CSV in pieces and gives the events in it. */
export class EventCsvParser {
  readonly #typeOf: TypeOf | undefined;
  #rest = "";
  #parser:
    | {
        parse(
          text: string,
          base: number,
          ignoreLastRow: boolean,
        ): { data: string[][]; meta: { cursor: number } };
      }
    | undefined;
  #grid: Grid | undefined;
  #row = 0;
  #count = 0;
  /** Length at which the rest is looked at again: a long row must not be parsed anew with each piece. */
  #enough = 0;
  readonly badRows: BadRow[] = [];
  /** The CSV has neither the viewer's columns nor event_data. */
  noEvents = false;

  constructor(typeOf?: TypeOf) {
    this.#typeOf = typeOf;
  }

  /** Reads a piece and returns the events of its whole rows. */
  push(text: string): XelEvent[] {
    this.#rest += text;
    if (this.#rest.length < this.#enough || this.noEvents) return [];
    const events = this.#take(true);
    this.#enough = this.#rest.length * 2;
    if (this.#rest.length > MOST_CHARACTERS) {
      this.badRows.push({ row: this.#row + 1, message: "a quote is not closed" });
      this.#rest = "";
      this.noEvents = true;
    }
    return events;
  }

  /** The events of the last row, which need not have a line end. */
  end(): XelEvent[] {
    return this.noEvents ? [] : this.#take(false);
  }

  #take(ignoreLastRow: boolean): XelEvent[] {
    if (this.#rest === "" || (ignoreLastRow && !this.#rest.includes("\n"))) return [];
    this.#parser ??= parserFor(this.#rest);
    const { data, meta } = this.#parser.parse(this.#rest, 0, ignoreLastRow);
    this.#rest = ignoreLastRow ? this.#rest.slice(meta.cursor) : "";
    const events: XelEvent[] = [];
    for (const cells of data) {
      const event = this.#eventOf(cells);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #eventOf(cells: readonly string[]): XelEvent | undefined {
    this.#row++;
    if (this.noEvents || (cells.length === 1 && cells[0].trim() === "")) return undefined;
    if (this.#grid === undefined) {
      const found = gridOf(cells);
      this.noEvents = found.eventData < 0 && (found.name < 0 || found.time < 0);
      this.#grid = found;
      // Without a header the first row is an event already.
      if (found.names.length > 0) return undefined;
    }
    const event =
      this.#grid.eventData >= 0 ? this.#fromXml(cells, this.#grid) : this.#fromRow(cells, this.#grid);
    return event === undefined ? undefined : { ...event, offset: this.#count++ };
  }

  #fromXml(cells: readonly string[], { eventData, time }: Grid): XelEvent | undefined {
    const xml = new EventXmlParser(this.#typeOf);
    const [event] = xml.push(cells[eventData] ?? "");
    if (event === undefined) return this.#bad(xml.stop?.message ?? "its event_data holds no event");
    // timestamp_utc has all seven decimals, the XML three.
    return { ...event, ticks: ticksOfTime(cells[time] ?? "") ?? event.ticks };
  }

  #fromRow(cells: readonly string[], grid: Grid): XelEvent | undefined {
    const name = nameOf(cells[grid.name] ?? "");
    const ticks = ticksOfTime(cells[grid.time] ?? "");
    if (name === "") return this.#bad("it has no event name");
    if (ticks === undefined)
      return this.#bad(`its time is "${cells[grid.time] ?? ""}"; export it as 2017-10-17 20:37:03.1482054`);
    const fields = Object.create(null) as Record<string, XelValue>;
    for (const [index, field] of grid.names.entries()) {
      const text = cells[index] ?? "";
      // The grid has a column for every field of every event; those the event has not are empty or NULL.
      if (index === grid.name || field === "" || GRID_TIME.test(field) || text === "" || text === "NULL")
        continue;
      fields[field] = valueOf(text, this.#typeOf?.(name, field));
    }
    return {
      name,
      package: "",
      uuid: "",
      ticks,
      offset: 0,
      fields,
      actions: Object.create(null) as Record<string, XelValue>,
    };
  }

  #bad(message: string): undefined {
    this.badRows.push({ row: this.#row, message });
  }
}

const GRID_TIME = /^(timestamp|timestamp \(utc\)|timestamp_utc)$/iu;

/** A name as .xel files can hold it. */
function nameOf(cell: string): string {
  return cell.replaceAll("\0", "").trim();
}

function gridOf(cells: readonly string[]): Grid {
  const names = cells.map(nameOf);
  const lower = names.map((name) => name.toLowerCase());
  const xml = names.findIndex((name) => name.startsWith("<event "));
  if (xml >= 0) return { names: [], name: -1, time: -1, eventData: xml };
  const utc = lower.findIndex((name) => name === "timestamp (utc)" || name === "timestamp_utc");
  return {
    names,
    name: lower.indexOf("name"),
    time: utc >= 0 ? utc : lower.indexOf("timestamp"),
    eventData: lower.indexOf("event_data"),
  };
}

/** Whether the first line of a file is that of such a CSV. */
export function isEventCsv(head: string): boolean {
  const line = firstLine(head);
  const [cells] = parserFor(head).parse(line, 0, false).data;
  const grid = gridOf(cells ?? []);
  return grid.eventData >= 0 || (grid.name >= 0 && grid.time >= 0);
}

function parserFor(head: string): Papa.Parser {
  const line = firstLine(head);
  const counts = DELIMITERS.map((delimiter) => line.replaceAll(/"[^"]*"/gu, "").split(delimiter).length);
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))];
  const end = head.indexOf("\n");
  return new Papa.Parser({ delimiter, newline: head[end - 1] === "\r" ? "\r\n" : "\n" });
}

function firstLine(head: string): string {
  const end = head.indexOf("\n");
  return (end < 0 ? head : head.slice(0, end)).replace(/\r$/u, "");
}
