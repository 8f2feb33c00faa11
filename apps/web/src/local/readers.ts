/** Threads that read files, at most one per core; an idle thread stays for the next file, or until `rest`. */
import type { FromReader, ToReader } from "./messages.ts";
import { ProblemError } from "@aglens/engine/problems";
import type { FileToRead, ReadFile } from "./read-file.ts";
import type { Thread } from "./thread.ts";

export type ReaderThread = Thread<ToReader, FromReader>;

/** More would need more memory than they gain time. */
const MOST_THREADS = 4;

interface Waiting {
  readonly file: FileToRead;
  readonly onBytes: (more: number) => void;
  readonly signal: AbortSignal;
  readonly resolve: (files: readonly ReadFile[]) => void;
  readonly reject: (reason: Error) => void;
}

export class Readers {
  readonly #start: () => ReaderThread;
  readonly #most: number;
  readonly #idle: ReaderThread[] = [];
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /** @param start starts a thread @param cores of this computer */
  constructor(start: () => ReaderThread, cores: number) {
    this.#start = start;
    this.#most = Math.max(1, Math.min(MOST_THREADS, cores));
  }

  /**
   * @param onBytes called with the number of further bytes that were read
   * @throws ProblemError, or AbortError when the signal fires
   */
  read(file: FileToRead, onBytes: (more: number) => void, signal: AbortSignal): Promise<readonly ReadFile[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ file, onBytes, signal, resolve, reject });
      this.#next();
    });
  }

  /** Ends idle threads: each keeps memory that is not collected while it waits. */
  rest(): void {
    for (const thread of this.#idle.splice(0)) thread.end();
  }

  #next(): void {
    while (this.#running < this.#most) {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return;
      if (waiting.signal.aborted) waiting.reject(stopped());
      else this.#run(waiting);
    }
  }

  #run({ file, onBytes, signal, resolve, reject }: Waiting): void {
    const thread = this.#idle.pop() ?? this.#start();
    this.#running++;
    const end = (isSound: boolean): void => {
      signal.removeEventListener("abort", onAbort);
      thread.listen(null);
      if (isSound) this.#idle.push(thread);
      else thread.end();
      this.#running--;
      this.#next();
    };
    const onAbort = (): void => {
      end(false);
      reject(stopped());
    };
    signal.addEventListener("abort", onAbort);
    thread.listen({
      onBroken: (reason) => {
        end(false);
        reject(new Error(reason));
      },
      onMessage: (message) => {
        if (message.kind === "bytes") return onBytes(message.more);
        end(true);
        if (message.kind === "read") resolve(message.files);
        else reject(new ProblemError(message.problem));
      },
    });
    thread.send(file);
  }
}

const stopped = (): Error => new DOMException("Reading stopped", "AbortError");
