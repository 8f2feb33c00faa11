import { stat } from "node:fs/promises";
import { chunksOf, openSource, sourceOf, type Source } from "xel-parser/commands";
import type { BatchOptions, DecodeOptions, FileBytes, FileReport } from "xel-parser/format";
import { xelOfText, type TextKind } from "xel-parser/text-events";
import {
  agTypeOf,
  fileOf,
  gapsOf,
  readEventPieces,
  readEvents,
  type EventColumns,
} from "../src/events/index.ts";

/**
 * The events of availability groups in a .xel file, event XML or CSV, in columns; losses are reported for the file
 * itself.
 * @param name of the file in messages
 */
export async function columnsIn(
  path: string,
  options: DecodeOptions = {},
  name: string = path,
): Promise<EventColumns> {
  const { kind, chunks } = await openSource(path);
  if (kind === undefined) return readEvents(await bytesOf(path, chunks), name, options);
  const open = await reopening(path, chunks);
  const text: { report?: FileReport } = {};
  async function* bytes(kind: TextKind) {
    text.report = yield* xelOfText(open, kind, { typeOf: agTypeOf });
  }
  const columns = await readEvents(bytes(kind), name);
  const { fileSize, events, ...lost } = text.report!;
  const gaps = [...gapsOf({ fileSize, events, ...lost }), ...fileOf(columns).gaps];
  return { ...columns, files: [{ name, size: fileSize, events, gaps }] };
}

/** The same in pieces (`readEventPieces`); events that were saved as text are one piece. */
export async function* piecesIn(
  path: string,
  options: BatchOptions = {},
  name: string = path,
): AsyncGenerator<EventColumns> {
  const { kind, chunks } = await openSource(path);
  if (kind === undefined) return yield* readEventPieces(await bytesOf(path, chunks), name, options);
  await chunks[Symbol.asyncIterator]().return?.();
  yield await columnsIn(path, options, name);
}

/** The bytes of a source whose beginning was read: a file's without a copy; any other source can be read only once. */
async function bytesOf(path: string, chunks: Source["chunks"]): Promise<FileBytes> {
  if (path === "-" || !(await stat(path)).isFile()) return chunks;
  await chunks[Symbol.asyncIterator]().return?.();
  return sourceOf(path);
}

/** A way to read a source again from its beginning; standard input can be read only once and is kept. */
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
