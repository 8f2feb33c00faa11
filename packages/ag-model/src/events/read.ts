import {
  ABSENT_INT,
  decodeColumnBatches,
  decodeColumns,
  type BatchOptions,
  type ColumnData,
  type ColumnRequest,
  type DecodeOptions,
  type EventBatch,
  type FileBytes,
  type FileReport,
} from "xel-parser/format";
import { clientActionsOf, EVENTS, type ColumnName, type FieldRule } from "./catalog.ts";
import { ClientTexts, withClients, type ClientColumns } from "./clients.ts";
import { FarTimes } from "./far-times.ts";
import {
  eventsBetween,
  isAscending,
  joinColumns,
  mergeColumns,
  numberOf,
  TEXT_COLUMNS,
  type EventColumns,
  type EventFile,
  type EventFileGap,
  type TextColumn,
} from "./columns.ts";
import { FileReadingOfParts } from "./reading-of-parts.ts";
import { statementText } from "./statement-text.ts";

/** Fields to read from a file: those of the catalog, each in the column it belongs to. */
export const EVENT_REQUEST: ColumnRequest = {
  events: EVENTS.map((e, kind) => ({
    name: e.name,
    kind,
    fields: e.fields.map(({ field, column }) => ({ field, column })),
    actions: clientActionsOf(kind),
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
  actionColumns: [
    { name: "session", type: "int" },
    { name: "application", type: "text", textOf: (name) => name.trim() },
    { name: "statement", type: "text", textOf: statementText },
  ],
  numberedBy: "event_sequence",
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

/** Approximate number of bytes of an event in a file: used only to reserve memory. */
export const EVENT_BYTES = 60;

/**
 * Number of events of a file that are read at once: few enough that their columns are small compared to the events
 * prepared from them.
 */
const PIECE_EVENTS = 1 << 18;
/** Number of events that are read at once where their memory is reused: their columns stay in the processor's cache. */
const REUSED_EVENTS = 1 << 14;

/**
 * Reads one .xel file as `readEvents` does, some events at a time, so that all its columns are never in memory
 * together. Pieces are in the order of publish time, and so are the events in them where no event was written much
 * later than it was published; a caller that needs them in order has to check. The last piece has the file. With
 * `reusesMemory` a piece is overwritten by the next one.
 */
export async function* readEventPieces(
  chunks: FileBytes,
  name: string,
  options: BatchOptions = {},
  pieceEvents: number = options.reusesMemory === true ? REUSED_EVENTS : PIECE_EVENTS,
): AsyncGenerator<EventColumns> {
  const units = new BatchUnits(name, options.reusesMemory);
  const late = new LatePieces(options.reusesMemory === true ? PIECE_EVENTS : pieceEvents);
  for await (const { columns, report } of decodeColumnBatches(chunks, EVENT_REQUEST, pieceEvents, options)) {
    const piece = units.columnsOf(columns, report ?? null);
    if (late.isEmpty && isAscending(piece.ticks)) yield piece;
    else yield* late.add(piece, report !== undefined);
  }
}

/**
 * Sorts pieces from the first one that is out of order: an event that was written late belongs before some of those
 * before it.
 */
class LatePieces {
  readonly #leastEvents: number;
  #held: EventColumns[] = [];
  #events = 0;

  /** @param leastEvents least number that is sorted together */
  constructor(leastEvents: number) {
    this.#leastEvents = leastEvents;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** @returns events that are in order: half of the waiting ones, and all with the last piece */
  *add(piece: EventColumns, isLast: boolean): Generator<EventColumns> {
    this.#hold(piece);
    if (this.#events < this.#leastEvents && !isLast) return;
    const all = mergeColumns(this.#held);
    const ready = isLast ? all.length : all.length >> 1;
    this.#held = [];
    this.#events = 0;
    if (ready < all.length) this.#hold({ ...eventsBetween(all, ready, all.length), files: [] });
    yield eventsBetween(all, 0, ready);
  }

  /** Copies the piece, whose memory is reused or released. */
  #hold(piece: EventColumns): void {
    this.#held.push(joinColumns([piece]));
    this.#events += piece.length;
  }
}

/**
 * The columns of a decoded file in the product's units, in publish order. The batch's own columns are used directly
 * where they have the right form.
 */
export const eventColumnsOf = (batch: EventBatch, report: FileReport, name: string): EventColumns =>
  mergeColumns([new BatchUnits(name).columnsOf(batch, report)]);

/** The columns whose form differs in a batch. */
type ConvertedColumns = Pick<
  EventColumns,
  "length" | "processing" | "size" | "databaseId" | "file" | "offset" | TextColumn
>;

/** Converts batches of one file to the product's units and to one list of texts. */
class BatchUnits {
  readonly #name: string;
  readonly #reusesMemory: boolean;
  readonly #texts = [""];
  readonly #numbers = new Map([["", 0]]);
  readonly #clientTexts = new ClientTexts();
  readonly #reading = new FileReadingOfParts();
  readonly #farTimes = new FarTimes();
  #room = convertedColumns(0);

  /** @param reusesMemory columns are overwritten by those of the next batch */
  constructor(name: string, reusesMemory = false) {
    this.#name = name;
    this.#reusesMemory = reusesMemory;
  }

  /**
   * Returns the columns without events whose time is damaged (`far-times.ts`). @param report null for a batch before
   * the last, which has no file
   */
  columnsOf(batch: EventBatch, report: FileReport | null): EventColumns {
    const { length, kind, ticks, columns: given } = batch;
    const to = this.#roomFor(length);
    putScaled(given["processing"], kind, "processing", to.processing);
    putScaled(given["size"], kind, "size", to.size);
    putDatabaseIds(given["databaseId"], to.databaseId);
    for (const name of TEXT_COLUMNS) this.#putTexts(batch, name, to[name]);
    to.offset.set(batch.offset);
    const start = given["start"] as Float64Array;
    clearImpossible(start);
    const all = {
      kind,
      ticks,
      start,
      blockId: given["blockId"] as BigUint64Array,
      mode: given["mode"] as Uint8Array,
      ...to,
      texts: this.#texts,
      files: [],
      ...withClients(this.#clientsOf(batch)),
    };
    this.#reading.add(all);
    const columns = this.#farTimes.without(all);
    return report === null ? columns : { ...columns, files: [this.#fileOf(report)] };
  }

  #fileOf(report: FileReport): EventFile {
    const file = fileOfReport(report, this.#name);
    const reading = this.#reading.reading(report);
    return { ...file, gaps: [...file.gaps, ...this.#farTimes.gaps()], reading };
  }

  #roomFor(length: number): ConvertedColumns {
    if (!this.#reusesMemory) return convertedColumns(length);
    if (this.#room.length < length) this.#room = convertedColumns(length);
    return convertedBetween(this.#room, length);
  }

  /** Clients of a batch, in memory of their own: few sessions collect them. */
  #clientsOf({ length, columns, dictionaries }: EventBatch): ClientColumns | undefined {
    const { session, application, statement } = columns;
    if (session === undefined && application === undefined && statement === undefined) return undefined;
    const numbersOf = (name: "application" | "statement", given: ColumnData | undefined): Uint16Array => {
      const renumber = this.#clientTexts.renumber(dictionaries[name] ?? [""]);
      return Uint16Array.from({ length }, (_, row) => renumber[Number(given?.[row] ?? 0)]);
    };
    return {
      session: Uint16Array.from({ length }, (_, row) => sessionOf(Number(session?.[row] ?? ABSENT_INT))),
      application: numbersOf("application", application),
      statement: numbersOf("statement", statement),
      texts: this.#clientTexts.texts,
    };
  }

  /** A GUID of zeros is no GUID. */
  #putTexts({ columns, dictionaries }: EventBatch, name: TextColumn, to: Uint16Array): void {
    const renumber = Uint16Array.from(dictionaries[name], (text) =>
      NO_GUID.test(text) ? 0 : numberOf(text, this.#texts, this.#numbers),
    );
    putRenumbered(columns[name] as Uint8Array | Uint16Array, renumber, to);
  }
}

/** A session id is a smallint of SQL Server, and 0 is no session of a client. */
const sessionOf = (id: number): number => (id > 0 && id < 65_536 ? id : 0);

const convertedColumns = (length: number): ConvertedColumns => ({
  length,
  processing: new Float64Array(length),
  size: new Float64Array(length),
  databaseId: new Int32Array(length),
  database: new Uint16Array(length),
  self: new Uint16Array(length),
  partner: new Uint16Array(length),
  group: new Uint16Array(length),
  action: new Uint16Array(length),
  file: new Uint16Array(length),
  offset: new Float64Array(length),
});

const convertedBetween = (columns: ConvertedColumns, length: number): ConvertedColumns => ({
  length,
  processing: columns.processing.subarray(0, length),
  size: columns.size.subarray(0, length),
  databaseId: columns.databaseId.subarray(0, length),
  database: columns.database.subarray(0, length),
  self: columns.self.subarray(0, length),
  partner: columns.partner.subarray(0, length),
  group: columns.group.subarray(0, length),
  action: columns.action.subarray(0, length),
  file: columns.file.subarray(0, length),
  offset: columns.offset.subarray(0, length),
});

/**
 * A file has one metadata block, or one per session that wrote into it. More than this number are not kept but searched
 * again, so that no file fills a model with them.
 */
const MOST_METADATA = 1_000;

const fileOfReport = (report: FileReport, name: string): EventFile => ({
  name,
  size: report.fileSize,
  events: report.events,
  gaps: gapsOf(report),
  ...(report.metadata.length <= MOST_METADATA ? { metadata: report.metadata } : {}),
});

/** The gaps of a report, with one more that counts the unlisted ones. */
export function gapsOf({ gaps, unlistedGaps, fileSize }: FileReport): EventFileGap[] {
  if (unlistedGaps === undefined) return gaps;
  const message = `${unlistedGaps} more gaps are not listed.`;
  return [...gaps, { code: "unlisted", offset: fileSize, bytes: 0, message }];
}

/**
 * No counter and no duration is longer than the µs that a double counts exactly, 285 years: damaged metadata may make
 * any number of other bytes.
 */
const MOST_US = Number.MAX_SAFE_INTEGER;

/** Impossible values count as absent. */
function clearImpossible(column: Float64Array): void {
  for (let i = 0; i < column.length; i++)
    if (column[i] > MOST_US || column[i] < -MOST_US) column[i] = Number.NaN;
}

/**
 * An `int` column in the column's unit (the catalog lists the fields with another unit); NaN where the event lacks
 * the field.
 */
function putScaled(
  given: ColumnData,
  kind: Uint8Array,
  column: "processing" | "size",
  to: Float64Array,
): void {
  const factors = Float64Array.from(EVENTS, (e) => factorOf(e.fields, column));
  if (given instanceof Int32Array)
    for (let i = 0; i < given.length; i++)
      to[i] = given[i] === ABSENT_INT ? Number.NaN : given[i] * factors[kind[i]];
  else {
    for (let i = 0; i < given.length; i++) to[i] = Number(given[i]) * factors[kind[i]];
    clearImpossible(to);
  }
}

/** -1 where the event lacks the field, and where no database has that number. */
function putDatabaseIds(given: ColumnData, to: Int32Array): void {
  if (given instanceof Int32Array)
    for (let i = 0; i < given.length; i++) to[i] = given[i] === ABSENT_INT ? -1 : given[i];
  else
    for (let i = 0; i < given.length; i++) {
      const value = Number(given[i]);
      to[i] = value === ABSENT_INT || Number.isNaN(value) ? -1 : value;
    }
}

const NO_GUID = /^[0-]+$/;

function putRenumbered(given: Uint8Array | Uint16Array, renumber: Uint16Array, to: Uint16Array): void {
  // In most sessions no event has an action.
  if (renumber.every((number) => number === renumber[0])) return void to.fill(renumber[0]);
  if (given instanceof Uint8Array) for (let i = 0; i < given.length; i++) to[i] = renumber[given[i]];
  else for (let i = 0; i < given.length; i++) to[i] = renumber[given[i]];
}

function factorOf(fields: readonly FieldRule[], column: ColumnName): number {
  return fields.find((f) => f.column === column)?.scale ?? 1;
}
