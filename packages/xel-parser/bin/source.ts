import { readXel, type FileReport, type ReadOptions, type XelEvent } from "xel-parser/format";
import {
  readTextEvents,
  TEXT_HEAD_BYTES,
  textKindOf,
  type TextKind,
  type TypeOf,
} from "xel-parser/text-events";
import { chunksOf } from "./file.ts";

/** Types of fields, which texts do not contain. */
export interface SourceTypes {
  readonly typeOf?: TypeOf;
}

/** How a source is read. */
export type SourceOptions = ReadOptions & SourceTypes;

/** A source whose beginning has been read: a .xel file where `kind` is undefined, otherwise events saved as text. */
export interface Source {
  readonly kind: TextKind | undefined;
  /** The source from its beginning, once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file, or standard input for `-`, and recognizes its format by its beginning. */
export async function openSource(path: string): Promise<Source> {
  const { head, chunks } = await peek(chunksOf(path));
  return { kind: textKindOf(head), chunks };
}

/** Events of a .xel file, of event XML or of a CSV that SSMS saved. */
export async function* eventsIn(
  path: string,
  options: SourceOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  const { kind, chunks } = await openSource(path);
  if (kind === undefined) return yield* readXel(chunks, options);
  const { limits = {}, typeOf } = options;
  const events = readTextEvents(kind, chunks, { ...(typeOf && { typeOf }), limits });
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) {
    if (options.only === undefined || options.only.has(item.value.name)) yield item.value;
  }
  return item.value;
}

/** Reads the beginning of a source, and returns the complete source again. */
async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; chunks: AsyncIterable<Uint8Array> }> {
  const reader = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < TEXT_HEAD_BYTES) {
    const item = await reader.next();
    if (item.done === true) break;
    first.push(item.value);
    bytes += item.value.length;
  }
  return { head: Buffer.concat(first), chunks: whole(first, reader) };
}

/**
 * The chunks that were read first, and then the rest. Not a generator: a generator that never began does nothing when
 * it is ended, so the file, whose beginning is read by then, would stay open.
 */
function whole(
  first: readonly Uint8Array[],
  reader: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  const taken = first.values();
  return {
    async next() {
      const item = taken.next();
      return item.done === true ? reader.next() : item;
    },
    async return() {
      await reader.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
