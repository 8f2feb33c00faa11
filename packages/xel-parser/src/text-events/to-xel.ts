import { XelFormatError, type FileReport, type XelEvent, type XelValue } from "../format/index.ts";
import { valueText } from "../format/json.ts";
import {
  createXelWriter,
  type WriterEvent,
  type WriterPackage,
  type WriterSchema,
  type WriterValue,
  XelWriteError,
  type XelWriter,
} from "../writer/index.ts";
import type { ReadTextOptions, TextKind } from "./options.ts";
import { readTextEvents } from "./read.ts";
import { WrittenType } from "./written-type.ts";

/** Types by field, in the order of the fields' first values. */
type Fields = Map<string, WrittenType>;

/** Fields and actions of a text, found by reading it a first time. */
class Survey {
  /** Fields by event, by package. */
  readonly packages = new Map<string, Map<string, Fields>>();
  readonly actions: Fields = new Map();
  earliest: bigint | undefined;
  readonly #typeOf: ReadTextOptions["typeOf"];

  constructor(typeOf: ReadTextOptions["typeOf"]) {
    this.#typeOf = typeOf;
  }

  add(event: XelEvent): void {
    const owner = getOrMake(this.packages, ownerOf(event), () => new Map<string, Fields>());
    const fields = getOrMake(owner, event.name, (): Fields => new Map());
    this.#see(event.name, event.fields, fields);
    this.#see(event.name, event.actions, this.actions);
    if (this.earliest === undefined || event.ticks < this.earliest) this.earliest = event.ticks;
  }

  #see(event: string, values: Readonly<Record<string, XelValue>>, into: Fields): void {
    for (const name of Object.keys(values)) {
      getOrMake(into, name, () => new WrittenType(this.#typeOf?.(event, name))).see(values[name]);
    }
  }
}

/**
 * Events that were saved as text, as the bytes of a .xel file in chunks, so that all readers of .xel files can read
 * them. Reads the text twice, because a file has the types of its fields before its events: `open` is called for each
 * reading. Maps become their texts. Returns the report of the text. Throws XelFormatError when it has no event.
 */
export async function* xelOfText(
  open: () => AsyncIterable<Uint8Array>,
  kind: TextKind,
  options: ReadTextOptions = {},
): AsyncGenerator<Uint8Array, FileReport> {
  const survey = new Survey(options.typeOf);
  const first = readTextEvents(kind, open(), options);
  let item = await first.next();
  for (; item.done !== true; item = await first.next()) survey.add(item.value);
  const report = item.value;
  const start = survey.earliest ?? 0n;
  let written: Uint8Array[] = [];
  const writer = writerFor(survey, start, (bytes) => written.push(bytes));
  for await (const event of readTextEvents(kind, open(), { ...options, onProgress: () => undefined })) {
    const fields = survey.packages.get(ownerOf(event))?.get(event.name);
    if (fields === undefined) continue;
    const name = `${ownerOf(event)}.${event.name}`;
    writer.write(
      name,
      event.ticks - start,
      valuesOf(event.fields, fields),
      valuesOf(event.actions, survey.actions),
    );
    yield* written;
    written = [];
  }
  writer.finish();
  yield* written;
  return report;
}

function writerFor(survey: Survey, startTicks: bigint, onBuffer: (bytes: Uint8Array) => void): XelWriter {
  try {
    return createXelWriter(schemaOf(survey), { startTicks, onBuffer });
  } catch (error) {
    if (!(error instanceof XelWriteError)) throw error;
    throw new XelFormatError("bad-metadata", 0, `A .xel file can't contain these events: ${error.message}`);
  }
}

/** CSV of the viewer does not name packages; the events that it shows are the server's. */
function ownerOf(event: XelEvent): string {
  return event.package === "" ? "sqlserver" : event.package;
}

/** package0 has the base types, so the others begin at 1. */
function schemaOf({ packages, actions }: Survey): WriterSchema {
  const written: WriterPackage[] = [...packages].map(([name, events], index) => ({
    name,
    id: name === "package0" ? 0 : index + 1,
    events: [...events].map(([event, fields]): WriterEvent => ({
      name: event,
      columns: [...fields].map(columnOf),
    })),
  }));
  const holder = { name: "actions", id: packages.size + 1, actions: [...actions].map(columnOf) };
  return { packages: actions.size === 0 ? written : [...written, holder] };
}

function columnOf([name, { type }]: [string, WrittenType]) {
  return { name, type };
}

function valuesOf(values: Readonly<Record<string, XelValue>>, fields: Fields): Record<string, WriterValue> {
  const written = Object.create(null) as Record<string, WriterValue>;
  for (const name of Object.keys(values)) {
    const value = values[name];
    const text = fields.get(name)?.type === "unicode_string";
    written[name] = text ? valueText(value) : value;
  }
  return written;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
