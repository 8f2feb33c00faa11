/**
 * Writes `.xel` files (version 10), for fixtures, tests and exports. Layout: xel-format sections 2-5.
 * Everything is little-endian and packed. The clock is 10,000,000 ticks per second, so UTC = start + ticks exactly.
 */

/** Base types of package0 in the order of their index (xel-format 5). */
const BASE_TYPES = [
  ["null", 0],
  ["int8", 1],
  ["int16", 2],
  ["int32", 4],
  ["int64", 8],
  ["uint8", 1],
  ["uint16", 2],
  ["uint32", 4],
  ["uint64", 8],
  ["float32", 4],
  ["float64", 8],
  ["cpu_cycle", 8],
  ["filetime", 8],
  ["ptr", 8],
  ["ansi_string_ptr", 8],
  ["unicode_string_ptr", 8],
  ["guid_ptr", 8],
  ["char", 1],
  ["wchar", 2],
  ["ansi_string", 0],
  ["unicode_string", 0],
  ["guid", 16],
  ["binary_data", 0],
  ["callstack", 0],
  ["activity_id", 20],
  ["activity_id_xfer", 20],
  ["boolean", 1],
  ["xml", 0],
] as const;

/** A base type an event or action may hold; null, char types and the three pointer types have no known value. */
export type WritableType =
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float32"
  | "float64"
  | "cpu_cycle"
  | "filetime"
  | "ptr"
  | "ansi_string"
  | "unicode_string"
  | "guid"
  | "binary_data"
  | "callstack"
  | "activity_id"
  | "activity_id_xfer"
  | "boolean"
  | "xml";

/** A column of an event type. */
export interface WriterColumn {
  readonly name: string;
  /** A base type, or `{ map }` with the name of a map of the same package. */
  readonly type: WritableType | { readonly map: string };
}

/** An event type. */
export interface WriterEvent {
  readonly name: string;
  readonly columns: readonly WriterColumn[];
  readonly description?: string;
  /** Id of the event type; by default made from the name, so that it is the same in each run. */
  readonly uuid?: string;
}

/** Numbers that stand for texts. */
export interface WriterMap {
  readonly name: string;
  /** Bytes of the value in an event. */
  readonly bytes: 1 | 2 | 4 | 8;
  readonly bitMask?: boolean;
  readonly entries: readonly (readonly [code: number, text: string])[];
}

/** A value that a session adds to its events, of a base type (xel-format 3.3). */
export interface WriterAction {
  readonly name: string;
  readonly type: WritableType;
}

/** A package, with the event types, actions and maps that the file needs of it. */
export interface WriterPackage {
  readonly name: string;
  /** 0 .. 1023; 0 is package0. */
  readonly id: number;
  readonly description?: string;
  readonly events?: readonly WriterEvent[];
  readonly actions?: readonly WriterAction[];
  readonly maps?: readonly WriterMap[];
}

/** Events are named in `write` as `name`, or `package.name` where two packages share a name. */
export interface WriterSchema {
  readonly packages: readonly WriterPackage[];
}

/**
 * A value of a column or action. Missing is zero or empty. Integers beyond 2^53, and filetime, need a bigint.
 * guid: canonical text or 16 bytes; activity ids: `guid:sequence` or 20 bytes; ptr: number, bigint or `0x` text;
 * callstack: bytes or one `0x` address per line; a map: its number or text.
 */
export type WriterValue = number | bigint | string | boolean | Uint8Array;
/** Values by the name of their column or action. */
export type WriterValues = Readonly<Record<string, WriterValue>>;

/** How a file is written. */
export interface WriterOptions {
  /** Data bytes after which an event buffer is closed; default 1 MiB. A larger event gets a buffer of its own. */
  readonly bufferBytes?: number;
  /** FILETIME of tick 0 (100 ns since 1601-01-01 UTC). */
  readonly startTicks?: bigint;
  /** Written to the file header and as the metadata signature. */
  readonly fileGuid?: string;
  /**
   * Receives the file piece by piece (header, metadata, each event buffer), so that it need not be in memory.
   * The bytes belong to the callee. With it, `finish` returns an empty array.
   */
  readonly onBuffer?: (bytes: Uint8Array) => void;
}

