/** Output formats of `xel dump`. */
import Papa from "papaparse";
import { filetimeText, jsonValue, toJson, valueText, type XelEvent, type XelValue } from "xel-parser/format";
import { valueCalled, type ValueOf } from "./condition.ts";

/** Lines of an output, with their line ends. Those before the first event come with it, or with the end. */
export interface EventLines {
  event(event: XelEvent): string;
  end(): string;
}

/** Formats of `xel dump`. */
export const FORMATS = ["ndjson", "json", "csv", "table"] as const;
export type Format = (typeof FORMATS)[number];

/** @param columns null for all values of an event; CSV needs them */
export function linesOf(format: Format, columns: readonly string[] | null): EventLines {
  switch (format) {
    case "ndjson":
      return { event: withEnd(jsonOf(columns)), end: () => "" };
    case "json":
      return jsonArray(jsonOf(columns));
    case "csv":
      return csv(columns ?? []);
    case "table":
      return new TableLines(columns);
  }
}

const withEnd =
  (lineOf: (event: XelEvent) => string) =>
  (event: XelEvent): string =>
    `${lineOf(event)}\n`;

function jsonOf(columns: readonly string[] | null): (event: XelEvent) => string {
  if (columns === null) return toJson;
  const values = columns.map((name) => [JSON.stringify(name), valueCalled(name)] as const);
  return (event) => {
    const parts = values.map(([name, valueOf]) => `${name}:${JSON.stringify(orNull(valueOf(event)))}`);
    return `{${parts.join(",")}}`;
  };
}

const orNull = (value: XelValue | undefined): number | string | boolean | null =>
  value === undefined ? null : jsonValue(value);

function jsonArray(lineOf: (event: XelEvent) => string): EventLines {
  let separator = "[";
  return {
    event(event) {
      const line = `${separator}\n${lineOf(event)}`;
      separator = ",";
      return line;
    },
    end: () => `${separator === "[" ? "[" : ""}\n]\n`,
  };
}

/** Beginning of a text that a spreadsheet takes for a formula. Papa's own pattern misses texts of several lines. */
const FORMULA = /^[=+\-@\t\r]/u;

/** RFC 4180; a text never becomes a formula in the program that opens the file. */
function csv(columns: readonly string[]): EventLines {
  const row = (cells: readonly unknown[]): string =>
    `${Papa.unparse([[...cells]], { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
  const values = columns.map(valueCalled);
  let head = row(columns);
  const takeHead = (): string => {
    const taken = head;
    head = "";
    return taken;
  };
  return {
    event: (event) => takeHead() + row(values.map((valueOf) => cellOf(valueOf(event)))),
    end: takeHead,
  };
}

/** Numbers stay numbers, so that a negative one isn't taken for a formula. */
function cellOf(value: XelValue | undefined): string | number | bigint | boolean {
  if (value === undefined) return "";
  return value instanceof Uint8Array ? valueText(value) : value;
}

/** Rows whose lengths decide the widths of the columns; later rows may be wider. */
const FIRST_ROWS = 200;
/** Characters of a cell of a table, except in the last column. */
const MOST_CELL = 60;
const ALL_VALUES = "values";

class TableLines implements EventLines {
  readonly #head: readonly string[];
  readonly #values: readonly ValueOf[];
  readonly #first: string[][] = [];
  #widths: readonly number[] | null = null;

  constructor(columns: readonly string[] | null) {
    this.#head = columns ?? ["timestamp", "name", ALL_VALUES];
    this.#values =
      columns === null
        ? [({ ticks }) => filetimeText(ticks), ({ name }) => name, allValues]
        : columns.map(valueCalled);
  }

  event(event: XelEvent): string {
    const cells = this.#values.map((valueOf) => shown(valueOf(event)));
    if (this.#widths !== null) return this.#line(cells, this.#widths);
    this.#first.push(cells);
    return this.#first.length < FIRST_ROWS ? "" : this.#flush();
  }

  end(): string {
    return this.#widths === null ? this.#flush() : "";
  }

  #flush(): string {
    const rows = [[...this.#head], ...this.#first];
    const widths = this.#head.map((_, column) =>
      Math.min(MOST_CELL, Math.max(...rows.map((cells) => cells[column].length))),
    );
    this.#widths = widths;
    const rule = widths.map((width) => "-".repeat(width));
    return [rows[0], rule, ...rows.slice(1)].map((cells) => this.#line(cells, widths)).join("");
  }

  #line(cells: readonly string[], widths: readonly number[]): string {
    const padded = cells.map((cell, column) =>
      column === cells.length - 1 ? cell : cut(cell).padEnd(widths[column]),
    );
    return `${padded.join("  ").trimEnd()}\n`;
  }
}

const cut = (text: string): string => (text.length <= MOST_CELL ? text : `${text.slice(0, MOST_CELL - 1)}…`);

/** A value on one line. */
const shown = (value: XelValue | undefined): string =>
  value === undefined ? "" : valueText(value).replaceAll(/[\s\p{Cc}]+/gu, " ");

function allValues({ fields, actions }: XelEvent): string {
  const parts = [...Object.entries(fields), ...Object.entries(actions)];
  return parts.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
}
