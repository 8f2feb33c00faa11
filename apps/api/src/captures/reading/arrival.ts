/** A file that is read while it arrives. */
import { closeSync, openSync, readSync } from "node:fs";
import { sourceOf } from "xel-parser/commands";
import type { ByteSource } from "xel-parser/format";
import { unlessMissing } from "../../store/blobs.ts";
import type { IncomingBlob } from "../../store/blobs.ts";
import { SharedArrival } from "../../store/shared-arrival.ts";

/** How far a file has arrived, for a thread that reads it meanwhile. */
export class Arrival {
  #bytes = 0;
  #isComplete = false;
  #more = Promise.withResolvers<void>();

  /** So many bytes are at the file's path. */
  reach(bytes: number): void {
    this.#bytes = bytes;
    this.#wake();
  }

  /** No more bytes will arrive. */
  end(): void {
    this.#isComplete = true;
    this.#wake();
  }

  /** Bytes that are there after an offset; null while it is unknown whether more will arrive. */
  behind(offset: number): number | null {
    return this.#bytes > offset || this.#isComplete ? this.#bytes - offset : null;
  }

  /** Resolves when more bytes have arrived. */
  get more(): Promise<void> {
    return this.#more.promise;
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}

/** Parts of an arrival that a reader needs. */
type Progressing = Pick<SharedArrival, "behind" | "more">;

/**
 * The bytes of an arriving file in order, each as soon as it is there; as `sourceOf`, for a thread that has no other
 * work.
 * @param onBytes called with the bytes that were read
 */
export function arrivingSource(
  path: string,
  arrival: Progressing,
  onBytes: (bytes: Uint8Array) => void = () => {},
): ByteSource {
  const file = openSync(path, "r");
  let at = 0;
  const read = (into: Uint8Array): number | Promise<number> => {
    const there = arrival.behind(at);
    if (there === null) return arrival.more.then(() => read(into));
    const bytes = there === 0 ? 0 : readSync(file, into, 0, Math.min(there, into.length), at);
    at += bytes;
    onBytes(into.subarray(0, bytes));
    return bytes;
  };
  return { read, close: () => closeSync(file) };
}

/** The first bytes of an arriving file, once they are there; fewer where the file is shorter. */
export async function arrivingHead(path: string, arrival: Progressing, length: number): Promise<Uint8Array> {
  const source = arrivingSource(path, arrival);
  const head = new Uint8Array(length);
  try {
    let at = 0;
    while (at < length) {
      const bytes = await source.read(head.subarray(at));
      if (bytes === 0) break;
      at += bytes;
    }
    return head.subarray(0, at);
  } finally {
    source.close?.();
  }
}

/**
 * The bytes of an arriving blob, as `arrivingSource`: from its temporary path, or from the final one once it is
 * complete.
 */
export function incomingSource(path: string, { path: meanwhile, cell }: IncomingBlob): ByteSource {
  const arrival = new SharedArrival(cell);
  let source: ByteSource | null = null;
  const read: ByteSource["read"] = (into) => {
    if (source === null) {
      if (arrival.behind(0) === null) return arrival.more.then(() => read(into));
      source = arrival.isComplete ? sourceOf(path) : openComing();
    }
    return source.read(into);
  };
  const openComing = (): ByteSource => {
    try {
      return arrivingSource(meanwhile, arrival);
    } catch (error) {
      // The file has become complete at this moment.
      unlessMissing(error as NodeJS.ErrnoException);
      return sourceOf(path);
    }
  };
  return { read, close: () => source?.close?.() };
}

/** Resolves when an arriving blob is complete at its path. @throws BrokenOffError */
export async function whenComplete({ cell }: IncomingBlob): Promise<void> {
  const arrival = new SharedArrival(cell);
  while (arrival.behind(Number.POSITIVE_INFINITY) === null) await arrival.more;
}
