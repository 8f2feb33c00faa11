/** One live run: its replicas, the picture, what is kept on disk, and its end. */
import { filetimeOfUnixMs } from "xel-parser/format";
import { hostname } from "node:os";
import type { LiveMark, LivePicture, LivePoll, NewLiveRun } from "@aglens/contract";
import type { PushReport, StreamRow } from "xel-parser/format";
import type { LiveModelPicture } from "@aglens/ag-model/live";
import type { z } from "zod";
import { Attachment } from "./attachment.ts";
import type { AttachmentOwner } from "./attachment.ts";
import { Counters } from "./counters.ts";
import type { LiveFailure } from "../server/failure.ts";
import { Gaps } from "./gaps.ts";
import type { GapReason } from "./gaps.ts";
import type { KeptReplica, KeptRun } from "./keep.ts";
import { PictureThread } from "./picture-thread.ts";
import type { PollReading } from "./polls.ts";
import { RunClock } from "./run-clock.ts";
import { newSessionName } from "../server/session-name.ts";
import { Spill } from "./spill.ts";
import { modelPart } from "./model-part.ts";
import { commonGroup, mergedTopology } from "../server/topology.ts";

const SECOND_MS = 1_000;
const SHORTEST_STEP_MS = 400;
const BURST_MS = 80;
/** Without a sign of life from whoever controls the run for so long, it stops and keeps what it has. */
const ABANDONED_MS = 60_000;
/** Polls that a new client gets. */
const POLLS_KEPT = 120;
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
  /** Milliseconds without a sign of life after which the run stops; a minute. */
  readonly abandonedMs?: number;
  readonly log: (message: string, code: string) => void;
}

type Model = LiveModelPicture;

interface TimedPoll {
  readonly wallMs: number;
  readonly poll: Omit<LivePoll, "at">;
}

const REASONS: Readonly<Record<string, GapReason>> = {
  "live-disconnected": "disconnectedByServer",
  "live-session-stopped": "sessionStopped",
};

export class LiveRun implements AttachmentOwner {
  /** Not the request: it holds the logins, which only the attachments have, until they stop. */
  readonly #options: Omit<RunOptions, "request">;
  readonly #title: string;
  readonly #attachments: Attachment[];
  readonly #counters: Counters[];
  readonly #spill: Spill;
  readonly #thread: PictureThread;
  readonly #gaps = new Gaps();
  readonly #clock = new RunClock(Date.now());
  readonly #claimed = new Map<string, number>();
  readonly #listeners = new Set<(picture: LivePicture) => void>();
  readonly #timer: NodeJS.Timeout;
  #polls: TimedPoll[] = [];
  #newPolls = 0;
  #marks: { readonly wallMs: number; readonly label: string }[] = [];
  #endings: string[] = [];
  #state: LivePicture["state"] = "attaching";
  #sequence = 0;
  /** Replicas that brought rows since the last step. */
  readonly #fresh = new Set<number>();
  #steppedAt = 0;
  #soon: NodeJS.Timeout | null = null;
  #model: Model | null = null;
  #final: Model | null = null;
  #captureId: string | null = null;
  #seen = Date.now();
  #attaching: Promise<void> = Promise.resolve();
  #stopped: Promise<string | null> | null = null;

