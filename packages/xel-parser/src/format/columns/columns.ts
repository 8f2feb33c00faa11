import { feedOf, type FileBytes } from "../byte-source.ts";
import { fillActions } from "./action-fill.ts";
import { fillColumn } from "./column-fill.ts";
import { ACTIONS_FLAG, EVENT_HEADER_BYTES, FORMAT_VERSION, VERSION_MASK } from "../constants.ts";
import { asDamage } from "../errors.ts";
import { checkFields } from "../events/event-values.ts";
import { checkVersion, skipActions } from "../events/event.ts";
import { EventNumbers, type NumberedEvents } from "./event-numbers.ts";
import { FileShapes, type FileShape } from "./file-shape.ts";
import { type ColumnData, GrowingColumn } from "./growing-column.ts";
import { OTHERS, TextRoom } from "./dictionary.ts";
import type { ReadLimits } from "../limits.ts";
import type { Schema } from "../metadata.ts";
import { type ActionColumn, type EventPlan, PlanTable, type ColumnRequest } from "./plan.ts";
import { isFilled } from "../events/payload-claims.ts";
import { unknownEvent } from "../events/record-plan.ts";
import { drain, EventCount, reportOf, type FileReport } from "../reader.ts";
import { BufferWalk, type BufferOutcome, type EventBuffer } from "../walk/walk.ts";

/** The wanted events of a file in file order, one row each. */
export interface EventBatch {
  readonly length: number;
  /** The request's kind of each event. */
  readonly kind: Uint8Array;
  /** FILETIME: UTC, 100 ns since 1601. */
  readonly ticks: BigInt64Array;
  /** Byte offset of the record in the file; 32 bits wide below 4 GB. */
  readonly offset: Uint32Array | Float64Array;
  /**
   * Columns of the request. Where the event lacks the field: f64 NaN, int ABSENT_INT (NaN in a Float64Array), u64 0n,
   * u8 0, guid and text 0. An int column is a Float64Array when a value needs more than 32 bits, an index column a
   * Uint8Array when its dictionary is small.
   */
  readonly columns: Readonly<Record<string, ColumnData>>;
  /** Texts of the guid and text columns by index; entry 0 is the absent value. */
  readonly dictionaries: Readonly<Record<string, readonly string[]>>;
  /**
   * Columns of fields with more than 65,534 different texts, or without room for all (`ReadLimits.dictionaryBytes`): further
   * texts appear as "(other values)", as in columns of actions, which have their own room. Such a column is a gap `dictionary-full` of the file's report as well.
   */
  readonly fullDictionaries: readonly string[];
}

/** How a file is read into columns. */
export interface DecodeOptions {
  /**
   * Called after each event buffer; `events` counts all events read, `lastTicks` is the FILETIME of the last wanted
   * one.
   */
  onProgress?(bytesDone: number, events: number, lastTicks: bigint | null): void;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ReadLimits>;
  /** See `ReadOptions.force`. */
  readonly force?: boolean;
  /**
   * Bytes of the file, where they are known: columns then reserve their memory at once, which is faster and uses less
   * memory than growing. A wrong number does no harm.
   */
  readonly fileBytes?: number;
}

/** How a file is read into batches. */
export interface BatchOptions extends DecodeOptions {
  /**
   * A batch's columns are overwritten by the next one: the caller must be done with it before requesting the next.
   * Costs no memory per batch.
   */
  readonly reusesMemory?: boolean;
}

/** Rows per step: few enough that their records and columns stay in the processor's near caches. */
const BATCH_ROWS = 2048;
const FIRST_ROWS = 256;
const MOST_U32 = 0xffffffff;
/** The number of events in a file is estimated after 1/SAMPLE of its bytes. */
const SAMPLE = 32;
/** Room relative to the expected number of events. */
const MARGIN = 1.06;
/**
 * Room for the events of the buffer that fills a batch; little enough that the batch is not copied because of unused
 * room.
 */
const BATCH_ROOM = 1.1;

/**
 * Reads the wanted events of a .xel file into columns, without an object per event; others are skipped. Damage is
 * handled as in `readXel`; input that is no .xel file throws XelFormatError.
 */
