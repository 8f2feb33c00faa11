/** Threads that recognise files. */
import { scriptOf } from "../scripts.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { Thread } from "../threads/thread.ts";
import { CancelledError } from "./job.ts";
import type { Job } from "./job.ts";
import type { DecodedFile } from "./decoded-files.ts";
import type { FileToReceive, ReadFile, ReceivedFile } from "./received-file.ts";
import { Turns } from "./turns.ts";

/** Of a thread that recognises one file after the other (`recognise-worker.ts`). */
export interface RecogniserMessages {
  readonly data: null;
  readonly toThread: FileToReceive;
  readonly fromThread: ReadFile;
}

/** Files of one capture that are read or wait for it. */
export interface Recognition {
  readonly captureId: string;
  readonly running: number;
  readonly waiting: number;
  /** Files of other captures that are read before the first that waits. */
  readonly before: number;
}

interface Asked {
  readonly whose: string;
  readonly file: FileToReceive;
  readonly result: PromiseWithResolvers<ReceivedFile>;
}

interface Recogniser {
  readonly thread: Thread<RecogniserMessages>;
  /** What it reads now; null before the first file and while it ends. */
  now: Asked | null;
  /** Called when it reads no more. */
  rest: () => void;
}

/**
 * A thread takes the next file as long as one waits, and ends then: 500 small files cost one start of a thread, and what a
 * large one needed is free afterwards.
 */
export class Recognisers {
  readonly #most: number;
  readonly #waiting = new Turns<Asked>();
  readonly #running = new Set<Recogniser>();
  /** Started for files that are still being sent. */
  readonly #ready = new Set<Recogniser>();

  readonly #activity: ThreadActivity;
  readonly #onColumns: (file: DecodedFile) => void;

  /**
   * @param most threads at a time
   * @param onColumns called with the events of a file whose place in the store is known
   */
  constructor(most: number, activity: ThreadActivity, onColumns: (file: DecodedFile) => void = () => {}) {
    this.#most = most;
    this.#activity = activity;
    this.#onColumns = onColumns;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** By captures, those whose turn is next first. */
  get recognitions(): Recognition[] {
    const waiting = new Map(this.#waiting.places().map(({ whose, ...place }) => [whose, place]));
    const running = Map.groupBy(
      [...this.#running].flatMap(({ now }) => (now === null ? [] : [now.whose])),
      (whose) => whose,
    );
    return [...new Set([...waiting.keys(), ...running.keys()])].map((captureId) => ({
      captureId,
      running: running.get(captureId)?.length ?? 0,
      waiting: waiting.get(captureId)?.waiting ?? 0,
      before: waiting.get(captureId)?.before ?? 0,
    }));
  }

  /** Starts a thread, if none runs, and ends it. @throws what keeps threads from starting */
  async check(): Promise<void> {
    if (this.#running.size > 0) return;
    const ended = Promise.withResolvers<void>();
    const thread = new Thread<RecogniserMessages>(scriptOf("recognise-worker"), null);
    thread.onEnd((error) => (error === null ? ended.resolve() : ended.reject(error)));
    await thread.end();
    await ended.promise;
  }

  /**
   * A file is being sent: the thread that will recognise it starts meanwhile, which takes as long as recognising a megabyte.
   * @returns to be called when the file was recognised or will not come
   */
  expect(): () => void {
    if (this.#running.size + this.#ready.size >= this.#most) return () => {};
    const recogniser = this.#start(this.#ready);
    return () => {
      if (this.#ready.delete(recogniser)) void recogniser.thread.end();
    };
  }

  /** @param whose whom the file is for: the files of each are read in turn */
  recognise(file: FileToReceive, whose: string): Job<ReceivedFile> {
    const asked: Asked = { whose, file, result: Promise.withResolvers() };
    this.#waiting.add(whose, asked);
    this.#startWhatWaits();
    return {
      done: asked.result.promise,
      cancel: async () => {
        this.#waiting.remove(asked);
        asked.result.reject(new CancelledError("Cancelled."));
        // The thread is in the middle of the file: it ends with it, and what waits gets another one.
        for (const { now, thread } of this.#running) if (now === asked) await thread.end();
      },
    };
  }

  #startWhatWaits(): void {
    if (this.#running.size >= this.#most) return;
    const first = this.#waiting.next();
    if (first === null) return;
    const [ready] = this.#ready;
    const recogniser = ready ?? this.#start(this.#running);
    this.#ready.delete(recogniser);
    this.#running.add(recogniser);
    recogniser.now = first;
    recogniser.rest = this.#activity.begin("files");
    recogniser.thread.send(first.file);
  }

  /** @param among where it is until it ends */
  #start(among: Set<Recogniser>): Recogniser {
    const recogniser: Recogniser = {
      thread: new Thread<RecogniserMessages>(scriptOf("recognise-worker"), null),
      now: null,
      rest: () => {},
    };
    among.add(recogniser);
    recogniser.thread.onMessage(({ received, columns }) => {
      this.#resolve(recogniser.now, received, columns);
      this.#giveNext(recogniser);
    });
    recogniser.thread.onEnd((error) => {
      recogniser.now?.result.reject(error ?? new CancelledError("The thread ended without a result."));
      this.#ready.delete(recogniser);
      this.#running.delete(recogniser);
      recogniser.rest();
      this.#startWhatWaits();
    });
    return recogniser;
  }

  #resolve(asked: Asked | null, received: ReceivedFile, columns: ReadFile["columns"]): void {
    const path = asked?.file.storedAt;
    if (path !== undefined && columns !== null) this.#onColumns({ path, columns });
    asked?.result.resolve(received);
  }

  #giveNext(recogniser: Recogniser): void {
    recogniser.now = this.#waiting.next();
    if (recogniser.now === null) void recogniser.thread.end();
    else recogniser.thread.send(recogniser.now.file);
  }
}
