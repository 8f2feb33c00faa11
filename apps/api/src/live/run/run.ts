/** One live run: its replicas, its files on disk, and its end. `run-view.ts` has its picture. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { LiveMark, LivePicture, NewLiveRun } from "@aglens/contract";
import type { EvidenceEvent } from "@aglens/evidence";
import type { StageCount } from "@aglens/ag-model/live";
import type { Topology } from "@aglens/ag-model/replication";
import type { PolledGroup } from "@aglens/ag-model/watch";
import type { StreamRow } from "xel-parser/format";
import type { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { problem } from "@aglens/engine/problems";
import type { Patience } from "../server/connection.ts";
import type { LiveFailure } from "../server/failure.ts";
import type { LeftBehind } from "../server/left-sessions.ts";
import { whereIs } from "../server/connection.ts";
import { newSessionName } from "../server/session-name.ts";
import { commonGroup, containedSystemDatabases, mergedTopology } from "../server/topology.ts";
import { Attachment } from "./attachment.ts";
import type { AttachmentOwner } from "./attachment.ts";
import { writeEvidence } from "./evidence-files.ts";
import type { EvidenceFile, ServerEvents } from "./evidence-files.ts";
import type { GapReason } from "./gaps.ts";
import { isSameName, unattachedReplicas } from "./known-replicas.ts";
import type { KeptReplica, KeptRun } from "./keep.ts";
import { missingOf } from "./missing.ts";
import { amountDropped } from "./polls.ts";
import type { LocalRole } from "./poll-databases.ts";
import type { Dropped, PollReading } from "./polls.ts";
import type { SessionRequest } from "./replica-session.ts";
import { Happened } from "./happened.ts";
import { RunView } from "./run-view.ts";
import type { RunState, RunViewOwner } from "./run-view.ts";
import { Spill } from "./spill.ts";
import type { SpilledFile } from "./spill.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Events of the servers are written at most this often. */
const WRITE_EVIDENCE_MS = 10_000;
/** The limit of a request for a run. */
const MOST_REPLICAS = 9;
/** A poll that is older says nothing about now: polls are a second apart. */
const POLL_COUNTS_MS = 10_000;
/** Without a sign of life from a client with the control key for so long, the run stops and keeps its data. */
const ABANDONED_MS = 60_000;

/** Makes a capture of a run's kept data. @returns its id, null when there is nothing to keep */
export type KeepRun = (run: KeptRun) => Promise<string | null>;

/** A replica in a request. */
export type RunReplica = z.infer<typeof NewLiveRun>["replicas"][number];

export interface RunOptions {
  readonly request: z.infer<typeof NewLiveRun>;
  /** No client has to be connected: the run ends by `stop` only. */
  readonly isUnattended?: boolean;
  /** Name of the group to read, where its servers have several; absent: the one of most of them. */
  readonly group?: string | undefined;
  /** Events of the last seconds are held in memory, and nothing is recorded until `record`; absent or null: recorded at once. */
  readonly ringSeconds?: number | null;
  readonly directory: string;
  /** On disk. */
  readonly keepBytes: number;
  /** Bytes of memory that the picture may use. */
  readonly memoryBytes: number;
  /** Throws before the disk has too little space for so many more bytes. */
  readonly expectRoom: (bytes: number) => Promise<void>;
  readonly keep: KeepRun;
  /** The same for a part with its files in a directory of its own, which is removed. */
  readonly keepPart: (part: KeptRun, directory: string) => Promise<string | null>;
  /** Deletes the data on disk. */
  readonly discard: () => Promise<void>;
  /**
   * Stores the replicas of the files in the directory and the sessions on servers, in case this process is interrupted.
   */
  readonly note: (note: Pick<KeptRun, "replicas" | "topology" | "marks">) => Promise<void>;
  readonly onStopped: () => void;
  /**
   * Durations of blocks and commits that are recorded, each once.
   * @param replicaIds availability_replica_ids of the group that are known
   */
  readonly onCounts: (group: string, counts: readonly StageCount[], replicaIds: readonly string[]) => void;
  /** Takes over a session that could not be dropped. */
  readonly onLeftBehind: (left: LeftBehind) => void;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly log: (message: string, code: string) => void;
}

