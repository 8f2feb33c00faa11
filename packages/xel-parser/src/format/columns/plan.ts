import { BaseType } from "../constants.ts";
import { payloadClaimOf, type PayloadClaim } from "../events/payload-claims.ts";
import type { EventSchema, MapSchema, PackageSchema, Schema } from "../metadata.ts";
import { TickClock } from "../tick-clock.ts";
import type { FileShapes } from "./file-shape.ts";
import { baseTypeOf, inlineWidth, isVariable, mapOf } from "../types.ts";

/**
 * Type of a column of a batch. `f64` any number; `int` whole numbers, in 32 bits while they fit; `u64` 64 bits; `u8`
 * the low 8 bits; `guid` and `text` indices into a dictionary.
 */
export type ColumnType = "f64" | "int" | "u64" | "u8" | "guid" | "text";

/** Maps fields of events to columns. Fields are matched by name, with any integer type. */
export interface ColumnRequest {
  readonly events: readonly {
    readonly name: string;
    /** 0 to 255; the batch's `kind` of such events. */
    readonly kind: number;
    readonly fields: readonly { readonly field: string; readonly column: string }[];
    /** Actions by name, each in one of `actionColumns`. */
    readonly actions?: readonly { readonly action: string; readonly column: string }[];
  }[];
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** Columns that a batch has only from the first event type on whose events may have such an action. */
  readonly actionColumns?: readonly ActionColumn[];
  /** An action that numbers all events of a session, requested or not, such as `event_sequence`. */
  readonly numberedBy?: string;
}

/** A column of an action. */
export interface ActionColumn {
  readonly name: string;
  readonly type: "int" | "text";
  /** Text that a column of texts keeps of a value; the value itself where absent. */
  readonly textOf?: (value: string) => string;
}

/** One field's way into one column, compiled from the file's metadata. */
export interface FieldPlan {
  /** Index of the column in the request. */
  readonly column: number;
  /** Bytes from the payload's start. */
  readonly offset: number;
  /** Base type; of a map the integer type of its width. */
  readonly source: number;
  /** Bytes of the inline part; 0 for types that no event can have. */
  readonly width: number;
  /** The inline part is a descriptor of the value's place (docs/reference/xel-format.md 4.1). */
  readonly variable: boolean;
  readonly map: MapSchema | undefined;
  /** Dictionary indices of a map's codes below 256, so that a text is looked up once; 0 while unknown. */
  readonly codes: Uint16Array;
}

/** One action's way into one column. */
export interface ActionPlan {
  /** Relative id of the action in the file's metadata. */
  readonly rid: number;
  /** Index of the column among those of actions. */
  readonly column: number;
  /** Base type. */
  readonly source: number;
  /** The length is in the list, not in the type. */
  readonly variable: boolean;
  readonly width: number;
}

/** How to read one event type: its kind and fields, or kind -1 when it is only skipped. */
export interface EventPlan {
  readonly kind: number;
  /** Events found since the plan was created. */
  events: number;
  /** Place among the plans of the requested types. */
  readonly index: number;
  readonly clock: TickClock;
  readonly claim: PayloadClaim;
  readonly fields: readonly FieldPlan[];
  /** Empty where the file's session collects none of the requested actions. */
  readonly actions: readonly ActionPlan[];
}

// Maps read as the integer type of their width (docs/reference/xel-format.md 5.2).
const MAP_SOURCES: Readonly<Record<number, number>> = {
  1: BaseType.uint8,
  2: BaseType.int16,
  4: BaseType.int32,
  8: BaseType.int32,
};

const NO_CODES = new Uint16Array(0);

/** Initial slots of a table; it doubles them when half are used. */
const FIRST_SLOTS = 64;

/**
 * Plans of the event types that occur in a file, compiled at the first event of a type: metadata may describe many
 * more, and may be repeated. A hash table by relative id, without objects per look-up.
 */
export class PlanTable {
  /** Plans of the requested types, by their index. */
  readonly wanted: EventPlan[] = [];
  readonly #schema: Schema;
  readonly #asked: ReadonlyMap<string, ColumnRequest["events"][number]>;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #actionColumns: ReadonlyMap<string, number>;
  readonly #clocks = new Map<PackageSchema, TickClock>();
  #plans: EventPlan[] = [];
  #mask = FIRST_SLOTS - 1;
  #keys = new Int32Array(FIRST_SLOTS);
  /** Index of the plan plus 1; 0 marks a free slot. */
  #slots = new Int32Array(FIRST_SLOTS);

