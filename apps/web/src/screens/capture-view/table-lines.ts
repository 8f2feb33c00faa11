/** A table on screen as lines for a file: what its cells show, in one unit per column. */
import { csvFile, csvHead, csvText } from "@aglens/contract";

/** A cell of a file: null where the table has no value. */
type Cell = string | number | null;

export interface TableLines {
  readonly head: readonly { readonly name: string; readonly unit: string }[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A figure as screens write it, in the unit of a column. */
interface Measure {
  readonly value: number;
  /** "" for a count. */
  readonly unit: "" | "µs" | "%" | "bytes";
}

const IN_US: Readonly<Record<string, number>> = { µs: 1, ms: 1e3, s: 1e6, min: 60e6, h: 3_600e6 };
const IN_BYTES: Readonly<Record<string, number>> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Rows and columns with text. Pictures, and rows that only draw an axis, are skipped. */
export function tableLines(table: HTMLTableElement): TableLines {
  const [heads = []] = rowsOf(table, ":scope > thead > tr");
  const texts = rowsOf(table, ":scope > tbody > tr:not([aria-hidden=true])");
  const columns = heads
    .map((head, at) =>
      columnOf(
        head,
        texts.map((row) => row[at] ?? ""),
      ),
    )
    .filter(({ cells }) => cells.some((cell) => cell !== null));
  return {
    head: columns.map(({ name, unit }) => ({ name, unit })),
    rows: texts.map((_, row) => columns.map(({ cells }) => cells[row] ?? null)),
  };
}

/** The lines as a file that Excel opens (decision 332). */
export const csvOfTable = ({ head, rows }: TableLines): Uint8Array =>
  csvFile([
    head.map(csvHead).join(","),
    ...rows.map((row) =>
      row.map((cell) => (typeof cell === "string" ? csvText(cell) : (cell ?? ""))).join(","),
    ),
  ]);

/** The lines with tabs, as spreadsheets take them from the clipboard. */
export const textOfTable = ({ head, rows }: TableLines): string =>
  [head.map((column) => csvHead(column).replaceAll('"', "")), ...rows]
    .map((row) => row.map((cell) => cell ?? "").join("\t"))
    .join("\n");

function columnOf(head: string, texts: readonly string[]) {
  const name = head
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/gu, "");
  const given = texts.map((text) => (text === "–" ? "" : text));
  const measures = given.map(measureOf);
  const [first] = measures.filter((measure) => measure !== null);
  const isMeasured =
    first !== undefined && given.every((text, i) => text === "" || measures[i]?.unit === first.unit);
  return {
    name,
    unit: isMeasured ? UNITS[first.unit] : "",
    cells: given.map((text, i): Cell =>
      text === "" ? null : isMeasured ? (measures[i]?.value ?? null) : text,
    ),
  };
}

const UNITS = { "": "", µs: "µs", "%": "percent", bytes: "bytes" } as const;

/** `8.02 ms`, `2 min 05 s`, `12.3 %`, `1,079`; null for other texts. */
function measureOf(text: string): Measure | null {
  const parts = text.replaceAll("−", "-").split(" ");
  const numbers = parts.filter((_, i) => i % 2 === 0).map((part) => part.replaceAll(",", ""));
  const units = parts.filter((_, i) => i % 2 === 1);
  if (!numbers.every((part) => /^[+-]?\d+(\.\d+)?$/u.test(part))) return null;
  const [only = ""] = units;
  if (parts.length === 1) return { value: Number(numbers[0]), unit: "" };
  if (units.length !== numbers.length) return null;
  if (units.every((unit) => unit in IN_US)) {
    const us = numbers.reduce((sum, part, i) => sum + Number(part) * (IN_US[units[i] ?? ""] ?? 1), 0);
    return { value: Number(us.toPrecision(12)), unit: "µs" };
  }
  if (units.length > 1) return null;
  if (only === "%") return { value: Number(numbers[0]), unit: "%" };
  const bytes = IN_BYTES[only];
  return bytes === undefined
    ? null
    : { value: Number((Number(numbers[0]) * bytes).toPrecision(12)), unit: "bytes" };
}

/** The texts of rows, a list of cells each; a cell over several columns is in the first of them. */
const rowsOf = (table: HTMLTableElement, rows: string): string[][] =>
  [...table.querySelectorAll(rows)].map((row) =>
    [...row.querySelectorAll<HTMLTableCellElement>(":scope > th, :scope > td")].flatMap((cell) => [
      textOf(cell),
      ...Array.from({ length: cell.colSpan - 1 }, () => ""),
    ]),
  );

/** Text of an element as a person reads it: choices and pictures are skipped. */
function textOf(element: Element): string {
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) found.push(node.nodeValue ?? "");
    else if (!(node instanceof Element) || node.matches("[aria-hidden=true], select, fieldset, svg")) return;
    else for (const child of node.childNodes) walk(child);
  };
  walk(element);
  return found.join(" ").replaceAll(/\s+/gu, " ").trim();
}
