import { BaseType } from "./constants.ts";
import type { EventSchema, MapSchema, Schema } from "./metadata.ts";
import { TickClock } from "./tick-clock.ts";
import { baseTypeOf, isVariable, mapOf } from "./types.ts";

/**
 * What a column of a batch holds. `f64` any number; `int` whole numbers, in 32 bits while they fit; `u64` 64 bits;
 * `u8` the low 8 bits; `guid` and `text` indices into a dictionary.
 */
export type ColumnType = "f64" | "int" | "u64" | "u8" | "guid" | "text";

/** Which fields of which events go to which columns. Fields are matched by name, whatever their integer type. */
export interface ColumnRequest {
  readonly events: readonly {
    readonly name: string;
    /** 0 to 255; stands in the batch's `kind`. */
    readonly kind: number;
    readonly fields: readonly { readonly field: string; readonly column: string }[];
  }[];
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
}

/** One field's way into one column, compiled from the file's metadata. */
export interface FieldPlan {
  /** Index of the column in the request. */
  readonly column: number;
  /** Bytes from the payload's start. */
  readonly offset: number;
  /** Base type; of a map the integer type of its width. */
  readonly source: number;
  /** Bytes of the inline part; 0 for types no event can hold. */
  readonly width: number;
  /** The inline part is a descriptor of the value's place (xel-format 4.1). */
  readonly variable: boolean;
  readonly map: MapSchema | undefined;
  /** Dictionary indices of a map's codes below 256, so that a text is looked up once; 0 while unknown. */
  readonly codes: Uint16Array;
}

/** How to take one event type: its kind and fields, or kind -1 when it is only passed over. */
export interface EventPlan {
  readonly kind: number;
  /** Place among the file's event types. */
  readonly index: number;
  readonly clock: TickClock;
  readonly fields: readonly FieldPlan[];
  /** Offsets of the descriptors among `fields`. */
  readonly descriptors: readonly number[];
  /** Bytes from the payload's start that `fields` read inline. */
  readonly inlineBytes: number;
}

// Maps read as the integer type of their width (xel-format 5, Maps).
const MAP_SOURCES: Readonly<Record<number, number>> = {
  1: BaseType.uint8,
  2: BaseType.int16,
  4: BaseType.int32,
  8: BaseType.int32,
};

const DESCRIPTOR_BYTES = 8;
const NO_CODES = new Uint16Array(0);

/** Bytes of the fixed-size base types (xel-format 5); those no event can hold are missing. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  [BaseType.int8]: 1,
  [BaseType.int16]: 2,
  [BaseType.int32]: 4,
  [BaseType.int64]: 8,
  [BaseType.uint8]: 1,
  [BaseType.uint16]: 2,
  [BaseType.uint32]: 4,
  [BaseType.uint64]: 8,
  [BaseType.float32]: 4,
  [BaseType.float64]: 8,
  [BaseType.cpuCycle]: 8,
  [BaseType.filetime]: 8,
  [BaseType.guid]: 16,
  [BaseType.activityId]: 20,
  [BaseType.activityIdTransfer]: 20,
  [BaseType.boolean]: 1,
};

/** Bytes a base type takes inline: a descriptor's for variable types, 0 for those no event can hold. */
export function inlineWidth(base: number, pointerSize: number): number {
  if (isVariable(base)) return DESCRIPTOR_BYTES;
  return base === BaseType.pointer ? pointerSize : (FIXED_BYTES[base] ?? 0);
}

/** Plans of all event types a file's metadata describes, by relative id: a hash table without objects per look-up. */
export class PlanTable {
  readonly plans: EventPlan[] = [];
  readonly #mask: number;
  readonly #keys: Int32Array;
  /** Index of the plan plus 1; 0 marks a free slot. */
  readonly #slots: Int32Array;

  constructor(events: number) {
    const size = 2 ** Math.ceil(Math.log2(events * 2 + 2));
    this.#mask = size - 1;
    this.#keys = new Int32Array(size);
    this.#slots = new Int32Array(size);
  }

  add(rid: number, plan: EventPlan): void {
    const slot = this.#slotOf(rid | 0);
    this.#keys[slot] = rid;
    this.#slots[slot] = this.plans.push(plan);
  }

  /** The plan of a relative id, given as signed 32 bits; undefined when the metadata has no such event. */
  find(rid: number): EventPlan | undefined {
    const index = this.#slots[this.#slotOf(rid)];
    return index === 0 ? undefined : this.plans[index - 1];
  }

  /** The slot that holds a relative id, or the free one where it would be. */
  #slotOf(rid: number): number {
    let slot = Math.imul(rid, 0x9e3779b1) >>> 8;
    for (;;) {
      slot &= this.#mask;
      if (this.#slots[slot] === 0 || this.#keys[slot] === rid) return slot;
      slot++;
    }
  }
}

/** Compiles the request against what the metadata says now: one plan per event type. */
export function compilePlans(schema: Schema, request: ColumnRequest): PlanTable {
  const wanted = new Map(request.events.map((event) => [event.name, event]));
  const columns = new Map(request.columns.map((column, index) => [column.name, index]));
  const table = new PlanTable(schema.events.size);
  const clocks = new Map(
    [...schema.packages.values()].map((owner) => [owner, new TickClock(owner)] as const),
  );
  for (const [rid, event] of schema.events) {
    const asked = wanted.get(event.name);
    const fields = (asked?.fields ?? []).flatMap((field) => fieldPlan(schema, event, field, columns));
    table.add(rid, {
      kind: asked?.kind ?? -1,
      index: table.plans.length,
      clock: clocks.get(event.package) ?? new TickClock(event.package),
      fields,
      descriptors: fields.filter(({ variable }) => variable).map(({ offset }) => offset),
      inlineBytes: Math.max(0, ...fields.map(({ offset, width }) => offset + width)),
    });
  }
  return table;
}

function fieldPlan(
  schema: Schema,
  event: EventSchema,
  asked: { readonly field: string; readonly column: string },
  columns: ReadonlyMap<string, number>,
): FieldPlan[] {
  const column = columns.get(asked.column);
  if (column === undefined)
    throw new TypeError(`The request fills a column "${asked.column}" that it does not declare.`);
  const field = event.columns.find((candidate) => candidate.name === asked.field);
  if (field === undefined) return [];
  const map = mapOf(schema, field.type);
  const source = map === undefined ? baseTypeOf(field.type) : MAP_SOURCES[map.size];
  if (source === undefined || source < 0) return [];
  const width = inlineWidth(source, schema.pointerSize);
  const variable = isVariable(source);
  const codes = map === undefined ? NO_CODES : new Uint16Array(256);
  return [{ column, offset: field.offset, source, width, variable, map, codes }];
}
