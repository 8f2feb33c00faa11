/** Reads all files of a folder: recognized, then read, then put together. */
import type { FileFacts } from "../facts/file-facts.ts";
import { mergeFacts, type FolderEvidence } from "../facts/merge-facts.ts";
import { readFacts } from "../facts/read-facts.ts";
import { withServersOfFolders } from "../recognition/folder-servers.ts";
import { HEAD_BYTES, recognizeFile, TAIL_BYTES } from "../recognition/recognize.ts";
import type { RecognizedFile } from "../shapes.ts";

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
  const facts: FileFacts[] = [];
  for (const [i, file] of files.entries()) {
    let reason: string | null = null;
    const open = (): AsyncIterable<Uint8Array> =>
      untilUnreadable(file, (error) => {
        reason = unreadable(error);
      });
    const read = await readFacts(recognized[i]!, open, { keepSensitive });
    facts.push(reason === null ? read : { ...read, file: damaged(read.file, reason) });
  }
  return mergeFacts(facts);
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
