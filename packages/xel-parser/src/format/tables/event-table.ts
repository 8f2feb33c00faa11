import { ACTIONS_FLAG, BaseType, EVENT_HEADER_BYTES, ObjectKind } from "../constants.ts";
import { actionValue, columnValue } from "../events/event-values.ts";
import type { ActionPlan, RecordPlan, ValuePlan } from "../events/record-plan.ts";
import { valueText } from "../json.ts";
import { kindOf } from "../metadata.ts";
import { filetimeOf } from "../time.ts";
import { typeNameOf, type XelValue } from "../types.ts";

/** Form of a column's values: `text` also for maps, GUIDs and all that is text in `XelEvent`. */
export type ValueKind =
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "float32"
  | "float64"
  | "boolean"
  | "binary"
  | "text";

/** A field or an action of an event type. */
export interface EventTableColumn {
  /** As in `XelEvent`. */
  readonly name: string;
  readonly source: "field" | "action";
  /** Name of the type in the file, or `map NAME`. */
  readonly type: string;
  readonly kind: ValueKind;
  /** A value per event; null where the event does not have it. */
  readonly values: readonly (XelValue | null)[];
}

/** Some events of one type, in file order, as columns. */
export interface EventTable {
  readonly package: string;
  readonly name: string;
  readonly length: number;
  /** FILETIME of each event: UTC, 100 ns since 1601. */
  readonly ticks: readonly bigint[];
  /** Byte offset of each record in the file. */
  readonly offsets: readonly number[];
  /** Fields in the order of the metadata, then actions in the order of their first values. */
  readonly columns: readonly EventTableColumn[];
  /** Fields of a type that no event can have, whose values are unknown. */
  readonly unreadable: readonly string[];
}

/** Bytes that a value needs in memory, apart from the characters of texts. */
const VALUE_BYTES = 32;

/** Bytes of a place without a value. */
const NULL_BYTES = 8;

const KINDS: Readonly<Record<number, ValueKind>> = {
  [BaseType.int8]: "int32",
  [BaseType.int16]: "int32",
  [BaseType.int32]: "int32",
  [BaseType.uint8]: "int32",
  [BaseType.uint16]: "int32",
  [BaseType.uint32]: "uint32",
  [BaseType.int64]: "int64",
  [BaseType.uint64]: "uint64",
  [BaseType.cpuCycle]: "uint64",
  [BaseType.float32]: "float32",
  [BaseType.float64]: "float64",
  [BaseType.boolean]: "boolean",
  [BaseType.binary]: "binary",
};

class Column implements EventTableColumn {
  readonly name: string;
  readonly source: "field" | "action";
  readonly type: string;
  readonly kind: ValueKind;
  values: (XelValue | null)[] = [];

  constructor(plan: ValuePlan, source: "field" | "action", type: string, name = plan.name) {
    this.name = name;
    this.source = source;
    this.type = type;
    this.kind = KINDS[plan.base] ?? "text";
  }
}

/** Gathers the events of one type. */
export class EventTableBuilder {
  readonly #plan: RecordPlan;
  readonly #fields: readonly { readonly plan: ValuePlan; readonly column: Column }[];
  readonly #unreadable: readonly string[];
  #actions = new Map<number, Column>();
  /** Actions that one event has several times. */
  #repeated = new Map<string, Column>();
  #ticks: bigint[] = [];
  #offsets: number[] = [];
  /** About the bytes that the events need in memory. */
  bytes = 0;

  constructor(plan: RecordPlan) {
    this.#plan = plan;
    const { schema } = plan.owner;
    const typed = plan.columns.map((column, index) => ({
      plan: column,
      column: new Column(column, "field", typeNameOf(schema, plan.event.columns[index].type)),
    }));
    this.#fields = typed.filter(({ plan: { width } }) => width > 0);
    this.#unreadable = typed.filter(({ plan: { width } }) => width === 0).map(({ column }) => column.name);
  }

  get rows(): number {
    return this.#ticks.length;
  }

