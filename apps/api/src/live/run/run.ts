/** One live run: its replicas, the picture, what is kept on disk, and its end. */
import { filetimeOfUnixMs } from "xel-parser/format";
import { hostname } from "node:os";
import type { LiveMark, LivePicture, NewLiveRun } from "@aglens/contract";
import type { PushReport, StreamRow } from "xel-parser/format";
import type { LiveModelPicture } from "@aglens/ag-model/live";
import type { z } from "zod";
import type { Clock } from "../../clock.ts";
import type { Patience } from "../server/connection.ts";
import { Attachment } from "./attachment.ts";
import type { AttachmentOwner } from "./attachment.ts";
import type { LiveFailure } from "../server/failure.ts";
import { Gaps } from "./gaps.ts";
import type { GapReason } from "./gaps.ts";
import type { KeptReplica, KeptRun } from "./keep.ts";
import { PictureThread } from "./picture-thread.ts";
import type { Dropped, PollReading } from "./polls.ts";
import { RunClock } from "./run-clock.ts";
import { newSessionName } from "../server/session-name.ts";
import { Spill } from "./spill.ts";
import type { SpilledFile } from "./spill.ts";
import { livePicture, liveReplica } from "./live-picture.ts";
import type { Mark } from "./live-picture.ts";
import { PollHistory } from "./poll-history.ts";
import type { TimedPoll } from "./poll-history.ts";
import { commonGroup, mergedTopology } from "../server/topology.ts";

const SECOND_MS = 1_000;
const SHORTEST_STEP_MS = 400;
const BURST_MS = 80;
/** Without a sign of life from whoever controls the run for so long, it stops and keeps what it has. */
const ABANDONED_MS = 60_000;
const MARKS_KEPT = 500;

/** Turns what a run kept into a capture. @returns its id, null when there is nothing to keep */
export type KeepRun = (run: KeptRun) => Promise<string | null>;

export interface RunOptions {
  readonly request: z.infer<typeof NewLiveRun>;
  readonly directory: string;
  readonly keepBytes: number;
  readonly keep: KeepRun;
  /** Deletes what is on disk. */
  readonly discard: () => Promise<void>;
  /** Writes down whose files lie in the directory, for the case that this process does not live to the end. */
  readonly note: (replicas: readonly KeptReplica[], topology: ReturnType<typeof mergedTopology>) => void;
  readonly onStopped: () => void;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly log: (message: string, code: string) => void;
}

type Model = LiveModelPicture;

const REASONS: Readonly<Record<string, GapReason>> = {
  "live-disconnected": "disconnectedByServer",
  "live-session-stopped": "sessionStopped",
};

export class LiveRun implements AttachmentOwner {
  /** Not the request: it holds the logins, which only the attachments have, until they stop. */
  readonly #options: Omit<RunOptions, "request">;
  readonly #title: string;
  readonly #attachments: Attachment[];
  readonly #spill: Spill;
  readonly #thread: PictureThread;
  readonly #gaps = new Gaps();
  /** This machine's time, in which everything here is counted. */
  readonly #wall: Clock;
  /** From this machine's time to the run's. */
  readonly #clock: RunClock;
  readonly #claimed = new Map<string, number>();
  readonly #followers = new Set<(json: string) => void>();
  readonly #endSeconds: () => void;
  readonly #polls: PollHistory;
  readonly #marks: Mark[] = [];
  #endings: string[] = [];
  #state: LivePicture["state"] = "attaching";
  #sequence = 0;
  /** Replicas that brought rows since the last step. */
  readonly #fresh = new Set<number>();
  #steppedAt = 0;
  #cancelSoon: (() => void) | null = null;
  #model: Model | null = null;
  #final: Model | null = null;
  #captureId: string | null = null;
  #seen: number;
  #attaching: Promise<void> = Promise.resolve();
  #stopped: Promise<string | null> | null = null;

