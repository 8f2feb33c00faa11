/**
 * Describes the events of a file by its metadata, so that a reader can check its expectations without reading events.
 */
import type { EventSchema, Schema, TypeShape } from "../metadata.ts";
import { typeNameOf } from "../types.ts";

/** An event type of which a file has events. */
export interface EventShape {
  readonly package: string;
  readonly name: string;
  readonly count: number;
  readonly columns: readonly {
    readonly name: string;
    /** Name of the type in the file (docs/reference/xel-format.md 5.1), or `map NAME`. */
    readonly type: string;
  }[];
}

/** Shape of a file according to its metadata and buffers. */
export interface FileShape {
  readonly events: readonly EventShape[];
  /** Actions that the metadata describes, `package.name`: SQL Server describes those that the session collects. */
  readonly actions: readonly string[];
  /** Base types that the metadata describes: SQL Server describes those that columns and actions have. */
  readonly types: readonly TypeShape[];
  /** Ticks per second of the clocks of packages, each once. */
  readonly frequencies: readonly string[];
  /** GUIDs are in the fixed part of payloads, which no SQL Server writes. */
  readonly guidsInPlace: boolean;
  /** Buffers of events. */
  readonly buffers: number;
  /** Buffers of events without the signature of the file's metadata. */
  readonly foreignBuffers: number;
}

/** Files glued together may describe ever more names; further ones are skipped. */
const MOST_NAMES = 1_000;

/** Gathers the shape of a file while its metadata may change. */
export class FileShapes {
  readonly #events = new Map<string, { -readonly [Key in keyof EventShape]: EventShape[Key] }>();
  readonly #actions = new Set<string>();
  readonly #types = new Map<number, TypeShape>();
  readonly #frequencies = new Set<string>();
  #guidsInPlace = false;

  /** Counts events of a type, as the current metadata describes it. */
  addEvents(event: EventSchema, count: number, schema: Schema): void {
    const owner = event.package.name;
    const key = `${owner}.${event.name}`;
    const known = this.#events.get(key);
    if (known !== undefined) known.count += count;
    else if (this.#events.size < MOST_NAMES) {
      const columns = event.columns.map(({ name, type }) => ({ name, type: typeNameOf(schema, type) }));
      this.#events.set(key, { package: owner, name: event.name, count, columns });
    }
  }

  /** Notes the other objects of the current metadata. */
  addSchema(schema: Schema): void {
    this.#guidsInPlace ||= schema.guidsInPlace;
    for (const [index, type] of schema.types) this.#types.set(index, type);
    for (const { frequency } of schema.packages.values())
      if (this.#frequencies.size < MOST_NAMES) this.#frequencies.add(String(frequency));
    for (const { package: owner, name } of schema.actions.values())
      if (this.#actions.size < MOST_NAMES) this.#actions.add(`${owner}.${name}`);
  }

  shape(buffers: number, foreignBuffers: number): FileShape {
    return {
      events: [...this.#events.values()],
      actions: [...this.#actions],
      types: [...this.#types.values()],
      frequencies: [...this.#frequencies],
      guidsInPlace: this.#guidsInPlace,
      buffers,
      foreignBuffers,
    };
  }
}

/** The shape of a file from the shapes of its parts, in the file's order; undefined without any. */
export function joinShapes(parts: readonly (FileShape | undefined)[]): FileShape | undefined {
  const shapes = parts.filter((part) => part !== undefined);
  if (shapes.length === 0) return undefined;
  const byType = Map.groupBy(
    shapes.flatMap(({ events }) => events),
    ({ package: owner, name }) => `${owner}.${name}`,
  );
  return {
    events: [...byType.values()].map((same) => ({
      ...same[0],
      count: same.reduce((sum, { count }) => sum + count, 0),
    })),
    actions: [...new Set(shapes.flatMap(({ actions }) => actions))],
    types: [...new Map(shapes.flatMap(({ types }) => types.map((type) => [type.index, type]))).values()],
    frequencies: [...new Set(shapes.flatMap(({ frequencies }) => frequencies))],
    guidsInPlace: shapes.some(({ guidsInPlace }) => guidsInPlace),
    buffers: shapes.reduce((sum, { buffers }) => sum + buffers, 0),
    foreignBuffers: shapes.reduce((sum, { foreignBuffers }) => sum + foreignBuffers, 0),
  };
}
