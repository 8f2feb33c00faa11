import type { EvidenceSeries } from "../shapes.ts";
import { isoTime } from "./local-time.ts";
import { LOCAL_COLUMNS, UTC_COLUMNS, type MetricRule, type TableRule } from "./sample-tables.ts";

/** Figures that one table may have: snapshots times keys times metrics. */
const MOST_VALUES = 20_000_000;

/** A metric's column in the file. */
interface Column {
  readonly at: number;
  readonly name: string;
  readonly factor: number;
  readonly rule: MetricRule;
}

/** Series of a table, and what became known on the way. */
export interface TableSeries {
  readonly series: readonly EvidenceSeries[];
  /** Intervals in which counters started again, in µs since 1970. */
  readonly restarts: readonly (readonly [fromUs: number, untilUs: number])[];
  /** Counters that went back although the others didn't: their delta is missing. */
  readonly wentBack: number;
  readonly snapshots: number;
}

/** Result of adding a row. */
export type RowResult = "added" | "skipped" | "notUnderstood";

/** Rows of a table by snapshot, as series. */
export class RowTable {
  readonly rule: TableRule;
  readonly unknownColumns: readonly string[];
  readonly #columns: readonly Column[];
  readonly #key: number;
  readonly #utc: number;
  readonly #local: number;
  readonly #only: number;
  /** Number of each snapshot, by its written time; NaN for the only one of a table without times. */
  readonly #snapshots = new Map<number, number>();
  readonly #values = new Map<string, number[]>();
  #count = 0;
  #damaged = 0;
  /** Minutes that local time is ahead of UTC, where rows have both. */
  utcOffsetMinutes: number | null = null;

