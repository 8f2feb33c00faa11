import type { MetadataPlace } from "xel-parser/format";
import {
  allRows,
  gatherFloat64,
  gatherInt32,
  gatherUint16,
  gatherUint8,
  sortRows,
} from "../numbers/index.ts";
import { OTHER_EVENT } from "./catalog.ts";
import { clientsBetween, gatherClients, joinClients, withClients, type ClientColumns } from "./clients.ts";
import type { FileReading } from "./file-reading.ts";

/** A part of a file that could not be decoded, as the reader reported it. */
export interface EventFileGap {
  readonly code: string;
  readonly offset: number;
  readonly bytes: number;
  readonly message: string;
  /** Number of lost events; absent where unknown. */
  readonly eventsLost?: number | undefined;
}

/** A file that contributed events. */
export interface EventFile {
  readonly name: string;
  readonly size: number;
  readonly events: number;
  readonly gaps: readonly EventFileGap[];
  /**
   * Metadata that describes its events, so that reading one of them again needs no search for it. Absent where it was
   * not kept.
   */
  readonly metadata?: readonly MetadataPlace[];
  /** How its events were read. Absent for captures that an earlier version analyzed. */
  readonly reading?: FileReading;
}

/** All events of one replica in columns; row i of every column is one event. Rows are ordered by publish time. */
export interface EventColumns {
  readonly length: number;
  /** Index into `EVENTS`, or OTHER_EVENT. */
  readonly kind: Uint8Array;
  /** Publish time, FILETIME ticks (UTC). */
  readonly ticks: BigInt64Array;
  /** start_timestamp, µs of the server's counter; NaN when absent. */
  readonly start: Float64Array;
  /** µs; NaN when absent. */
  readonly processing: Float64Array;
  /** log_block_id; 0 when absent. */
  readonly blockId: BigUint64Array;
  /** 0 when absent. */
  readonly mode: Uint8Array;
  /** Bytes; NaN when absent. */
  readonly size: Float64Array;
  /** database_id of that server; -1 when absent. */
  readonly databaseId: Int32Array;
  /** Indexes into `texts`; 0 (the empty text) when absent. */
  readonly database: Uint16Array;
  readonly self: Uint16Array;
  readonly partner: Uint16Array;
  readonly group: Uint16Array;
  readonly action: Uint16Array;
  /** GUIDs in lower case and map texts; texts[0] is empty. */
  readonly texts: readonly string[];
  /** Index into `files`. */
  readonly file: Uint16Array;
  /** Byte offset of the event record in its file. */
  readonly offset: Float64Array;
  readonly files: readonly EventFile[];
  /** Absent where no event has an action that names its client. */
  readonly clients?: ClientColumns;
}

/** Columns while they are filled. */
export type MutableEventColumns = { -readonly [K in keyof EventColumns]: EventColumns[K] } & {
  texts: string[];
  files: EventFile[];
};

/** Columns for `length` events, every value absent. */
export function emptyColumns(length: number): MutableEventColumns {
  const columns = unfilledColumns(length);
  columns.kind.fill(OTHER_EVENT);
  columns.start.fill(Number.NaN);
  columns.processing.fill(Number.NaN);
  columns.size.fill(Number.NaN);
  columns.databaseId.fill(-1);
  return columns;
}

/** Columns with all rows still to be written. */
function unfilledColumns(length: number): MutableEventColumns {
  return {
    length,
    kind: new Uint8Array(length),
    ticks: new BigInt64Array(length),
    start: new Float64Array(length),
    processing: new Float64Array(length),
    blockId: new BigUint64Array(length),
    mode: new Uint8Array(length),
    size: new Float64Array(length),
    databaseId: new Int32Array(length),
    database: new Uint16Array(length),
    self: new Uint16Array(length),
    partner: new Uint16Array(length),
    group: new Uint16Array(length),
    action: new Uint16Array(length),
    texts: [""],
    file: new Uint16Array(length),
    offset: new Float64Array(length),
    files: [],
  };
}

/** Columns of numbers of texts. */
export const TEXT_COLUMNS = ["database", "self", "partner", "group", "action"] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Joins the events of several files of one replica, ordered by publish time; files may be in any order. */
export const mergeColumns = (parts: readonly EventColumns[]): EventColumns =>
  inPublishOrder(parts.length === 1 ? parts[0] : joinColumns(parts));

/** The events of several files of one replica as one, part after part. */
export function joinColumns(parts: readonly EventColumns[]): EventColumns {
  const joined = unfilledColumns(parts.reduce((sum, { length }) => sum + length, 0));
  const textNumbers = new Map<string, number>([["", 0]]);
  let at = 0;
  for (const part of parts) {
    append(joined, part, at, textNumbers);
    at += part.length;
  }
  return { ...joined, ...withClients(joinClients(parts)) };
}

function append(to: MutableEventColumns, part: EventColumns, at: number, numbers: Map<string, number>): void {
  for (const name of ["start", "processing", "size", "offset"] as const) to[name].set(part[name], at);
  to.kind.set(part.kind, at);
  to.mode.set(part.mode, at);
  to.databaseId.set(part.databaseId, at);
  to.ticks.set(part.ticks, at);
  to.blockId.set(part.blockId, at);
  const firstFile = to.files.length;
  to.files.push(...part.files);
  if (part.files.length === 1) to.file.fill(firstFile, at, at + part.length);
  else for (let i = 0; i < part.length; i++) to.file[at + i] = firstFile + part.file[i];
  const renumber = Uint16Array.from(part.texts, (text) => numberOf(text, to.texts, numbers));
  for (const name of TEXT_COLUMNS) setRenumbered(to[name], at, part[name], renumber);
}

