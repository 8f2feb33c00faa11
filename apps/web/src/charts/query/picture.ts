/** The picture of a query's rows: its columns, and the places of their marks. */
import type { SqlResultColumn } from "@aglens/contract";

export interface PictureChoice {
  readonly x: string;
  readonly y: readonly string[];
  /** A panel for each of its values; null for one panel. */
  readonly panel: string | null;
}

/**
 * spread: a bar from p50 to p95, a line at p50, a stroke to p99, a dot at the maximum. lines: over buckets of time.
 * dots: at single instants, or over another number, because the values between them are unknown. bars: a bar per word.
 */
export type PictureKind = "spread" | "lines" | "dots" | "bars";

export interface PicturePanel {
  /** Value of the panel's column; "" where there is one panel. */
  readonly label: string;
  /** Rows of the result. */
  readonly rows: readonly number[];
}

export interface Picture {
  readonly kind: PictureKind;
  readonly x: SqlResultColumn;
  readonly y: readonly SqlResultColumn[];
  /** Unit of y; null for no unit, or for several. */
  readonly unit: string | null;
  /** True where the axis of y is logarithmic: for durations, unless a value has no logarithm. */
  readonly isLogarithmic: boolean;
  readonly panels: readonly PicturePanel[];
  readonly panelColumn: string | null;
  /** Places of rows on x, and its ends; a word's is its number. */
  readonly at: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Width of a bucket on x. */
  readonly step: number;
  /** True where rows are buckets, one next to the other; false where they are single places. */
  readonly hasBuckets: boolean;
  /** A limit that the query counts by, µs; null without one. */
  readonly limitUs: number | null;
  /** Words of x, in their order. */
  readonly words: readonly string[];
}

/** More panels need scrolling, and users can't compare them. */
const MOST_PANELS = 24;
const MOST_WORDS = 60;
const SPREAD = ["p50", "p95", "p99", "max"];

/** Columns for a result; null where none of them can be drawn. */
export function guessedChoice(columns: readonly SqlResultColumn[]): PictureChoice | null {
  const numbers = columns.filter(({ kind }) => kind === "number");
  const x =
    columns.find(({ kind }) => kind === "time") ??
    columns.find(({ kind, values }) => kind === "text" && hasFewTexts(values, columns)) ??
    (numbers.length > 1 ? numbers[0] : undefined);
  if (x === undefined) return null;
  // The column before the percentiles is the one that they are grouped by: a size, a number of commits.
  const spread = SPREAD.filter((name) => numbers.some((column) => column.name === name));
  const isSpread = spread.includes("p50") && spread.includes("p95");
  const by =
    isSpread && x.kind === "text" ? numbers.find((column) => isAscending(column, columns)) : undefined;
  const along = by ?? x;
  const y = isSpread ? spread : otherNumbers(numbers, along);
  if (y.length === 0) return null;
  return { x: along.name, y, panel: guessedPanel(columns, along) };
}

/**
 * Replicas; otherwise the first text column that distinguishes rows at the same place of x; null where no rows share a
 * place.
 */
function guessedPanel(columns: readonly SqlResultColumn[], x: SqlResultColumn): string | null {
  const words = columns.filter(
    (column) => column !== x && column.kind === "text" && distinct(column.values).length <= MOST_PANELS,
  );
  const replica = words.find(({ name }) => name === "replica");
  if (replica !== undefined) return replica.name;
  return distinct(x.values).length === x.values.length ? null : (words[0]?.name ?? null);
}

const distinct = (values: SqlResultColumn["values"]): string[] => [...new Set(values.map(String))];

/** A word per row, or per row of a panel. */
function hasFewTexts(values: SqlResultColumn["values"], columns: readonly SqlResultColumn[]): boolean {
  const words = distinct(values).length;
  return words > 1 && words <= MOST_WORDS && columns.some(({ kind }) => kind === "number");
}

/** True for the first column, except for text columns, by which the rows are in order. */
function isAscending(column: SqlResultColumn, columns: readonly SqlResultColumn[]): boolean {
  return column === columns.find(({ kind }) => kind !== "text") && isSorted(column.values);
}

const isSorted = (values: SqlResultColumn["values"]): boolean =>
  values.length > 1 && values.every((value, i) => i === 0 || Number(value) >= Number(values[i - 1]));

/** Durations, if any: they share one scale. */
function otherNumbers(numbers: readonly SqlResultColumn[], x: SqlResultColumn): string[] {
  const others = numbers.filter((column) => column !== x);
  const durations = others.filter(({ unit }) => unit === "µs");
  return (durations.length > 0 ? durations.slice(0, 4) : others.slice(0, 1)).map(({ name }) => name);
}

