import {
  ABSENT_INT,
  decodeColumnBatches,
  decodeColumns,
  type ColumnData,
  type ColumnRequest,
  type DecodeOptions,
  type EventBatch,
  type FileBytes,
  type FileReport,
} from "xel-parser/format";
import { EVENTS, type ColumnName, type FieldRule } from "./catalogue.ts";
import {
  emptyColumns,
  eventsBetween,
  isAscending,
  mergeColumns,
  numberOf,
  TEXT_COLUMNS,
  type EventColumns,
  type EventFileGap,
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
  chunks: FileBytes,
  name: string,
  options: DecodeOptions = {},
): Promise<EventColumns> {
  const { columns, report } = await decodeColumns(chunks, EVENT_REQUEST, options);
  return eventColumnsOf(columns, report, name);
}

const NO_EVENTS = emptyColumns(0);

/** Events of a file that are read at once: few enough that their columns take little beside what is prepared of them. */
const PIECE_EVENTS = 1 << 18;

/**
 * Reads one .xel file as `readEvents` does, some events at a time, so that its columns are never in memory whole. Pieces are in the order of
 * publish time, and so are their events among each other where no event was written much later than it was published; whoever needs them
 * in order looks for himself. The last piece has the file.
 */
export async function* readEventPieces(
  chunks: FileBytes,
  name: string,
  options: DecodeOptions = {},
  pieceEvents: number = PIECE_EVENTS,
): AsyncGenerator<EventColumns> {
  let held: EventColumns | null = null;
  for await (const { columns, report } of decodeColumnBatches(chunks, EVENT_REQUEST, pieceEvents, options)) {
    const read = eventColumnsOf(columns, report ?? null, name);
    const all: EventColumns = held === null ? read : mergeColumns([held, read]);
    // An event that was written late belongs before some of the piece: these are held back until the next one is read.
    const isLoose: boolean = held !== null || !isAscending(columns.ticks);
    const ready: number = isLoose && report === undefined ? all.length >> 1 : all.length;
    // In memory of its own, as whoever takes a piece may give its memory back.
    held = ready < all.length ? mergeColumns([NO_EVENTS, eventsBetween(all, ready, all.length)]) : null;
    yield eventsBetween(all, 0, ready);
  }
}

/** The columns of a decoded file in the product's units. The batch's own columns are taken over where they have the form. @param report null of a piece before the last, which has no file */
export function eventColumnsOf(batch: EventBatch, report: FileReport | null, name: string): EventColumns {
  const { length, kind, ticks, columns: given } = batch;
  return mergeColumns([
    {
      length,
      kind,
      ticks,
      start: given["start"] as Float64Array,
      processing: scaledInts(given["processing"], kind, "processing"),
      blockId: given["blockId"] as BigUint64Array,
      mode: given["mode"] as Uint8Array,
      size: scaledInts(given["size"], kind, "size"),
      databaseId: databaseIds(given["databaseId"]),
      ...textsOf(batch),
      file: new Uint16Array(length),
      offset: new Float64Array(batch.offset),
      files:
        report === null ? [] : [{ name, size: report.fileSize, events: report.events, gaps: gapsOf(report) }],
    },
  ]);
}

/** The gaps of a report, with one more that counts those it does not list. */
export function gapsOf({ gaps, unlistedGaps, fileSize }: FileReport): EventFileGap[] {
  if (unlistedGaps === undefined) return gaps;
  const message = `${unlistedGaps} more gaps are not listed.`;
  return [...gaps, { code: "unlisted", offset: fileSize, bytes: 0, message }];
}

/** An `int` column in the column's unit (the catalogue says where a field's differs); NaN where the event lacks the field. */
function scaledInts(given: ColumnData, kind: Uint8Array, column: "processing" | "size"): Float64Array {
  const factors = Float64Array.from(EVENTS, (e) => factorOf(e.fields, column));
  const values = new Float64Array(given.length);
  if (given instanceof Int32Array)
    for (let i = 0; i < given.length; i++)
      values[i] = given[i] === ABSENT_INT ? Number.NaN : given[i] * factors[kind[i]];
  else for (let i = 0; i < given.length; i++) values[i] = Number(given[i]) * factors[kind[i]];
  return values;
}

/** -1 where the event lacks the field, and where the number is none that a database has. */
function databaseIds(given: ColumnData): Int32Array {
  const ids = new Int32Array(given.length);
  for (let i = 0; i < given.length; i++) {
    const value = Number(given[i]);
    ids[i] = value === ABSENT_INT || Number.isNaN(value) ? -1 : value;
  }
  return ids;
}

const NO_GUID = /^[0-]+$/;

/** All text columns with one list of texts; a GUID of zeros is no GUID. */
function textsOf(batch: EventBatch): Pick<EventColumns, (typeof TEXT_COLUMNS)[number] | "texts"> {
  const texts = [""];
  const numbers = new Map<string, number>([["", 0]]);
  const columns = TEXT_COLUMNS.map((name) => {
    const renumber = Uint16Array.from(batch.dictionaries[name], (text) =>
      NO_GUID.test(text) ? 0 : numberOf(text, texts, numbers),
    );
    return [name, renumbered(batch.columns[name] as Uint8Array | Uint16Array, renumber)] as const;
  });
  return { ...(Object.fromEntries(columns) as Pick<EventColumns, (typeof TEXT_COLUMNS)[number]>), texts };
}

function renumbered(given: Uint8Array | Uint16Array, renumber: Uint16Array): Uint16Array {
  const numbers = new Uint16Array(given.length);
  if (given instanceof Uint8Array) for (let i = 0; i < given.length; i++) numbers[i] = renumber[given[i]];
  else for (let i = 0; i < given.length; i++) numbers[i] = renumber[given[i]];
  return numbers;
}

function factorOf(fields: readonly FieldRule[], column: ColumnName): number {
  return fields.find((f) => f.column === column)?.scale ?? 1;
}
