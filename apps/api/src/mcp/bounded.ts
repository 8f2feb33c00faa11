/** Answers to an assistant within bounds of size: as data, and the same as text. */
import { withoutHiddenCharacters } from "@aglens/ag-model/replication";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** An answer before its bounds. Its text is made of the same values. */
export type Answer = Readonly<Record<string, unknown>>;

/** The rows of an answer, of which more can be asked for. */
export interface Page {
  /** Field of the answer that has the rows. */
  readonly of: string;
  /** Position of the first row, and number of all rows; null where it isn't known. */
  readonly offset: number;
  readonly total: number | null;
  /** The next step for more rows, by the position of the first one that isn't shown. */
  readonly next: (offset: number) => string;
}

/** Characters of an answer as JSON: some 6,000 tokens, of which an assistant can read several. */
export const MOST_CHARACTERS = 20_000;
/** Characters of one text in it. A name is at most 128 long, so a longer text is one of a file. */
export const MOST_OF_TEXT = 2_000;

/**
 * The answer within the bounds, with `notShown`: a sentence for each list that is cut. The longest lists lose their ends
 * first.
 * @param others further sentences of `notShown`
 */
export function bounded(answer: Answer, page: Page | null = null, others: readonly string[] = []): Answer {
  const shown = tidy(answer) as Record<string, Json>;
  const cut = new Map<string, { readonly all: number; readonly list: readonly Json[] }>();
  const sentences = (): string[] => [
    ...others.map(tidyText),
    ...(page === null ? [] : pageText(page, shown[page.of])),
    ...[...cut.entries()]
      .filter(([path]) => path !== page?.of)
      .map(([path, { all, list }]) => `${path}: the first ${list.length} of ${all} are shown.`),
  ];
  for (;;) {
    const bound = { ...shown, notShown: sentences() };
    if (JSON.stringify(bound).length <= MOST_CHARACTERS) return bound;
    const longest = longestList(shown);
    if (longest === null) return bound;
    const { list, path } = longest;
    if (!cut.has(path)) cut.set(path, { all: list.length, list });
    list.length = Math.floor(list.length / 2);
  }
}

function pageText({ offset, total, next }: Page, rows: Json | undefined): string[] {
  const count = Array.isArray(rows) ? rows.length : 0;
  const end = offset + count;
  if (total !== null && end >= total) return [];
  if (total === null) return [next(end)];
  return [`Rows ${offset + 1} to ${end} of ${total} are shown. ${next(end)}`];
}

/** The list with the most characters, anywhere in the answer; null where no list has an entry. */
function longestList(value: Json, path = ""): { list: Json[]; path: string; size: number } | null {
  if (typeof value !== "object" || value === null) return null;
  const inside = Array.isArray(value)
    ? (value as Json[]).map((each) => longestList(each, path))
    : Object.entries(value).map(([key, each]) => longestList(each, path === "" ? key : `${path}.${key}`));
  // A single row with a long list loses entries of that list, and not itself.
  const isOnlyAround = Array.isArray(value) && value.length === 1 && inside.some((each) => each !== null);
  const own =
    Array.isArray(value) && value.length > 0 && !isOnlyAround
      ? [{ list: value as Json[], path, size: JSON.stringify(value).length }]
      : [];
  const found = [...own, ...inside.filter((each) => each !== null)];
  return found.reduce<(typeof found)[number] | null>(
    (most, each) => (most === null || each.size > most.size ? each : most),
    null,
  );
}

/** Values of JSON: no number has needless digits, and no text has commands of a terminal or hidden characters. */
function tidy(value: unknown): Json {
  if (typeof value === "number") return Number.isFinite(value) ? rounded(value) : null;
  if (typeof value === "string") return tidyText(value);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, tidy(each)]])),
    );
  return typeof value === "boolean" ? value : null;
}

/** To 0.1 from 100 on, otherwise to four decimals; below 1 to four digits, because a query has ratios of any size. */
function rounded(value: number): number {
  if (Number.isInteger(value)) return value;
  const size = Math.abs(value);
  if (size < 1) return Number(value.toPrecision(4));
  return size >= 100 ? Math.round(value * 10) / 10 : Math.round(value * 10_000) / 10_000;
}

const linesIn = (text: string): string[] =>
  text
    .replaceAll(/[\u00A0\u2009\u202F]/gu, " ")
    .split("\n")
    .map(withoutHiddenCharacters);

function tidyText(text: string): string {
  const plain = linesIn(text).join("\n");
  if (plain.length <= MOST_OF_TEXT) return plain;
  // Half of a surrogate pair would be no character.
  return `${plain.slice(0, MOST_OF_TEXT).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

const MOST_LINES = 20;
/** Characters of a line of an error: those at its beginning, and those at its end, which has the next step. */
const BEGINNING = 600;
const END = 300;

/** An error within bounds: it names paths and other texts of any length. */
export function boundedError(message: string): string {
  return firstAndLast(linesIn(message)).map(withoutMiddle).join("\n");
}

/** A folder without event files has a line for each of its files, and the reason in the last one. */
const firstAndLast = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_LINES
    ? lines
    : [
        ...lines.slice(0, MOST_LINES - 2),
        `${lines.length - MOST_LINES + 1} more files are not shown.`,
        ...lines.slice(-1),
      ];

const withoutMiddle = (line: string): string =>
  line.length <= BEGINNING + END ? line : `${line.slice(0, BEGINNING)}…${line.slice(-END)}`.toWellFormed();

/** An answer as text: a line for each value, and a table with tabs for each list of objects. */
export const textOf = (answer: Answer): string =>
  Object.entries(answer)
    .flatMap(([key, value]) => linesOf(key, value as Json))
    .join("\n");

function linesOf(key: string, value: Json): string[] {
  if (!Array.isArray(value)) {
    if (typeof value !== "object" || value === null)
      return value === null ? [] : [`${key}: ${oneLine(value)}`];
    return Object.entries(value).flatMap(([inner, each]) => linesOf(`${key}.${inner}`, each));
  }
  if (value.length === 0) return [];
  const rows = value.map((row) => (isPlain(row) ? flat(row) : row));
  if (!rows.every(isPlain)) return ["", `${key}:`, ...rows.map((row) => `- ${cellText(row)}`)];
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => heads.map((head) => cellText(row[head] ?? null)).join("\t"));
  return ["", `${key}:`, heads.join("\t"), ...lines];
}

type Plain = Readonly<Record<string, Json>>;
const isPlain = (value: Json): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Values of inner objects are columns of their own. */
const flat = (row: Plain): Plain =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      isPlain(value)
        ? Object.entries(value).map(([inner, each]) => [`${key}.${inner}`, each])
        : [[key, value]],
    ),
  );

function cellText(value: Json): string {
  if (value === null) return "-";
  if (Array.isArray(value)) return value.map(cellText).join(" | ");
  if (typeof value !== "object") return oneLine(value);
  return Object.entries(value)
    .map(([key, each]) => `${key}=${cellText(each)}`)
    .join(" ");
}

const oneLine = (value: string | number | boolean): string => String(value).replaceAll(/[\t\n]+/gu, " ");