/** A file being written. */
export interface XelWriter {
  /**
   * Adds one event.
   *
   * @param ticks 100 ns since `startTicks`
   * @throws {XelWriteError} for an unknown event, column or action, or a value its type cannot hold
   */
  write(eventName: string, ticks: bigint | number, values: WriterValues, actions?: WriterValues): void;
  /** Bytes the file has now, counting the open buffer without its filler. */
  size(): number;
  /** Closes the open buffer, as a session does when its dispatch latency has passed; nothing when it is empty. */
  flush(): void;
  /** Closes the last buffer and returns the file (empty when a sink takes it). */
  finish(): Uint8Array;
}

/** `schema`: the schema cannot be expressed; `unknownName`: it has no such event, column or action; `badValue`: the type cannot hold it. */
export type XelWriteErrorCode = "schema" | "unknownName" | "badValue";

/** A schema or value that cannot be written. */
export class XelWriteError extends Error {
  readonly code: XelWriteErrorCode;
  constructor(code: XelWriteErrorCode, message: string) {
    super(message);
    this.name = "XelWriteError";
    this.code = code;
  }
}

const HEADER_BYTES = 512;
const ALIGNMENT = 512;
const MAGIC = 0xefab375a;
const FORMAT_VERSION = 10;
const BUFFER_HEADER_BYTES = 32;
const DATA_OFFSET = 76;
const EVENT_BUFFER = 0;
const METADATA_BUFFER = 1;
const EVENT_HEADER_BYTES = 24;
/** Event flags: version 10 and bit 31, an action list follows (xel-format 4). */
const WITH_ACTIONS = 0x8000_000a;
const TICKS_PER_SECOND = 10_000_000;
/** 2024-01-01T00:00:00Z */
const DEFAULT_START = 133_485_408_000_000_000n;
const DEFAULT_GUID = "2b6a1f0e-7c54-4d0b-9a6f-3f1f5a0c8d11";
const PACKAGE0_GUID = "60aa9fbf-673b-4553-b7ed-71dca7f5e972";

const Kind = { event: 0, action: 1, map: 3, type: 6, package: 8 } as const;

const TWO_32 = 0x1_0000_0000;

/** Object id: kind in bits 28-31, index in 10-27, package in 0-9 (xel-format 1). */
function relativeId(kind: number, index: number, packageId: number): number {
  return ((kind << 28) | (index << 10) | packageId) >>> 0;
}

const typeIndex = new Map<string, number>(BASE_TYPES.map(([name], index) => [name, index]));
const typeId = (name: string): number => relativeId(Kind.type, typeIndex.get(name)!, 0);
const ACTION_LIST_END = typeId("null");

/** Bytes that grow, with a write position. */
class Output {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  at = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  reserve(count: number): void {
    const needed = this.at + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  u8(value: number): void {
    this.reserve(1);
    this.view.setUint8(this.at, value);
    this.at += 1;
  }
  u16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.at, value, true);
    this.at += 2;
  }
  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }
  u64(value: number | bigint): void {
    this.reserve(8);
    putInt64(this.view, this.at, value);
    this.at += 8;
  }
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
  /** UTF-16LE ended by one zero character (`wz` of xel-format 1). */
  text(value: string): void {
    this.reserve(value.length * 2 + 2);
    this.at += putUtf16(this.view, this.at, value);
    this.u16(0);
  }
  zeros(count: number): void {
    this.reserve(count);
    this.bytes.fill(0, this.at, this.at + count);
    this.at += count;
  }
  guid(text: string): void {
    this.raw(guidBytes(text));
  }
}

/** A number is split in halves, which makes no bigint. */
function putInt64(view: DataView, at: number, value: number | bigint): void {
  if (typeof value === "bigint") {
    view.setBigUint64(at, BigInt.asUintN(64, value), true);
    return;
  }
  view.setUint32(at, value, true);
  view.setInt32(at + 4, Math.floor(value / TWO_32), true);
}

