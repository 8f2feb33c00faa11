/** The main thread's side of a run's picture: sends rows, receives pictures, and limits the pending bytes. */
import type { PushReport, StreamRow } from "xel-parser/format";
import type { GapReason, LiveModelPicture, LiveModelReplica, StageCount } from "@aglens/ag-model/live";
import type { Topology } from "@aglens/ag-model/replication";
import { Thread } from "../../threads/thread.ts";

export type ToPicture =
  | { readonly kind: "row"; readonly replica: number; readonly row: StreamRow }
  | { readonly kind: "replica"; readonly replica: LiveModelReplica }
  | { readonly kind: "topology"; readonly topology: Topology }
  | {
      readonly kind: "role";
      readonly replica: number;
      readonly role: LiveModelReplica["role"];
      readonly replicaId: string;
    }
  /** A server's UTC minus this machine's, as a poll measured it. */
  | {
      readonly kind: "clock";
      readonly replica: number;
      readonly aheadUs: number;
      readonly boundUs: number;
    }
  /** Dispatch latency of a replica's session; Infinity for a session without one. */
  | { readonly kind: "dispatch"; readonly replica: number; readonly dispatchUs: number }
  /** Whether one database is looked at alone. */
  | { readonly kind: "watch"; readonly database: string; readonly isWatched: boolean }
  | { readonly kind: "gap"; readonly replica: number; readonly reason: GapReason }
  | { readonly kind: "step"; readonly nowTicks: bigint }
  | { readonly kind: "whole" }
  /** Nothing follows: one more step, and blocks that have not settled are counted. */
  | { readonly kind: "last"; readonly nowTicks: bigint };

export type FromPicture =
  | { readonly kind: "read"; readonly replica: number; readonly bytes: number; readonly report: PushReport }
  | { readonly kind: "picture"; readonly picture: LiveModelPicture }
  /** Durations of blocks and commits that settled since the last message of this kind. */
  | { readonly kind: "counts"; readonly counts: readonly StageCount[] }
  | { readonly kind: "whole"; readonly picture: LiveModelPicture };

/** Messages of the thread that keeps a run's picture (`picture-worker.ts`). */
export interface PictureMessages {
  readonly data: {
    readonly replicas: readonly LiveModelReplica[];
    /** Bytes of memory that the model may use. */
    readonly mostBytes: number;
  };
  readonly toThread: ToPicture;
  readonly fromThread: FromPicture;
}

const MIB = 2 ** 20;
/**
 * V8's heap may grow to so many times the allowed bytes before it collects all garbage: each step creates as much
 * garbage as the recent blocks take, in columns, and without a limit V8 kept 700 MB of them.
 */
const GARBAGE_FACTOR = 2;
/** For objects other than columns, MiB: a picture with all bins of eight databases and eight secondaries takes 62 MB. */
const OBJECTS_MIB = 32;
/** Memory for new objects, MiB: with less, the columns are freed sooner, together with the objects that have them. */
const YOUNG_MIB = 4;

export interface PictureListeners {
  onRead(replica: number, report: PushReport): void;
  onPicture(picture: LiveModelPicture): void;
  /** Each block and commit is in one call. */
  onCounts(counts: readonly StageCount[]): void;
  /** The thread ended unexpectedly; no more pictures follow. */
  onFailed(error: Error): void;
}

export class PictureThread {
  readonly #thread: Thread<PictureMessages>;
  readonly #mostUnread: number;
  readonly #waiting: PromiseWithResolvers<LiveModelPicture>[] = [];
  /** By replica. */
  readonly #unreadRows = new Map<number, number>();
  #unreadBytes = 0;
  #stepping = false;
  #isLastAsked = false;
  #ended = false;