  /** @param header names of the columns as written */
  constructor(rule: TableRule, header: readonly string[], kept: ReadonlySet<string> = new Set()) {
    const names = header.map((name) => name.trim().toLowerCase());
    const at = (wanted: readonly string[]): number => names.findIndex((name) => wanted.includes(name));
    this.rule = rule;
    this.#key = at(rule.key);
    this.#utc = at(UTC_COLUMNS);
    this.#local = at(LOCAL_COLUMNS);
    this.#only = rule.only === undefined ? -1 : at([rule.only.column]);
    const columns: Column[] = [];
    const unknown: string[] = [];
    for (const [index, name] of names.entries()) {
      const found = rule.metrics.find((metric) => name in metric.columns);
      const written = (header[index] ?? "").trim();
      if (found !== undefined)
        columns.push({ at: index, name: written, factor: found.columns[name] ?? 1, rule: found });
      else if (kept.has(written))
        columns.push({
          at: index,
          name: written,
          factor: 1,
          rule: { metric: written, unit: "count", form: "sample", columns: {} },
        });
      else if (![this.#key, this.#utc, this.#local, this.#only].includes(index) && !rule.unused.has(name))
        unknown.push(written);
    }
    this.#columns = columns;
    this.unknownColumns = unknown;
  }

  /** The header has the columns without which no row can be read. */
  get isReadable(): boolean {
    return this.#key >= 0 && this.#columns.length > 0;
  }

  get hasTimes(): boolean {
    return this.#utc >= 0 || this.#local >= 0;
  }

  /** Times are UTC without an offset from another source. */
  get isUtc(): boolean {
    return this.#utc >= 0;
  }

  /** @param decimalComma numbers are written as `1,5` */
  add(cells: readonly string[], decimalComma = false): RowResult {
    if (this.#only >= 0 && (cells[this.#only] ?? "").trim() !== this.rule.only?.value) {
      const isCut = cells[this.#only] === undefined;
      if (isCut) this.#damaged++;
      return isCut ? "notUnderstood" : "skipped";
    }
    const key = (cells[this.#key] ?? "").trim();
    const time = this.#timeOf(cells);
    const values = this.#columns.map(({ at, factor }) => numberOf(cells[at], decimalComma) * factor);
    const isBad = key === "" || time === null || values.every((value) => Number.isNaN(value));
    if (isBad || this.#count + values.length > MOST_VALUES) {
      this.#damaged++;
      return "notUnderstood";
    }
    const snapshot = this.#snapshotOf(time);
    const rows = this.#values.get(key) ?? [];
    // Which of two rows of a key in one snapshot is right, nothing shows.
    if (rows.at(-values.length - 1) === snapshot) return "notUnderstood";
    rows.push(snapshot, ...values);
    this.#values.set(key, rows);
    this.#count += values.length;
    return "added";
  }

  /** @param offsetMinutes minutes that local time is ahead of UTC */
  toSeries(source: { file: string; server: string | null }, offsetMinutes: number): TableSeries {
    const shift = this.isUtc ? 0 : offsetMinutes * 60e6;
    const order = Array.from(this.#snapshots.entries()).sort(([a], [b]) => a - b);
    const atUs = Float64Array.from(order, ([us]) => us - shift);
    const place = new Map(order.map(([, snapshot], index) => [snapshot, index]));
    const width = this.#columns.length + 1;
    const counted = this.#columns.map((_, column) =>
      Array.from(this.#values.values(), (rows) => {
        const values = new Float64Array(order.length).fill(Number.NaN);
        for (let at = 0; at < rows.length; at += width)
          values[place.get(rows[at] ?? 0) ?? 0] = rows[at + 1 + column] ?? Number.NaN;
        return values;
      }),
    );
    const firstDelta = this.#columns.findIndex(({ rule }) => rule.form === "delta");
    const restarted = firstDelta < 0 ? [] : restartsIn(counted[firstDelta] ?? [], order.length);
    let wentBack = 0;
    const series: EvidenceSeries[] = [];
    const keys = Array.from(this.#values.keys());
    for (const [index, { name, rule }] of this.#columns.entries())
      for (const [number, values] of (counted[index] ?? []).entries()) {
        const isDelta = rule.form === "delta" && order.length > 1;
        const deltas = isDelta
          ? deltasOf(values, restarted, this.rule.absentIsZero && this.#damaged === 0)
          : null;
        wentBack += deltas?.wentBack ?? 0;
        const key = keys[number] ?? "";
        series.push({
          metric: rule.metric,
          unit: rule.unit,
          server: source.server,
          of: this.rule.keyText?.(key) ?? key,
          form: rule.form === "delta" && !isDelta ? "cumulative" : rule.form,
          atUs,
          values: deltas?.values ?? values,
          source: { file: source.file, column: name },
        });
      }
    const restarts = restarted.map((at): [number, number] => [atUs[at - 1] ?? 0, atUs[at] ?? 0]);
    return { series, restarts, wentBack, snapshots: order.length };
  }

  #timeOf(cells: readonly string[]): number | null {
    if (!this.hasTimes) return Number.NaN;
    const utc = this.#utc < 0 ? null : isoTime(cells[this.#utc] ?? "");
    const local = this.#local < 0 ? null : isoTime(cells[this.#local] ?? "");
    if (utc !== null && local !== null) this.utcOffsetMinutes ??= quarterHours(local.us - utc.us);
    return (this.#utc < 0 ? local : utc)?.us ?? null;
  }

  #snapshotOf(time: number): number {
    const found = this.#snapshots.get(time) ?? this.#snapshots.size;
    this.#snapshots.set(time, found);
    return found;
  }
}

/** Offsets are multiples of 15 minutes; the two times of a row may differ by some milliseconds more. */
const quarterHours = (us: number): number => Math.round(us / 900e6) * 15;

/** NaN for an empty cell, for NULL, and for a text. */
function numberOf(cell: string | undefined, decimalComma: boolean): number {
  const text = (cell ?? "").trim();
  if (text === "" || text.length > 40) return Number.NaN;
  const value = Number(decimalComma ? text.replace(",", ".") : text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Snapshots before which most counters went back: a restart, or a user cleared them. */
function restartsIn(counters: readonly Float64Array[], snapshots: number): number[] {
  const found: number[] = [];
  for (let at = 1; at < snapshots; at++) {
    let both = 0;
    let back = 0;
    for (const values of counters) {
      const before = values[at - 1] ?? Number.NaN;
      const now = values[at] ?? Number.NaN;
      if (Number.isNaN(before) || Number.isNaN(now)) continue;
      both++;
      if (now < before) back++;
    }
    if (back * 2 > both) found.push(at);
  }
  return found;
}

function deltasOf(
  values: Float64Array,
  restarts: readonly number[],
  absentIsZero: boolean,
): { values: Float64Array; wentBack: number } {
  const deltas = new Float64Array(values.length).fill(Number.NaN);
  let wentBack = 0;
  for (let at = 1; at < values.length; at++) {
    if (restarts.includes(at)) continue;
    const before = values[at - 1] ?? Number.NaN;
    const delta = (values[at] ?? Number.NaN) - (absentIsZero && Number.isNaN(before) ? 0 : before);
    if (delta < 0) wentBack++;
    else deltas[at] = delta;
  }
  return { values: deltas, wentBack };
}
