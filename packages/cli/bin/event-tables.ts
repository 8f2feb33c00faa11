/**
 * `xel tables PATH... --out DIR --events [--event NAME]... [--parquet]`: the events of any session as they are, a table
 * per event type (docs/reference/tables.md). Files are read and tables written part by part.
 */
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isExpected, openAsXel, withFoundFiles } from "@aglens/ag-model/commands";
import {
  clearProgress,
  EXIT,
  noSuchEvent,
  parseCommand,
  reportFailure,
  reportGaps,
  UsageError,
  withProgress,
} from "xel-parser/commands";
import { readEventTables, type EventTable, type FileReport } from "xel-parser/format";
import { rawColumns, type RawColumn } from "./event-columns.ts";
import { EVENT_TABLE_OPTIONS } from "./event-table-options.ts";
import {
  EVENTS_AS_ARROW,
  EVENTS_AS_PARQUET,
  type TableEncoder,
  type TableFormat,
} from "./event-table-formats.ts";
import { UnwritableError, writingTo } from "./unwritable.ts";

type Write = (text: string) => void;

interface EventTableArguments {
  readonly paths: readonly string[];
  readonly out: string;
  readonly format: TableFormat;
  /** Names of the wanted events; undefined for all. */
  readonly only: ReadonlySet<string> | undefined;
  readonly force: boolean;
}

/**
 * Writes the tables, names their files, and returns the exit code.
 * @throws UsageError
 */
export async function eventTables(args: readonly string[], write: Write): Promise<number> {
  const parsed = parse(args);
  try {
    return await withFoundFiles({ groups: [parsed.paths], topologies: [] }, async (found) => {
      const { skipped, groups, isDamaged } = found;
      for (const sentence of skipped) console.error(sentence);
      const paths = groups.flat().map(({ path }) => path);
      const code = await withProgress(paths, () => writeAll(groups.flat(), parsed, write));
      if (code === EXIT.nothing) return code;
      if (isDamaged || code === EXIT.damaged) return EXIT.damaged;
      return skipped.length > 0 ? EXIT.skipped : code;
    });
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return EXIT.nothing;
  }
}

function parse(args: readonly string[]): EventTableArguments {
  const { values, positionals } = parseCommand(args, EVENT_TABLE_OPTIONS);
  const { out, event, parquet, force = false } = values;
  if (positionals.length === 0) throw new UsageError("Provide at least one path.");
  if (out === undefined) throw new UsageError("Provide --out DIR, the folder to write into.");
  return {
    paths: positionals,
    out,
    format: parquet === true ? EVENTS_AS_PARQUET : EVENTS_AS_ARROW,
    only: event === undefined ? undefined : new Set(event),
    force,
  };
}

async function writeAll(
  files: readonly { readonly path: string; readonly name: string }[],
  { out, format, only, force }: EventTableArguments,
  write: Write,
): Promise<number> {
  const folder = new EventTableFolder(out, format);
  const codes: number[] = [];
  // A file that is provided twice counts once.
  for (const { path, name } of new Map(files.map((file) => [file.path, file])).values()) {
    try {
      const { bytes, textReport } = await openAsXel(path);
      const tables = readEventTables(bytes, { force, ...(only && { only }) });
      const report = await folder.addFile(tables, name);
      reportUnclaimed(name, report);
      codes.push(reportGaps(name, textReport() ?? report));
    } catch (error) {
      if (error instanceof UnwritableError) throw error;
      if (error instanceof TableLimitError) {
        console.error(error.message);
        codes.push(EXIT.damaged);
        break;
      }
      codes.push(reportFailure(name, error) === EXIT.nothing ? EXIT.skipped : EXIT.damaged);
    }
  }
  await folder.end(write);
  if (folder.isEmpty) {
    console.error(NO_EVENTS);
    return EXIT.nothing;
  }
  for (const name of only ?? []) if (!folder.hasEvent(name)) console.error(noSuchEvent(name));
  if (codes.includes(EXIT.damaged)) return EXIT.damaged;
  return codes.includes(EXIT.skipped) ? EXIT.skipped : EXIT.complete;
}

const NO_EVENTS =
  "Can't write tables: the files contain no event. Provide .xel files with events, and check the names after --event.";

/** Values of types that only a newer server has. */
function reportUnclaimed(file: string, { unclaimed }: FileReport): void {
  for (const { event, events, bytes, offset } of unclaimed ?? [])
    console.error(
      `${file}: ${bytes} bytes in ${events} events ${event} belong to no known column, first at byte ${offset}. They are not in the table.`,
    );
}

/** A table that is being written. */
interface OpenTable {
  readonly path: string;
  readonly columns: readonly Omit<RawColumn, "values">[];
  readonly encoder: TableEncoder;
  rows: number;
}