export async function decodeColumns(
  chunks: FileBytes,
  request: ColumnRequest,
  options: DecodeOptions = {},
): Promise<{ columns: EventBatch; report: FileReport }> {
  const walk = new BufferWalk(options.limits, options.force);
  const decoder = new ColumnDecoder(walk.schema, request, { from: 0, to: options.fileBytes });
  return await decodeWalk(walk, walk.buffers(), chunks, decoder, options);
}

/**
 * As `decodeColumns`, one batch after the other; each but the last has at least so many events, so that only that part
 * of a file is in memory at once. Dictionaries continue, so an index means the same text in all batches. The last batch
 * brings the report.
 */
export async function* decodeColumnBatches(
  chunks: FileBytes,
  request: ColumnRequest,
  batchEvents: number,
  options: BatchOptions = {},
): AsyncGenerator<{ columns: EventBatch; report?: FileReport }> {
  const walk = new BufferWalk(options.limits, options.force);
  const room = Math.ceil(batchEvents * BATCH_ROOM);
  const decoder = new ColumnDecoder(walk.schema, request, { from: 0, to: undefined }, room);
  yield* decodeBatches(walk, walk.buffers(), chunks, decoder, { ...options, batchEvents });
}

/** Decodes the buffers of a walk into columns. */
export async function decodeWalk(
  walk: BufferWalk,
  steps: ReturnType<BufferWalk["buffers"]>,
  chunks: FileBytes,
  decoder: ColumnDecoder,
  options: DecodeOptions,
): Promise<{ columns: EventBatch; report: FileReport }> {
  const batches = decodeBatches(walk, steps, chunks, decoder, { ...options, batchEvents: Infinity });
  const { value } = await batches.next();
  return value as { columns: EventBatch; report: FileReport };
}

async function* decodeBatches(
  walk: BufferWalk,
  steps: ReturnType<BufferWalk["buffers"]>,
  chunks: FileBytes,
  decoder: ColumnDecoder,
  options: BatchOptions & { readonly batchEvents: number },
): AsyncGenerator<{ columns: EventBatch; report?: FileReport }> {
  const feed = feedOf(chunks);
  const batch = (): EventBatch => (options.reusesMemory === true ? decoder.lend() : decoder.take());
  let outcome: BufferOutcome | undefined;
  try {
    for (let step = steps.next(); !step.done; step = steps.next(outcome)) {
      outcome = undefined;
      if ("needUntil" in step.value) {
        await feed.readInto(walk.window, step.value.needUntil);
      } else {
        outcome = decoder.decode(step.value);
        const done = step.value.offset + step.value.view.byteLength;
        options.onProgress?.(done, decoder.count.events, decoder.lastTicks);
        if (decoder.rows >= options.batchEvents) yield { columns: batch() };
      }
    }
    await drain(walk, feed);
  } finally {
    await feed.end();
  }
  const columns = batch();
  for (const name of columns.fullDictionaries)
    walk.gaps.add("dictionary-full", walk.window.endOffset, 0, fullDictionary(name, walk.schema.limits), 0);
  yield {
    columns,
    report: {
      ...reportOf(walk, decoder.count),
      shape: decoder.shape(walk.eventBuffers, walk.foreignBuffers),
      ...decoder.numbered(),
    },
  };
}

function fullDictionary(column: string, { dictionaryBytes }: ReadLimits): string {
  return `Column "${column}" has more than 65534 different texts, or all columns together more than ${dictionaryBytes} bytes of them; texts beyond that appear as "${OTHERS}".`;
}

/** The part of a file that is decoded, in bytes from its start; without an end when it is not known. */
export interface Period {
  readonly from: number;
  readonly to: number | undefined;
}

/**
 * Decodes event buffers into columns, for files and live streams alike. A buffer is decoded in two passes: the first
 * walks the records and notes the places of the wanted ones, the second fills one column after the other.
 */