  constructor(options: RunOptions) {
    const { request, ...others } = options;
    const { directory, keepBytes } = others;
    this.#options = others;
    this.#title = request.title;
    this.#wall = others.clock;
    this.#clock = new RunClock(this.#wall.now());
    this.#seen = this.#wall.now();
    const newName = newSessionName(hostname(), new Date(this.#wall.now()));
    this.#attachments = request.replicas.map(
      ({ server, login, session }, index) =>
        new Attachment(
          {
            index,
            server,
            existing: session ?? null,
            newName,
            withoutCommits: request.withoutCommits,
            clock: others.clock,
            patience: others.patience,
          },
          login,
          this,
        ),
    );
    this.#spill = new Spill(directory, this.#attachments.length, keepBytes);
    this.#polls = new PollHistory(this.#attachments.length);
    const replicas = this.#attachments.map(({ identity: { name, replicaId, role } }) => ({
      name,
      replicaId,
      role,
    }));
    this.#thread = new PictureThread(replicas, {
      onRead: (replica, report) => this.#read(replica, report),
      onPicture: (picture) => this.#takePicture(picture),
      onFailed: (error) => this.#pictureFailed(error),
    });
    this.#endSeconds = this.#wall.every(SECOND_MS, () => this.#second());
  }

  /** Names of the sessions that this run makes; no leftovers. */
  get sessions(): readonly string[] {
    return this.#attachments.filter(({ ownSession }) => ownSession).map(({ session }) => session);
  }
  get isOver(): boolean {
    return this.#state === "stopped";
  }

  /** Attaches: secondaries start first, so that no block is seen leaving that is not seen arriving. */
  begin(): void {
    this.#attaching = this.#attach();
  }

  /** A sign of life from whoever controls the run. */
  present(): void {
    this.#seen = this.#wall.now();
  }

  mark(label: string): z.infer<typeof LiveMark> {
    const wallMs = this.#wall.now();
    this.#marks.push({ wallMs, label });
    if (this.#marks.length > MARKS_KEPT) this.#marks.shift();
    return { at: this.#clock.at(wallMs), label };
  }

  /** The whole picture, for somebody who has none. */
  async whole(): Promise<LivePicture> {
    const model = this.#final ?? (await this.#thread.whole().catch(() => this.#model));
    return this.#picture(model, this.#polls.all);
  }

  /** Gives the whole picture and then what changes, each as JSON, until the returned function is called. */
  async follow(follower: (json: string) => void): Promise<() => void> {
    follower(JSON.stringify(await this.whole()));
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Ends the run. @param keep false deletes what it recorded @returns id of the capture it became */
  stop(keep: boolean): Promise<string | null> {
    this.#stopped ??= this.#stop(keep ? (files) => this.#keep(files) : () => this.#options.discard());
    return this.#stopped;
  }

  /** Ends the run but leaves its files where they are, for the next start to pick up. */
  async leave(): Promise<void> {
    this.#stopped ??= this.#stop(() => Promise.resolve());
    await this.#stopped;
  }

  claim({ index }: Attachment, serverName: string): boolean {
    const key = serverName.toLowerCase();
    const holder = this.#claimed.get(key) ?? index;
    this.#claimed.set(key, holder);
    return holder === index;
  }

  onRow(attachment: Attachment, row: StreamRow): void {
    const { index, counters, identity, name } = attachment;
    const now = this.#wall.now();
    this.#gaps.close(index, ["connection", "disconnectedByServer", "sessionStopped"], now);
    counters.took(row.data.byteLength, identity.role);
    this.#spill.append(index, row);
    if (this.#thread.push(index, row)) {
      this.#gaps.close(index, ["droppedByUs"], now);
      this.#stepWhenAllCame(index);
      return;
    }
    counters.lostByUs();
    const message = `AG Lens could not keep up with ${name}: buffers were left out of the picture. They are in the capture.`;
    if (this.#gaps.open(index, "droppedByUs", now, message)) this.#thread.gap(index, "droppedByUs");
  }

  onPoll({ index }: Attachment, reading: PollReading): void {
    this.#polls.add(index, reading, this.#wall.now());
  }

  onDropped({ index, name, counters }: Attachment, dropped: Dropped): void {
    counters.lostByServer(dropped);
    const message = `${name} dropped ${amountDropped(dropped)}: the buffers of its session were full.`;
    const now = this.#wall.now();
    this.#gaps.add(index, "droppedByServer", now - SECOND_MS, now, message);
    this.#thread.gap(index, "droppedByServer");
  }

  onTopology(): void {
    this.#useTopology();
  }

  onRole({ index, identity }: Attachment): void {
    this.#thread.setRole(index, identity.role, identity.replicaId);
    this.#useTopology();
  }

  onLost({ index }: Attachment, failure: LiveFailure): void {
    this.#options.log("a replica was lost", failure.code);
    const reason = REASONS[failure.code] ?? "connection";
    const decodedTo = this.#model?.decodedTo[index] ?? Number.NaN;
    const from = Number.isNaN(decodedTo) ? this.#wall.now() : this.#clock.wall(decodedTo);
    if (this.#gaps.open(index, reason, from, failure.message)) this.#thread.gap(index, reason);
  }

  async #attach(): Promise<void> {
    await Promise.all(this.#attachments.map((attachment) => attachment.prepare()));
    const group = commonGroup(this.#attachments.map(({ identity }) => identity.topology));
    for (const attachment of this.#attachments) {
      attachment.identity.chooseGroup(group);
      this.onRole(attachment);
    }
    const [primaries, others] = parted(this.#attachments);
    await Promise.all(others.map((attachment) => attachment.start()));
    await Promise.all(primaries.map((attachment) => attachment.start()));
    if (this.#state === "attaching") this.#state = "running";
    for (const attachment of this.#attachments) attachment.follow();
  }

  /** What the replicas know of the group by now, to the model and to the note on disk. */
  #useTopology(): void {
    const topology = this.#topology();
    this.#thread.setTopology(topology);
    this.#options.note(this.#keptReplicas(), topology);
  }

  #topology(): ReturnType<typeof mergedTopology> {
    return mergedTopology(this.#attachments.map(({ identity }) => identity.topology));
  }

  #read(replica: number, report: PushReport): void {
    this.#attachments[replica]?.counters.read(report);
  }

  /** A step as soon as every replica brought something, so that what happened is not shown a second later. */
  #stepWhenAllCame(index: number): void {
    this.#fresh.add(index);
    const reading = this.#attachments.filter(({ isReading }) => isReading);
    const all = reading.every((attachment) => this.#fresh.has(attachment.index));
    if (!all || this.#cancelSoon !== null || this.#wall.now() - this.#steppedAt < SHORTEST_STEP_MS) return;
    // Replicas that hand out their buffers at about the same time are shown together.
    this.#cancelSoon = this.#wall.after(BURST_MS, () => this.#step());
  }

  /** @returns false when the last step is not over yet */
  #step(): boolean {
    const now = this.#wall.now();
    this.#cancelSoon?.();
    this.#cancelSoon = null;
    if (!this.#thread.step(filetimeOfUnixMs(now))) return false;
    this.#steppedAt = now;
    this.#fresh.clear();
    return true;
  }

  #second(): void {
    for (const { counters } of this.#attachments) counters.second();
    const isDue = this.#wall.now() - this.#steppedAt >= SECOND_MS;
    // A thread that is still busy with the last step must not hold up states and counters.
    if (isDue && !this.#step()) this.#publish(this.#model && { ...this.#model, bins: null, overview: null });
    if (this.#stopped === null && this.#wall.now() - this.#seen > ABANDONED_MS) {
      this.#endings.push("Nobody watched the run with its control for a minute: it was stopped and kept.");
      void this.stop(true);
    }
  }

  #takePicture(picture: Model): void {
    this.#clock.adjust(picture.originTicks, picture.now, this.#wall.now());
    this.#model = picture;
    this.#publish(picture);
  }

  #pictureFailed(error: Error): void {
    this.#options.log("the picture's thread failed", error.name);
    this.#endings.push("The picture could not be kept up; the run was stopped, and what was read is kept.");
    void this.stop(true);
  }

  /** Written out once, however many follow. */
  #publish(model: Model | null): void {
    this.#sequence += 1;
    const polls = this.#polls.takeNew();
    if (this.#followers.size === 0) return;
    const json = JSON.stringify(this.#picture(model, polls));
    for (const follower of this.#followers) follower(json);
  }

  #picture(model: Model | null, polls: readonly TimedPoll[]): LivePicture {
    const nowMs = this.#wall.now();
    return livePicture(
      {
        nowMs,
        polls,
        sequence: this.#sequence,
        state: this.#state,
        title: this.#title,
        replicas: this.#attachments.map((attachment) =>
          liveReplica(attachment, this.#thread.behind(attachment.index), model, nowMs),
        ),
        gaps: (at) => this.#gaps.asLiveGaps(at),
        marks: this.#marks,
        kept: this.#spill.kept,
        captureId: this.#captureId,
        endings: this.#endings,
      },
      model,
      this.#clock,
    );
  }

  /** @param finish what becomes of the files, which are complete and closed by then */
  async #stop(finish: (files: SpilledFile[]) => Promise<void>): Promise<string | null> {
    this.#state = "stopping";
    for (const attachment of this.#attachments) attachment.giveUp();
    await this.#attaching;
    const [primaries, others] = parted(this.#attachments);
    for (const some of [primaries, others]) {
      this.#endings.push(...(await Promise.all(some.map((attachment) => attachment.stop()))));
    }
    this.#final = await this.#lastPicture();
    await this.#thread.end();
    await this.#finish(finish);
    this.#state = "stopped";
    this.#endSeconds();
    this.#cancelSoon?.();
    this.#publish(this.#final);
    this.#options.onStopped();
    return this.#captureId;
  }

  /** What was recorded stays on disk when it cannot be made a capture; the next start tries again. */
  async #finish(finish: (files: SpilledFile[]) => Promise<void>): Promise<void> {
    try {
      await finish(await this.#spill.end());
    } catch (error) {
      this.#options.log("a run could not be kept", error instanceof Error ? error.message : "");
      this.#endings.push("The capture could not be made; the API tries again when it starts the next time.");
    }
  }

  /** One more step, so that what came at the very end is in the picture. */
  async #lastPicture(): Promise<Model | null> {
    this.#step();
    return this.#thread.whole().catch(() => this.#model);
  }

  async #keep(files: SpilledFile[]): Promise<void> {
    if (this.#spill.failure !== null) {
      this.#endings.push("The disk took no more event buffers at some time: the capture ends there.");
    }
    const { droppedBytes } = this.#spill.kept;
    if (droppedBytes > 0) {
      const megabytes = Math.ceil(droppedBytes / 1e6).toLocaleString("en");
      this.#endings.push(
        `The capture lacks ${megabytes} MB of its beginning: the limit of one run was reached.`,
      );
    }
    this.#captureId = await this.#options.keep({
      title: this.#title,
      replicas: this.#keptReplicas(),
      topology: this.#topology(),
      files,
    });
    if (this.#captureId === null) this.#endings.push("No event buffer came, so there is no capture.");
  }

  #keptReplicas(): KeptReplica[] {
    return this.#attachments.map(({ identity: { name, role }, counters }) => {
      const { primary, secondary } = counters.bytesByRole;
      const longest = primary === secondary ? role : primary > secondary ? "primary" : "secondary";
      return { name, role: longest };
    });
  }
}

/** Primaries, and all others. */
function parted(attachments: readonly Attachment[]): [Attachment[], Attachment[]] {
  const isPrimary = ({ identity }: Attachment): boolean => identity.role === "primary";
  return [attachments.filter(isPrimary), attachments.filter((attachment) => !isPrimary(attachment))];
}

/** "321 events", "2 buffers with all their events", or both. */
function amountDropped({ events, buffers }: Dropped): string {
  const parts = [
    ...(events > 0 ? [`${events} ${events === 1 ? "event" : "events"}`] : []),
    ...(buffers > 0
      ? [
          `${buffers} ${buffers === 1 ? "buffer" : "buffers"} with all events in ${buffers === 1 ? "it" : "them"}`,
        ]
      : []),
  ];
  return parts.join(" and ");
}
