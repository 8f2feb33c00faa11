/**
 * Speed: decision 194: 5.8 instead of 15.9 s for 8 M events in 118 files. Without it the simple way is a thread per file.
 *
 * Threads that recognize files.
 */
import type { ReadSoFar } from "@aglens/contract";
import type { ThreadActivity } from "../../threads/thread-activity.ts";
import { Thread } from "../../threads/thread.ts";
import { CancelledError } from "../jobs/job.ts";
import type { Job } from "../jobs/job.ts";
import type { DecodedEvents } from "./decoded-files.ts";
import type { FileToReceive, ReceivedFile } from "./received-file.ts";
import { Turns } from "../jobs/turns.ts";

/** A complete file, or one that arrives, and then its number of bytes until it is complete. */
export type RecognizerTask =
  | { readonly kind: "whole"; readonly file: FileToReceive }
  | { readonly kind: "arriving"; readonly file: FileToReceive; readonly size: number }
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "end"; readonly bytes: number; readonly sha256: string | null };

/** Messages of a thread that recognizes one file after the other. */
export interface RecognizerMessages {
  readonly data: null;
  readonly toThread: RecognizerTask;
  readonly fromThread: RecognizerReport;
}

export type RecognizerReport =
  /** Sent now and then while a file arrives. */
  | { readonly kind: "reading"; readonly read: ReadSoFar }
  /** With `eventsFollow`, the events are the next message. */
  | { readonly kind: "received"; readonly received: ReceivedFile; readonly eventsFollow: boolean }
  | { readonly kind: "events"; readonly events: DecodedEvents };

/** A file that is read while it arrives. */
export interface FollowedFile extends Job<ReceivedFile> {
  /** So many bytes of it are there. */
  arrived(bytes: number): void;
  /** Position of the reader in the last report. */
  soFar(): ReadSoFar;
  /**
   * Reports that the file is complete, at its path too. @param sha256 of its bytes, hex; null when it was not computed
   */
  end(bytes: number, sha256: string | null): void;
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
  /** Bytes; infinite where that is not known. */
  readonly size: number;
  readonly result: PromiseWithResolvers<ReceivedFile>;
  /** Position of the reader, for an arriving file. */
  read: ReadSoFar;
}

interface Recognizer {
  readonly thread: Thread<RecognizerMessages>;
  /** The file that it reads now; null before the first file and while it ends. */
  now: Asked | null;
  /** Events of the previous file, which are still to be sent. */
  events: PromiseWithResolvers<DecodedEvents | null> | null;
  /** Bytes of the largest file so far. */
  largest: number;
  /** Called when it reads no more. */
  rest: () => void;
}

const NOTHING_READ: ReadSoFar = { bytes: 0, points: [] };

/** A thread is not woken for less. */
const WORTH_READING_BYTES = 512 * 1024;

/** A thread that read only files of up to so many bytes needs little memory, so it may stay while it is idle. */
const LIGHT_BYTES = 16 * 1024 * 1024;

/**
 * Time that an idle thread stays, ms: files of one drop follow each other, and to start a thread takes as long as
 * reading some megabytes.
 */
const REST_MS = 1_000;

const askedFor = (file: FileToReceive, whose: string, size: number): Asked => ({
  whose,
  file,
  size,
  result: Promise.withResolvers(),
  read: NOTHING_READ,
});

/**
 * A thread takes the next file as long as one waits, or follows a small one soon, and then ends: 500 small files cost
 * one start of a thread, and the memory of a large file is freed afterwards.
 */
export class Recognizers {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #waiting = new Turns<Asked>();
  readonly #running = new Set<Recognizer>();
  /** Started for files that are still being sent. */
  readonly #ready = new Set<Recognizer>();
  /** Idle threads, with the timers that end them. */
  readonly #resting = new Map<Recognizer, NodeJS.Timeout>();
  /** Reading files that are still being sent, with the bytes that those will have. */
  readonly #following = new Map<Recognizer, number>();

  readonly #activity: ThreadActivity;
  readonly #onEvents: (path: string, events: Promise<DecodedEvents | null>) => void;