export class ColumnDecoder {
  readonly count = new EventCount();
  readonly #schema: Schema;
  readonly #stretch: Period;
  readonly #leastRows: number;
  readonly #columns: GrowingColumn[];
  readonly #requestedActions: readonly ActionColumn[];
  /** By their index in the request; created with the first event type that may have such an action. */
  readonly #actions: GrowingColumn[] = [];
  readonly #kind = new GrowingColumn("kind", "u8");
  readonly #ticks = new GrowingColumn("ticks", "ticks");
  readonly #offset = new GrowingColumn("offset", "offset");
  readonly #plans: PlanTable;
  readonly #shapes = new FileShapes();
  /** Undefined where no numbers are requested. */
  readonly #numbers: EventNumbers | undefined;
  #generation = -1;
  #rows = 0;
  /** Rows the columns have room for. */
  #capacity = 0;
  /** Position of the walk in its buffer: after the last good event. */
  #position = 0;
  /** For the rows of a batch: the event type's index, and the begin of the record. */
  readonly #typeOf = new Uint32Array(BATCH_ROWS);
  readonly #recordOf = new Uint32Array(BATCH_ROWS);
  /** The same rows ordered by event type: rows and payloads, and the number of rows of each type. */
  readonly #sortedRow = new Uint32Array(BATCH_ROWS);
  readonly #sortedPayload = new Uint32Array(BATCH_ROWS);
  #typeCount = new Uint32Array(0);
  readonly #indices = new Uint16Array(BATCH_ROWS);

  /** @param leastRows rows that columns get room for at once */
  constructor(
    schema: Schema,
    request: ColumnRequest,
    range: Period = { from: 0, to: undefined },
    leastRows = FIRST_ROWS,
  ) {
    this.#schema = schema;
    this.#leastRows = leastRows;
    this.#plans = new PlanTable(schema, request);
    this.#stretch = range;
    if (request.numberedBy !== undefined) this.#numbers = new EventNumbers(request.numberedBy);
    const room = new TextRoom(schema.limits);
    this.#columns = request.columns.map(({ name, type }) => new GrowingColumn(name, type, room));
    this.#requestedActions = request.actionColumns ?? [];
  }

  /** Wanted events since the last `take` or `lend`. */
  get rows(): number {
    return this.#rows;
  }

