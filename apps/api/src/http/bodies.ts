/**
 * Bodies of requests, gigabytes at times: the memory of their bytes is freed once they are stored, because V8 would
 * free it late, and only after a search of all memory.
 */
import { finished } from "node:stream";
import type { IncomingMessage } from "node:http";
import { giveBack } from "../captures/reading/give-back.ts";

/** So many bytes may wait to be stored; then the client has to. They are one piece. */
const MOST_WAITING_BYTES = 256 * 1024;

/**
 * A body in pieces, each in memory of its own. A reader that stops early leaves the connection open, because the answer
 * needs it.
 * @throws Error where the body breaks off
 */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const waiting = new WaitingBytes(request);
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a piece is asked for when the one before it was taken
      const piece = await waiting.next();
      if (piece === null) return;
      yield piece;
    }
  } finally {
    waiting.leave();
  }
}

/** The same, for a consumer that has finished with a piece when it requests the next one. */
export async function* usedUp(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    letGo(piece);
  }
}

/** Bytes of a body that have arrived and were not requested yet. */
class WaitingBytes {
  readonly #request: IncomingMessage;
  readonly #stopListening: () => void;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Set when no more bytes will arrive, with the failure of an incomplete body. */
  #end: { readonly failure: Error | null | undefined } | null = null;
  #wake = (): void => {};

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#stopListening = finished(request, { writable: false }, (failure) => {
      this.#end = { failure };
      this.#wake();
    });
    request.on("data", this.#take);
  }

  /** All bytes that arrived meanwhile, or the next ones; null at the end. @throws Error where the body breaks off */
  async next(): Promise<Uint8Array | null> {
    if (this.#bytes === 0 && this.#end === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#bytes > 0) return this.#all();
    const failure = this.#end?.failure;
    if (failure) throw failure;
    return null;
  }

  leave(): void {
    this.#stopListening();
    this.#request.off("data", this.#take);
    this.#request.pause();
  }

  readonly #take = (chunk: Buffer): void => {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes >= MOST_WAITING_BYTES) this.#request.pause();
    this.#wake();
  };

  #all(): Uint8Array {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    this.#request.resume();
    const [only, ...others] = chunks;
    if (only !== undefined && others.length === 0) return only;
    const piece = Buffer.concat(chunks);
    chunks.forEach(letGo);
    return piece;
  }
}

/** Small pieces may be in memory that others use too. */
function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) giveBack([buffer]);
}