function putUtf16(view: DataView, at: number, value: string): number {
  for (let i = 0; i < value.length; i++) view.setUint16(at + 2 * i, value.charCodeAt(i), true);
  return value.length * 2;
}

const GUID_TEXT = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;
/** A capture names few replicas and databases, many times. */
const knownGuids = new Map<string, Uint8Array>();
const KNOWN_GUIDS_LIMIT = 4096;

/** Windows order: the first three groups are little-endian. */
function guidBytes(text: string): Uint8Array {
  const known = knownGuids.get(text);
  if (known) return known;
  const groups = GUID_TEXT.exec(text);
  if (!groups)
    throw new XelWriteError("badValue", `"${text}" is not a GUID; write it as 8-4-4-4-12 hex digits.`);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Number.parseInt(groups[1], 16), true);
  view.setUint16(4, Number.parseInt(groups[2], 16), true);
  view.setUint16(6, Number.parseInt(groups[3], 16), true);
  const rest = groups[4] + groups[5];
  for (let i = 0; i < 8; i++) bytes[8 + i] = Number.parseInt(rest.slice(2 * i, 2 * i + 2), 16);
  if (knownGuids.size < KNOWN_GUIDS_LIMIT) knownGuids.set(text, bytes);
  return bytes;
}

/** A stable id for an event type that has none: 32-bit FNV-1a of the name, four times with another start. */
function uuidFromName(name: string): string {
  let hex = "";
  for (let part = 0; part < 4; part++) {
    let hash = 0x811c9dc5 ^ part;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    hex += (hash >>> 0).toString(16).padStart(8, "0");
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** How a column's value is put; inline kinds write `size` bytes at the column's offset. */
type ColumnKind = WritableType | "map";

interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly type: number;
  /** Inline bytes; 8 (the descriptor) for variable-length types. */
  readonly size: number;
  readonly variable: boolean;
  readonly offset: number;
  /** Codes of a map by text. */
  readonly codes?: ReadonlyMap<string, number>;
}

interface EventLayout {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly inlineBytes: number;
  readonly known: ReadonlySet<string>;
}

const VARIABLE = new Set<string>(["ansi_string", "unicode_string", "binary_data", "callstack", "xml"]);
const DESCRIPTOR_BYTES = 8;

function layoutColumn(column: WriterColumn, offset: number, owner: WriterPackage): Column {
  const { name, type } = column;
  if (typeof type !== "string") {
    const index = (owner.maps ?? []).findIndex((map) => map.name === type.map);
    const map = owner.maps?.[index];
    if (!map)
      throw new XelWriteError("schema", `Column ${name} uses map ${type.map}, which ${owner.name} lacks.`);
    const codes = new Map(map.entries.map(([code, text]) => [text, code]));
    const id = relativeId(Kind.map, index, owner.id);
    return { name, kind: "map", type: id, size: map.bytes, variable: false, offset, codes };
  }
  const index = typeIndex.get(type);
  if (index === undefined) throw new XelWriteError("schema", `Column ${name} has the unknown type ${type}.`);
  const variable = VARIABLE.has(type);
  const size = variable ? DESCRIPTOR_BYTES : BASE_TYPES[index][1];
  return { name, kind: type, type: typeId(type), size, variable, offset };
}

function layoutEvent(event: WriterEvent, index: number, owner: WriterPackage): EventLayout {
  let offset = 0;
  const columns = event.columns.map((declared) => {
    const column = layoutColumn(declared, offset, owner);
    offset += column.size;
    return column;
  });
  const known = new Set(columns.map((column) => column.name));
  if (known.size !== columns.length)
    throw new XelWriteError(
      "schema",
      `Event ${event.name} has two columns of one name, which cannot be read.`,
    );
  return {
    id: relativeId(Kind.event, index, owner.id),
    name: event.name,
    columns,
    inlineBytes: offset,
    known,
  };
}

/** Upper bound of the bytes a variable-length value takes. */
function variableBound(value: WriterValue | undefined): number {
  if (value === undefined) return 0;
  if (value instanceof Uint8Array) return value.length;
  return typeof value === "string" ? value.length * 2 : 0;
}

function badValue(name: string, kind: string, value: WriterValue): XelWriteError {
  return new XelWriteError("badValue", `${name} of type ${kind} cannot hold ${String(value).slice(0, 60)}.`);
}

function asNumber(name: string, kind: string, value: WriterValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  throw badValue(name, kind, value);
}

function asInteger64(name: string, kind: string, value: WriterValue): number | bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value === "string" && /^(0x[0-9a-f]+|-?\d+)$/i.test(value)) return BigInt(value);
  throw badValue(name, kind, value);
}

