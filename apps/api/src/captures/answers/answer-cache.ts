/**
 * Speed: 30 ms at p95 for 50 viewers of 3.2 M log blocks (docs/contribute/speed.md). The simple way without it is to
 * compute each answer.
 *
 * Recent answers: people who open a link ask the same questions.
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { checksumOf } from "../../store/checksum.ts";
import { questionKey, type Answer, type Question } from "@aglens/engine/answers";

/** Ways an answer may be compressed, as HTTP names them. */
export type Encoding = "br" | "gzip" | "identity";

/** Bytes kept over all captures, compressed forms included. */
const MOST_BYTES = 128 << 20;
/** Compressing smaller answers has no advantage. */
const LEAST_COMPRESSED_BYTES = 1_024;

/** An answer as it is sent, to one or many. */
export class SharedAnswer {
  readonly type: Answer["type"];
  readonly #bytes: Uint8Array;
  readonly #onGrown: (bytes: number) => void;
  readonly #compressed = new Map<Encoding, Promise<Uint8Array>>();
  #digest: string | null;

  /** @param onGrown called with the bytes that each compressed form adds */
  constructor(answer: Answer, onGrown: (bytes: number) => void = () => {}) {
    this.type = answer.type;
    this.#bytes = answer.bytes;
    this.#digest = answer.digest ?? null;
    this.#onGrown = onGrown;
  }

  get size(): number {
    return this.#bytes.byteLength;
  }

  /** An entity tag: alike for alike bytes. */
  tag(encoding: Encoding): string {
    this.#digest ??= checksumOf(this.#bytes).sha256;
    return `"${this.#digest.slice(0, 22)}-${encoding}"`;
  }

  /** The best encoding when the client accepts this one: small answers, and compressed ones, are sent unchanged. */
  encodingOf(wanted: Encoding): Encoding {
    return this.size < LEAST_COMPRESSED_BYTES || this.type === "parquet" ? "identity" : wanted;
  }

  /** The bytes in an encoding; each is made once. */
  bytes(encoding: Encoding): Promise<Uint8Array> {
    if (encoding === "identity") return Promise.resolve(this.#bytes);
    const made = this.#compressed.get(encoding) ?? this.#compress(encoding);
    this.#compressed.set(encoding, made);
    return made;
  }

  async #compress(encoding: Exclude<Encoding, "identity">): Promise<Uint8Array> {
    const bytes = await COMPRESS[encoding](this.#bytes);
    this.#onGrown(bytes.byteLength);
    return bytes;
  }
}

/** Levels at which a picture of a megabyte takes some five milliseconds; higher ones take thrice that for a tenth less. */
const COMPRESS: Readonly<Record<Exclude<Encoding, "identity">, (bytes: Uint8Array) => Promise<Uint8Array>>> =
  {
    br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    gzip: (bytes) => promisify(gzip)(bytes, { level: 1 }),
  };

/** Computes an answer; null when `signal` fired before its turn. */
export type Work = (signal: AbortSignal) => Promise<Answer | null>;

/** A question that is being answered, for all who asked it meanwhile. */
interface Running {
  readonly answer: Promise<SharedAnswer | null>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * Answers by capture and question, the most recently used ones; a question that several clients ask at once is computed
 * once.
 */
export class AnswerCache {
  readonly #mostBytes: number;
  /** In order of use, the last used last. */
  readonly #kept = new Map<string, SharedAnswer>();
  readonly #running = new Map<string, Running>();
  /** Bytes that each kept answer is counted with. */
  readonly #sizes = new WeakMap<SharedAnswer, number>();
  #bytes = 0;

  constructor(mostBytes: number = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The answer; null when `signal` fired before it was there. */
  async ask(
    capture: string,
    question: Question,
    signal: AbortSignal,
    work: Work,
  ): Promise<SharedAnswer | null> {
    const key = `${capture} ${questionKey(question)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    if (signal.aborted) return null;
    const running = this.#running.get(key) ?? this.#start(key, work);
    return this.#waitFor(key, running, signal);
  }

  /** Forgets the answers about a capture; running questions are still answered, but not kept. */
  forget(capture: string): void {
    const isOfCapture = (key: string): boolean => key.startsWith(`${capture} `);
    for (const [key, answer] of this.#kept) if (isOfCapture(key)) this.#drop(key, answer);
    for (const key of this.#running.keys()) if (isOfCapture(key)) this.#running.delete(key);
  }

  #start(key: string, work: Work): Running {
    const abort = new AbortController();
    const running: Running = {
      abort,
      waiting: 0,
      answer: work(abort.signal).then(
        (answer) => this.#done(key, running, answer),
        (error: unknown) => {
          this.#end(key, running);
          throw error;
        },
      ),
    };
    this.#running.set(key, running);
    return running;
  }

  /**
   * Waits until the answer is there or the client disconnects. When no client waits any more, the question is
   * cancelled, and the next client asks it again.
   */
  async #waitFor(key: string, running: Running, signal: AbortSignal): Promise<SharedAnswer | null> {
    const gone = Promise.withResolvers<null>();
    const leave = (): void => {
      running.waiting--;
      if (running.waiting === 0) {
        this.#end(key, running);
        running.abort.abort();
      }
      gone.resolve(null);
    };
    running.waiting++;
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([running.answer, gone.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #done(key: string, running: Running, answer: Answer | null): SharedAnswer | null {
    const isCurrent = this.#end(key, running);
    if (answer === null) return null;
    const shared = new SharedAnswer(answer, (bytes) => this.#grown(key, shared, bytes));
    if (isCurrent) this.#keep(key, shared);
    return shared;
  }

  /** @returns false when the capture changed meanwhile */
  #end(key: string, running: Running): boolean {
    return this.#running.get(key) === running && this.#running.delete(key);
  }

  #keep(key: string, answer: SharedAnswer): void {
    this.#kept.set(key, answer);
    this.#grown(key, answer, answer.size);
  }

  #grown(key: string, answer: SharedAnswer, bytes: number): void {
    if (this.#kept.get(key) !== answer) return;
    this.#sizes.set(answer, (this.#sizes.get(answer) ?? 0) + bytes);
    this.#bytes += bytes;
    for (const [oldest, other] of this.#kept) {
      // The answer that was used last stays, regardless of its size.
      if (this.#bytes <= this.#mostBytes || this.#kept.size === 1) return;
      this.#drop(oldest, other);
    }
  }

  #drop(key: string, answer: SharedAnswer): void {
    this.#kept.delete(key);
    this.#bytes -= this.#sizes.get(answer) ?? 0;
  }
}
