/**
 * Uploads in parts in a bucket, for several servers: below `uploads/ID/` an object for the note, one for the resulting
 * files, and one for each range of bytes, whose name has its start and length. Confirmed bytes are there, and any
 * server can continue. The server that receives consecutive bytes also has them on its disk, where they are read while
 * they arrive.
 */
import { createWriteStream } from "node:fs";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { problem } from "@aglens/engine/problems";
import type { Bucket, ObjectLine } from "../store/bucket/bucket.ts";
import { noteIn } from "./upload-files.ts";
import type { ReceivedBytes, UploadFiles, UploadNote } from "./upload-files.ts";

const FOLDER = "uploads/";
const NOTE = "note.json";
const BECAME = "became.json";
const PART = "part-";
/** So that names are in the order of the bytes. */
const DIGITS = 16;
/** Bytes of a range in memory until it is an object: one is filled while the previous one is sent. */
const PART_BYTES = 8 * 1024 * 1024;

const folderOf = (id: string): string => `${FOLDER}${id}/`;

/** A range of an upload's bytes. */
interface Period {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The range of an object below an upload's folder; null for another object. */
function rangeOf({ name, bytes }: ObjectLine): Period | null {
  const from = /\/part-(?<from>\d+)-\d+$/u.exec(name)?.groups?.["from"];
  return from === undefined ? null : { name, from: Number(from), to: Number(from) + bytes };
}

/** Ranges that follow each other from the first byte on: two servers may have received the same bytes. */
function inOrder(objects: readonly ObjectLine[]): Period[] {
  const ranges = objects
    .map(rangeOf)
    .filter((range) => range !== null)
    .toSorted((a, b) => a.from - b.from);
  const following: Period[] = [];
  for (const range of ranges) {
    const end = following.at(-1)?.to ?? 0;
    if (range.from <= end && range.to > end) following.push(range);
  }
  return following;
}

/** @param here uploads on the disk of this server */
export function bucketUploadFiles(bucket: Bucket, here: UploadFiles): UploadFiles {
  /** Notes in their form at the beginning, which does not change. */
  const known = new Map<string, UploadNote>();
  /** Uploads with bytes that arrived at this server. */
  const cameHere = new Set<string>();

  const read = async (name: string): Promise<string | null> => {
    const found = await bucket.get(name);
    return found === null ? null : text(found);
  };

  /** @param objects of the upload */
  const noteAmong = async (id: string, objects: readonly ObjectLine[]): Promise<UploadNote | null> => {
    const has = (name: string): boolean => objects.some((object) => object.name === folderOf(id) + name);
    if (!has(NOTE)) return null;
    const note = known.get(id) ?? noteIn((await read(folderOf(id) + NOTE)) ?? "");
    if (note === null) return null;
    known.set(id, note);
    if (!has(BECAME)) return note;
    return noteIn((await read(folderOf(id) + BECAME)) ?? "") ?? note;
  };

  const received = async (id: string): Promise<ReceivedBytes> => {
    const objects = await bucket.list(folderOf(id));
    const at = Math.max(0, ...objects.map(({ storedAt }) => storedAt));
    return { bytes: inOrder(objects).at(-1)?.to ?? 0, at };
  };

  const removeObjects = async (id: string, isToGo: (name: string) => boolean): Promise<void> => {
    const objects = await bucket.list(folderOf(id));
    await bucket.remove(objects.map(({ name }) => name).filter(isToGo));
  };

  /**
   * Deletes bytes on this disk of uploads that another server ended. @param had uploads with bytes here before the list
   * of unended ones was read
   */
  const letGo = async (had: readonly string[], unended: ReadonlySet<string>): Promise<void> => {
    for (const id of had) {
      if (unended.has(id)) continue;
      cameHere.delete(id);
      await here.removeBytes(id);
    }
  };

  return {
    isShared: true,
    path: (id) => here.path(id),
    received,
    notes: async () => {
      const had = [...cameHere];
      const objects = await bucket.list(FOLDER);
      const byId = Map.groupBy(objects, ({ name }) => name.slice(FOLDER.length).split("/", 1)[0] ?? "");
      const notes = await Promise.all([...byId].map(([id, its]) => noteAmong(id, its)));
      const found = notes.filter((note) => note !== null);
      await letGo(had, new Set(found.filter(({ fileIds }) => fileIds === undefined).map(({ id }) => id)));
      for (const id of known.keys()) if (!byId.has(id)) known.delete(id);
      return found;
    },
    note: async (id) => noteAmong(id, await bucket.list(folderOf(id))),
    save: async (note) => {
      const name = note.fileIds === undefined ? NOTE : BECAME;
      await bucket.put(folderOf(note.id) + name, Buffer.from(JSON.stringify(note)));
    },
    begin: (id) => here.begin(id),
    append: async (id, offset, source) => {
      const ranges = new RangeWriter(bucket, id, offset);
      const bytes = ranges.through(source);
      // Another server may have begun it.
      if (offset === 0) await here.begin(id).catch(() => {});
      cameHere.add(id);
      const isNext = offset === 0 || (await here.received(id)).bytes === offset;
      try {
        if (isNext) await here.append(id, offset, bytes);
        else await drained(bytes);
      } finally {
        await ranges.end();
      }
      return ranges.to;
    },
    whole: async ({ id, size }) => {
      const path = here.path(id);
      let end = (await here.received(id)).bytes;
      for (const { name, from, to } of inOrder(await bucket.list(folderOf(id)))) {
        if (to <= end) continue;
        const bytes = await bucket.get(name);
        if (bytes === null) break;
        await pipeline(behind(bytes, end - from), createWriteStream(path, { flags: "a", flush: true }));
        end = to;
      }
      if (end === size) return path;
      throw problem("wrong-state", "Another server is about this upload. Try again in a moment.");
    },
    removeBytes: async (id) => {
      await removeObjects(id, (name) => name.startsWith(folderOf(id) + PART));
      await here.removeBytes(id);
    },
    remove: async (id) => {
      known.delete(id);
      await removeObjects(id, () => true);
      await here.remove(id);
    },
  };
}

/** Bytes on their way into objects. */
class RangeWriter {
  /** Bytes that the upload has with those that are objects. */
  to: number;
  readonly #bucket: Bucket;
  readonly #id: string;
  #part = Buffer.allocUnsafeSlow(PART_BYTES);
  #bytes = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(bucket: Bucket, id: string, offset: number) {
    this.#bucket = bucket;
    this.#id = id;
    this.to = offset;
  }

