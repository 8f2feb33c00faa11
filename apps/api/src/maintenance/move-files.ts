/** Copies the files of a data directory into the bucket that several servers are to have. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { recordedFiles, type RecordedFile } from "../captures/derived/recorded-files.ts";
import { RECORD_COPY_FILE } from "../captures/kept/record-copy-file.ts";
import { CAPTURES_FOLDER } from "../store/blobs.ts";
import { folderOf, nameOf } from "../store/bucket/bucket-blobs.ts";
import type { Bucket } from "../store/bucket/bucket.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import { damageOfFile, damageOfSize } from "../store/checksum.ts";

export interface MovedFiles {
  readonly files: number;
  readonly bytes: number;
  /** A sentence for each file that has changed since it was stored; it is not moved. */
  readonly findings: readonly string[];
}

const LOST_FOLDER = "lost-and-found";

/** Files that are in the bucket are not copied again: an interrupted move continues. */
export async function moveFiles(
  directory: string,
  records: AsyncIterable<CaptureRecord>,
  bucket: Bucket,
): Promise<MovedFiles> {
  let [files, bytes] = [0, 0];
  const findings: string[] = [];
  for await (const record of records) {
    const folder = join(directory, CAPTURES_FOLDER, record.id);
    const there = new Map((await bucket.list(folderOf(record.id))).map((line) => [line.name, line.bytes]));
    for (const file of recordedFiles(record)) {
      const path = join(folder, file.key);
      const damage = await damageOf(path, file);
      if (damage !== null) {
        findings.push(`Capture ${record.id} (${record.name}): ${file.key} ${damage}.`);
        continue;
      }
      const name = nameOf(record.id, file.key, file.checksum?.sha256);
      if (there.get(name) !== file.bytes) await bucket.putFile(name, path, file.bytes);
      files += 1;
      bytes += file.bytes;
    }
    await putIfThere(bucket, nameOf(record.id, RECORD_COPY_FILE), join(folder, RECORD_COPY_FILE));
  }
  for (const name of await lostFiles(directory)) await putIfThere(bucket, name, join(directory, name));
  return { files, bytes, findings };
}

const damageOf = (path: string, { bytes, checksum }: RecordedFile): Promise<string | null> =>
  checksum === null ? damageOfSize(path, bytes) : damageOfFile(path, checksum);

async function putIfThere(bucket: Bucket, name: string, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) await bucket.putFile(name, path, found.size);
}

/** Names below the data directory, with `/`, as they are in the bucket. */
async function lostFiles(directory: string): Promise<string[]> {
  const folders = await readdir(join(directory, LOST_FOLDER)).catch(() => []);
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(directory, LOST_FOLDER, folder)).catch(() => [])).map(
        (name) => `${LOST_FOLDER}/${folder}/${name}`,
      ),
    ),
  );
  return names.flat();
}