/** Two servers or versions have few variants of an event type; more tables than that are of a damaged file. */
const MOST_TABLES = 1_000;

/** More tables are needed than are written. */
class TableLimitError extends Error {
  constructor() {
    super(
      `Can't write more than ${MOST_TABLES} tables: the files describe too many event types. The events after the last table are missing. Select event types with --event.`,
    );
  }
}

/** Characters of a file's name without its extension; file systems allow 255 bytes. */
const MOST_NAME = 60;

/** The folder of the tables, one table per event type and set of columns. */
class EventTableFolder {
  readonly #out: string;
  readonly #format: TableFormat;
  /** By event type. */
  readonly #tables = new Map<string, OpenTable[]>();
  readonly #names = new Set<string>();
  readonly #unreadable = new Set<string>();

  constructor(out: string, format: TableFormat) {
    this.#out = out;
    this.#format = format;
  }

  get isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  /** @param name of an event, without its package */
  hasEvent(name: string): boolean {
    return [...this.#tables.keys()].some((type) => type.endsWith(`.${name}`));
  }

  async addFile(tables: AsyncGenerator<EventTable, FileReport>, file: string): Promise<FileReport> {
    let item = await tables.next();
    for (; item.done !== true; item = await tables.next()) {
      const { value } = item;
      await writingTo(this.#out, () => this.#add(value, file));
    }
    return item.value;
  }

  /** Ends the files and names them. */
  async end(write: Write): Promise<void> {
    for (const table of [...this.#tables.values()].flat()) {
      await writingTo(this.#out, async () => appendFile(table.path, await table.encoder.end()));
      clearProgress();
      write(`${table.path}  ${table.rows.toLocaleString("en-US")} rows`);
    }
  }

  async #add(part: EventTable, file: string): Promise<void> {
    for (const name of part.unreadable) this.#reportUnreadable(part, name);
    const columns = rawColumns(part, file);
    const byName = new Map(columns.map((column) => [column.name, column]));
    const table = this.#tableFor(part, columns) ?? (await this.#create(part, columns));
    const absent = Array.from({ length: part.length }, () => null);
    const values = table.columns.map(({ name }) => byName.get(name)?.values ?? absent);
    await appendFile(table.path, await table.encoder.encode(values, part.length));
    table.rows += part.length;
  }

  /** The first table of the event type that has all of the columns. */
  #tableFor(part: EventTable, columns: readonly RawColumn[]): OpenTable | undefined {
    return this.#tables.get(typeOf(part))?.find((table) => {
      const kinds = new Map(table.columns.map(({ name, kind }) => [name, kind]));
      return columns.every(({ name, kind }) => kinds.get(name) === kind);
    });
  }

  async #create(part: EventTable, all: readonly RawColumn[]): Promise<OpenTable> {
    if (this.#names.size >= MOST_TABLES) throw new TableLimitError();
    const columns = all.map(({ name, kind, about }) => ({ name, kind, about }));
    const path = join(this.#out, `${this.#unusedName(part)}.${this.#format.extension}`);
    const metadata = { format: "xel-events-1", package: part.package, event: part.name };
    const table = { path, columns, encoder: this.#format.open(columns, metadata), rows: 0 };
    const known = this.#tables.get(typeOf(part));
    if (known === undefined) this.#tables.set(typeOf(part), [table]);
    else known.push(table);
    await mkdir(this.#out, { recursive: true });
    await writeFile(path, "");
    return table;
  }

  /** Name of the file: the event's, with its package or a number where that is in use. */
  #unusedName(part: EventTable): string {
    const [plain, full] = [safeName(part.name), safeName(typeOf(part))];
    const isVariant = this.#tables.has(typeOf(part));
    let name = isVariant ? `${plain}-2` : plain;
    if (!isVariant && this.#names.has(name.toLowerCase())) name = full;
    for (let number = isVariant ? 3 : 2; this.#names.has(name.toLowerCase()); number++)
      name = `${isVariant ? plain : full}-${number}`;
    this.#names.add(name.toLowerCase());
    return name;
  }

  #reportUnreadable(part: EventTable, name: string): void {
    const column = `${typeOf(part)}.${name}`;
    if (this.#unreadable.has(column)) return;
    this.#unreadable.add(column);
    console.error(`Can't read field ${column}: its type is unknown. It is not in the table.`);
  }
}

const typeOf = ({ package: owner, name }: EventTable): string => `${owner}.${name}`;

/** A name from a file, as a file name of every system. */
function safeName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-").replaceAll(/^[.-]+|\.+$/gu, "");
  const isReserved = plain === "" || /^(?:aux|con|nul|prn|(?:com|lpt)[\d¹²³])(?:\.|$)/iu.test(plain);
  return (isReserved ? `event-${plain}` : plain).slice(0, MOST_NAME);
}
