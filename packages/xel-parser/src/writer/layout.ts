/** Where each value of an event is. */
import { declaredSize, Kind, relativeId, typeId, typeIndex } from "./base-types.ts";
import { XelWriteError } from "./error.ts";
import type { WritableType, WriterAction, WriterColumn, WriterEvent, WriterPackage } from "./schema.ts";

/** Encoding of a column's value; inline kinds write `size` bytes at the column's offset. */
type ColumnKind = WritableType | "map";

export interface Column {
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

export interface EventLayout {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly inlineBytes: number;
  readonly known: ReadonlySet<string>;
}

const DESCRIPTOR_BYTES = 8;

function layoutColumn(
  column: WriterColumn,
  offset: number,
  owner: WriterPackage,
  guidsInPlace: boolean,
): Column {
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
  const declared = declaredSize(index, guidsInPlace);
  const variable = declared === 0;
  const size = variable ? DESCRIPTOR_BYTES : declared;
  return { name, kind: type, type: typeId(type), size, variable, offset };
}

/** @param guidsInPlace as in `WriterSchema` */
export function layoutEvent(
  event: WriterEvent,
  index: number,
  owner: WriterPackage,
  guidsInPlace: boolean,
): EventLayout {
  let offset = 0;
  const columns = event.columns.map((declared) => {
    const column = layoutColumn(declared, offset, owner, guidsInPlace);
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

export interface ActionLayout {
  readonly id: number;
  readonly column: Column;
}

/** @param guidsInPlace as in `WriterSchema` */
export function layoutAction(
  action: WriterAction,
  index: number,
  owner: WriterPackage,
  guidsInPlace: boolean,
): ActionLayout {
  return {
    id: relativeId(Kind.action, index, owner.id),
    column: layoutColumn(action, 0, owner, guidsInPlace),
  };
}