  /**
   * @param mostBytes of memory that the model may use
   * @param mostUnread bytes that may wait for the decoder; further bytes are discarded, so that the server never waits
   * for AG Lens
   */
  constructor(
    replicas: readonly LiveModelReplica[],
    listeners: PictureListeners,
    mostBytes: number,
    mostUnread: number = mostBytes,
  ) {
    this.#mostUnread = mostUnread;
    this.#thread = new Thread("picture", { replicas, mostBytes }, undefined, [], {
      maxYoungGenerationSizeMb: YOUNG_MIB,
      maxOldGenerationSizeMb: OBJECTS_MIB + Math.ceil((GARBAGE_FACTOR * mostBytes) / MIB),
    });
    this.#thread.onMessage((message) => this.#take(message, listeners));
    this.#thread.onEnd((error) =>
      this.#fail(error ?? new Error("The thread of the picture ended."), listeners),
    );
  }

  /** Passes a row to the decoder. @returns false when too much waits there already: the row was discarded */
  push(replica: number, { type, data }: StreamRow): boolean {
    if (this.#ended || this.#unreadBytes + data.byteLength > this.#mostUnread) return false;
    this.#unreadBytes += data.byteLength;
    this.#unreadRows.set(replica, this.behind(replica) + 1);
    // The row is also on its way to the disk, so the thread gets a real copy (a Buffer's slice is not one).
    const own = new Uint8Array(data);
    this.#thread.send({ kind: "row", replica, row: { type, data: own } }, [own.buffer]);
    return true;
  }

  /** Rows of a replica that wait for the decoder. */
  behind(replica: number): number {
    return this.#unreadRows.get(replica) ?? 0;
  }

  /** Asks for a step unless one is running. @returns whether a picture will follow */
  step(nowTicks: bigint): boolean {
    if (this.#stepping || this.#isLastAsked || this.#ended) return false;
    this.#stepping = true;
    this.#send({ kind: "step", nowTicks });
    return true;
  }

  /** Another replica is read; its index is the next one. */
  addReplica(replica: LiveModelReplica): void {
    this.#send({ kind: "replica", replica });
  }

  setTopology(topology: Topology): void {
    this.#send({ kind: "topology", topology });
  }

  setRole(replica: number, role: LiveModelReplica["role"], replicaId: string): void {
    this.#send({ kind: "role", replica, role, replicaId });
  }

  /** @param aheadUs the server's UTC minus this machine's, µs @param boundUs how far that can be from the truth, µs */
  setClockOffset(replica: number, aheadUs: number, boundUs: number): void {
    this.#send({ kind: "clock", replica, aheadUs, boundUs });
  }

  setDispatch(replica: number, dispatchUs: number): void {
    this.#send({ kind: "dispatch", replica, dispatchUs });
  }

  watchDatabase(database: string, isWatched: boolean): void {
    this.#send({ kind: "watch", database, isWatched });
  }

  gap(replica: number, reason: GapReason): void {
    this.#send({ kind: "gap", replica, reason });
  }

  /** The picture with all bins. @throws Error when the thread has ended */
  whole(): Promise<LiveModelPicture> {
    return this.#ask({ kind: "whole" });
  }

  /**
   * The same after one more step, which a running one does not prevent: all rows are in it. Only `end` follows, no step.
   * @throws Error when the thread has ended
   */
  last(nowTicks: bigint): Promise<LiveModelPicture> {
    this.#isLastAsked = true;
    return this.#ask({ kind: "last", nowTicks });
  }

  #ask(question: ToPicture): Promise<LiveModelPicture> {
    if (this.#ended) return Promise.reject(new Error("The thread of the picture has ended."));
    const asked = Promise.withResolvers<LiveModelPicture>();
    this.#waiting.push(asked);
    this.#send(question);
    return asked.promise;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#thread.end();
    this.#refuseWaiting();
  }

  #send(message: ToPicture): void {
    if (!this.#ended) this.#thread.send(message);
  }

  #take(message: FromPicture, listeners: PictureListeners): void {
    if (message.kind === "read") {
      this.#unreadBytes -= message.bytes;
      this.#unreadRows.set(message.replica, this.behind(message.replica) - 1);
      listeners.onRead(message.replica, message.report);
    } else if (message.kind === "picture") {
      this.#stepping = false;
      listeners.onPicture(message.picture);
    } else if (message.kind === "counts") {
      listeners.onCounts(message.counts);
    } else {
      // Answers arrive in the order of the questions.
      this.#waiting.shift()?.resolve(message.picture);
    }
  }

  #fail(error: Error, listeners: PictureListeners): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#refuseWaiting();
    listeners.onFailed(error);
  }

  #refuseWaiting(): void {
    for (const { reject } of this.#waiting.splice(0))
      reject(new Error("The thread of the picture has ended."));
  }
}