  /** FILETIME of the last wanted event, null without one since the last `take` or `lend`. */
  get lastTicks(): bigint | null {
    if (this.#rows === 0) return null;
    const { u32 } = this.#ticks;
    const at = (this.#rows - 1) * 2;
    return (BigInt(u32[at + 1]) << 32n) | BigInt(u32[at]);
  }

  /** Decodes the wanted events of a buffer; damage ends it, and what was read before stays. */
  decode(buffer: EventBuffer): BufferOutcome {
    if (this.#generation !== this.#schema.generation) {
      this.#plans.countInto(this.#shapes);
      this.#plans.clear();
      this.#typeCount = new Uint32Array(0);
      this.#generation = this.#schema.generation;
      this.#numbers?.learn(this.#schema);
    }
    const { view, offset, dataEnd } = buffer;
    this.#position = buffer.dataOffset;
    while (this.#position < dataEnd) {
      if (this.#rows === this.#capacity) this.#grow(offset + this.#position);
      const first = this.#rows;
      const limit = Math.min(this.#capacity, first + BATCH_ROWS);
      try {
        this.#walk(view, offset, dataEnd, first, limit);
      } catch (error) {
        this.#fill(view, offset, first);
        return { position: this.#position, damage: asDamage(error, "bad-event") };
      }
      this.#fill(view, offset, first);
    }
    return { position: this.#position };
  }

  /** Shape of the file according to the metadata and the buffers read so far. */
  shape(buffers: number, foreignBuffers: number): FileShape {
    this.#plans.countInto(this.#shapes);
    return this.#shapes.shape(buffers, foreignBuffers);
  }

  /** Numbers of the events so far, for a report; empty where none has one. */
  numbered(): { readonly numbers?: NumberedEvents } {
    const numbers = this.#numbers?.list();
    return numbers === undefined ? {} : { numbers };
  }

  /** The columns since the last call. Dictionaries continue, so an index always means the same text. */
  take(): EventBatch {
    this.#capacity = 0;
    return this.#batch((column, rows) => column.take(rows));
  }

  /** The same in memory that the next rows overwrite. */
  lend(): EventBatch {
    return this.#batch((column, rows) => column.lend(rows));
  }

  #batch(valuesOf: (column: GrowingColumn, rows: number) => ColumnData): EventBatch {
    const length = this.#rows;
    this.#rows = 0;
    const columns: Record<string, ColumnData> = {};
    const dictionaries: Record<string, readonly string[]> = {};
    for (const column of [...this.#columns, ...this.#actionColumns()]) {
      columns[column.name] = valuesOf(column, length);
      if (column.dictionary !== undefined) dictionaries[column.name] = column.dictionary.texts;
    }
    return {
      length,
      kind: valuesOf(this.#kind, length) as Uint8Array,
      ticks: valuesOf(this.#ticks, length) as BigInt64Array,
      offset: valuesOf(this.#offset, length) as Uint32Array | Float64Array,
      columns,
      dictionaries,
      fullDictionaries: this.#columns.filter((column) => column.dictionary?.isFull).map(({ name }) => name),
    };
  }

  /**
   * First pass: checks the records from the current position on, and notes time, kind and place of the wanted ones,
   * until the data or the rows end. Throws Damage or RangeError at a damaged record, before any part of it is noted.
   */
  #walk(view: DataView, origin: number, dataEnd: number, first: number, limit: number): void {
    const bytes = view.byteLength;
    const plans = this.#plans;
    const schema = this.#schema;
    const kinds = this.#kind.u8;
    const times = this.#ticks.u32;
    const typeOf = this.#typeOf;
    const recordOf = this.#recordOf;
    const numbers = this.#numbers?.wanted.rid === -1 ? undefined : this.#numbers;
    const wanted = numbers?.wanted;
    if (wanted !== undefined) wanted.at = -1;
    let at = this.#position;
    while (at < dataEnd && this.#rows < limit) {
      const flags = view.getInt32(at + 4, true);
      if ((flags & VERSION_MASK) !== FORMAT_VERSION) checkVersion(view, at, schema);
      const rid = view.getInt32(at, true);
      const plan = plans.find(rid);
      if (plan === undefined) throw unknownEvent(rid >>> 0, schema);
      const row = this.#rows;
      plan.clock.write(times, row, view.getUint32(at + 12, true), view.getInt32(at + 16, true));
      const payload = at + EVENT_HEADER_BYTES;
      const end = payload + view.getUint32(at + 20, true);
      const next = (flags & ACTIONS_FLAG) === 0 ? end : skipActions(view, end, schema, wanted);
      if (next > bytes) throw new RangeError("outside the buffer");
      const length = end - payload;
      const isUsual = isFilled(view, payload, length, plan.claim);
      // No value of a payload without gaps is longer than that.
      if (!isUsual || length > schema.limits.valueBytes)
        checkFields(view, payload, plan.claim, next - at, schema.limits);
      if (!isUsual) this.count.unclaimed.add(view, payload, length, plan.claim, origin + at);
      if (plan.kind >= 0) {
        kinds[row] = plan.kind;
        typeOf[row - first] = plan.index;
        recordOf[row - first] = at;
        this.#rows = row + 1;
      }
      if (numbers !== undefined) numbers.add(view, times[2 * row], times[2 * row + 1], origin + at);
      this.count.events++;
      plan.events++;
      at = next;
      this.#position = at;
    }
  }

  /** Second pass: the columns of the rows from `first` on, one event type after the other. */
  #fill(view: DataView, origin: number, first: number): void {
    const { wanted } = this.#plans;
    this.#fillOffsets(origin, first);
    for (const column of this.#columns) column.clear(first, this.#rows);
    for (const column of this.#actionColumns()) column.clear(first, this.#rows);
    // Going through all types would cost more than the rows when there are few rows.
    if (this.#rows - first < wanted.length) return this.#fillEach(view, first);
    this.#sortByType(first);
    let from = 0;
    for (const plan of wanted) {
      const to = from + this.#typeCount[plan.index];
      if (to > from) this.#fillRows(view, plan, from, to);
      from = to;
    }
  }

  /** The columns of the rows from `first` on, one row after the other. */
  #fillEach(view: DataView, first: number): void {
    for (let i = 0; i < this.#rows - first; i++) {
      this.#sortedRow[i] = first + i;
      this.#sortedPayload[i] = this.#recordOf[i] + EVENT_HEADER_BYTES;
      this.#fillRows(view, this.#plans.wanted[this.#typeOf[i]], i, i + 1);
    }
  }

  /** The columns of sorted rows, which are of one event type. */
  #fillRows(view: DataView, plan: EventPlan, from: number, to: number): void {
    const batch = {
      view,
      payload: this.#sortedPayload,
      row: this.#sortedRow,
      from,
      to,
      rows: this.#rows,
      pointerSize: this.#schema.pointerSize,
      indices: this.#indices,
    };
    for (const field of plan.fields) fillColumn(this.#columns[field.column], field, batch);
    if (plan.actions.length > 0) fillActions((index) => this.#actionColumn(index), plan.actions, batch);
  }

  #actionColumn(index: number): GrowingColumn {
    const known = this.#actions[index];
    if (known !== undefined) return known;
    const { name, type, textOf } = this.#requestedActions[index];
    // Texts of statements may use all of their room: the ids of fields have another one.
    const column = new GrowingColumn(name, type, new TextRoom(this.#schema.limits), textOf);
    column.grow(this.#capacity, 0);
    column.clear(0, this.#rows);
    return (this.#actions[index] = column);
  }

  /** Those that were created: most sessions collect no action. */
  #actionColumns(): GrowingColumn[] {
    return this.#actions.length === 0 ? this.#actions : this.#actions.filter(Boolean);
  }

  #fillOffsets(origin: number, first: number): void {
    const column = this.#offset;
    const rows = this.#rows - first;
    if (column.form === "u32" && rows > 0 && origin + this.#recordOf[rows - 1] > MOST_U32)
      column.widen(first);
    const recordOf = this.#recordOf;
    if (column.form === "u32") {
      const { u32 } = column;
      for (let i = 0; i < rows; i++) u32[first + i] = origin + recordOf[i];
    } else {
      const { f64 } = column;
      for (let i = 0; i < rows; i++) f64[first + i] = origin + recordOf[i];
    }
  }

  /** Counting sort; `#typeCount` has the rows of each type afterwards. */
  #sortByType(first: number): void {
    const types = this.#plans.wanted.length;
    if (this.#typeCount.length !== types) this.#typeCount = new Uint32Array(types);
    const count = this.#typeCount;
    const typeOf = this.#typeOf;
    const recordOf = this.#recordOf;
    const sortedRow = this.#sortedRow;
    const sortedPayload = this.#sortedPayload;
    const rows = this.#rows - first;
    count.fill(0);
    for (let i = 0; i < rows; i++) count[typeOf[i]]++;
    let next = 0;
    for (let type = 0; type < count.length; type++) {
      const of = count[type];
      count[type] = next;
      next += of;
    }
    for (let i = 0; i < rows; i++) {
      const place = count[typeOf[i]]++;
      sortedRow[place] = first + i;
      sortedPayload[place] = recordOf[i] + EVENT_HEADER_BYTES;
    }
    // Each type's entry is where its rows end now; the one before it is where they begin.
    for (let type = count.length - 1; type > 0; type--) count[type] -= count[type - 1];
  }

  /** Makes room for more rows; `position` is the end of the part that was read. */
  #grow(position: number): void {
    this.#capacity = Math.max(this.#rows * 2, this.#leastRows, this.#expectedRows(position));
    const ofActions = this.#actionColumns();
    for (const column of [this.#kind, this.#ticks, this.#offset, ...this.#columns, ...ofActions]) {
      column.grow(this.#capacity, this.#rows);
    }
  }

  /** Estimate of all rows from those so far; 0 when that is too early or the end is unknown. */
  #expectedRows(position: number): number {
    const { from, to } = this.#stretch;
    const done = position - from;
    if (to === undefined || done * SAMPLE < to - from) return 0;
    return Math.ceil((this.#rows / done) * (to - from) * MARGIN);
  }
}
