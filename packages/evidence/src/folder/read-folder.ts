/** Reads all files of a folder: recognized, then read, then put together. */
import { readHappenedEvents, type FolderFile, type HappenedEvents } from "../happened/read-events.ts";
import { HEAD_BYTES, recognizeFile, TAIL_BYTES } from "../recognition/recognize.ts";
import { readSamples } from "../samples/read-samples.ts";
import type { Samples } from "../samples/samples.ts";
import type { Evidence, RecognizedFile } from "../shapes.ts";

/** A file of the folder, where it is. */
export interface SourceFile {
  /** Path with folders, which may name servers. */
  readonly name: string;
  /** Bytes of the complete file. */
  readonly size: number;
  /** Bytes of a part of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The complete file from its beginning, each time. */
  open(): AsyncIterable<Uint8Array>;
}

/** How a folder is read. */
export interface ReadFolderOptions {
  /** Keeps statements, and user names in paths. */
  readonly keepSensitive?: boolean;
  /** Sentence for a file whose bytes can't be read. */
  readonly unreadable: (error: unknown) => string;
}

/** Minutes that a server's local time is ahead of UTC, from its ERRORLOG. */
export interface ServerOffset {
  readonly server: string;
  readonly utcOffsetMinutes: number;
}

export interface FolderEvidence extends Evidence, Pick<HappenedEvents, "failovers"> {
  readonly offsets: readonly ServerOffset[];
}

/** Recognizes files by their heads and tails. A file that can't be read is damaged, with the reason. */
export async function recognizeFolder(
  files: readonly SourceFile[],
  { unreadable }: ReadFolderOptions,
): Promise<RecognizedFile[]> {
  const found: RecognizedFile[] = [];
  for (const file of files) {
    const { name, size } = file;
    try {
      const head = await file.read(0, Math.min(size, HEAD_BYTES));
      const tail = size > HEAD_BYTES ? await file.read(size - TAIL_BYTES, TAIL_BYTES) : undefined;
      found.push(recognizeFile(name, head, size, tail));
    } catch (error) {
      found.push(damaged(recognizeFile(name, new Uint8Array(), 0), unreadable(error)));
    }
  }
  return withServersOfFolders(found);
}

const damaged = (file: RecognizedFile, use: string): RecognizedFile => ({ ...file, state: "damaged", use });

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.search(/[\\/][^\\/]*$/u)));

/** A file that names no server is of the server that all others in its folder name. */
function withServersOfFolders(files: readonly RecognizedFile[]): RecognizedFile[] {
  const servers = new Map<string, Set<string>>();
  for (const { name, server } of files)
    if (server !== null)
      servers.set(folderOf(name), (servers.get(folderOf(name)) ?? new Set()).add(server.toUpperCase()));
  return files.map((file) => {
    const folder = folderOf(file.name);
    const same = files.find(({ name, server }) => server !== null && folderOf(name) === folder);
    return file.server === null && servers.get(folder)?.size === 1
      ? { ...file, server: same!.server, serverFrom: "name" }
      : file;
  });
}

/**
 * Reads the events and samples of recognized files. A file that can't be read is damaged, with the reason, and the others
 * are read all the same.
 * @param recognized as `recognizeFolder` returns them, in the order of the files
 */
export async function readFolder(
  files: readonly SourceFile[],
  recognized: readonly RecognizedFile[],
  { keepSensitive = false, unreadable }: ReadFolderOptions,
): Promise<FolderEvidence> {
  const reasons = new Map<string, string>();
  const guarded = files.map((file, i): FolderFile => ({
    recognized: recognized[i]!,
    open: () => untilUnreadable(file, (error) => reasons.set(file.name, unreadable(error))),
  }));
  const happened = await readHappenedEvents(guarded, { keepSensitive });
  const offsets = offsetsOf(happened.files);
  const read = [...happened.files];
  const samples: Samples[] = [];
  for (const [i, file] of happened.files.entries()) {
    if (file.state !== "used") continue;
    const utcOffsetMinutes = offsets.find(({ server }) => server === file.server)?.utcOffsetMinutes ?? null;
    const found = await readSamples(file, guarded[i]!.open(), { utcOffsetMinutes, keepSensitive });
    if (found === null) continue;
    samples.push(found);
    read[i] = found.file;
  }
  return {
    ...happened,
    files: read.map((file) => {
      const reason = reasons.get(file.name);
      return reason === undefined ? file : damaged(file, reason);
    }),
    series: [...happened.series, ...samples.flatMap(({ series }) => series)],
    notUnderstood: [
      ...happened.notUnderstood,
      ...samples.flatMap(({ notUnderstood }) => (notUnderstood === null ? [] : [notUnderstood])),
    ],
    offsets,
  };
}

/** The bytes of a file; where they can't be read any more, those before, and the error goes to `report`. */
async function* untilUnreadable(
  file: SourceFile,
  report: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = file.open()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        report(error);
        return { done: true } as const;
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** The newest ERRORLOG of each server has its offset of today; names sort `ERRORLOG` before `ERRORLOG.1`. */
function offsetsOf(files: readonly RecognizedFile[]): ServerOffset[] {
  const offsets = new Map<string, number>();
  for (const { kind, server, utcOffsetMinutes } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (kind === "errorlog" && server !== null && utcOffsetMinutes !== null && !offsets.has(server))
      offsets.set(server, utcOffsetMinutes);
  return Array.from(offsets, ([server, utcOffsetMinutes]) => ({ server, utcOffsetMinutes }));
}
