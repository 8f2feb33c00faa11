/** Event files that are not on this server's disk, for threads that answer: they ask the main thread for the bytes that they read. */
import type { Problem } from "@aglens/contract";
import type { OpenSource } from "@aglens/engine/answers";
import { ProblemError } from "@aglens/engine/problems";
import type { BlobInRanges } from "../../store/blobs.ts";

/** By the names of the files in the model. */
export type FarFiles = Readonly<Record<string, BlobInRanges>>;

/** Request of a thread for bytes; it sends no other until it has an answer. */
export interface BytesWanted {
  readonly kind: "bytesWanted";
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** Answer to such a request. */
export type BytesForThread =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "noBytes"; readonly reason: Problem | Error };

/** A thread that accepts bytes, in addition to its other messages. */
interface Receiver {
  send(given: BytesForThread, transfer?: readonly ArrayBuffer[]): void;
}

/** Bytes of each file, by its name, for a thread. */
export const sizesOf = (files: FarFiles = {}): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(files).map(([name, { size }]) => [name, size]));

/**
 * Sends a thread the requested bytes, or the reason for their absence; never rejects, since the thread waits for it.
 */
export async function sendBytes(
  thread: Receiver,
  files: FarFiles = {},
  { name, offset, length }: BytesWanted,
): Promise<void> {
  try {
    const bytes = (await files[name]?.read(offset, length)) ?? new Uint8Array();
    thread.send({ kind: "bytes", bytes }, [bytes.buffer as ArrayBuffer]);
  } catch (error) {
    const reason = error instanceof ProblemError ? error.problem : (error as Error);
    thread.send({ kind: "noBytes", reason });
  }
}

/** Reads such files in a thread. */
export class FarReader {
  readonly #ask: (wanted: BytesWanted) => void;
  #waiting = Promise.withResolvers<Uint8Array>();

  /** @param ask sends requests to the main thread */
  constructor(ask: (wanted: BytesWanted) => void) {
    this.#ask = ask;
  }

  take(given: BytesForThread): void {
    if (given.kind === "bytes") return this.#waiting.resolve(given.bytes);
    const { reason } = given;
    this.#waiting.reject(reason instanceof Error ? reason : new ProblemError(reason));
  }

  /** Opens such files, and others as they are opened here. @param sizes as `sizesOf` has them */
  opener(sizes: Readonly<Record<string, number>>, here: OpenSource): OpenSource {
    return async (name) => {
      const size = sizes[name];
      if (size === undefined) return here(name);
      return { size, read: (offset, length) => this.#read(name, offset, length), close: async () => {} };
    };
  }

  #read(name: string, offset: number, length: number): Promise<Uint8Array> {
    this.#waiting = Promise.withResolvers();
    this.#ask({ kind: "bytesWanted", name, offset, length });
    return this.#waiting.promise;
  }
}