const LOW_32 = 0xffff_ffffn;

function putMap(out: Output, at: number, column: Column, value: WriterValue): void {
  const code = typeof value === "string" ? column.codes!.get(value) : value;
  if (code === undefined) throw badValue(column.name, "map", value);
  const { view } = out;
  if (column.size === 8) {
    putInt64(view, at, asInteger64(column.name, "map", code));
    return;
  }
  const number = typeof code === "bigint" ? Number(code & LOW_32) : asNumber(column.name, "map", code);
  if (column.size === 1) view.setUint8(at, number);
  else if (column.size === 2) view.setUint16(at, number, true);
  else view.setUint32(at, number, true);
}

function putGuid(out: Output, at: number, value: WriterValue): void {
  if (value instanceof Uint8Array && value.length === 16) out.bytes.set(value, at);
  else out.bytes.set(guidBytes(String(value)), at);
}

function putActivityId(out: Output, at: number, value: WriterValue): void {
  if (value instanceof Uint8Array && value.length === 20) {
    out.bytes.set(value, at);
    return;
  }
  const [guid, sequence] = String(value).split(":");
  out.bytes.set(guidBytes(guid), at);
  out.view.setUint32(at + 16, Number(sequence ?? 0), true);
}

/** Writes a fixed-size value at `at`; the place is already zero and reserved. */
function putFixed(out: Output, at: number, column: Column, value: WriterValue): void {
  const { name, kind } = column;
  const { view } = out;
  switch (kind) {
    case "map":
      return putMap(out, at, column, value);
    case "boolean":
      return view.setUint8(at, value ? 1 : 0);
    case "int8":
    case "uint8":
      return view.setUint8(at, asNumber(name, kind, value));
    case "int16":
    case "uint16":
      return view.setUint16(at, asNumber(name, kind, value), true);
    case "int32":
    case "uint32":
      return view.setUint32(at, asNumber(name, kind, value), true);
    case "float32":
      return view.setFloat32(at, asNumber(name, kind, value), true);
    case "float64":
      return view.setFloat64(at, asNumber(name, kind, value), true);
    case "guid":
      return putGuid(out, at, value);
    case "activity_id":
    case "activity_id_xfer":
      return putActivityId(out, at, value);
    default:
      return putInt64(view, at, asInteger64(name, kind, value));
  }
}

/** Writes a variable-length value at `at` and returns its bytes. */
function putVariable(out: Output, at: number, column: Column, value: WriterValue): number {
  if (value instanceof Uint8Array) {
    out.bytes.set(value, at);
    return value.length;
  }
  if (typeof value !== "string" || column.kind === "binary_data")
    throw badValue(column.name, column.kind, value);
  if (column.kind === "ansi_string") {
    for (let i = 0; i < value.length; i++) out.bytes[at + i] = value.charCodeAt(i);
    return value.length;
  }
  if (column.kind === "callstack") return putCallStack(out, at, value);
  return putUtf16(out.view, at, value);
}

function putCallStack(out: Output, at: number, text: string): number {
  const addresses = text.split(/\s+/).filter((line) => line !== "");
  addresses.forEach((address, i) => putInt64(out.view, at + 8 * i, BigInt(address)));
  return addresses.length * 8;
}

