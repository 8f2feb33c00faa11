/** The listed events as CSV: the content of rows and detail, for the same range, names and text. */
import { formatInstant } from "@aglens/ag-model/words";
import { csvText, UTF8_MARK, type RawEvent, type RawEvents } from "@aglens/contract";
import { type CaptureSource, MOST_EVENTS_READ, type RawEventsOptions } from "../../data/capture-source.ts";
import { rawTexts as texts } from "../../messages/raw.ts";

import { formatDayTime, isLocal, zoneName } from "../../ui/words.ts";
import type { ZonedSummary } from "../capture-view/zones.ts";
import type { Filter } from "./use-event-list.ts";

/** Maximum rows of a file; more rows are a task for `xel dump`. */
export const MOST_CSV_ROWS = 200_000;
/** Maximum number of events that are read to find the listed ones. */
export const MOST_CSV_READ = 2_000_000;

export interface EventsCsv {
  readonly content: Blob;
  readonly rows: number;
  /** Bound after which the file does not contain the listed events; "none" where it contains all of them. */
  readonly cutBy: "none" | "rows" | "read";
  /** Events read, and how many the range has. */
  readonly read: number;
  readonly total: number;
  /** Events of those that could not be read. */
  readonly unreadable: number;
}

interface Column {
  readonly name: string;
  readonly of: (event: RawEvent, summary: ZonedSummary) => unknown;
}

/** The columns that every event has: people read the file, so a local time is next to UTC where one is shown. */
function columnsFor(summary: ZonedSummary): readonly Column[] {
  if (!isLocal(summary)) return COLUMNS;
  const [utc, ...rest] = COLUMNS;
  return [
    ...(utc === undefined ? [] : [utc]),
    {
      name: texts.firedPart(zoneName(summary)),
      of: ({ fire }) => (fire === null ? null : formatDayTime(summary, fire)),
    },
    ...rest,
  ];
}

/** In the order of the file. */
const COLUMNS: readonly Column[] = [
  {
    name: "fired_utc",
    of: ({ fire }, { originTicks }) => (fire === null ? null : formatInstant(BigInt(originTicks), fire)),
  },
  { name: "fired_us", of: ({ fire }) => fire },
  { name: "fired_by_publish_time", of: ({ byPublish }) => byPublish },
  { name: "published_utc", of: ({ timestamp }) => timestamp },
  { name: "replica", of: ({ replica }, { replicas }) => replicas[replica]?.name },
  { name: "event", of: ({ name }) => name },
  { name: "mode", of: ({ mode }) => mode },
  { name: "duration", of: ({ duration }) => duration },
  { name: "duration_unit", of: ({ duration, durationUnit }) => (duration === null ? null : durationUnit) },
  { name: "lsn", of: ({ lsn }) => lsn },
  { name: "database", of: ({ database }, { databases }) => databases[database]?.name },
  { name: "file", of: ({ file }) => file },
  { name: "offset_bytes", of: ({ offset }) => offset },
];

/**
 * Reads the events of a filter page by page and writes them. A field or an action that appears for the first time
 * becomes a new column at the right, so that nothing is read twice.
 * @param onProgress share of the range that has been read, 0 to 1
 * Rejects with ProblemError when the server refuses a page, with an AbortError when `signal` fires.
 */
export async function writeEventsCsv(
  source: CaptureSource,
  summary: ZonedSummary,
  filter: Filter,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<EventsCsv> {
  const values = new ValueColumns();
  const columns = columnsFor(summary);
  const pages: { readonly lines: readonly string[]; readonly width: number }[] = [];
  let [rows, read, total, unreadable, leftOut] = [0, 0, 0, 0, 0];
  let next: number | null = 0;
  while (next !== null && rows < MOST_CSV_ROWS && read < MOST_CSV_READ) {
    const asked: RawEventsOptions = { ...filter, first: { position: next }, read: MOST_EVENTS_READ };
    // oxlint-disable-next-line no-await-in-loop -- where a page ends shows where the next one begins
    const page: RawEvents = await source.rawEvents(asked).ask(signal);
    const lines = page.events
      .slice(0, MOST_CSV_ROWS - rows)
      .map((event) =>
        [...columns.map((column) => csvValue(column.of(event, summary))), ...values.cells(event)].join(","),
      );
    pages.push({ lines, width: values.names.length });
    rows += lines.length;
    leftOut = page.events.length - lines.length;
    read += page.read;
    unreadable += page.unreadable;
    ({ total, next } = page);
    onProgress(total === 0 ? 1 : read / total);
  }
  const head = [...columns.map(({ name }) => name), ...values.names].map(csvText).join(",");
  const parts = pages.flatMap(({ lines, width }) => {
    const rest = ",".repeat(values.names.length - width);
    return lines.map((line) => `${line}${rest}\r\n`);
  });
  return {
    content: new Blob([UTF8_MARK, head, "\r\n", ...parts], { type: "text/csv" }),
    rows,
    cutBy: next === null && leftOut === 0 ? "none" : rows === MOST_CSV_ROWS ? "rows" : "read",
    read,
    total,
    unreadable,
  };
}

/** Fields and actions, each a column from its first event on. */
class ValueColumns {
  readonly names: string[] = [];
  readonly #columns = new Map<string, number>();

  /** The event's values by column; as many cells as there are columns so far. */
  cells({ fields, actions }: RawEvent): string[] {
    const cells: string[] = [];
    for (const [name, value] of Object.entries(fields))
      cells[this.#columnOf(texts.field(name))] = csvValue(value);
    for (const [name, value] of Object.entries(actions))
      cells[this.#columnOf(texts.action(name))] = csvValue(value);
    return Array.from(this.names, (_, column) => cells[column] ?? "");
  }

  #columnOf(name: string): number {
    const found = this.#columns.get(name);
    if (found !== undefined) return found;
    this.#columns.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

function csvValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return csvText(typeof value === "string" ? value : JSON.stringify(value));
}
