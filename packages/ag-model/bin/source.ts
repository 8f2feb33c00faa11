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
  const { bytes, textReport } = await openAsXel(path);
  const columns = await readEvents(bytes, name, options);
  const report = textReport();
  if (report === null) return columns;
  const { fileSize, events, ...lost } = report;
  const gaps = [...gapsOf({ fileSize, events, ...lost }), ...fileOf(columns).gaps];
  return { ...columns, files: [{ name, size: fileSize, events, gaps }] };
}

/** A source as a .xel file. */
export interface XelSource {
  readonly bytes: FileBytes;
  /** Report of a text whose events were read; null where the source is a .xel file. */
  readonly textReport: () => FileReport | null;
}

/** Opens a .xel file, event XML or CSV; events that were saved as text become a .xel file while they are read. */
export async function openAsXel(path: string): Promise<XelSource> {
  const { kind, chunks } = await openSource(path);
  if (kind === undefined) return { bytes: await bytesOf(path, chunks), textReport: () => null };
  const open = await reopening(path, chunks);
  let report: FileReport | null = null;
  async function* bytes(text: TextKind) {
    report = yield* xelOfText(open, text, { typeOf: agTypeOf });
  }
  return { bytes: bytes(kind), textReport: () => report };
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