/** The 32 bytes before a buffer's data, and zeros up to it (xel-format 2.2). */
function putBufferHeader(
  out: Output,
  type: number,
  dataLength: number,
  padded: number,
  signature: Uint8Array,
): void {
  const { view } = out;
  out.bytes.fill(0, 0, DATA_OFFSET);
  view.setUint32(8, 0xffffffff, true);
  view.setUint16(12, FORMAT_VERSION, true);
  view.setUint16(14, type, true);
  view.setUint32(16, padded, true);
  view.setUint16(22, DATA_OFFSET, true);
  view.setUint32(24, dataLength, true);
  if (type === EVENT_BUFFER) out.bytes.set(signature, BUFFER_HEADER_BYTES);
}

/** Closes a buffer whose data stands from DATA_OFFSET to `out.at`: header, filler, own copy of the bytes. */
function closeBuffer(out: Output, type: number, signature: Uint8Array): Uint8Array {
  const used = out.at;
  const padded = Math.ceil(used / ALIGNMENT) * ALIGNMENT;
  out.zeros(padded - used);
  putBufferHeader(out, type, used - DATA_OFFSET, padded, signature);
  out.at = DATA_OFFSET;
  return out.bytes.slice(0, padded);
}

function fileHeader(guid: string): Uint8Array {
  const out = new Output(HEADER_BYTES);
  out.u32(MAGIC);
  out.u16(FORMAT_VERSION);
  out.u16(HEADER_BYTES);
  out.guid(guid);
  return out.bytes;
}

function putObjectHeader(
  out: Output,
  version: number,
  capabilities: readonly [generic: number, specific: number],
  id: number,
  name: string,
  description: string,
): void {
  out.u16(version);
  out.u8(capabilities[0]);
  out.u8(capabilities[1]);
  out.u32(id);
  out.text(name);
  out.text(description);
}

/** Static attributes UUID and VERSION; the first one is the event's id (xel-format 3.3). */
function putStaticAttributes(out: Output, uuid: string): void {
  out.u32(typeId("guid_ptr"));
  out.text("UUID");
  out.guid(uuid);
  out.text("Globally Unique ID");
  out.u32(typeId("uint8"));
  out.text("VERSION");
  out.u64(1);
  out.text("Event schema version");
}

function putEvent(out: Output, event: WriterEvent, layout: EventLayout): void {
  putObjectHeader(out, FORMAT_VERSION, [2, 0], layout.id, event.name, event.description ?? "");
  out.u16(2);
  out.u16(0);
  out.u16(layout.columns.length);
  out.u16(layout.columns.filter((column) => !column.variable).length);
  putStaticAttributes(out, event.uuid ?? uuidFromName(event.name));
  for (const column of layout.columns) {
    out.u32(column.type);
    out.text(column.name);
    out.u16(column.offset);
    out.u16(0);
    out.text("");
  }
}

function putMapObject(out: Output, map: WriterMap, index: number, packageId: number): void {
  putObjectHeader(out, 0, [0, map.bitMask ? 1 : 0], relativeId(Kind.map, index, packageId), map.name, "");
  out.u8(map.bytes);
  out.u16(map.entries.length);
  for (const [code, text] of map.entries) {
    out.u32(code);
    out.text(text);
  }
}

function putTypes(out: Output): void {
  BASE_TYPES.forEach(([name, size], index) => {
    putObjectHeader(out, 0, [0, 0], relativeId(Kind.type, index, 0), name, "");
    out.u8(size);
  });
}

const COLLECTION_OBJECT_SIZES = [72, 72, 56, 48, 80, 96, 40, 32];
const OBJECT_ALIGNMENT = 16;