  constructor(options: RunOptions) {
    const { request, ...others } = options;
    const { directory, keepBytes } = others;
    this.#options = others;
    this.#title = request.title;
    const newName = newSessionName(hostname(), new Date());
    this.#attachments = request.replicas.map(
      ({ server, login, session }, index) =>
        new Attachment(
          { index, server, existing: session ?? null, newName, withoutCommits: request.withoutCommits },
          login,
          this,
        ),
    );
    this.#counters = this.#attachments.map(() => new Counters());
    this.#spill = new Spill(directory, this.#attachments.length, keepBytes);
    const replicas = this.#attachments.map(({ name, replicaId, role }) => ({ name, replicaId, role }));
    this.#thread = new PictureThread(replicas, {
      onRead: (replica, report) => this.#read(replica, report),
      onPicture: (picture) => this.#takePicture(picture),
      onFailed: (error) => this.#pictureFailed(error),
    });
    this.#timer = setInterval(() => this.#second(), SECOND_MS);
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
    this.#seen = Date.now();
  }

  mark(label: string): z.infer<typeof LiveMark> {
    const wallMs = Date.now();
    this.#marks.push({ wallMs, label });
    if (this.#marks.length > MARKS_KEPT) this.#marks.shift();
    return { at: this.#clock.at(wallMs), label };
  }

  /** The whole picture, for somebody who has none. */
  async whole(): Promise<LivePicture> {
    const model = this.#final ?? (await this.#thread.whole().catch(() => this.#model));
    return this.#picture(model, this.#polls);
  }

  /** Gives the whole picture and then what changes, until the returned function is called. */
  async follow(listener: (picture: LivePicture) => void): Promise<() => void> {
    listener(await this.whole());
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the run. @param keep false deletes what it recorded @returns id of the capture it became */
  stop(keep: boolean): Promise<string | null> {
    this.#stopped ??= this.#stop(keep ? () => this.#keep() : () => this.#options.discard());
    return this.#stopped;
  }

  /** Ends the run but leaves its files where they are, for the next start to pick up. */
  async leave(): Promise<void> {
    this.#stopped ??= this.#stop(() => Promise.resolve());
    await this.#stopped;
  }

  claim(index: number, serverName: string): boolean {
    const key = serverName.toLowerCase();
    const holder = this.#claimed.get(key) ?? index;
    this.#claimed.set(key, holder);
    return holder === index;
  }

  onRow(index: number, row: StreamRow): void {
    this.#gaps.close(index, ["connection", "disconnectedByServer", "sessionStopped"], Date.now());
    this.#counters[index].took(row.data.byteLength, this.#attachments[index].role);
    this.#spill.append(index, row);
    if (this.#thread.push(index, row)) {
      this.#gaps.close(index, ["droppedByUs"], Date.now());
      this.#stepWhenAllCame(index);
      return;
    }
    this.#counters[index].lostByUs();
    const message = `AG Lens could not keep up with ${this.#attachments[index].name}: buffers were left out of the picture. They are in the capture.`;
    if (this.#gaps.open(index, "droppedByUs", Date.now(), message)) this.#thread.gap(index, "droppedByUs");
  }

  onPoll(index: number, reading: PollReading): void {
    this.#polls.push({ wallMs: Date.now(), poll: { replica: index, ...reading } });
    this.#newPolls += 1;
    const excess = this.#polls.length - POLLS_KEPT * this.#attachments.length;
    if (excess > 0) this.#polls.splice(0, excess);
  }

  onDropped(index: number, events: number): void {
    this.#counters[index].lostByServer(events);
    const { name } = this.#attachments[index];
    const message = `${name} dropped ${events} events: the buffers of its session were full.`;
    this.#gaps.add(index, "droppedByServer", Date.now() - SECOND_MS, Date.now(), message);
    this.#thread.gap(index, "droppedByServer");
  }

  onTopology(_index: number): void {
    this.#tellTopology();
  }

  onRole(index: number): void {
    const { role, replicaId } = this.#attachments[index];
    this.#thread.setRole(index, role, replicaId);
    this.#tellTopology();
  }

  onLost(index: number, failure: LiveFailure): void {
    this.#options.log("a replica was lost", failure.code);
    const reason = REASONS[failure.code] ?? "connection";
    const decodedTo = this.#model?.decodedTo[index] ?? Number.NaN;
    const from = Number.isNaN(decodedTo) ? Date.now() : this.#clock.wall(decodedTo);
    if (this.#gaps.open(index, reason, from, failure.message)) this.#thread.gap(index, reason);
  }

  async #attach(): Promise<void> {
    await Promise.all(this.#attachments.map((attachment) => attachment.prepare()));
    const group = commonGroup(this.#attachments.map(({ topology }) => topology));
    for (const attachment of this.#attachments) {
      attachment.chooseGroup(group);
      this.onRole(attachment.index);
    }
    const [primaries, others] = parted(this.#attachments);
    await Promise.all(others.map((attachment) => attachment.start()));
    await Promise.all(primaries.map((attachment) => attachment.start()));
    if (this.#state === "attaching") this.#state = "running";
    for (const attachment of this.#attachments) attachment.follow();
  }

  #tellTopology(): void {
    const topology = mergedTopology(this.#attachments.map((attachment) => attachment.topology));
    this.#thread.setTopology(topology);
    this.#options.note(this.#keptReplicas(), topology);
  }

  #read(replica: number, report: PushReport): void {
    this.#counters[replica].read(report);
  }

  /** A step as soon as every replica brought something, so that what happened is not shown a second later. */
  #stepWhenAllCame(index: number): void {
    this.#fresh.add(index);
    const reading = this.#attachments.filter(({ isReading }) => isReading);
    const all = reading.every((attachment) => this.#fresh.has(attachment.index));
    if (!all || this.#soon !== null || Date.now() - this.#steppedAt < SHORTEST_STEP_MS) return;
    // Replicas that hand out their buffers at about the same time are shown together.
    this.#soon = setTimeout(() => this.#step(), BURST_MS);
  }

  /** @returns false when the last step is not over yet */
  #step(): boolean {
    const now = Date.now();
    if (this.#soon !== null) clearTimeout(this.#soon);
    this.#soon = null;
    if (!this.#thread.step(filetimeOfUnixMs(now))) return false;
    this.#steppedAt = now;
    this.#fresh.clear();
    return true;
  }

  #second(): void {
    for (const counter of this.#counters) counter.second();
    const isDue = Date.now() - this.#steppedAt >= SECOND_MS;
    // A thread that is still busy with the last step must not keep states and counters from being told.
    if (isDue && !this.#step()) this.#tell(this.#model && { ...this.#model, bins: null, overview: null });
    if (this.#stopped === null && Date.now() - this.#seen > (this.#options.abandonedMs ?? ABANDONED_MS)) {
      this.#endings.push("Nobody watched the run with its control for a minute: it was stopped and kept.");
      void this.stop(true);
    }
  }

  #takePicture(picture: Model): void {
    this.#clock.adjust(picture.originTicks, picture.now, Date.now());
    this.#model = picture;
    this.#tell(picture);
  }

  #pictureFailed(error: Error): void {
    this.#options.log("the picture's thread failed", error.name);
    this.#endings.push("The picture could not be kept up; the run was stopped, and what was read is kept.");
    void this.stop(true);
  }

  #tell(model: Model | null): void {
    this.#sequence += 1;
    const picture = this.#picture(model, this.#polls.slice(this.#polls.length - this.#newPolls));
    this.#newPolls = 0;
    for (const listener of this.#listeners) listener(picture);
  }

  #picture(model: Model | null, polls: readonly TimedPoll[]): LivePicture {
    const at = (wallMs: number): number => this.#clock.at(wallMs);
    return {
      ...modelPart(model, this.#attachments.length),
      sequence: this.#sequence,
      state: this.#state,
      title: this.#title,
      origin: this.#clock.origin,
      now: model === null || model.originTicks === 0n ? at(Date.now()) : model.now,
      replicas: this.#attachments.map((attachment) => this.#replica(attachment, model)),
      polls: polls.map(({ wallMs, poll }) => ({ ...poll, at: at(wallMs) })),
      gaps: this.#gaps.shown(at),
      marks: this.#marks.map(({ wallMs, label }) => ({ at: at(wallMs), label })),
      kept: this.#spill.kept,
      captureId: this.#captureId,
      endings: this.#endings,
    };
  }

  #replica(attachment: Attachment, model: Model | null): LivePicture["replicas"][number] {
    const { index } = attachment;
    const decodedTo = model?.decodedTo[index] ?? Number.NaN;
    return {
      ...attachment.shown(Date.now()),
      ...this.#counters[index].shown(),
      buffersBehind: this.#thread.behind(index),
      behindSeconds:
        model === null || Number.isNaN(decodedTo) ? null : Math.max(0, (model.now - decodedTo) / 1e6),
    };
  }

  async #stop(finish: () => Promise<void>): Promise<string | null> {
    this.#state = "stopping";
    await this.#attaching;
    const [primaries, others] = parted(this.#attachments);
    for (const some of [primaries, others]) {
      this.#endings.push(...(await Promise.all(some.map((attachment) => attachment.stop()))));
    }
    this.#final = await this.#lastPicture();
    await this.#thread.end();
    await this.#finish(finish);
    this.#state = "stopped";
    clearInterval(this.#timer);
    this.#tell(this.#final);
    this.#options.onStopped();
    return this.#captureId;
  }

  /** What was recorded stays on disk when it cannot be made a capture; the next start tries again. */
  async #finish(finish: () => Promise<void>): Promise<void> {
    try {
      await finish();
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

  async #keep(): Promise<void> {
    const files = await this.#spill.end();
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
      topology: mergedTopology(this.#attachments.map(({ topology }) => topology)),
      files,
    });
    if (this.#captureId === null) this.#endings.push("No event buffer came, so there is no capture.");
  }

  #keptReplicas(): KeptReplica[] {
    return this.#attachments.map(({ index, name, role }) => {
      const { primary, secondary } = this.#counters[index].bytesByRole;
      const longest = primary === secondary ? role : primary > secondary ? "primary" : "secondary";
      return { name, role: longest };
    });
  }
}

/** Primaries, and all others. */
function parted(attachments: readonly Attachment[]): [Attachment[], Attachment[]] {
  const isPrimary = ({ role }: Attachment): boolean => role === "primary";
  return [attachments.filter(isPrimary), attachments.filter((attachment) => !isPrimary(attachment))];
}