  /** Throws TypeError when the request fills a column that it does not declare. */
  constructor(schema: Schema, { events, columns, actionColumns = [] }: ColumnRequest) {
    this.#schema = schema;
    this.#asked = new Map(events.map((event) => [event.name, event]));
    this.#columns = new Map(columns.map((column, index) => [column.name, index]));
    this.#actionColumns = new Map(actionColumns.map((column, index) => [column.name, index]));
    for (const { column } of events.flatMap(({ fields }) => fields)) {
      if (!this.#columns.has(column))
        throw new TypeError(`The request fills a column "${column}" that it does not declare.`);
    }
  }

  /** Adds the events counted since the last call. */
  countInto(shapes: FileShapes): void {
    if (this.#plans.length > 0) shapes.addSchema(this.#schema);
    for (const plan of this.#plans) {
      if (plan.events > 0) shapes.addEvents(plan.claim.event, plan.events, this.#schema);
      plan.events = 0;
    }
  }

  /** Drops all plans, because the metadata has changed. */
  clear(): void {
    this.wanted.length = 0;
    this.#clocks.clear();
    this.#plans = [];
    if (this.#slots.length > FIRST_SLOTS) this.#resize(FIRST_SLOTS);
    else this.#slots.fill(0);
  }

  /** The plan of a relative id, passed as signed 32 bits; undefined when the metadata has no such event. */
  find(rid: number): EventPlan | undefined {
    const index = this.#slots[this.#slotOf(rid)];
    return index === 0 ? this.#compile(rid) : this.#plans[index - 1];
  }

  #compile(rid: number): EventPlan | undefined {
    const event = this.#schema.events.get(rid >>> 0);
    if (event === undefined) return undefined;
    const asked = this.#asked.get(event.name);
    const fields = (asked?.fields ?? []).flatMap((field) =>
      fieldPlan(this.#schema, event, field, this.#columns),
    );
    const plan = {
      kind: asked?.kind ?? -1,
      events: 0,
      index: this.wanted.length,
      clock: this.#clockOf(event.package),
      claim: payloadClaimOf(event, this.#schema),
      fields,
      actions: this.#actionsOf(asked),
    };
    if (plan.kind >= 0) this.wanted.push(plan);
    if (this.#plans.length * 2 >= this.#slots.length) this.#resize(this.#slots.length * 2);
    const slot = this.#slotOf(rid);
    this.#keys[slot] = rid;
    this.#slots[slot] = this.#plans.push(plan);
    return plan;
  }

  /** SQL Server describes the actions that a session collects, with ids that every event type shares. */
  #actionsOf(asked: ColumnRequest["events"][number] | undefined): ActionPlan[] {
    const { actions: described } = this.#schema;
    return (asked?.actions ?? []).flatMap(({ action, column: name }) => {
      const column = this.#actionColumns.get(name);
      const found = [...described].find(([, { name: own }]) => own === action);
      if (column === undefined || found === undefined) return [];
      const [rid, { type }] = found;
      const source = baseTypeOf(type);
      const variable = isVariable(source, this.#schema);
      const width = inlineWidth(source, this.#schema);
      return width === 0 ? [] : [{ rid, column, source, variable, width }];
    });
  }

  #clockOf(owner: PackageSchema): TickClock {
    const clock = this.#clocks.get(owner) ?? new TickClock(owner);
    this.#clocks.set(owner, clock);
    return clock;
  }

  /** The slot of a relative id, or the free one where it belongs. */
  #slotOf(rid: number): number {
    let slot = Math.imul(rid, 0x9e3779b1) >>> 8;
    for (;;) {
      slot &= this.#mask;
      if (this.#slots[slot] === 0 || this.#keys[slot] === rid) return slot;
      slot++;
    }
  }

  #resize(size: number): void {
    const [keys, slots] = [this.#keys, this.#slots];
    this.#mask = size - 1;
    this.#keys = new Int32Array(size);
    this.#slots = new Int32Array(size);
    if (this.#plans.length === 0) return;
    for (let at = 0; at < slots.length; at++) {
      if (slots[at] === 0) continue;
      const slot = this.#slotOf(keys[at]);
      this.#keys[slot] = keys[at];
      this.#slots[slot] = slots[at];
    }
  }
}

function fieldPlan(
  schema: Schema,
  event: EventSchema,
  asked: { readonly field: string; readonly column: string },
  columns: ReadonlyMap<string, number>,
): FieldPlan[] {
  const column = columns.get(asked.column)!;
  const field = event.columns.find((candidate) => candidate.name === asked.field);
  if (field === undefined) return [];
  const map = mapOf(schema, field.type);
  const source = map === undefined ? baseTypeOf(field.type) : MAP_SOURCES[map.size];
  if (source === undefined || source < 0) return [];
  const width = inlineWidth(source, schema);
  const variable = isVariable(source, schema);
  const codes = map === undefined ? NO_CODES : new Uint16Array(256);
  return [{ column, offset: field.offset, source, width, variable, map, codes }];
}