  /** The same bytes, for a consumer that stores a piece before it takes the next one. */
  async *through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      yield piece;
      await this.#copy(piece);
    }
  }

  /** Resolves when all are objects. */
  async end(): Promise<void> {
    if (this.#bytes > 0) await this.#send();
    await this.#sending;
  }

  /** The piece itself is good no longer when the next is asked for. */
  async #copy(piece: Uint8Array): Promise<void> {
    for (let from = 0; from < piece.byteLength;) {
      const part = piece.subarray(from, from + PART_BYTES - this.#bytes);
      this.#part.set(part, this.#bytes);
      this.#bytes += part.byteLength;
      from += part.byteLength;
      // oxlint-disable-next-line no-await-in-loop -- ranges follow each other
      if (this.#bytes === PART_BYTES) await this.#send();
    }
  }

  /** Resolves when the previous range is an object. */
  async #send(): Promise<void> {
    const range = this.#part.subarray(0, this.#bytes);
    this.#part = Buffer.allocUnsafeSlow(PART_BYTES);
    this.#bytes = 0;
    await this.#sending;
    // The name includes the length: a range from another server with the same start and another length is another
    // object.
    const name = `${folderOf(this.#id)}${PART}${String(this.to).padStart(DIGITS, "0")}-${range.byteLength}`;
    this.#sending = this.#bucket.put(name, range).then(() => {
      this.to += range.byteLength;
    });
    this.#sending.catch(() => {});
  }
}

async function drained(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = bytes[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
}

/** The bytes after a number of first ones. */
async function* behind(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const piece of bytes) {
    if (left < piece.byteLength) yield piece.subarray(left);
    left = Math.max(0, left - piece.byteLength);
  }
}
