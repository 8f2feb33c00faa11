/** The use of chosen files by their first and last bytes. Loaded only for files that may not have to be sent. */
import { HEAD_BYTES, recognizeFile, type RecognizedFile, TAIL_BYTES } from "@aglens/evidence";
import { isClutter } from "@aglens/zip";
import type { FileToSend } from "../../../data/captures-client.ts";

/** A chosen file and what it is; null for a zip, and for a file that can't be read here: its receipt finds out. */
export interface RecognizedPick {
  readonly picked: FileToSend;
  readonly found: RecognizedFile | null;
}

/** Recognizes files one after the other, without the files that systems leave in folders. */
export async function recognizePicked(files: readonly FileToSend[]): Promise<RecognizedPick[]> {
  const all: RecognizedPick[] = [];
  for (const picked of files)
    if (!isClutter(picked.path)) all.push({ picked, found: await recognized(picked) });
  return all;
}

async function recognized({ file, path }: FileToSend): Promise<RecognizedFile | null> {
  if (/\.zip$/iu.test(file.name)) return null;
  try {
    const head = await bytesOf(file.slice(0, HEAD_BYTES));
    const tail = file.size > HEAD_BYTES ? await bytesOf(file.slice(-TAIL_BYTES)) : undefined;
    return recognizeFile(path, head, file.size, tail);
  } catch {
    return null;
  }
}

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

/** The first bytes of a file that isn't used, from which its receipt recognizes it. */
export const beginningOf = ({ file, path }: FileToSend): FileToSend => ({
  file: new File([file.slice(0, HEAD_BYTES)], file.name, { lastModified: file.lastModified }),
  path,
  completeBytes: file.size,
});