  /** Adds a record that `checkRecord` has found complete. @param origin file offset of the view's start */
  add(view: DataView, at: number, origin: number): void {
    const { event, owner } = this.#plan;
    const payload = at + EVENT_HEADER_BYTES;
    this.#offsets.push(origin + at);
    this.#ticks.push(filetimeOf(event.package, view.getBigInt64(at + 12, true)));
    const fields = this.#fields;
    for (let index = 0; index < fields.length; index++) {
      const { plan, column } = fields[index];
      this.#put(column, columnValue(view, payload, plan, owner));
    }
    if ((view.getUint32(at + 4, true) & ACTIONS_FLAG) !== 0)
      this.#addActions(view, payload + view.getUint32(at + 20, true));
    this.#fillUp(this.#actions);
    if (this.#repeated.size > 0) this.#fillUp(this.#repeated);
  }

  /** The events since the last call. */
  take(): EventTable {
    const { name, package: owner } = this.#plan.event;
    const columns = [
      ...this.#fields.map(({ column }) => column),
      ...this.#actions.values(),
      ...this.#repeated.values(),
    ];
    const table = {
      package: owner.name,
      name,
      length: this.rows,
      ticks: this.#ticks,
      offsets: this.#offsets,
      columns: columns.map(({ name: column, source, type, kind, values }) => ({
        name: column,
        source,
        type,
        kind,
        values,
      })),
      unreadable: this.#unreadable,
    };
    this.#ticks = [];
    this.#offsets = [];
    for (const { column } of this.#fields) column.values = [];
    this.#actions = new Map();
    this.#repeated = new Map();
    this.bytes = 0;
    return table;
  }

  #addActions(view: DataView, list: number): void {
    const { owner } = this.#plan;
    const row = this.rows - 1;
    let position = list;
    for (;;) {
      const rid = view.getUint32(position, true);
      const length = view.getUint32(position + 4, true);
      position += 8;
      if (kindOf(rid) !== ObjectKind.action) return;
      const plan = owner.action(rid);
      const value = actionValue(view, position, length, plan, owner);
      if (value !== undefined) this.#put(this.#actionColumn(rid, plan, row), value);
      position += length;
    }
  }

  /** The column of an action for a row that has no value there yet. */
  #actionColumn(rid: number, plan: ActionPlan, row: number): Column {
    const known = this.#actions.get(rid);
    if (known === undefined) {
      const isTaken = [...this.#actions.values()].some(({ name }) => name === plan.name);
      const column = this.#newAction(rid, plan, isTaken ? plan.fullName : plan.name, row);
      this.#actions.set(rid, column);
      return column;
    }
    if (known.values.length === row) return known;
    // One event has the action again: as in `XelEvent`, a further value is under the full name, and the last one stays.
    const again = this.#repeated.get(plan.fullName) ?? this.#newAction(rid, plan, plan.fullName, row);
    this.#repeated.set(plan.fullName, again);
    if (again.values.length > row) again.values.pop();
    return again;
  }

  #newAction(rid: number, plan: ActionPlan, name: string, row: number): Column {
    const { schema } = this.#plan.owner;
    const column = new Column(plan, "action", typeNameOf(schema, schema.actions.get(rid)?.type ?? 0), name);
    this.#putNulls(column, row);
    return column;
  }

  #put({ kind, values }: Column, value: XelValue | undefined): void {
    this.bytes += VALUE_BYTES;
    if (typeof value === "string") this.bytes += value.length;
    else if (value instanceof Uint8Array) {
      this.bytes += value.length;
      // A GUID of another length than 16 bytes.
      values.push(kind === "binary" ? value : valueText(value));
      return;
    }
    // A file time out of range is a number.
    values.push(kind === "text" && typeof value === "bigint" ? String(value) : (value ?? null));
  }

  #fillUp(columns: ReadonlyMap<unknown, Column>): void {
    for (const column of columns.values()) this.#putNulls(column, this.rows);
  }

  #putNulls({ values }: Column, rows: number): void {
    for (; values.length < rows; this.bytes += NULL_BYTES) values.push(null);
  }
}
