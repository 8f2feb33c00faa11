import { readXel, type FileReport, type ReadOptions, type XelEvent } from "xel-parser/format";
import { agTypeOf } from "xel-parser/events";
import { readTextEvents, TEXT_HEAD_BYTES, textKindOf, xelOfText } from "xel-parser/text-events";
import { chunksOf } from "./file.ts";

/** Events of a .xel file, of event XML or of a CSV that SSMS saved; the file's beginning tells which it is. */
export async function* eventsIn(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<XelEvent, FileReport> {
  const { head, chunks } = await peek(chunksOf(path));
  const kind = textKindOf(head);
  if (kind === undefined) return yield* readXel(chunks, options);
  const events = readTextEvents(kind, chunks, { typeOf: agTypeOf });
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) {
    if (options.only === undefined || options.only.has(item.value.name)) yield item.value;
  }
  return item.value;
}

/** A file as the bytes of a .xel file: its own, or those made of the events that it holds as text. */
export async function xelBytesOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  const { head, chunks } = await peek(chunksOf(path));
  const kind = textKindOf(head);
  if (kind === undefined) return chunks;
  await chunks[Symbol.asyncIterator]().return?.();
  return xelOfText(() => chunksOf(path), kind, { typeOf: agTypeOf });
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
