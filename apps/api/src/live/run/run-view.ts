/**
 * Data of a run for clients: builds the model's picture from rows, adds gaps, polls and marks, and sends it to the
 * clients that follow the run.
 */
import type { LiveMark, LivePicture } from "@aglens/contract";
import type { LiveModelPicture, LiveModelReplica, StageCount } from "@aglens/ag-model/live";
import type { Topology } from "@aglens/ag-model/replication";
import { filetimeOfUnixMs } from "xel-parser/format";
import type { PushReport, StreamRow } from "xel-parser/format";
import type { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { RecordedMark } from "../../captures/kept/recorded-marks.ts";
import type { Attachment } from "./attachment.ts";
import { Gaps } from "./gaps.ts";
import type { Happened } from "./happened.ts";
import type { GapReason } from "./gaps.ts";
import { livePicture, liveReplica, marksOf } from "./live-picture.ts";
import { withoutBins } from "./model-part.ts";
import { WatchedDatabases } from "./watched-databases.ts";
import type { Mark } from "./live-picture.ts";
import { PictureThread, type PictureListeners } from "./picture-thread.ts";
import { PollHistory } from "./poll-history.ts";
import type { TimedPoll } from "./poll-history.ts";
import type { PollReading } from "./polls.ts";
import { Moment, RunClock } from "./run-clock.ts";

const SECOND_MS = 1_000;
/** Steps are at least this far apart, regardless of the number of rows. */
const SHORTEST_STEP_MS = 400;
/** Replicas that send their buffers at about the same time are shown together. */
const BURST_MS = 80;
const MARKS_KEPT = 500;
/** Gaps that end when a row arrives. */
const ENDED_BY_ROW: readonly GapReason[] = ["connection", "disconnectedByServer", "sessionStopped"];

/** Parts of the picture that only the run itself has. */
export type RunState = Pick<
  LivePicture,
  | "state"
  | "title"
  | "kept"
  | "captureId"
  | "endings"
  | "unattached"
  | "stopsAt"
  | "containedSystemDatabases"
  | "readsHealth"
>;

export interface RunViewOwner {
  state(): RunState;
  /** Durations of blocks and commits, each once. */
  onCounts(counts: readonly StageCount[]): void;
  /** The thread of the picture broke: no more pictures follow. */
  onFailed(error: Error): void;
}

export class RunView {
  readonly #attachments: Attachment[];
  readonly #owner: RunViewOwner;
  /** This machine's time, in which everything here is counted. */
  readonly #wall: Clock;
  /** Converts this machine's time to the run's. */
  readonly #clock: RunClock;
  readonly #mostBytes: number;
  readonly #thread: PictureThread;
  readonly #gaps = new Gaps();
  readonly #polls: PollHistory;
  readonly #happened: Happened;
  readonly #marks: Mark[] = [];
  /** Clients that follow the run, with the database of those that show only one. */
  readonly #followers = new Map<(json: string) => void, string | null>();
  readonly #watched: WatchedDatabases;
  #sequence = 0;
  /** Replicas that brought rows since the last step. */
  readonly #fresh = new Set<number>();
  #steppedAt = 0;
  #cancelSoon: (() => void) | null = null;
  #model: LiveModelPicture | null = null;
  #final: LiveModelPicture | null = null;

  /** @param mostBytes of memory that the picture may use */
  constructor(
    attachments: readonly Attachment[],
    clock: Clock,
    owner: RunViewOwner,
    mostBytes: number,
    happened: Happened,
  ) {
    this.#mostBytes = mostBytes;
    this.#happened = happened;
    this.#attachments = [...attachments];
    this.#owner = owner;
    this.#wall = clock;
    this.#clock = new RunClock(clock.now());
    this.#polls = new PollHistory(attachments.length);
    this.#watched = new WatchedDatabases((database, isWatched) =>
      this.#thread.watchDatabase(database, isWatched),
    );
    const listeners: PictureListeners = {
      onRead: (replica, report) => this.#countRead(replica, report),
      onPicture: (picture) => this.#takePicture(picture),
      onCounts: (counts) => owner.onCounts(counts),
      onFailed: (error) => owner.onFailed(error),
    };
    this.#thread = new PictureThread(attachments.map(modelReplica), listeners, mostBytes);
  }

  /** Another replica is read from now on. */
  add(attachment: Attachment): void {
    this.#attachments.push(attachment);
    this.#thread.addReplica(modelReplica(attachment));
  }

  /** Takes a row; when too much waits for the model already, the picture skips it and reports that. */
  takeRow({ index, counters, name }: Attachment, row: StreamRow): void {
    const now = new Moment(this.#wall.now());
    this.#gaps.close(index, ENDED_BY_ROW, now);
    if (this.#thread.push(index, row)) {
      this.#gaps.close(index, ["droppedByUs"], now);
      this.#stepWhenAllCame(index);
      return;
    }
    counters.lostByUs();
    const message = `AG Lens could not keep up with ${name}: some buffers are missing from the picture. The capture contains them.`;
    this.#openGap(index, "droppedByUs", now, message);
  }

  takePoll({ index }: Attachment, reading: PollReading, atMs: number): void {
    this.#polls.add(index, reading, atMs);
  }

  /** A replica can no longer be read: a gap begins where its events were decoded to. */
  takeLoss({ index }: Attachment, reason: GapReason, message: string): void {
    const decodedTo = this.#model?.decodedTo[index] ?? Number.NaN;
    this.#openGap(index, reason, new Moment(this.#wall.now(), decodedTo), message);
  }

  /** Events of the last second were lost at the server. */
  takeDropped({ index }: Attachment, message: string): void {
    const now = this.#wall.now();
    this.#gaps.add(index, "droppedByServer", new Moment(now - SECOND_MS), new Moment(now), message);
    this.#thread.gap(index, "droppedByServer");
  }

  setRole({ index, identity }: Attachment): void {
    this.#thread.setRole(index, identity.role, identity.replicaId);
  }

  setTopology(topology: Topology): void {
    this.#thread.setTopology(topology);
  }

  mark(label: string, byRule = false): z.infer<typeof LiveMark> {
    const moment = new Moment(this.#wall.now());
    this.#marks.push({ moment, label, byRule });
    if (this.#marks.length > MARKS_KEPT) this.#marks.shift();
    return { at: moment.in(this.#clock), label, byRule };
  }

  /**
   * All marks, for the capture that the run becomes. @param sinceMs only those from this time of this machine's clock
   * on
   */
  recordedMarks(sinceMs = Number.NEGATIVE_INFINITY): RecordedMark[] {
    const from = this.#clock.at(sinceMs);
    return marksOf(this.#marks, this.#final ?? this.#model, this.#clock)
      .filter(({ at }) => at >= from)
      .map(({ at, label, byRule }) => ({ ticks: String(this.#clock.ticksAt(at)), label, byRule }));
  }

  /** The complete picture, for a client without one. */
  async whole(database: string | null = null): Promise<LivePicture> {
    const model = this.#final ?? (await this.#thread.whole().catch(() => this.#model));
    return this.#picture(model, this.#polls.all, database);
  }

  /** @throws ProblemError when no more databases can be looked at alone */
  expectRoomFor(database: string | null): void {
    this.#watched.expectRoomFor(database);
  }

  /**
   * Sends the complete picture and then changes, each as JSON, until the returned function is called.
   * @param database selects the database for lanes, figures and verdict; null: all
   * @throws ProblemError when too many databases are shown alone
   */
  async follow(follower: (json: string) => void, database: string | null = null): Promise<() => void> {
    this.#watched.begin(database);
    follower(JSON.stringify(await this.whole(database)));
    this.#followers.set(follower, database);
    return () => {
      if (this.#followers.delete(follower)) this.#watched.end(database);
    };
  }

  /** To be called once per second: makes a step if rows caused none. */
  second(): void {
    const isDue = this.#wall.now() - this.#steppedAt >= SECOND_MS;
    // A thread that is still busy with the last step must not delay states and counters.
    if (isDue && !this.#step()) this.#publish(this.#model && withoutBins(this.#model));
  }

  /** Ends the model after one more step, so that the last rows are in the picture. */
  async end(): Promise<void> {
    this.#final = await this.#lastPicture().catch(() => this.#model);
    await this.#thread.end();
  }

  async #lastPicture(): Promise<LiveModelPicture> {
    const now = this.#wall.now();
    this.#cancelSoon?.();
    this.#reportDelivery();
    const picture = await this.#thread.last(filetimeOfUnixMs(now));
    this.#clock.adjust(picture.originTicks, picture.now, now);
    return picture;
  }

  /** Sends the last picture to the clients that follow the run. */
  publishLast(): void {
    this.#publish(this.#final);
  }

  #openGap(index: number, reason: GapReason, from: Moment, message: string): void {
    if (this.#gaps.open(index, reason, from, message)) this.#thread.gap(index, reason);
  }

  #countRead(replica: number, report: PushReport): void {
    this.#attachments[replica]?.counters.read(report);
  }

  /** Makes a step as soon as every replica sent rows, so that events are not shown a second later. */
  #stepWhenAllCame(index: number): void {
    this.#fresh.add(index);
    const reading = this.#attachments.filter(({ isReading }) => isReading);
    const all = reading.every((attachment) => this.#fresh.has(attachment.index));
    if (!all || this.#cancelSoon !== null || this.#wall.now() - this.#steppedAt < SHORTEST_STEP_MS) return;
    this.#cancelSoon = this.#wall.after(BURST_MS, () => this.#step());
  }

  /** @returns false when the last step is not over yet */
  #step(): boolean {
    const now = this.#wall.now();
    this.#cancelSoon?.();
    this.#cancelSoon = null;
    this.#reportDelivery();
    if (!this.#thread.step(filetimeOfUnixMs(now))) return false;
    this.#steppedAt = now;
    this.#fresh.clear();
    return true;
  }

  /** Reports the servers' clock offsets and dispatch latencies; the lateness of events is measured separately. */
  #reportDelivery(): void {
    for (const { index, serverClock, session } of this.#attachments) {
      this.#thread.setDispatch(index, session.dispatchMs * 1000);
      if (serverClock.offset === null) continue;
      const { aheadMs, boundMs } = serverClock.offset;
      this.#thread.setClockOffset(index, aheadMs * 1000, boundMs * 1000);
    }
  }

  #takePicture(picture: LiveModelPicture): void {
    // The picture is of the time of its step, regardless of the time when it is done.
    this.#clock.adjust(picture.originTicks, picture.now, this.#steppedAt);
    this.#model = picture;
    this.#publish(picture);
  }

  /** Written as JSON once for each watched database, regardless of the number of clients. */
  #publish(model: LiveModelPicture | null): void {
    this.#sequence += 1;
    const polls = this.#polls.takeNew();
    const written = new Map<string | null, string>();
    for (const [follower, database] of this.#followers) {
      const json = written.get(database) ?? JSON.stringify(this.#picture(model, polls, database));
      written.set(database, json);
      follower(json);
    }
  }

  #picture(
    model: LiveModelPicture | null,
    polls: readonly TimedPoll[],
    database: string | null,
  ): LivePicture {
    // After the end, only databases that clients watched at that time have a picture.
    const isThere = this.#final === null || database === null || database in this.#final.byDatabase;
    const nowMs = this.#wall.now();
    return livePicture(
      {
        ...this.#owner.state(),
        nowMs,
        mostHeldBytes: this.#mostBytes,
        polls,
        sequence: this.#sequence,
        replicas: this.#attachments.map((attachment) =>
          liveReplica(attachment, this.#thread.behind(attachment.index), model, nowMs),
        ),
        gaps: this.#gaps.asLiveGaps(this.#clock),
        ...this.#happened.picture(this.#clock, nowMs),
        marks: this.#marks,
      },
      model,
      this.#clock,
      isThere ? database : null,
    );
  }
}

function modelReplica({ identity: { name, replicaId, role } }: Attachment): LiveModelReplica {
  return { name, replicaId, role };
}
