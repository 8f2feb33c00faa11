/** A bucket in the memory of a test, which counts reads. */
import { readFile } from "node:fs/promises";
import type { Bucket, ByteRange } from "../src/store/bucket/bucket.ts";

export interface MemoryBucket extends Bucket {
  readonly objects: Map<string, Uint8Array>;
  /** All bytes that `get` returned. */
  readonly bytesRead: number;
  /** Called before each piece of an object is sent; the test may wait in it, or throw. */
  beforePiece: (name: string, offset: number) => Promise<void> | void;
}

const PIECE_BYTES = 64 * 1024;

export function memoryBucket(): MemoryBucket {
  const objects = new Map<string, Uint8Array>();
  let bytesRead = 0;
  const bucket: MemoryBucket = {
    objects,
    get bytesRead() {
      return bytesRead;
    },
    beforePiece: () => {},
    // oxlint-disable-next-line typescript/require-await -- as a bucket has it
    put: async (name, bytes) => void objects.set(name, Uint8Array.from(bytes)),
    putFile: async (name, path) => void objects.set(name, await readFile(path)),
    get: (name, range) => {
      const object = objects.get(name);
      return Promise.resolve(object === undefined ? null : pieces(name, object, range));
    },
    list: (prefix) =>
      Promise.resolve(
        [...objects]
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, { length }]) => ({ name, bytes: length, storedAt: 0 })),
      ),
    folders: (prefix) => {
      const below = [...objects.keys()].filter((name) => name.startsWith(prefix));
      return Promise.resolve([
        ...new Set(below.map((name) => name.slice(prefix.length).split("/")[0] ?? "")),
      ]);
    },
    copy: (from, to) => bucket.put(to, objects.get(from.name) ?? new Uint8Array()),
    // oxlint-disable-next-line typescript/require-await -- as a bucket has it
    remove: async (names) => names.forEach((name) => objects.delete(name)),
    check: () => Promise.resolve(),
    close: () => {},
  };
  async function* pieces(name: string, object: Uint8Array, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const { offset, length = object.length } = range ?? { offset: 0 };
    const end = Math.min(offset + length, object.length);
    for (let at = offset; at < end; at += PIECE_BYTES) {
      await bucket.beforePiece(name, at);
      const piece = object.subarray(at, Math.min(at + PIECE_BYTES, end));
      bytesRead += piece.length;
      yield piece;
    }
  }
  return bucket;
}
