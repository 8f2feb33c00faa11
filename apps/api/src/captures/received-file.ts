/** What is done to a file before a capture has it: it is recognised, and loses what is sensitive unless its uploader keeps that. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, open, rename, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { CaptureFile } from "@aglens/contract";
import type { EventColumns } from "@aglens/ag-model/events";
import { dropSensitive, XelFormatError } from "xel-parser/format";
import { checksumOfFile } from "../store/checksum.ts";
import { writeAll } from "../write-all.ts";
import { sourceOf } from "./event-file.ts";
import { randomAccess } from "./random-access.ts";
import { recogniseFile } from "./recognise.ts";
import type { FileToRecognise } from "./recognise.ts";
import type { Recognised } from "@aglens/engine/files";

/** What was dropped of a file; null where its uploader keeps everything. */
export type DroppedOfFile = Exclude<CaptureFile["dropped"], undefined>;

export interface FileToReceive extends FileToRecognise {
  /** SHA-256 of the bytes as they came, hex, where that is known. */
  readonly sha256?: string;
  /** Where the bytes stay as they came, if not at `path`. */
  readonly cameAs?: string;
  /** Statement texts, host and login names stay. */
  readonly keepSensitive?: boolean;
  /** Where the file will be stored, for an analysis that begins with its columns. */
  readonly storedAt?: string;
}

export interface ReceivedFile extends Recognised {
  readonly dropped: DroppedOfFile;
  /** SHA-256 of the bytes as they came, hex; as they are kept where they stay nowhere as they came. */
  readonly sha256: string;
  /** SHA-256 of the bytes that are kept, hex. */
  readonly keptSha256: string;
}

/** A file with its events, where those are all that reading it again would give. */
export interface ReadFile {
  readonly received: ReceivedFile;
  readonly columns: EventColumns | null;
}

/**
 * Recognises a file, and then drops what is sensitive from its bytes: when this resolves, they are on the disk without it. What
 * is read to recognise it is hashed meanwhile.
 */
export async function receiveFile(file: FileToReceive): Promise<ReadFile> {
  const read: { columns: EventColumns | null } = { columns: null };
  const hash = createHash("sha256");
  let hashed = 0;
  const { size } = await stat(file.path);
  const recognised = await recogniseFile(file, {
    onColumns: (columns) => {
      read.columns = columns;
    },
    onBytes: (bytes) => {
      if (file.sha256 !== undefined) return;
      hash.update(bytes);
      hashed += bytes.length;
    },
  });
  const sha256 = file.sha256 ?? (hashed === size ? hash.digest("hex") : await checksumOfBytesOf(file));
  const received = await withoutSensitive(recognised, { ...file, sha256 });
  const isAsRead = recognised.gaps.length === 0 && received.keptSha256 === sha256;
  return { received, columns: isAsRead ? read.columns : null };
}

/** A file that nobody can read, without its contents unless they are kept. */
export async function receiveUnread(recognised: Recognised, file: FileToReceive): Promise<ReceivedFile> {
  const sha256 = file.sha256 ?? (await checksumOfBytesOf(file));
  return withoutSensitive(recognised, { ...file, sha256 });
}

async function checksumOfBytesOf({ path, cameAs = path }: FileToReceive): Promise<string> {
  return (await checksumOfFile(cameAs)).sha256;
}

async function withoutSensitive(
  recognised: Recognised,
  { path, keepSensitive = false, sha256 }: FileToReceive & { readonly sha256: string },
): Promise<ReceivedFile> {
  const dropped = keepSensitive ? null : await dropFromFile(path, recognised.kind);
  const hasLost = dropped !== null && dropped.values + dropped.bytes > 0;
  // Text was written anew, as a .xel file.
  const isChanged = recognised.size !== undefined || hasLost;
  const keptSha256 = isChanged ? (await checksumOfFile(path)).sha256 : sha256;
  return { ...recognised, dropped, sha256, keptSha256 };
}

/** Nothing can be said of the contents of a file that cannot be read: all of it is dropped; its size stays. */
async function dropWholeFile(path: string): Promise<{ values: number; bytes: number }> {
  const { size } = await stat(path);
  const made = `${path}.made`;
  const handle = await open(made, "w");
  try {
    await handle.truncate(size);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(made, path);
  return { values: 0, bytes: size };
}

async function dropFromFile(path: string, kind: Recognised["kind"]): Promise<DroppedOfFile> {
  // It names servers, replicas and databases, which is what it is for.
  if (kind === "topology") return { values: 0, bytes: 0 };
  if (kind === "unreadable") return dropWholeFile(path);
  let file = await randomAccess(path);
  let written: FileHandle | null = null;
  try {
    const dropped = await dropSensitive({
      size: file.size,
      read: (offset, length) => file.read(offset, length),
      bytes: sourceOf(path),
      write: async (offset, bytes) => {
        if (written === null) {
          await makeOwn(path);
          await file.close();
          file = await randomAccess(path);
          written = await open(path, "r+");
        }
        await writeAll(written, bytes, offset);
      },
    });
    await (written as FileHandle | null)?.sync();
    return dropped;
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return await dropWholeFile(path);
  } finally {
    await file.close();
    await (written as FileHandle | null)?.close();
  }
}

/** A file whose bytes have another name too, an upload that is not over, must not change under that name. */
async function makeOwn(path: string): Promise<void> {
  if ((await stat(path)).nlink === 1) return;
  const made = `${path}.made`;
  await copyFile(path, made, constants.COPYFILE_FICLONE);
  await rename(made, path);
}
