import { BaseType, EVENT_HEADER_BYTES } from "./constants.ts";
import { ABSENT, Dictionary } from "./dictionary.ts";
import { asDamage } from "./errors.ts";
import { checkVersion, hasActions, payloadEnd, skipActions, unknownEvent } from "./event.ts";
import { valueText } from "./json.ts";
import type { Schema } from "./metadata.ts";
import { compilePlans, type ColumnRequest, type ColumnType, type EventPlan, type FieldPlan } from "./plan.ts";
import { drain, fill, reportOf, type FileReport } from "./reader.ts";
import { filetimeOf } from "./time.ts";
import { fixedValue, mapCode, mapText, variableValue } from "./types.ts";
import { BufferWalk, type BufferOutcome, type EventBuffer } from "./walk.ts";

/** A column by its type: f64 NaN, u64 0n, u8 0 and dictionary index 0 where the event lacks the field. */
export type ColumnData = Float64Array | BigUint64Array | Uint8Array | Uint16Array;

/** The wanted events of a file in file order, one row each. */
export interface EventBatch {
  readonly length: number;
  /** The request's kind of each event. */
  readonly kind: Uint8Array;
  /** FILETIME: UTC, 100 ns since 1601. */
  readonly ticks: BigInt64Array;
  /** Byte offset of the record in the file. */
  readonly offset: Float64Array;
  readonly columns: Readonly<Record<string, ColumnData>>;
  /** Texts of the guid and text columns by index; entry 0 is the absent value. */
  readonly dictionaries: Readonly<Record<string, readonly string[]>>;
}

export interface DecodeOptions {
  /** Called after each event buffer; `events` counts all events read. */
  onProgress?(bytesDone: number, events: number): void;
}

const FIRST_CAPACITY = 1024;
const WORD = 4294967296;

/**
 * Reads the wanted events of a .xel file into columns, without an object per event; others are passed over.
 * Damage is handled as in `readXel`; input that is no .xel file throws XelFormatError.
 */
export async function decodeColumns(
  chunks: AsyncIterable<Uint8Array>,
  request: ColumnRequest,
  options: DecodeOptions = {},
): Promise<{ columns: EventBatch; report: FileReport }> {
  const walk = new BufferWalk();
  const decoder = new ColumnDecoder(walk.schema, request);
  const source = chunks[Symbol.asyncIterator]();
  const steps = walk.buffers();
  let outcome: BufferOutcome | undefined;
  try {
    for (let step = steps.next(); !step.done; step = steps.next(outcome)) {
      outcome = undefined;
      if ("needUntil" in step.value) {
        await fill(walk, source, step.value.needUntil);
      } else {
        outcome = decoder.decode(step.value);
        options.onProgress?.(step.value.offset + step.value.view.byteLength, decoder.events);
      }
    }
    await drain(walk, source);
  } finally {
    await source.return?.();
  }
  return { columns: decoder.batch(), report: reportOf(walk, decoder.events) };
}

class Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly dictionary: Dictionary | undefined;
  data: ColumnData;
  /** The 32-bit words of a u64 column, so that no bigint is made per value. */
  words: Uint32Array;

  constructor(name: string, type: ColumnType, capacity: number) {
    this.name = name;
    this.type = type;
    this.dictionary = type === "guid" || type === "text" ? new Dictionary() : undefined;
    this.data = emptyData(type, capacity);
    this.words = wordsOf(this.data);
  }

  grow(capacity: number): void {
    const data = emptyData(this.type, capacity);
    // Both have this column's type, so the element types agree.
    (data as Uint8Array).set(this.data as Uint8Array);
    this.data = data;
    this.words = wordsOf(data);
  }

  clear(row: number): void {
    if (this.data instanceof BigUint64Array) this.data[row] = 0n;
    else this.data[row] = this.type === "f64" ? Number.NaN : ABSENT;
  }
}

/** Decodes event buffers into columns; what a file and a live stream have in common. */
export class ColumnDecoder {
  /** Events read, wanted or not. */
  events = 0;
  readonly #schema: Schema;
  readonly #request: ColumnRequest;
  readonly #columns: Column[];
  #plans = new Map<number, EventPlan>();
  #generation = -1;
  #length = 0;
  #capacity = FIRST_CAPACITY;
  #kind = new Uint8Array(FIRST_CAPACITY);
  #ticks = new BigInt64Array(FIRST_CAPACITY);
  #offset = new Float64Array(FIRST_CAPACITY);

  constructor(schema: Schema, request: ColumnRequest) {
    this.#schema = schema;
    this.#request = request;
    this.#columns = request.columns.map(({ name, type }) => new Column(name, type, FIRST_CAPACITY));
  }

  /** Takes the wanted events of a buffer; damage ends it, and what was read before stays. */
  decode(buffer: EventBuffer): BufferOutcome {
    if (this.#generation !== this.#schema.generation) {
      this.#plans = compilePlans(this.#schema, this.#request);
      this.#generation = this.#schema.generation;
    }
    const { view, dataEnd } = buffer;
    let position = buffer.dataOffset;
    try {
      while (position < dataEnd) {
        position = this.#event(view, position, buffer.offset);
        this.events++;
      }
      return { position };
    } catch (error) {
      this.#clearRow();
      return { position, damage: asDamage(error, "bad-event") };
    }
  }

  /** The columns so far, cut to their length. */
  batch(): EventBatch {
    const length = this.#length;
    const columns: Record<string, ColumnData> = {};
    const dictionaries: Record<string, readonly string[]> = {};
    for (const column of this.#columns) {
      columns[column.name] = column.data.slice(0, length);
      if (column.dictionary !== undefined) dictionaries[column.name] = column.dictionary.texts;
    }
    return {
      length,
      kind: this.#kind.slice(0, length),
      ticks: this.#ticks.slice(0, length),
      offset: this.#offset.slice(0, length),
      columns,
      dictionaries,
    };
  }

