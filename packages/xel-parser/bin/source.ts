import {
  readXel,
  type DecodeOptions,
  type FileReport,
  type ReadOptions,
  type XelEvent,
} from "xel-parser/format";
import { agTypeOf, gapsOf, readEvents, type EventColumns } from "xel-parser/events";
import {
  readTextEvents,
  TEXT_HEAD_BYTES,
  textKindOf,
  xelOfText,
  type TextKind,
} from "xel-parser/text-events";
import { chunksOf } from "./file.ts";

/** Events of a .xel file, of event XML or of a CSV that SSMS saved; the file's beginning tells which it is. */
export async function* eventsIn(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  const { head, chunks } = await peek(chunksOf(path));
  const kind = textKindOf(head);
  if (kind === undefined) return yield* readXel(chunks, options);
  const { limits = {} } = options;
  const events = readTextEvents(kind, chunks, { typeOf: agTypeOf, limits });
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) {
    if (options.only === undefined || options.only.has(item.value.name)) yield item.value;
  }
  return item.value;
}

/** The events of availability groups in such a file, in columns; what was lost is told of the file itself. */
export async function columnsIn(path: string, options: DecodeOptions = {}): Promise<EventColumns> {
  const { head, chunks } = await peek(chunksOf(path));
  const kind = textKindOf(head);
  if (kind === undefined) return readEvents(chunks, path, options);
  const open = await reopening(path, chunks);
  const text: { report?: FileReport } = {};
  async function* bytes(kind: TextKind) {
    text.report = yield* xelOfText(open, kind, { typeOf: agTypeOf });
  }
  const columns = await readEvents(bytes(kind), path);
  const { fileSize, events, ...lost } = text.report!;
  return {
    ...columns,
    files: [{ name: path, size: fileSize, events, gaps: gapsOf({ fileSize, events, ...lost }) }],
  };
}

/** A way to read a source again from its beginning; standard input comes only once and is kept. */
async function reopening(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<() => AsyncIterable<Uint8Array>> {
  if (path !== "-") {
    await chunks[Symbol.asyncIterator]().return?.();
    return () => chunksOf(path);
  }
  const kept: Uint8Array[] = [];
  for await (const chunk of chunks) kept.push(chunk);
  return async function* () {
    yield* kept;
  };
}

/** Reads the beginning of a source, and gives the whole source again. */
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

async function* whole(
  first: readonly Uint8Array[],
  reader: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let item = await reader.next(); item.done !== true; item = await reader.next()) yield item.value;
  } finally {
    await reader.return?.();
  }
}
