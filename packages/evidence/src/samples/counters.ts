/** Performance counters as CSV, as relog and typeperf write them. */
import Papa from "papaparse";
import type { EvidenceSeries } from "../shapes.ts";
import { counterPath, counterRule } from "./counter-rules.ts";
import { Leftovers } from "./leftovers.ts";
import { counterTime } from "./local-time.ts";
import { remark, type FileSeries, type Remark, type SampleOptions, type Samples } from "./samples.ts";
import { textLines } from "./text-lines.ts";

const MOST_VALUES = 20_000_000;
const HEAD = /^\(PDH-CSV [\d.]+\)(?:\s*\((.*)\)\((-?\d+)\))?$/u;
/** Lines that typeperf prints behind the samples. */
const TYPEPERF_LINES = new Set(["Exiting, please wait...", "The command completed successfully."]);

/** A column that is read. */
interface Column {
  readonly at: number;
  readonly factor: number;
  readonly values: number[];
  readonly series: Omit<EvidenceSeries, "atUs" | "values">;
}

/** Reads the counters that have a rule, and those whose path `options.columns` has. */
export async function readCounters(
  chunks: AsyncIterable<Uint8Array>,
  options: SampleOptions,
): Promise<Samples> {
  const reader = new CounterReader(options);
  for await (const lines of textLines(chunks)) for (const line of lines) reader.read(line);
  return reader.end();
}

class CounterReader {
  readonly #options: SampleOptions;
  readonly #leftovers = new Leftovers();
  readonly #times: number[] = [];
  #columns: Column[] | null = null;
  #width = 0;
  #offset: number | null;
  #server: string | null = null;
  #understood = 0;
  #isFull = false;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#offset = options.utcOffsetMinutes;
  }

  read(line: string): void {
    if (line.trim() === "" || TYPEPERF_LINES.has(line.trim())) return;
    const cells = rowOf(line);
    if (this.#columns === null || HEAD.test(cells[0] ?? "")) this.#readHead(cells, line);
    else this.#readRow(cells, line);
  }

  end(): Samples {
    const { file, server } = this.#options;
    const offset = this.#offset;
    const remarks: Remark[] = [];
    if (this.#isFull) remarks.push(remark("The file has too many samples. The last ones aren't read."));
    if (this.#columns !== null && this.#understood === 0)
      remarks.push(remark("No column has the English name of a counter that AG Lens uses."));
    const shift = (offset ?? 0) * 60e6;
    const atUs = Float64Array.from(this.#times, (us) => us - shift);
    const columns = atUs.length === 0 ? [] : (this.#columns ?? []);
    const series = columns.map((column): FileSeries => ({
      ...column.series,
      server: column.series.server ?? server,
      atUs,
      values: Float64Array.from(column.values),
      isLocal: offset === null,
    }));
    return { series, server: this.#server ?? server, remarks, notUnderstood: this.#leftovers.of(file) };
  }

  #readHead(cells: readonly string[], line: string): void {
    const found = HEAD.exec(cells[0] ?? "");
    // A second head begins a run with other columns.
    if (found === null || this.#columns !== null) {
      this.#leftovers.add(line);
      return;
    }
    // Minutes to add to local time for UTC.
    if (found[2] !== undefined) this.#offset = 0 - Number(found[2]);
    this.#width = cells.length;
    this.#columns = [];
    for (const [at, path] of cells.entries()) if (at > 0) this.#readColumn(at, path);
  }

  #readColumn(at: number, path: string): void {
    const parts = counterPath(path);
    const rule = parts === null ? null : counterRule(parts);
    this.#server ??= parts?.server ?? null;
    if (rule !== null) this.#understood++;
    if (parts === null || (rule === null && this.#options.columns?.has(path) !== true)) {
      this.#leftovers.add(`Column ${path}`);
      return;
    }
    const object = parts.of === null ? parts.object : `${parts.object}(${parts.of})`;
    this.#columns?.push({
      at,
      factor: rule?.factor ?? 1,
      values: [],
      series: {
        metric: rule?.metric ?? parts.counter,
        unit: rule?.unit ?? "count",
        server: parts.server,
        of: rule === null ? object : parts.of,
        form: "sample",
        source: { file: this.#options.file, column: path },
      },
    });
  }

  #readRow(cells: readonly string[], line: string): void {
    const columns = this.#columns ?? [];
    const time = counterTime(cells[0] ?? "");
    if (time === null || cells.length < this.#width || (this.#times.at(-1) ?? -Infinity) >= time) {
      this.#leftovers.add(line);
      return;
    }
    this.#isFull ||= (this.#times.length + 1) * columns.length > MOST_VALUES;
    if (this.#isFull) return;
    this.#times.push(time);
    for (const { at, values, factor } of columns) {
      const text = (cells[at] ?? "").trim();
      // The first value of a rate is blank.
      const value = text === "" ? Number.NaN : Number(text) * factor;
      const isNumber = Number.isFinite(value);
      if (text !== "" && !isNumber) this.#leftovers.add(text);
      values.push(isNumber ? value : Number.NaN);
    }
  }
}

const rowOf = (line: string): string[] => Papa.parse<string[]>(line, { delimiter: "," }).data[0] ?? [];