  /** The columns since the last time they were taken. Dictionaries go on, so an index means the same text for ever. */
  take(): EventBatch {
    const batch = this.batch();
    for (let row = 0; row < this.#length; row++) for (const column of this.#columns) column.clear(row);
    this.#length = 0;
    return batch;
  }

  /** Takes the record at a position into the next row if it is wanted, and returns where the record ends. */
  #event(view: DataView, at: number, origin: number): number {
    const rid = view.getUint32(at, true);
    const flags = view.getUint32(at + 4, true);
    checkVersion(flags);
    const plan = this.#plans.get(rid);
    if (plan === undefined) throw unknownEvent(rid, this.#schema);
    const ticks = filetimeOf(plan.event.package, view.getBigInt64(at + 12, true));
    const payload = payloadEnd(view, at);
    const next = hasActions(flags) ? skipActions(view, payload, this.#schema) : payload;
    if (next > view.byteLength) throw new RangeError("outside the buffer");
    if (plan.kind < 0) return next;
    if (this.#length === this.#capacity) this.#grow();
    const row = this.#length;
    for (const field of plan.fields) this.#field(view, at + EVENT_HEADER_BYTES, row, field);
    this.#kind[row] = plan.kind;
    this.#ticks[row] = ticks;
    this.#offset[row] = origin + at;
    this.#length = row + 1;
    return next;
  }

  #field(view: DataView, payload: number, row: number, field: FieldPlan): void {
    const column = this.#columns[field.column];
    const at = payload + field.offset;
    switch (column.type) {
      case "f64":
      case "u8":
        (column.data as Float64Array)[row] = numberOf(view, at, field.source);
        return;
      case "u64":
        writeWords(column.words, row, view, at, field.source);
        return;
      default:
        column.data[row] = this.#textIndex(view, payload, at, field, column.dictionary!);
    }
  }

  #textIndex(view: DataView, payload: number, at: number, field: FieldPlan, dictionary: Dictionary): number {
    const { source } = field;
    if (field.variable) {
      const from = payload + view.getUint32(at, true);
      const length = view.getUint32(at + 4, true);
      if (from + length > view.byteLength) throw new RangeError("outside the buffer");
      return dictionary.ofBytes(view, from, length, source, () =>
        valueText(variableValue(view, from, length, source)),
      );
    }
    const map = this.#schema.maps.get(field.type);
    if (map !== undefined) return dictionary.ofText(mapText(map, mapCode(view, at, map.size)));
    const decode = () => valueText(fixedValue(view, at, source, this.#schema.pointerSize) ?? "");
    if (source === BaseType.guid) return dictionary.ofBytes(view, at, 16, source, decode);
    return dictionary.ofText(decode());
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#kind = grown(this.#kind, new Uint8Array(this.#capacity));
    this.#ticks = grown(this.#ticks, new BigInt64Array(this.#capacity));
    this.#offset = grown(this.#offset, new Float64Array(this.#capacity));
    for (const column of this.#columns) column.grow(this.#capacity);
  }

  /** A row that damage left half filled must not show through in the next event. */
  #clearRow(): void {
    if (this.#length < this.#capacity) for (const column of this.#columns) column.clear(this.#length);
  }
}

function emptyData(type: ColumnType, capacity: number): ColumnData {
  if (type === "f64") return new Float64Array(capacity).fill(Number.NaN);
  if (type === "u64") return new BigUint64Array(capacity);
  return type === "u8" ? new Uint8Array(capacity) : new Uint16Array(capacity);
}

function wordsOf(data: ColumnData): Uint32Array {
  return data instanceof BigUint64Array ? new Uint32Array(data.buffer) : new Uint32Array(0);
}

function grown<T extends Uint8Array | BigInt64Array | Float64Array>(old: T, larger: T): T {
  (larger as Uint8Array).set(old as Uint8Array);
  return larger;
}

/** A field as a number; NaN when its type is none. 64-bit integers above 2^53 lose their last digits. */
function numberOf(view: DataView, at: number, source: number): number {
  switch (source) {
    case BaseType.uint64:
    case BaseType.cpuCycle:
    case BaseType.filetime:
    case BaseType.pointer:
      return view.getUint32(at + 4, true) * WORD + view.getUint32(at, true);
    case BaseType.int64:
      return view.getInt32(at + 4, true) * WORD + view.getUint32(at, true);
    case BaseType.uint32:
      return view.getUint32(at, true);
    case BaseType.int32:
      return view.getInt32(at, true);
    case BaseType.uint16:
      return view.getUint16(at, true);
    case BaseType.int16:
      return view.getInt16(at, true);
    case BaseType.int8:
    case BaseType.uint8:
      return view.getUint8(at);
    case BaseType.boolean:
      return view.getUint8(at) === 0 ? 0 : 1;
    case BaseType.float64:
      return view.getFloat64(at, true);
    case BaseType.float32:
      return view.getFloat32(at, true);
    default:
      return Number.NaN;
  }
}

/** A field as 64 bits, low word first as the format has it; smaller signed integers are sign-extended. */
function writeWords(words: Uint32Array, row: number, view: DataView, at: number, source: number): void {
  switch (source) {
    case BaseType.uint64:
    case BaseType.int64:
    case BaseType.cpuCycle:
    case BaseType.filetime:
    case BaseType.pointer:
      words[row * 2] = view.getUint32(at, true);
      words[row * 2 + 1] = view.getUint32(at + 4, true);
      return;
    default: {
      const value = numberOf(view, at, source);
      words[row * 2] = value;
      words[row * 2 + 1] = value < 0 ? 0xffffffff : 0;
    }
  }
}
