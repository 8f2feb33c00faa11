import { BaseType } from "./constants.ts";
import type { EventSchema, Schema } from "./metadata.ts";
import { baseTypeOf, isVariable, mapOf } from "./types.ts";

/** What a column of a batch holds. */
export type ColumnType = "f64" | "u64" | "u8" | "guid" | "text";

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
  /** Base type, or one of MAP_SOURCES by the map's size. */
  readonly source: number;
  /** Relative id of the map, or of the type. */
  readonly type: number;
  readonly variable: boolean;
}

/** How to take one event type: its kind and fields, or kind -1 when it is only passed over. */
export interface EventPlan {
  readonly event: EventSchema;
  readonly kind: number;
  readonly fields: readonly FieldPlan[];
}

// Maps read as the integer type of their width (xel-format 5, Maps).
const MAP_SOURCES: Readonly<Record<number, number>> = {
  1: BaseType.uint8,
  2: BaseType.int16,
  4: BaseType.int32,
  8: BaseType.int32,
};

/** Compiles the request against what the metadata says now: one plan per event type, by relative id. */
export function compilePlans(schema: Schema, request: ColumnRequest): Map<number, EventPlan> {
  const wanted = new Map(request.events.map((event) => [event.name, event]));
  const columns = new Map(request.columns.map((column, index) => [column.name, index]));
  const plans = new Map<number, EventPlan>();
  for (const [rid, event] of schema.events) {
    const asked = wanted.get(event.name);
    const fields =
      asked === undefined ? [] : asked.fields.flatMap((field) => fieldPlan(schema, event, field, columns));
    plans.set(rid, { event, kind: asked?.kind ?? -1, fields });
  }
  return plans;
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
  const base = baseTypeOf(field.type);
  const source = map === undefined ? base : MAP_SOURCES[map.size];
  if (source === undefined || source < 0) return [];
  return [
    {
      column,
      offset: field.offset,
      source,
      type: field.type,
      variable: map === undefined && isVariable(base),
    },
  ];
}