/** Why events that arrived did not become a capture. */
export interface RunFailure {
  readonly sentence: string;
  /** The next start makes the capture. */
  readonly isOnDisk: boolean;
}

/** Handles a run's files, which are complete and closed by then. */
type Finish = (files: SpilledFile[]) => Promise<void>;

const GAP_REASONS: Readonly<Record<string, GapReason>> = {
  "live-disconnected": "disconnectedByServer",
  "live-session-stopped": "sessionStopped",
};

export class LiveRun implements AttachmentOwner, RunViewOwner {
  /** The request is not kept: it contains the logins, which only the attachments have, until they stop. */
  readonly #options: Omit<RunOptions, "request">;
  readonly #title: string;
  /** Name of all sessions that this run creates. */
  readonly #sessionName: string;
  readonly #withoutCommits: boolean;
  readonly #attachments: Attachment[];
  readonly #happened: Happened;
  readonly #view: RunView;
  readonly #spill: Spill;
  /** Which attachment reads a server, by the server's name. */
  readonly #claimed = new Map<string, Attachment>();
  /** Replicas that were read at some time. */
  readonly #wasRead = new Set<Attachment>();
  readonly #endSeconds: () => void;
  /** The last poll of each replica, and its time. */
  readonly #polled = new Map<Attachment, { readonly reading: PollReading; readonly atMs: number }>();
  #endings: string[] = [];
  /** Events before the recording that are held in memory, ms; 0 without a ring. */
  readonly #ringMs: number;
  /** Begin of the recording, ms since 1970; undefined: of the run. */
  #recordedSince: number | undefined;
  /** Time at which it stops automatically, ms since 1970. */
  #stopsAt: number | null = null;
  #keptParts = 0;
  #state: LivePicture["state"] = "attaching";
  #captureId: string | null = null;
  #failure: RunFailure | null = null;
  /** `Happened.changes` of the last writing, its time, and all writing so far. */
  readonly #written: { changes: number; at: number; all: Promise<unknown> };
  /** Whether AlwaysOn_health of the replicas is read. */
  #readsHealth = false;
  /** The last sign of life, ms since 1970. */
  #seen: number;
  #attaching: Promise<void> = Promise.resolve();
  #stopped: Promise<string | null> | null = null;

  constructor(options: RunOptions) {
    const { request, ...others } = options;
    const { clock } = others;
    const { withoutCommits } = request;
    this.#options = others;
    this.#title = request.title;
    this.#seen = clock.now();
    this.#written = { changes: 0, at: clock.now(), all: Promise.resolve() };
    this.#sessionName = newSessionName(hostname(), new Date(clock.now()));
    this.#withoutCommits = withoutCommits;
    this.#attachments = request.replicas.map((replica, index) => this.#attachmentOn(replica, index));
    this.#spill = new Spill(
      others.directory,
      this.#attachments.length,
      others.keepBytes,
      undefined,
      others.expectRoom,
    );
    this.#ringMs = (others.ringSeconds ?? 0) * SECOND_MS;
    if (this.#ringMs > 0) this.#spill.hold(this.#ringMs);
    this.#happened = new Happened(this.#attachments);
    this.#view = new RunView(this.#attachments, clock, this, others.memoryBytes, this.#happened);
    this.stopAfter(request.stopAfterMinutes);
    this.#endSeconds = clock.every(SECOND_MS, () => this.#second());
  }

  /** Names of the sessions that this run makes; no leftovers. */
  get sessions(): readonly string[] {
    return this.#attachments.filter(({ session }) => session.isOwn).map(({ session }) => session.name);
  }
  get isOver(): boolean {
    return this.#state === "stopped";
  }

  /** Null where the events became a capture, or none arrived. */
  get failure(): RunFailure | null {
    return this.#failure;
  }

  /** Attaches: secondaries start first, so that each block that is seen leaving is also seen arriving. */
  begin(): void {
    this.#attaching = this.#attach();
  }

