/** Prepares a file before a capture has it: recognizes it, and removes sensitive values unless its uploader keeps them. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, open, rename, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { CaptureFile } from "@aglens/contract";
import { hasClients } from "@aglens/ag-model/replication";
import { dropSensitive, XelFormatError } from "xel-parser/format";
import type { ByteSource, FileBytes } from "xel-parser/format";
import { sourceOf } from "xel-parser/commands";
import { checksumOfFile } from "../../store/checksum.ts";
import { writeAll } from "../../kernel/write-all.ts";
import { EVIDENCE_HEAD_BYTES, isHealthFile } from "@aglens/engine/files";
import { Arrival, arrivingHead, arrivingSource } from "./arrival.ts";
import type { DecodedEvents } from "./decoded-files.ts";
import { giveBack } from "./give-back.ts";
import { readAt } from "../kept/random-access.ts";
import { recognizeFile } from "./recognise.ts";
import type { FileToRecognize, RecognitionNotes } from "./recognise.ts";
import type { Preparing, RecognizeOptions, Recognized } from "@aglens/engine/files";

/** Counts of values removed from a file; null where its uploader keeps all values. */
export type DroppedOfFile = Exclude<CaptureFile["dropped"], undefined>;

export interface FileToReceive extends FileToRecognize {
  /** SHA-256 of the bytes as they arrived, hex, where that is known. */
  readonly sha256?: string;
  /** Path where the bytes stay unchanged, if not `path`. */
  readonly cameAs?: string;
  /** Statement texts, host and login names stay. */
  readonly keepSensitive?: boolean;
  /** Path of the file in the store, for an analysis that begins with its events. */
  readonly storedAt?: string;
  /** These are prepared too: it is likely to be the only file of its server. */
  readonly prepares?: boolean;
}

export interface ReceivedFile extends Recognized {
  readonly dropped: DroppedOfFile;
  /** SHA-256 of the bytes as they arrived, hex; of the kept bytes where the arrived ones are not kept. */
  readonly sha256: string;
  /** SHA-256 of the bytes that are kept, hex. */
  readonly keptSha256: string;
}

/** A file with its events; the events are null where reading the file again would give others. */
export interface ReadFile {
  readonly received: ReceivedFile;
  readonly events: DecodedEvents | null;
}

/**
 * Recognizes a file, and then removes sensitive values from its bytes: when this resolves, they are on the disk without
 * them. The bytes are hashed while they are read.
 */
export async function receiveFile(file: FileToReceive): Promise<ReadFile> {
  const { read, notes } = eventsToKeep(file);
  const hash = createHash("sha256");
  let hashed = 0;
  const { size } = await stat(file.path);
  const recognised = await recognizeFile(file, {
    ...notes,
    keepSensitive: file.keepSensitive,
    onBytes: (bytes) => {
      if (file.sha256 !== undefined) return;
      hash.update(bytes);
      hashed += bytes.length;
    },
  });
  const sha256 = file.sha256 ?? (hashed === size ? hash.digest("hex") : await checksumOfBytesOf(file));
  return readFileOf(await withoutSensitive(recognised, { ...file, sha256 }), read.events);
}

/** A .xel file that still arrives, at `cameAs` where its bytes stay there, and at its path else. */
export interface ArrivingFile {
  readonly file: FileToReceive;
  /** Bytes that the client announced for the complete file. */
  readonly size: number;
  readonly arrival: Arrival;
  /** SHA-256 of its bytes as they arrived, hex, once all are at its path too; null when it was not computed. */
  readonly sha256: Promise<string | null>;
  /** Called with the position of the reader. */
  readonly onProgress?: RecognizeOptions["onProgress"];
}

/**
 * As `receiveFile`, for a .xel file that still arrives: bytes that are there are decoded, and sensitive values are
 * removed from decoded bytes. Where the bytes have to stay unchanged, the reading only finds out whether they contain
 * such a value. Nothing is written before it was read. A file of other facts is read when it is complete.
 */
export async function receiveArriving(arriving: ArrivingFile): Promise<ReadFile> {
  const { file, size, arrival, sha256, onProgress } = arriving;
  const { path, cameAs, keepSensitive = false } = file;
  const from = cameAs ?? path;
  const head = (length: number): Promise<Uint8Array> => arrivingHead(from, arrival, length);
  if (isHealthFile(await head(EVIDENCE_HEAD_BYTES))) {
    const known = await sha256;
    return receiveFile(known === null ? file : { ...file, sha256: known });
  }
  const { read, notes } = eventsToKeep(file, cameAs !== undefined || keepSensitive);
  const decoded = new Arrival();
  const drop = cameAs === undefined ? dropValues : dropNothing;
  const dropping = keepSensitive ? null : drop(from, arrivingSource(from, decoded));
  const hash = cameAs === undefined ? null : createHash("sha256");
  let seen = 0;
  const bytes = (): ByteSource => {
    let at = 0;
    return arrivingSource(from, arrival, (more) => {
      at += more.length;
      if (at <= seen) return;
      hash?.update(more.subarray(seen - at));
      seen = at;
      decoded.reach(at);
    });
  };
  const recognised = await recognizeFile(
    { path: from, name: file.name },
    { ...notes, source: { size, bytes, head }, onProgress },
  ).finally(() => decoded.end());
  const known = await sha256;
  const found = recognised.kind === "xel" ? hash?.digest("hex") : undefined;
  const came = { ...file, sha256: known ?? found ?? (await checksumOfBytesOf(file)) };
  const dropped = await dropping;
  const isToDrop = !keepSensitive && (dropped === null || recognised.kind === "unreadable");
  return readFileOf(
    isToDrop ? await withoutSensitive(recognised, came) : await asKept(recognised, dropped, came),
    read.events,
  );
}