/** One package record (xel-format 3.1); package0 carries the types. */
function putPackage(out: Output, pack: WriterPackage, layouts: readonly EventLayout[], options: Clock): void {
  const start = out.at;
  const { events = [], actions = [], maps = [] } = pack;
  const isBase = pack.id === 0;
  out.u16(FORMAT_VERSION);
  out.u32(0); // size, set below
  out.guid(options.fileGuid);
  out.u16(0);
  out.u16(1);
  out.u16(0);
  out.u32(0);
  out.u64(options.startTicks);
  out.u64(TICKS_PER_SECOND);
  const id = relativeId(Kind.package, 0, pack.id);
  putObjectHeader(out, FORMAT_VERSION, [0, isBase ? 1 : 0], id, pack.name, pack.description ?? "");
  out.guid(isBase ? PACKAGE0_GUID : uuidFromName(pack.name));
  out.guid(uuidFromName(`${pack.name}.module`));
  out.u16(0);
  out.u32(COLLECTION_OBJECT_SIZES.length);
  const counts = [events.length, actions.length, 0, maps.length, 0, 0, isBase ? BASE_TYPES.length : 0, 0];
  counts.forEach((count, kind) => {
    out.u32(kind);
    out.u16(0);
    out.u16(COLLECTION_OBJECT_SIZES[kind]);
    out.u32(count);
  });
  out.u32(events.length);
  events.forEach((event, index) => putEvent(out, event, layouts[index]));
  out.u32(actions.length);
  actions.forEach((action, index) => {
    putObjectHeader(out, 0, [2, 0], relativeId(Kind.action, index, pack.id), action.name, "");
    out.u32(typeId(action.type));
    out.u32(0);
    out.u32(0);
  });
  out.u32(maps.length);
  maps.forEach((map, index) => putMapObject(out, map, index, pack.id));
  out.u32(isBase ? BASE_TYPES.length : 0);
  if (isBase) putTypes(out);
  const length = Math.ceil((out.at - start) / OBJECT_ALIGNMENT) * OBJECT_ALIGNMENT;
  out.zeros(start + length - out.at);
  out.view.setUint32(start + 2, length, true);
}

interface Clock {
  readonly startTicks: bigint;
  readonly fileGuid: string;
}

/** package0 always comes first: its types are needed by all the others. */
function withBasePackage(schema: WriterSchema): readonly WriterPackage[] {
  const base = schema.packages.find((pack) => pack.id === 0) ?? { name: "package0", id: 0 };
  return [base, ...schema.packages.filter((pack) => pack.id !== 0)];
}