  /** Resolves when each replica is read, or has failed for the first time. */
  async attached(): Promise<LivePicture["replicas"]> {
    await this.#attaching;
    return (await this.whole()).replicas;
  }

  /** Begins to record with the events that the ring holds. @param label of the mark at this time */
  record(label: string): void {
    this.#recordedSince = this.#options.clock.now() - this.#ringMs;
    this.#spill.letGo(this.#recordedSince);
    this.mark(label, true);
  }

  /** A sign of life from a client with the control key. */
  present(): void {
    this.#seen = this.#options.clock.now();
  }

  mark(label: string, byRule = false): z.infer<typeof LiveMark> {
    const mark = this.#view.mark(label, byRule);
    void this.#note();
    return mark;
  }

  /**
   * Attaches one more replica, which joins the picture with a mark. A replica that failed before is attached by the new
   * address and login. @returns its index @throws ProblemError
   */
  add(replica: RunReplica): number {
    const index = this.#attachments.length;
    if (this.#state !== "running" && this.#state !== "attaching") {
      throw problem("live-run-ending", "Can't add a replica: the run is ending.");
    }
    const unread = this.#attachments.find((attachment) => attachment.isUnread && isFor(attachment, replica));
    if (unread !== undefined) {
      unread.changeAccess(this.#sessionRequest(replica), replica.login, replica.serverName);
      return unread.index;
    }
    if (index >= MOST_REPLICAS)
      throw problem("live-too-many-replicas", `A run can read ${MOST_REPLICAS} replicas at most.`);
    const attachment = this.#attachmentOn(replica, index);
    attachment.health.switchTo(this.#readsHealth);
    this.#attachments.push(attachment);
    this.#spill.addReplica();
    this.#view.add(attachment);
    this.#attaching = this.#attaching.then(() => this.#join(attachment));
    return index;
  }

  /** Begins or ends to read AlwaysOn_health of all replicas. */
  readHealth(isOn: boolean): void {
    this.#readsHealth = isOn;
    for (const { health } of this.#attachments) health.switchTo(isOn);
  }

  /** Stops and keeps the run so many minutes from now; null: only on request. */
  stopAfter(minutes: number | null): void {
    this.#stopsAt = minutes === null ? null : this.#options.clock.now() + minutes * MINUTE_MS;
  }

  /**
   * Makes a capture of the last minutes; the run continues. @returns its id, null when no events arrived in that time
   */
  async keepLast(minutes: number): Promise<string | null> {
    const { clock, directory, keepPart } = this.#options;
    this.#keptParts += 1;
    const aside = join(directory, `part-${this.#keptParts}`);
    const since = clock.now() - minutes * MINUTE_MS;
    const files = await this.#spill.copySince(since, aside);
    const title = `${this.#title}, last ${minutes} min`;
    const kept = {
      title,
      replicas: this.#keptReplicas(),
      topology: this.#topology(),
      marks: this.#view.recordedMarks(since),
      files,
      evidence: files.length === 0 ? [] : await writeEvidence(aside, this.#serverEvents(since)),
    };
    const id = await keepPart(kept, aside);
    if (id !== null) this.#view.mark(`last ${minutes} min kept`, true);
    return id;
  }

  /** Names of its replicas, as far as they are known. */
  get names(): readonly string[] {
    return this.#attachments.map(({ name }) => name);
  }

  /** Name of a replica, as far as it is known. @throws ProblemError */
  nameOf(index: number): string {
    return this.#attachmentOf(index).name;
  }

  /** Attaches again a replica that was given up, or waits. @throws ProblemError */
  tryAgain(index: number): void {
    this.#attachmentOf(index).tryAgain();
  }

  /**
   * The last statement of a session on a replica's server; null when the session has ended. @throws LiveFailure,
   * ProblemError
   */
  lastStatement(index: number, session: number): Promise<string | null> {
    return this.#attachmentOf(index).lastStatement(session);
  }

  /** The complete picture, for a client without one. */
  whole(): Promise<LivePicture> {
    return this.#view.whole();
  }

  /** @throws ProblemError when no more databases can be looked at alone */
  expectRoomFor(database: string | null): void {
    this.#view.expectRoomFor(database);
  }

  /**
   * Sends the complete picture and then changes, each as JSON, until the returned function is called.
   * @param database selects the database for lanes, figures and verdict; null: all @throws ProblemError
   */
  follow(follower: (json: string) => void, database: string | null = null): Promise<() => void> {
    return this.#view.follow(follower, database);
  }

  /** Ends the run. @param keep false deletes its recorded data @returns id of the capture it became */
  stop(keep: boolean): Promise<string | null> {
    this.#stopped ??= this.#stop(keep ? (files) => this.#keep(files) : () => this.#options.discard());
    return this.#stopped;
  }

  /** Ends the run but leaves its files where they are, for the next start to pick up. */
  async leave(): Promise<void> {
    this.#stopped ??= this.#stop(async () => void (await this.#writeEvidence()));
    await this.#stopped;
  }

  state(): RunState {
    return {
      state: this.#state,
      title: this.#title,
      kept: this.#spill.kept,
      captureId: this.#captureId,
      endings: this.#endings,
      readsHealth: this.#readsHealth,
      unattached: unattachedReplicas(
        parted(this.#attachments)
          .flat()
          .map(({ identity }) => identity),
      ),
      stopsAt: this.#stopsAt === null ? null : new Date(this.#stopsAt).toISOString(),
      containedSystemDatabases: containedSystemDatabases(
        this.#attachments.map(({ identity }) => identity.topology),
      ),
    };
  }

  /** The group with its replicas as the last polls found them; replicas without a poll have none. */
  polled(): PolledGroup {
    const oldest = this.#options.clock.now() - POLL_COUNTS_MS;
    const attached = this.#attachments.map((attachment) => {
      const { name: serverName, replicaId, role, commitMode } = attachment.identity;
      const polled = this.#polled.get(attachment);
      const reading = polled !== undefined && polled.atMs >= oldest ? polled.reading : null;
      return { serverName, replicaId, role, commitMode, reading };
    });
    const others = this.state().unattached.map(({ name, ...replica }) => ({
      ...replica,
      serverName: name,
      reading: null,
    }));
    return { group: this.#group, replicas: [...attached, ...others] };
  }

  /** Empty while it is unknown. */
  get #group(): string {
    return this.#attachments.find(({ identity }) => identity.group !== "")?.identity.group ?? "";
  }

  get #groupToRead(): string {
    return commonGroup(
      this.#attachments.map(({ identity }) => identity.topology),
      this.#options.group,
    );
  }

  claim(attachment: Attachment, serverName: string): boolean {
    const key = serverName.toLowerCase();
    const holder = this.#claimed.get(key) ?? attachment;
    this.#claimed.set(key, holder);
    return holder === attachment;
  }

  onRow(attachment: Attachment, row: StreamRow): void {
    attachment.counters.took(row.data.byteLength, attachment.identity.role);
    this.#spill.append(attachment.index, row, this.#options.clock.now());
    this.#view.takeRow(attachment, row);
  }

  onPoll(attachment: Attachment, reading: PollReading, atMs: number): void {
    this.#polled.set(attachment, { reading, atMs });
    this.#view.takePoll(attachment, reading, atMs);
    this.#happened.takePoll(attachment, reading, atMs);
  }

  onPolledRole(attachment: Attachment, role: LocalRole, sinceMs: number, atMs: number): void {
    this.#happened.takeRole(attachment, role, sinceMs, atMs);
  }

  onHealth(attachment: Attachment, events: readonly EvidenceEvent[]): void {
    this.#happened.takeHealth(attachment, events);
  }

  onDropped(attachment: Attachment, dropped: Dropped): void {
    attachment.counters.lostByServer(dropped);
    this.#view.takeDropped(
      attachment,
      `${attachment.name} dropped ${amountDropped(dropped)}: the buffers of its session were full.`,
    );
  }

  onTopology(attachment: Attachment): void {
    this.#view.setRole(attachment);
    this.#view.setTopology(this.#topology());
    void this.#note();
  }

  onCreating(): Promise<void> {
    return this.#note();
  }

  onRole(attachment: Attachment): void {
    this.onTopology(attachment);
  }

  onReading(attachment: Attachment): void {
    void this.#note();
    if (this.#wasRead.has(attachment)) return;
    this.#wasRead.add(attachment);
    if (this.#state === "running") this.#view.mark(`${attachment.name} attached`, true);
  }

  onLeftBehind(left: LeftBehind): void {
    this.#options.onLeftBehind(left);
  }

  onLost(attachment: Attachment, failure: LiveFailure): void {
    this.#options.log("a replica was lost", failure.code);
    this.#view.takeLoss(attachment, GAP_REASONS[failure.code] ?? "connection", failure.message);
  }

  onCounts(counts: readonly StageCount[]): void {
    // Events of a ring may never be recorded.
    if (this.#ringMs > 0 && this.#recordedSince === undefined) return;
    const group = this.#group;
    const replicas = this.#attachments.flatMap(({ identity }) => identity.topology.replicas);
    const replicaIds = replicas.filter((each) => each.group === group).map(({ replicaId }) => replicaId);
    this.#options.onCounts(group, counts, replicaIds);
  }

  onFailed(error: Error): void {
    this.#options.log("the picture's thread failed", error.name);
    this.#endings.push(
      "AG Lens couldn't update the picture. It stopped the run and saved the events that it had read.",
    );
    void this.stop(true);
  }

  async #attach(): Promise<void> {
    await Promise.all(this.#attachments.map((attachment) => attachment.prepare()));
    const group = this.#groupToRead;
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

  /** @throws ProblemError */
  #attachmentOf(index: number): Attachment {
    const attachment = this.#attachments[index];
    if (attachment !== undefined) return attachment;
    throw problem("live-no-replica", `This run has ${this.#attachments.length} replicas.`);
  }

  #attachmentOn(replica: RunReplica, index: number): Attachment {
    return new Attachment(index, this.#sessionRequest(replica), replica.login, replica.serverName, this);
  }

  #sessionRequest({ server, session, everyDatabase }: RunReplica): SessionRequest {
    const { clock, patience } = this.#options;
    return {
      server,
      existing: session ?? null,
      newName: this.#sessionName,
      withoutCommits: this.#withoutCommits,
      everyDatabase,
      clock,
      patience,
    };
  }

  async #join(attachment: Attachment): Promise<void> {
    await attachment.prepare();
    attachment.identity.chooseGroup(this.#groupToRead);
    this.onRole(attachment);
    await attachment.start();
    attachment.follow();
  }

  /** Stores data for the next process, in case this one is interrupted. */
  #note(): Promise<void> {
    return this.#options.note({
      replicas: this.#keptReplicas(),
      topology: this.#topology(),
      marks: this.#view.recordedMarks(),
    });
  }

  #topology(): Topology {
    const identities = this.#attachments.map(({ identity }) => identity);
    const serverOffsets = identities.flatMap(({ replicaId, utcOffsetMinutes }) =>
      replicaId === "" || utcOffsetMinutes === null ? [] : [[replicaId, utcOffsetMinutes] as const],
    );
    return {
      ...mergedTopology(identities.map(({ topology }) => topology)),
      serverOffsets: new Map(serverOffsets),
    };
  }

  #serverEvents(sinceMs?: number): ServerEvents[] {
    return this.#attachments.map((attachment) => ({
      replica: attachment.index,
      server: attachment.name,
      events: this.#happened.eventsOf(attachment, sinceMs),
      groups: this.#happened.groups,
    }));
  }

  /** Stores the servers' events, for the capture, or the next process in case this one is interrupted. */
  #writeEvidence(): Promise<EvidenceFile[]> {
    const written = this.#written;
    written.changes = this.#happened.changes;
    written.at = this.#options.clock.now();
    const events = this.#serverEvents(this.#recordedSince);
    const writing = written.all.then(() => writeEvidence(this.#options.directory, events));
    written.all = writing.catch((error: unknown) => {
      this.#options.log("events of servers were not written", error instanceof Error ? error.name : "");
    });
    return writing;
  }

  #second(): void {
    for (const { counters } of this.#attachments) counters.second();
    this.#view.second();
    const { changes, at } = this.#written;
    const isDue = this.#options.clock.now() - at >= WRITE_EVIDENCE_MS;
    if (this.#stopped === null && isDue && changes !== this.#happened.changes)
      void this.#writeEvidence().catch(() => {});
    const isAbandoned = this.#options.clock.now() - this.#seen > ABANDONED_MS;
    if (this.#stopped === null && isAbandoned && this.#options.isUnattended !== true) {
      this.#endings.push(
        "No browser with the control key was connected for a minute. AG Lens stopped and saved the run.",
      );
      void this.stop(true);
    } else if (
      this.#stopped === null &&
      this.#stopsAt !== null &&
      this.#options.clock.now() >= this.#stopsAt
    ) {
      this.#endings.push("AG Lens stopped and saved the run at the set time.");
      void this.stop(true);
    }
  }

  async #stop(finish: Finish): Promise<string | null> {
    this.#state = "stopping";
    for (const attachment of this.#attachments) attachment.giveUp();
    await this.#attaching;
    // The order matters only for replicas that are read: each block that is seen leaving must also be seen arriving.
    const unread = this.#attachments.filter(({ isReading }) => !isReading);
    const [primaries, others] = parted(this.#attachments.filter(({ isReading }) => isReading));
    for (const some of [[...primaries, ...unread], others]) {
      this.#endings.push(...(await Promise.all(some.map((attachment) => attachment.stop()))));
    }
    await this.#note();
    await this.#view.end();
    await this.#written.all;
    await this.#finish(finish);
    this.#state = "stopped";
    this.#endSeconds();
    this.#view.publishLast();
    this.#options.onStopped();
    return this.#captureId;
  }

  /** Recorded files stay on disk when they cannot be made a capture; the next start tries again. */
  async #finish(finish: Finish): Promise<void> {
    try {
      await finish(await this.#spill.end());
    } catch (error) {
      this.#options.log("a run could not be kept", error instanceof Error ? error.message : "");
      const sentence = "Can't create the capture. AG Lens retries at its next start.";
      this.#failure = { sentence, isOnDisk: true };
      this.#endings.push(sentence);
    }
  }

  async #keep(files: SpilledFile[]): Promise<void> {
    this.#endings.push(...missingOf(this.#spill.kept, this.#spill.failure !== null));
    const evidence = await this.#writeEvidence();
    this.#captureId = await this.#options.keep({
      title: this.#title,
      replicas: this.#keptReplicas(),
      topology: this.#topology(),
      marks: this.#view.recordedMarks(this.#recordedSince),
      files,
      evidence,
    });
    if (this.#captureId !== null) return;
    const isLost = this.#spill.failure !== null;
    const sentence = `${isLost ? "The disk took no event buffers" : "No event buffer arrived"}, so there is no capture.`;
    if (isLost) this.#failure = { sentence, isOnDisk: false };
    this.#endings.push(sentence);
  }

  #keptReplicas(): KeptReplica[] {
    return this.#attachments.map(({ identity: { name, role }, counters, sessionThere: session }) => {
      const { primary, secondary } = counters.bytesByRole;
      const longest = primary === secondary ? role : primary > secondary ? "primary" : "secondary";
      return { name, role: longest, session };
    });
  }
}

/** Whether a request names the replica that an attachment is for. */
function isFor({ identity: { name, address } }: Attachment, { server, serverName }: RunReplica): boolean {
  return isSameName(name, serverName) || isSameName(whereIs(address), whereIs(server));
}

/** Primaries, and all others. */
function parted(attachments: readonly Attachment[]): [Attachment[], Attachment[]] {
  const isPrimary = ({ identity }: Attachment): boolean => identity.role === "primary";
  return [attachments.filter(isPrimary), attachments.filter((attachment) => !isPrimary(attachment))];
}