/** Null where the columns are not in the result, or of the wrong kind. */
export function pictureOf(columns: readonly SqlResultColumn[], choice: PictureChoice): Picture | null {
  const named = (name: string): SqlResultColumn | undefined => columns.find((column) => column.name === name);
  const x = named(choice.x);
  const y = choice.y.map(named).filter((column) => column?.kind === "number") as SqlResultColumn[];
  const panel = choice.panel === null ? undefined : named(choice.panel);
  if (x === undefined || x.kind === "boolean" || y.length === 0) return null;
  const words = x.kind === "text" ? distinct(x.values).slice(0, MOST_WORDS) : [];
  const at = x.values.map((value) => (x.kind === "text" ? words.indexOf(String(value)) : numberOf(value)));
  const isPlace = (place: number): boolean => Number.isFinite(place) && (place >= 0 || x.kind !== "text");
  const places = [...new Set(at.filter(isPlace))].toSorted((a, b) => a - b);
  const hasBuckets = x.kind === "text" || isRegular(places, x.kind === "time");
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? first;
  const step = x.kind === "text" ? 1 : hasBuckets ? leastGap(places) : 0;
  // Marks at single places do not touch the edges.
  const edge = hasBuckets ? 0 : (last - first || 1) * EDGE;
  const units = new Set(y.map(({ unit }) => unit));
  const unit = units.size === 1 ? (y[0]?.unit ?? null) : null;
  return {
    kind: kindOf(x, y, hasBuckets),
    x,
    y,
    unit,
    isLogarithmic: unit === "µs" && y.every(({ values }) => values.every(hasLogarithm)),
    panels: panelsOf(panel, x.values.length),
    panelColumn: panel?.name ?? null,
    at,
    from: first - edge,
    to: last + step + edge,
    step,
    hasBuckets,
    limitUs: unit === "µs" ? limitIn(columns) : null,
    words,
  };
}

/** Empty share of the picture's range on either side. */
const EDGE = 0.03;
const SECOND_US = 1_000_000;
/** Largest number of places that are checked for a grid. */
const MOST_BUCKETS = 5_000;

/**
 * Whether places are on a grid that is not much finer than they are. Two places always are; two times only if they are
 * round.
 */
function isRegular(places: readonly number[], isTime: boolean): boolean {
  if (places.length < 3) return !isTime || places.every((place) => place % SECOND_US === 0);
  const step = leastGap(places);
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? first;
  if ((last - first) / step > Math.min(MOST_BUCKETS, 20 * places.length)) return false;
  return places.every(
    (place) => Math.abs((place - first) / step - Math.round((place - first) / step)) < 1e-6,
  );
}

/** A value that isn't a number isn't drawn. */
const hasLogarithm = (value: SqlResultColumn["values"][number]): boolean =>
  typeof value !== "number" || value > 0;

const LIMIT_UNITS: Readonly<Record<string, number>> = { us: 1, ms: 1e3, s: 1e6 };

/** `over_50_ms` counts values over 50 ms. */
function limitIn(columns: readonly SqlResultColumn[]): number | null {
  for (const { name } of columns) {
    const [, figure, unit = ""] = /^over_(\d+)_(us|ms|s)$/u.exec(name) ?? [];
    if (figure !== undefined) return Number(figure) * (LIMIT_UNITS[unit] ?? 1);
  }
  return null;
}

function kindOf(x: SqlResultColumn, y: readonly SqlResultColumn[], hasBuckets: boolean): PictureKind {
  const names = y.map(({ name }) => name);
  if (names.includes("p50") && names.includes("p95")) return "spread";
  if (x.kind === "time" && hasBuckets) return "lines";
  return x.kind === "text" ? "bars" : "dots";
}

/** Least distance of two places: the width of a bucket where there are buckets. */
function leastGap(places: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < places.length; i++) least = Math.min(least, (places[i] ?? 0) - (places[i - 1] ?? 0));
  return Number.isFinite(least) ? least : 1;
}

function panelsOf(column: SqlResultColumn | undefined, rows: number): PicturePanel[] {
  const all = Array.from({ length: rows }, (_, row) => row);
  if (column === undefined) return [{ label: "", rows: all }];
  const byValue = Map.groupBy(all, (row) => String(column.values[row] ?? "–"));
  return [...byValue].slice(0, MOST_PANELS).map(([label, own]) => ({ label, rows: own }));
}

const numberOf = (value: SqlResultColumn["values"][number] | undefined): number =>
  typeof value === "number" ? value : Number.NaN;

/** A value of a column; NaN where the value isn't a number. */
export const valueAt = (column: SqlResultColumn | undefined, row: number): number =>
  numberOf(column?.values[row]);