/** Names as `write` takes them: `package.name` always, `name` for the first package that has it. */
function byName<T>(
  entries: readonly (readonly [packageName: string, name: string, value: T])[],
): Map<string, T> {
  const found = new Map<string, T>();
  for (const [packageName, name, value] of entries) {
    found.set(`${packageName}.${name}`, value);
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

interface ActionLayout {
  readonly id: number;
  readonly column: Column;
}

function layoutAction(action: WriterAction, index: number, owner: WriterPackage): ActionLayout {
  return { id: relativeId(Kind.action, index, owner.id), column: layoutColumn(action, 0, owner) };
}

/**
 * A writer of one `.xel` file.
 *
 * @throws {XelWriteError} code "schema" when the schema cannot be expressed
 */
export function createXelWriter(schema: WriterSchema, options: WriterOptions = {}): XelWriter {
  const clock = {
    startTicks: options.startTicks ?? DEFAULT_START,
    fileGuid: options.fileGuid ?? DEFAULT_GUID,
  };
  const signature = guidBytes(clock.fileGuid);
  const bufferBytes = options.bufferBytes ?? 1 << 20;
  const pieces: Uint8Array[] = [];
  let written = 0;
  const emit = (bytes: Uint8Array): void => {
    written += bytes.length;
    if (options.onBuffer) options.onBuffer(bytes);
    else pieces.push(bytes);
  };

  const packages = withBasePackage(schema);
  const layouts = packages.map((pack) => (pack.events ?? []).map((event, i) => layoutEvent(event, i, pack)));
  const events = byName(
    packages.flatMap((pack, p) => layouts[p].map((layout) => [pack.name, layout.name, layout] as const)),
  );
  const actionLayouts = byName(
    packages.flatMap((pack) =>
      (pack.actions ?? []).map(
        (action, i) => [pack.name, action.name, layoutAction(action, i, pack)] as const,
      ),
    ),
  );

  emit(fileHeader(clock.fileGuid));
  const metadata = new Output(16_384);
  metadata.zeros(DATA_OFFSET);
  packages.forEach((pack, p) => putPackage(metadata, pack, layouts[p], clock));
  emit(closeBuffer(metadata, METADATA_BUFFER, signature));

  const out = new Output(bufferBytes + 2 * ALIGNMENT);
  out.at = DATA_OFFSET;

  const flush = (): void => {
    if (out.at > DATA_OFFSET) emit(closeBuffer(out, EVENT_BUFFER, signature));
  };

  return {
    write(eventName, ticks, values, actions) {
      const layout = events.get(eventName);
      if (!layout) throw new XelWriteError("unknownName", `The schema has no event ${eventName}.`);
      for (const name in values)
        if (!layout.known.has(name))
          throw new XelWriteError("unknownName", `Event ${eventName} has no column ${name}.`);
      const start = out.at;
      try {
        putEventRecord(out, layout, ticks, values);
        if (actions) {
          out.view.setUint32(start + 4, WITH_ACTIONS, true);
          putActions(out, actionLayouts, actions);
        }
      } catch (error) {
        out.at = start;
        throw error;
      }
      if (start > DATA_OFFSET && out.at - DATA_OFFSET > bufferBytes) moveToNewBuffer(out, start, flush);
    },
    flush,
    size: () => written + (out.at > DATA_OFFSET ? out.at : 0),
    finish() {
      flush();
      return concatenate(pieces);
    },
  };
}

/** The event that made the buffer too long begins the next one. */
function moveToNewBuffer(out: Output, start: number, flush: () => void): void {
  const event = out.bytes.slice(start, out.at);
  out.at = start;
  flush();
  out.raw(event);
}

function putEventRecord(
  out: Output,
  layout: EventLayout,
  ticks: bigint | number,
  values: WriterValues,
): void {
  const start = out.at;
  let bound = EVENT_HEADER_BYTES + layout.inlineBytes;
  for (const column of layout.columns) if (column.variable) bound += variableBound(values[column.name]);
  out.reserve(bound);
  const { view } = out;
  const payload = start + EVENT_HEADER_BYTES;
  out.bytes.fill(0, start, payload + layout.inlineBytes);
  view.setUint32(start, layout.id, true);
  view.setUint32(start + 4, FORMAT_VERSION, true);
  putInt64(view, start + 12, ticks);
  let end = payload + layout.inlineBytes;
  for (const column of layout.columns) {
    const value = values[column.name];
    if (column.variable) {
      const length = value === undefined ? 0 : putVariable(out, end, column, value);
      view.setUint32(payload + column.offset, end - payload, true);
      view.setUint32(payload + column.offset + 4, length, true);
      end += length;
    } else if (value !== undefined) putFixed(out, payload + column.offset, column, value);
  }
  view.setUint32(start + 20, end - payload, true);
  out.at = end;
}

/** Action list with its end mark (xel-format 4.2). */
function putActions(out: Output, layouts: ReadonlyMap<string, ActionLayout>, actions: WriterValues): void {
  for (const name in actions) {
    const layout = layouts.get(name);
    if (!layout) throw new XelWriteError("unknownName", `The schema has no action ${name}.`);
    const { column } = layout;
    const value = actions[name];
    const bound = column.variable ? variableBound(value) : column.size;
    out.u32(layout.id);
    const lengthAt = out.at;
    out.u32(0);
    out.reserve(bound);
    out.bytes.fill(0, out.at, out.at + bound);
    const length = column.variable ? putVariable(out, out.at, column, value) : column.size;
    if (!column.variable) putFixed(out, out.at, column, value);
    out.at += length;
    out.view.setUint32(lengthAt, length, true);
  }
  out.u32(ACTION_LIST_END);
  out.u32(0);
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
