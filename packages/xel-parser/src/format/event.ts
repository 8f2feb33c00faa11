import { ACTIONS_FLAG, EVENT_HEADER_BYTES, FORMAT_VERSION, ObjectKind, VERSION_MASK } from "./constants.ts";
import { Damage } from "./errors.ts";
import type { ReadLimits } from "./limits.ts";
import { kindOf, type ColumnSchema, type Schema } from "./metadata.ts";
import { filetimeOf } from "./time.ts";
import {
  baseTypeOf,
  fixedValue,
  isVariable,
  mapCode,
  mapOf,
  mapText,
  variableValue,
  type XelValue,
} from "./types.ts";

/** One event with everything it holds, values in the file's order. */
export interface XelEvent {
  readonly name: string;
  readonly package: string;
  /** UUID of the event type, lower case. */
  readonly uuid: string;
  /** FILETIME: UTC, 100 ns since 1601. */
  readonly ticks: bigint;
  /** Byte offset of the record in the file. */
  readonly offset: number;
  readonly fields: Record<string, XelValue>;
  readonly actions: Record<string, XelValue>;
}

/** An event and where the next record begins, in bytes from the view's start. */
export interface DecodedEvent {
  readonly event: XelEvent;
  readonly next: number;
}

/**
 * Reads one event record with all its values (xel-format 4).
 * `origin` is the file offset of the view's start. Throws Damage or RangeError when the record is damaged.
 */
export function decodeEvent(view: DataView, at: number, origin: number, schema: Schema): DecodedEvent {
  const rid = view.getUint32(at, true);
  const flags = view.getUint32(at + 4, true);
  checkVersion(flags, schema.version);
  const type = schema.events.get(rid);
  if (type === undefined) throw unknownEvent(rid, schema);
  const ticks = filetimeOf(type.package, view.getBigInt64(at + 12, true));
  const payload = at + EVENT_HEADER_BYTES;
  const end = payloadEnd(view, at);
  // Before any value is read: damage must not cost the reading of values that are then thrown away.
  const next = hasActions(flags) ? skipActions(view, end, schema) : end;
  if (next > view.byteLength) throw new RangeError("outside the buffer");
  const budget = new ValueBudget(next - at, schema.limits);
  const fields = emptyRecord();
  for (const column of type.columns) {
    const value = columnValue(view, payload, column, schema, budget);
    if (value !== undefined) fields[column.name] = value;
  }
  const actions = emptyRecord();
  if (hasActions(flags)) decodeActions(view, end, schema, actions, budget);
  const event = {
    name: type.name,
    package: type.package.name,
    uuid: type.uuid,
    ticks,
    offset: origin + at,
    fields,
    actions,
  };
  return { event, next };
}

/** Throws Damage unless the flags carry the version: the cheapest sign that a record begins here. */
export function checkVersion(flags: number, expected: number): void {
  const version = flags & VERSION_MASK;
  if (version !== FORMAT_VERSION && version !== (expected & VERSION_MASK)) {
    throw new Damage("bad-event", "the bytes where an event should begin are no event");
  }
}

/** Whether an action list follows the payload. */
export function hasActions(flags: number): boolean {
  return (flags & ACTIONS_FLAG) !== 0;
}

/** Where the payload of the record at `at` ends. Throws RangeError when that is outside the view. */
export function payloadEnd(view: DataView, at: number): number {
  const end = at + EVENT_HEADER_BYTES + view.getUint32(at + 20, true);
  if (end > view.byteLength) throw new RangeError("outside the buffer");
  return end;
}

/**
 * Passes over an action list and returns where it ends (xel-format 4.2).
 * An action the metadata does not know is Damage, as for the reference reader.
 */
export function skipActions(view: DataView, at: number, schema: Schema): number {
  let position = at;
  for (let count = 0; ; count++) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return position;
    if (!schema.actions.has(rid)) throw unknownAction();
    if (count === schema.limits.actions) {
      throw new Damage("bad-event", `an event has more than ${count} actions`);
    }
    position += length;
  }
}

/** The Damage for an event the metadata before it does not describe. */
export function unknownEvent(rid: number, schema: Schema): Damage {
  if (schema.events.size === 0) {
    return new Damage("no-metadata", "its events come before the metadata that describes them");
  }
  return new Damage(
    "unknown-event",
    `event type 0x${rid.toString(16).padStart(8, "0")} is not in the file's metadata`,
  );
}

function unknownAction(): Damage {
  return new Damage("unknown-action", "an event has an action that is not in the file's metadata");
}

function decodeActions(
  view: DataView,
  at: number,
  schema: Schema,
  actions: Record<string, XelValue>,
  budget: ValueBudget,
): void {
  let position = at;
  for (;;) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return;
    const action = schema.actions.get(rid);
    if (action === undefined) throw unknownAction();
    const type = baseTypeOf(action.type);
    if (isVariable(type)) budget.spend(length);
    const value = isVariable(type)
      ? variableValue(view, position, length, type)
      : fixedValue(view, position, type, schema.pointerSize);
    if (value !== undefined) actions[action.name] = value;
    position += length;
  }
}

function columnValue(
  view: DataView,
  payload: number,
  column: ColumnSchema,
  schema: Schema,
  budget: ValueBudget,
): XelValue | undefined {
  const at = payload + column.offset;
  const map = mapOf(schema, column.type);
  if (map !== undefined) {
    const text = mapText(map, mapCode(view, at, map.size));
    // A plain map's text is shared; that of a bit mask is made for the event.
    if (map.bitmask) budget.spendText(text.length);
    return text;
  }
  const type = baseTypeOf(column.type);
  if (!isVariable(type)) return fixedValue(view, at, type, schema.pointerSize);
  const length = view.getUint32(at + 4, true);
  budget.spend(length);
  return variableValue(view, payload + view.getUint32(at, true), length, type);
}

/** The Damage for an event whose values overlap so much that they are forged; see `ReadLimits.overlap`. */
export function valuesTooLong(): Damage {
  return new Damage("bad-event", "an event's values are far longer than its record");
}

/** What the values of one event may take. */
class ValueBudget {
  readonly #valueBytes: number;
  #bytesLeft: number;
  #mapUnitsLeft: number;

  constructor(recordBytes: number, limits: ReadLimits) {
    this.#valueBytes = limits.valueBytes;
    this.#bytesLeft = recordBytes * limits.overlap;
    this.#mapUnitsLeft = limits.mapUnits;
  }

  /** Takes a value's bytes off. Throws Damage when they are too many. */
  spend(bytes: number): void {
    if (bytes > this.#valueBytes) {
      throw new Damage("bad-event", `a value has ${bytes} bytes; ${this.#valueBytes} are allowed`);
    }
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) throw valuesTooLong();
  }

  /** Takes off the text that was joined for a bit mask. */
  spendText(units: number): void {
    this.#mapUnitsLeft -= units;
    if (this.#mapUnitsLeft < 0) throw valuesTooLong();
  }
}

/** Names come from the file, so `__proto__` must be a name like any other. */
function emptyRecord(): Record<string, XelValue> {
  return Object.create(null) as Record<string, XelValue>;
}