/**
 * Collects the events of a file while it is read: in pieces where they are prepared at the same time. Parts of the file
 * may be read a second time (events out of order, parts next to a gap) and must be unchanged then, so a file that loses
 * values while it arrives is read as one.
 */
function eventsToKeep({ prepares, storedAt }: FileToReceive, staysAsItCame = true) {
  const read: { events: DecodedEvents | null } = { events: null };
  const notes: Pick<RecognitionNotes, "onColumns" | "preparing"> = {
    onColumns: (columns) => {
      read.events = { columns, prepared: null };
    },
  };
  const onPrepared: Preparing["onPrepared"] = (prepared) => {
    read.events = { columns: null, prepared };
  };
  const isPrepared = prepares === true && storedAt !== undefined && staysAsItCame;
  return { read, notes: isPrepared ? { ...notes, preparing: { onPrepared, giveBack } } : notes };
}

/**
 * Events are kept where reading the file again returns the same: without damage, and without statements that the file
 * has lost since it was read. No other column has sensitive values.
 */
function readFileOf(received: ReceivedFile, events: DecodedEvents | null): ReadFile {
  const hasLost = received.dropped !== null && received.dropped.values > 0;
  const isSame = received.gaps.length === 0 && !(hasLost && events !== null && hasClients(events));
  return { received, events: isSame ? events : null };
}

/** A file that can't be read, without its contents unless they are kept. */
export async function receiveUnread(recognised: Recognized, file: FileToReceive): Promise<ReceivedFile> {
  const sha256 = file.sha256 ?? (await checksumOfBytesOf(file));
  return withoutSensitive(recognised, { ...file, sha256 });
}

async function checksumOfBytesOf({ path, cameAs = path }: FileToReceive): Promise<string> {
  return (await checksumOfFile(cameAs)).sha256;
}

async function withoutSensitive(
  recognised: Recognized,
  file: FileToReceive & { readonly sha256: string },
): Promise<ReceivedFile> {
  const { path, keepSensitive = false } = file;
  if (keepSensitive) return asKept(recognised, null, file);
  // Facts of a file were written without sensitive values.
  return asKept(recognised, recognised.dropped ?? (await dropFromFile(path, recognised.kind)), file);
}

async function asKept(
  recognised: Recognized,
  dropped: DroppedOfFile,
  { path, sha256 }: FileToReceive & { readonly sha256: string },
): Promise<ReceivedFile> {
  const hasLost = dropped !== null && dropped.values + dropped.bytes > 0;
  // Text was written again, as a .xel file.
  const isChanged = recognised.size !== undefined || hasLost;
  const keptSha256 = isChanged ? (await checksumOfFile(path)).sha256 : sha256;
  return { ...recognised, dropped, sha256, keptSha256 };
}

/** The contents of an unreadable file are unknown, so all of them are removed; its size stays. */
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

async function dropFromFile(path: string, kind: Recognized["kind"]): Promise<DroppedOfFile> {
  // A topology file contains the names of servers, replicas and databases on purpose.
  if (kind === "topology") return { values: 0, bytes: 0 };
  if (kind === "unreadable") return dropWholeFile(path);
  return (await dropValues(path, sourceOf(path))) ?? dropWholeFile(path);
}

/** Thrown where something has to be dropped. */
class SensitiveFound extends Error {}

/** Counts for a file without sensitive values; null for any other file, which stays unchanged. */
async function dropNothing(path: string, bytes: FileBytes): Promise<DroppedOfFile> {
  const file = await open(path, "r");
  try {
    return await dropSensitive({
      read: (offset, length) => readAt(file, offset, length),
      bytes,
      write: () => Promise.reject(new SensitiveFound()),
    });
  } catch (error) {
    if (error instanceof SensitiveFound || error instanceof XelFormatError) return null;
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Removes sensitive values from a .xel file.
 * @param bytes of the file, which are read before anything after them is written
 * @returns null when it is no .xel file, and nothing was written
 */
async function dropValues(path: string, bytes: FileBytes): Promise<DroppedOfFile> {
  let file = await open(path, "r");
  let isWritten = false;
  const writable = async (): Promise<FileHandle> => {
    if (isWritten) return file;
    await makeOwn(path);
    await file.close();
    file = await open(path, "r+");
    isWritten = true;
    return file;
  };
  try {
    const dropped = await dropSensitive({
      read: (offset, length) => readAt(file, offset, length),
      bytes,
      write: async (offset, changed) => writeAll(await writable(), changed, offset),
    });
    if (isWritten) await file.sync();
    return dropped;
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return null;
  } finally {
    await file.close();
  }
}

/** A file whose bytes have another name too, an upload that is not over, must not change under that name. */
async function makeOwn(path: string): Promise<void> {
  if ((await stat(path)).nlink === 1) return;
  const made = `${path}.made`;
  await copyFile(path, made, constants.COPYFILE_FICLONE);
  await rename(made, path);
}
