/**
 * Rowsets in the output of SQL LogScout and PSSDIAG, as sqlcmd prints them: a line `-- name --`, a head, dashes as wide
 * as each column, and rows up to an empty line. Each snapshot repeats them.
 */
import { Leftovers } from "./leftovers.ts";
import { RowTable } from "./row-table.ts";
import type { SampleOptions, Samples } from "./samples.ts";
import { FILE_STATISTICS, SCHEDULERS, WAITS, type TableRule } from "./sample-tables.ts";
import { seriesOfTables } from "./table-series.ts";
import { textLines } from "./text-lines.ts";

const RULES: Readonly<Record<string, TableRule>> = {
  dm_os_wait_stats: WAITS,
  file_io_stats: FILE_STATISTICS,
  dm_os_schedulers: SCHEDULERS,
};

const NAME = /^--\s+(?:sys\.)?(\S.*?)\s+--\s*$/u;
const DASHES = /^\s*-+(?: -+)*\s*$/u;
const SERVER = /^sql server name\s+(\S+)\s*$/iu;
/** Lines of the scripts around their rowsets. */
const SCRIPT_LINE =
  /^(?:starting .* script\.\.\.|start time: |start sqlserver time: |debugprint: |no active queries|name +value$|changed database context|changed language setting|\(\d+ rows? affected\))/iu;

/** Columns of a rowset: from its first character to behind its last one. */
type Widths = readonly (readonly [from: number, to: number])[];

/** Reads the rowsets of wait statistics, file statistics and schedulers; all others are counted by their names. */
export async function readRowsets(
  chunks: AsyncIterable<Uint8Array>,
  options: SampleOptions,
): Promise<Samples> {
  const reader = new RowsetReader(options.columns);
  for await (const lines of textLines(chunks)) for (const line of lines) reader.read(line);
  return reader.end(options);
}

/** Reads the rowsets of a text that is in memory. */
export function readRowsetLines(lines: readonly string[], options: SampleOptions): Samples {
  const reader = new RowsetReader(options.columns);
  for (const line of lines) reader.read(line);
  return reader.end(options);
}

class RowsetReader {
  readonly #kept: ReadonlySet<string> | undefined;
  readonly #leftovers = new Leftovers();
  /** Tables by rule and head: another version of SQL Server may have further columns. */
  readonly #tables = new Map<string, RowTable>();
  readonly #otherNames = new Set<string>();
  #server: string | null = null;
  #rule: TableRule | null = null;
  #head: string | null = null;
  #widths: Widths | null = null;
  #table: RowTable | null = null;
  /** Inside a rowset that isn't read, or between rowsets. */
  #isOther = false;

  constructor(kept: ReadonlySet<string> | undefined) {
    this.#kept = kept;
  }

  read(line: string): void {
    const name = line.startsWith("--") ? NAME.exec(line)?.[1]?.toLowerCase() : undefined;
    if (name !== undefined) this.#begin(name);
    else if (line.trim() === "") this.#endRowset();
    else if (this.#rule !== null) this.#readInside(line);
    else this.#readOutside(line);
  }

  end(options: SampleOptions): Samples {
    const tables = Array.from(this.#tables.values());
    const derived = tables.find(({ utcOffsetMinutes }) => utcOffsetMinutes !== null)?.utcOffsetMinutes;
    const offset = derived ?? options.utcOffsetMinutes;
    const server = this.#server ?? options.server;
    const { series, remarks } = seriesOfTables(tables, { ...options, server, utcOffsetMinutes: offset });
    for (const name of this.#otherNames) this.#leftovers.add(`Rowset ${name}`);
    for (const table of tables)
      for (const column of table.unknownColumns)
        this.#leftovers.add(`Column ${column} of ${table.rule.name}`);
    return { series, server, remarks, notUnderstood: this.#leftovers.of(options.file) };
  }

  #begin(name: string): void {
    this.#endRowset();
    this.#rule = RULES[name] ?? null;
    this.#isOther = this.#rule === null;
    if (this.#isOther && this.#otherNames.size < 100 && !name.startsWith("script"))
      this.#otherNames.add(name);
  }

  #endRowset(): void {
    // An empty line may be between the name and the head.
    if (this.#rule !== null && this.#head === null) return;
    if (this.#rule !== null && this.#widths === null && this.#head !== null) this.#leftovers.add(this.#head);
    this.#rule = null;
    this.#head = null;
    this.#widths = null;
    this.#table = null;
  }

  #readInside(line: string): void {
    if (this.#head === null) this.#head = line;
    else if (this.#widths === null) this.#readDashes(line);
    else this.#readRow(line);
  }

  #readDashes(line: string): void {
    const rule = this.#rule;
    if (rule === null || !DASHES.test(line)) {
      this.#leftovers.add(this.#head ?? "");
      this.#leftovers.add(line);
      this.#rule = null;
      this.#head = null;
      return;
    }
    const head = this.#head ?? "";
    this.#widths = Array.from(line.matchAll(/-+/gu), ({ index, 0: dashes }) => [
      index,
      index + dashes.length,
    ]);
    const names = cellsOf(head, this.#widths) ?? [];
    const id = `${rule.name} ${names.join(" ")}`;
    const table = this.#tables.get(id) ?? new RowTable(rule, names, this.#kept);
    this.#table = table.isReadable && table.hasTimes ? table : null;
    if (this.#table === null) this.#leftovers.add(head);
    else this.#tables.set(id, table);
  }

  #readRow(line: string): void {
    // Its head is counted already.
    if (this.#table === null) return;
    const cells = cellsOf(line, this.#widths ?? []);
    if (cells === null || this.#table.add(cells) === "notUnderstood") this.#leftovers.add(line);
  }

  #readOutside(line: string): void {
    this.#server ??= SERVER.exec(line)?.[1] ?? null;
    if (this.#isOther || DASHES.test(line) || SCRIPT_LINE.test(line)) return;
    this.#leftovers.addUnnamed();
  }
}

/** Cells of a line of fixed widths; null where a character is between two columns, so that the line is no such row. */
function cellsOf(line: string, widths: Widths): string[] | null {
  const cells: string[] = [];
  for (const [from, to] of widths) {
    if ((line[to] ?? " ") !== " ") return null;
    cells.push(line.slice(from, to).trim());
  }
  return cells;
}
