import {
  ABSENT_INT,
  decodeColumns,
  type ColumnData,
  type ColumnRequest,
  type DecodeOptions,
  type EventBatch,
  type FileReport,
} from "xel-parser/format";
import { EVENTS, type ColumnName, type FieldRule } from "./catalogue.ts";
import {
  emptyColumns,
  mergeColumns,
  numberOf,
  type EventColumns,
  type EventFileGap,
  type MutableEventColumns,
} from "./columns.ts";

/** What to take from a file: the fields of the catalogue, each in the column it belongs to. */
export const EVENT_REQUEST: ColumnRequest = {
  events: EVENTS.map((e, kind) => ({
    name: e.name,
    kind,
    fields: e.fields.map(({ field, column }) => ({ field, column })),
  })),
  columns: [
    { name: "start", type: "f64" },
    { name: "processing", type: "int" },
    { name: "blockId", type: "u64" },
    { name: "mode", type: "u8" },
    { name: "size", type: "int" },
    { name: "databaseId", type: "int" },
    { name: "database", type: "guid" },
    { name: "self", type: "guid" },
    { name: "partner", type: "guid" },
    { name: "group", type: "guid" },
    { name: "action", type: "text" },
  ],
};

/**
 * Reads one .xel file into columns. Damage inside the file becomes a gap of `files[0]`; input that is no .xel file
 * throws the reader's XelFormatError.
 */
export async function readEvents(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  options: DecodeOptions = {},
): Promise<EventColumns> {
  const { columns, report } = await decodeColumns(chunks, EVENT_REQUEST, options);
  return eventColumnsOf(columns, report, name);
}

/** The columns of a decoded file in the product's units. */
export function eventColumnsOf(batch: EventBatch, report: FileReport, name: string): EventColumns {
  const columns = emptyColumns(batch.length);
  const given = batch.columns;
  columns.kind.set(batch.kind);
  columns.ticks.set(batch.ticks);
  columns.offset.set(batch.offset);
  columns.start.set(given["start"] as Float64Array);
  takeInts(columns.processing, given["processing"], Number.NaN);
  columns.blockId.set(given["blockId"] as BigUint64Array);
  columns.mode.set(given["mode"] as Uint8Array);
  takeInts(columns.size, given["size"], Number.NaN);
  takeInts(columns.databaseId, given["databaseId"], -1);
  takeTexts(columns, batch);
  scale(columns, "processing");
  scale(columns, "size");
  columns.files.push({ name, size: report.fileSize, events: report.events, gaps: gapsOf(report) });
  return mergeColumns([columns]);
}

/** The gaps of a report, with one more that counts those it does not list. */
export function gapsOf({ gaps, unlistedGaps, fileSize }: FileReport): EventFileGap[] {
  if (unlistedGaps === undefined) return gaps;
  const message = `${unlistedGaps} more gaps are not listed.`;
  return [...gaps, { code: "unlisted", offset: fileSize, bytes: 0, message }];
}

/** Copies an `int` column, whichever width the reader gave it, with another value where the event lacks the field. */
function takeInts(to: Float64Array | Int32Array, given: ColumnData, absent: number): void {
  for (let i = 0; i < given.length; i++) {
    const value = Number(given[i]);
    to[i] = value === ABSENT_INT || Number.isNaN(value) ? absent : value;
  }
}

const TEXT_COLUMNS = ["database", "self", "partner", "group", "action"] as const;
const NO_GUID = /^[0-]+$/;

/** Gives all text columns one list of texts; a GUID of zeros is no GUID. */
function takeTexts(columns: MutableEventColumns, batch: EventBatch): void {
  const numbers = new Map<string, number>([["", 0]]);
  for (const name of TEXT_COLUMNS) {
    const renumber = batch.dictionaries[name].map((text) =>
      NO_GUID.test(text) ? 0 : numberOf(text, columns.texts, numbers),
    );
    const given = batch.columns[name] as Uint8Array | Uint16Array;
    for (let i = 0; i < given.length; i++) columns[name][i] = renumber[given[i]];
  }
}

/** Turns the units of fields into the column's, where the catalogue says they differ. */
function scale(columns: MutableEventColumns, column: "processing" | "size"): void {
  const factors = Float64Array.from(EVENTS, (e) => factorOf(e.fields, column));
  const values = columns[column];
  for (let i = 0; i < values.length; i++) values[i] *= factors[columns.kind[i]];
}

function factorOf(fields: readonly FieldRule[], column: ColumnName): number {
  return fields.find((f) => f.column === column)?.scale ?? 1;
}