  /**
   * @param most threads at a time
   * @param onEvents called with the events of a file whose place in the store is known, before its recognition
   * resolves; null when they will not arrive
   * @param mostBytes of files that are read while they arrive: the events of a slow one are in memory for that time
   */
  constructor(
    most: number,
    activity: ThreadActivity,
    onEvents: (path: string, events: Promise<DecodedEvents | null>) => void = () => {},
    mostBytes: number = Number.POSITIVE_INFINITY,
  ) {
    this.#most = most;
    this.#mostBytes = mostBytes;
    this.#activity = activity;
    this.#onEvents = onEvents;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** By captures, those with the next turn first. */
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

  /** Starts a thread, if none runs, and ends it. @throws errors of the start of a thread */
  async check(): Promise<void> {
    if (this.#running.size > 0) return;
    const ended = Promise.withResolvers<void>();
    const thread = new Thread<RecognizerMessages>("recognise", null);
    thread.onEnd((error) => (error === null ? ended.resolve() : ended.reject(error)));
    await thread.end();
    await ended.promise;
  }

  /**
   * Announces a file: the thread that will recognize it starts meanwhile, which takes as long as recognizing a
   * megabyte.
   * @returns to be called when the file was recognized or will not arrive
   */
  expect(): () => void {
    if (this.#running.size + this.#ready.size + this.#following.size >= this.#most) return () => {};
    const recognizer = this.#restedOrNew();
    this.#ready.add(recognizer);
    return () => {
      if (this.#ready.delete(recognizer)) void recognizer.thread.end();
    };
  }

  /**
   * Reads a .xel file while it arrives, in a thread that was started for it: a slow connection must not use threads
   * that complete files need.
   * @param size bytes that the client announced
   * @returns null where no thread is free for the file, or other arriving files need the memory
   */
  follow(file: FileToReceive, whose: string, size: number): FollowedFile | null {
    const [ready] = this.#ready;
    const others = [...this.#following.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (ready === undefined || others + size > this.#mostBytes) return null;
    const now = this.#begin(ready, askedFor(file, whose, size));
    const job = this.#jobOf(now);
    // If the file does not arrive completely, no caller handles the result.
    job.done.catch(() => {});
    this.#ready.delete(ready);
    this.#following.set(ready, size);
    ready.thread.send({ kind: "arriving", file, size });
    let reported = 0;
    return {
      ...job,
      soFar: () => now.read,
      arrived: (bytes) => {
        if (ready.now !== now || bytes - reported < WORTH_READING_BYTES) return;
        reported = bytes;
        ready.thread.send({ kind: "bytes", bytes });
      },
      end: (bytes, sha256) => {
        if (ready.now !== now || !this.#following.delete(ready)) return;
        this.#running.add(ready);
        ready.thread.send({ kind: "end", bytes, sha256 });
      },
    };
  }

  #begin(recognizer: Recognizer, asked: Asked): Asked {
    recognizer.rest = this.#activity.begin("files");
    return this.#take(recognizer, asked);
  }

  #take(recognizer: Recognizer, asked: Asked): Asked {
    recognizer.now = asked;
    recognizer.largest = Math.max(recognizer.largest, asked.size);
    return asked;
  }

  /**
   * @param whose owner of the file: files of the owners are read in turn
   * @param size bytes, where that is known
   */
  recognise(file: FileToReceive, whose: string, size: number = Number.POSITIVE_INFINITY): Job<ReceivedFile> {
    const asked = askedFor(file, whose, size);
    this.#waiting.add(whose, asked);
    this.#startWhatWaits();
    return this.#jobOf(asked);
  }

  #jobOf(asked: Asked): Job<ReceivedFile> {
    return {
      done: asked.result.promise,
      cancel: async () => {
        this.#waiting.remove(asked);
        asked.result.reject(new CancelledError("Cancelled."));
        // A thread in the middle of the file ends with it, and waiting files get another thread.
        for (const { now, thread } of [...this.#running, ...this.#following.keys()])
          if (now === asked) await thread.end();
      },
    };
  }

  #startWhatWaits(): void {
    if (this.#running.size >= this.#most) return;
    const first = this.#waiting.next();
    if (first === null) return;
    const [ready] = this.#ready;
    const recognizer = ready ?? this.#restedOrNew();
    this.#ready.delete(recognizer);
    this.#running.add(recognizer);
    this.#begin(recognizer, first);
    recognizer.thread.send({ kind: "whole", file: first.file });
  }

  #restedOrNew(): Recognizer {
    const [rested] = this.#resting;
    if (rested === undefined) return this.#start();
    const [recognizer, ends] = rested;
    clearTimeout(ends);
    this.#resting.delete(recognizer);
    recognizer.thread.keepsProcess(true);
    return recognizer;
  }

  /** The caller sets the activity for which the thread starts. */
  #start(): Recognizer {
    const recognizer: Recognizer = {
      thread: new Thread<RecognizerMessages>("recognise", null),
      now: null,
      events: null,
      largest: 0,
      rest: () => {},
    };
    recognizer.thread.onMessage((report) => {
      if (report.kind === "reading") {
        if (recognizer.now !== null) recognizer.now.read = report.read;
        return;
      }
      if (report.kind === "events") recognizer.events?.resolve(report.events);
      else this.#resolve(recognizer, report.received, report.eventsFollow);
      if (report.kind === "events" || !report.eventsFollow) this.#giveNext(recognizer);
    });
    recognizer.thread.onEnd((error) => {
      recognizer.now?.result.reject(error ?? new CancelledError("The thread ended without a result."));
      recognizer.events?.resolve(null);
      this.#ready.delete(recognizer);
      this.#resting.delete(recognizer);
      this.#running.delete(recognizer);
      this.#following.delete(recognizer);
      recognizer.rest();
      this.#startWhatWaits();
    });
    return recognizer;
  }

  #resolve(recognizer: Recognizer, received: ReceivedFile, eventsFollow: boolean): void {
    const { now } = recognizer;
    const path = now?.file.storedAt;
    if (path !== undefined && eventsFollow) {
      recognizer.events = Promise.withResolvers();
      this.#onEvents(path, recognizer.events.promise);
    }
    recognizer.now = null;
    now?.result.resolve(received);
  }

  #giveNext(recognizer: Recognizer): void {
    // Threads that followed a file are additional to those that take waiting files.
    const next = this.#running.size > this.#most ? null : this.#waiting.next();
    if (next !== null) recognizer.thread.send({ kind: "whole", file: this.#take(recognizer, next).file });
    else if (recognizer.largest <= LIGHT_BYTES && this.#resting.size < this.#most) this.#rest(recognizer);
    else void recognizer.thread.end();
  }

  #rest(recognizer: Recognizer): void {
    this.#running.delete(recognizer);
    recognizer.rest();
    recognizer.rest = () => {};
    recognizer.thread.keepsProcess(false);
    const end = (): void => {
      this.#resting.delete(recognizer);
      void recognizer.thread.end();
    };
    this.#resting.set(recognizer, setTimeout(end, REST_MS).unref());
    this.#startWhatWaits();
  }
}