/** Writes numbers of texts by the numbers of the joined list of texts. */
function setRenumbered(to: Uint16Array, at: number, numbers: Uint16Array, renumber: Uint16Array): void {
  to.set(numbers, at);
  if (renumber.every((number, own) => number === own)) return;
  for (let i = 0; i < numbers.length; i++) to[at + i] = renumber[numbers[i]];
}

/** Number of a text in a list; a new text is added. */
export function numberOf(text: string, texts: string[], numbers: Map<string, number>): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const added = texts.length;
  texts.push(text);
  numbers.set(text, added);
  return added;
}

/** Rows in publish order; rows of equal time keep their order, so file order decides. */
function inPublishOrder(columns: EventColumns): EventColumns {
  const { length, ticks } = columns;
  if (isAscending(ticks)) return columns;
  // Ticks relative to the first event fit a float64 exactly for captures of up to 28 years.
  return gatherEvents(columns, sortRows(allRows(length), ticksAfter(ticks, ticks[0])));
}

/** Some events, in the order of `rows`; texts and files stay as they are. */
export function gatherEvents(columns: EventColumns, rows: Uint32Array): EventColumns {
  return {
    ...columns,
    length: rows.length,
    kind: gatherUint8(columns.kind, rows),
    ticks: gatherBig(columns.ticks, rows, new BigInt64Array(rows.length)),
    start: gatherFloat64(columns.start, rows),
    processing: gatherFloat64(columns.processing, rows),
    blockId: gatherBig(columns.blockId, rows, new BigUint64Array(rows.length)),
    mode: gatherUint8(columns.mode, rows),
    size: gatherFloat64(columns.size, rows),
    databaseId: gatherInt32(columns.databaseId, rows),
    ...(Object.fromEntries(TEXT_COLUMNS.map((name) => [name, gatherUint16(columns[name], rows)])) as Pick<
      EventColumns,
      TextColumn
    >),
    file: gatherUint16(columns.file, rows),
    offset: gatherFloat64(columns.offset, rows),
    ...withClients(columns.clients && gatherClients(columns.clients, rows)),
  };
}

/** Whether times are in order, by the two words of each (little endian): to compare bigints takes ten times as long. */
export function isAscending(ticks: BigInt64Array): boolean {
  const low = new Uint32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  const high = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  for (let i = 2; i < low.length; i += 2) {
    const step = high[i + 1] - high[i - 1];
    if (step < 0 || (step === 0 && low[i] < low[i - 2])) return false;
  }
  return true;
}

/** Ticks after a base. */
export function ticksAfter(ticks: BigInt64Array, base: bigint): Float64Array {
  const after = new Float64Array(ticks.length);
  putTicksAfter(ticks, base, after);
  return after;
}

/**
 * The same into an existing column, from their two words (little endian): a bigint per row takes twenty times as long.
 */
export function putTicksAfter(ticks: BigInt64Array, base: bigint, after: Float64Array): void {
  const low = new Uint32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  const high = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  const baseHigh = Number(base >> 32n);
  const baseLow = Number(BigInt.asUintN(32, base));
  for (let i = 0; i < ticks.length; i++)
    after[i] = (high[2 * i + 1] - baseHigh) * 2 ** 32 + (low[2 * i] - baseLow);
}

/** The events from row `from` up to `end`, without a copy. */
export function eventsBetween(columns: EventColumns, from: number, end: number): EventColumns {
  if (from === 0 && end === columns.length) return columns;
  return {
    ...columns,
    length: end - from,
    kind: columns.kind.subarray(from, end),
    ticks: columns.ticks.subarray(from, end),
    start: columns.start.subarray(from, end),
    processing: columns.processing.subarray(from, end),
    blockId: columns.blockId.subarray(from, end),
    mode: columns.mode.subarray(from, end),
    size: columns.size.subarray(from, end),
    databaseId: columns.databaseId.subarray(from, end),
    database: columns.database.subarray(from, end),
    self: columns.self.subarray(from, end),
    partner: columns.partner.subarray(from, end),
    group: columns.group.subarray(from, end),
    action: columns.action.subarray(from, end),
    file: columns.file.subarray(from, end),
    offset: columns.offset.subarray(from, end),
    ...withClients(columns.clients && clientsBetween(columns.clients, from, end)),
  };
}

/** The 64-bit values of these rows, in their order, by their two words. */
function gatherBig<T extends BigInt64Array | BigUint64Array>(column: T, rows: Uint32Array, to: T): T {
  const from = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
  const words = new Uint32Array(to.buffer);
  for (let i = 0; i < rows.length; i++) {
    words[2 * i] = from[2 * rows[i]];
    words[2 * i + 1] = from[2 * rows[i] + 1];
  }
  return to;
}

/** The file that columns were read from. @throws Error for columns of no file */
export function fileOf({ files: [file] }: Pick<EventColumns, "files">): EventFile {
  if (file === undefined) throw new Error("These columns were read from no file.");
  return file;
}
