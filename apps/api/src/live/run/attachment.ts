/** One replica of a run: connects, makes or finds the session, reads it, polls beside it, and comes back after a loss. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveLogin, LiveReplica, LiveServer } from "@aglens/contract";
import type { StreamRow } from "xel-parser/format";
import { backOff } from "./back-off.ts";
import { askEvents, askWho } from "../server/check.ts";
import { connect, whereIs } from "../server/connection.ts";
import type { Connection, Row } from "../server/connection.ts";
import { isPassing, LiveFailure } from "../server/failure.ts";
import { missingPermissions } from "../server/permissions.ts";
import { Poller } from "./poller.ts";
import type { LocalRole, PollReading } from "./polls.ts";
import {
  createOwnSession,
  dropOwnSession,
  expectRunning,
  startOwnSession,
  stopOwnSession,
} from "../server/session.ts";
import { dropSession, MAX_DURATION_HOURS, startSession, wantedEvents } from "../server/sql.ts";
import { openStream } from "./stream.ts";
import type { EventStream } from "./stream.ts";
import { askTopology } from "../server/topology.ts";
import type { ReplicaProposal, ServerTopology } from "../server/topology.ts";

/** What an attachment tells the run it belongs to. */
export interface AttachmentOwner {
  /** False when another attachment already reads this server. */
  claim(index: number, serverName: string): boolean;
  onRow(index: number, row: StreamRow): void;
  onPoll(index: number, reading: PollReading): void;
  /** Events that the session dropped since the last time. */
  onDropped(index: number, events: number): void;
  onTopology(index: number): void;
  onRole(index: number): void;
  /** Reading ended; a gap begins. */
  onLost(index: number, failure: LiveFailure): void;
}

export interface AttachmentRequest {
  readonly index: number;
  readonly server: LiveServer;
  /** A session that exists; null makes one. */
  readonly existing: string | null;
  /** Name of the session to make. */
  readonly newName: string;
  readonly withoutCommits: boolean;
}

type Status = Pick<LiveReplica, "state" | "step" | "problem">;

const LAST_ROWS_MS = 2_000;
const HOUR_MS = 3_600_000;
/** Attempts to drop a session after the first, and the pause between them. */
const END_ATTEMPTS = 4;
const END_PAUSE_MS = 1_000;

export class Attachment {
  readonly index: number;
  readonly session: string;
  readonly #request: AttachmentRequest;
  readonly #owner: AttachmentOwner;
  /** Only here, and only until the end of the run. */
  #login: LiveLogin | null;
  readonly #stopping = new AbortController();
  #status: Status = { state: "connecting", step: "connecting", problem: null };
  #who: Row = {};
  #topology: ServerTopology = { replicas: [], databases: [], notes: [] };
  #replica: ReplicaProposal | null = null;
  #control: Connection | null = null;
  #stream: EventStream | null = null;
  #poller: Poller | null = null;
  #failure: LiveFailure | null = null;
  #created = false;
  #startedAt = 0;
  #attempts = 0;
  #retryAt: number | null = null;
  #disconnects = 0;
  #following: Promise<void> = Promise.resolve();
  #wake: (() => void) | null = null;

  constructor(request: AttachmentRequest, login: LiveLogin, owner: AttachmentOwner) {
    this.index = request.index;
    this.session = request.existing ?? request.newName;
    this.#request = request;
    this.#login = login;
    this.#owner = owner;
  }

  get ownSession(): boolean {
    return this.#request.existing === null;
  }
  /** Name of the server as it calls itself, before that as the user does. */
  get name(): string {
    const told = this.#who["server_name"];
    return typeof told === "string" && told !== "" ? told : whereIs(this.#request.server);
  }
  get topology(): ServerTopology {
    return this.#topology;
  }
  get role(): ReplicaProposal["role"] {
    return this.#replica?.role ?? "unknown";
  }
  get replicaId(): string {
    return this.#replica?.replicaId ?? "";
  }
  get isReading(): boolean {
    return this.#status.state === "reading";
  }

  /** What the picture tells of this replica, without what the run counts. */
  shown(
    now: number,
  ): Pick<
    LiveReplica,
    | "index"
    | "name"
    | "replicaId"
    | "role"
    | "commitMode"
    | "state"
    | "step"
    | "session"
    | "ownSession"
    | "disconnects"
    | "problem"
    | "retryIn"
  > {
    return {
      index: this.index,
      name: this.name,
      replicaId: this.replicaId,
      role: this.role,
      commitMode: this.#replica?.commitMode ?? "undetermined",
      ...this.#status,
      session: this.session,
      ownSession: this.ownSession,
      disconnects: this.#disconnects,
      retryIn: this.#retryAt === null ? null : Math.max(0, Math.ceil((this.#retryAt - now) / 1000)),
    };
  }

  /** Connects, asks who is there and makes the session. A failure is kept and told, not thrown. */
  async prepare(): Promise<void> {
    await this.#attempt(() => this.#prepare());
  }

  /** Starts the session and reads it; nothing after a failed `prepare`. */
  async start(): Promise<void> {
    if (this.#failure === null) await this.#attempt(() => this.#start());
  }

  /** The replica that this server is in the group that the run looks at. */
  chooseGroup(group: string): void {
    const own = this.#topology.replicas.filter((replica) => replica.isThisServer);
    const found = own.find((replica) => replica.group === group) ?? own[0] ?? null;
    // Where the topology tells no role, as to a login that may not see definitions, the polls did.
    this.#replica = found?.role === "unknown" ? { ...found, role: this.role } : found;
  }

  /** Comes back after losses until the run stops or coming back makes no sense. */
  follow(): void {
    this.#following = this.#follow();
  }

  /** Ends reading; stops and drops the session if it was made here. @returns a sentence about it */
  async stop(): Promise<string> {
    this.#stopping.abort();
    await this.#following;
    try {
      return await this.#endDespiteLosses();
    } catch (error) {
      return this.#leftBehind(error);
    } finally {
      this.#poller?.stop();
      this.#control?.close();
      // The driver's connections hold what they logged in with.
      this.#control = null;
      this.#stream = null;
      this.#poller = null;
      this.#login = null;
    }
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#lose(error instanceof LiveFailure ? error : unexpected(error, this.name));
    }
  }

  async #prepare(): Promise<void> {
    this.#status = { state: "connecting", step: "connecting", problem: null };
    this.#retryAt = null;
    const control = await this.#connect();
    this.#control = control;
    this.#who = await this.#askWho(control);
    if (!this.#owner.claim(this.index, this.name)) {
      throw new LiveFailure(
        "live-same-server",
        `${control.where} is ${this.name}, which is attached already. Give each replica once.`,
      );
    }
    this.#refuseWithoutPermission();
    await this.#askTopology(control);
    if (this.ownSession) await this.#create(control);
    else await expectRunning(control, this.session);
    this.#status = { state: "created", step: "created", problem: null };
  }

  /** The server that was met first; a listener's name leads elsewhere after a failover, where the session is not. */
  async #askWho(control: Connection): Promise<Row> {
    const who = await askWho(control);
    if (this.#who["server_name"] === undefined || this.#who["server_name"] === who["server_name"]) return who;
    throw new LiveFailure(
      "live-other-server",
      `${control.where} is ${String(who["server_name"])} now and was ${this.name}. Give the replica's own host and port instead of a listener's.`,
    );
  }

  #refuseWithoutPermission(): void {
    const missing = missingPermissions(this.#who, this.ownSession).find(({ blocking }) => blocking);
    if (missing === undefined) return;
    throw new LiveFailure(
      "live-permission",
      `The login lacks ${missing.permission} on ${this.name}. ${missing.consequence}`,
      missing.grant,
    );
  }

  async #askTopology(control: Connection): Promise<void> {
    this.#topology = await askTopology(control, this.#major, this.name);
    this.chooseGroup(this.#replica?.group ?? "");
    this.#owner.onTopology(this.index);
  }

  async #create(control: Connection): Promise<void> {
    const { events } = await askEvents(control);
    const wanted = wantedEvents(this.#request.withoutCommits);
    // A line that breaks after the statement leaves a session behind whose making was never confirmed.
    this.#created = true;
    try {
      await createOwnSession(control, {
        name: this.session,
        major: this.#major,
        events: events.filter(({ name }) => wanted.includes(name)),
        databaseIds: this.#topology.databases.map(({ databaseId }) => databaseId),
      });
    } catch (error) {
      this.#created = error instanceof LiveFailure && isPassing(error);
      throw error;
    }
  }

  async #start(): Promise<void> {
    const control = this.#control as Connection;
    if (this.ownSession) {
      this.#created = true;
      await startOwnSession(control, this.session);
      this.#startedAt = Date.now();
    }
    this.#status = { state: "started", step: "started", problem: null };
    const reader = await this.#connect();
    this.#stream = await openStream(reader, this.session, (row) => this.#takeRow(row));
    this.#stream.ended.catch((failure: LiveFailure) => this.#lose(failure));
    control.onEnd(() => this.#loseOf(control));
    this.#status = { state: "reading", step: "reading", problem: null };
    this.#poll(control);
  }

  #poll(control: Connection): void {
    this.#poller = new Poller(control, this.#major, this.session, {
      onReading: (reading) => this.#owner.onPoll(this.index, reading),
      onDropped: (events) => this.#owner.onDropped(this.index, events),
      onRoles: (roles) => this.#takeRoles(roles, control),
      onSilent: (failure) => this.#lose(failure),
    });
  }

  #takeRow(row: StreamRow): void {
    this.#attempts = 0;
    this.#owner.onRow(this.index, row);
  }

  #takeRoles(roles: readonly LocalRole[], control: Connection): void {
    const own = roles.find(({ replicaId }) => replicaId === this.replicaId);
    if (this.#replica === null || !own?.role || own.role === this.role) return;
    this.#replica = { ...this.#replica, role: own.role };
    this.#owner.onRole(this.index);
    // What a primary and a secondary know of the group differs.
    this.#askTopology(control).catch(() => {});
  }

  #loseOf(control: Connection): void {
    if (this.#control === control)
      this.#lose(new LiveFailure("live-connection-lost", `The connection to ${this.name} was lost.`));
  }

  /** Closes what is open and tells it once; `follow` decides what comes next. */
  #lose(failure: LiveFailure): void {
    if (this.#failure !== null || this.#stopping.signal.aborted) return;
    this.#failure = failure;
    if (failure.code === "live-disconnected") this.#disconnects += 1;
    this.#status = { ...this.#status, problem: problemOf(failure) };
    this.#poller?.stop();
    void this.#stream?.stop();
    this.#control?.close();
    this.#control = null;
    this.#stream = null;
    this.#owner.onLost(this.index, failure);
    this.#wake?.();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    signal.addEventListener("abort", () => this.#wake?.());
    while (!signal.aborted) {
      const failure = this.#failure ?? (await this.#nextFailure());
      if (failure === null) return;
      if (!this.#mayComeBack(failure)) return this.#giveUp(failure);
      await this.#wait(failure);
      if (signal.aborted) return;
      this.#failure = null;
      await this.prepare();
      await this.start();
    }
  }

  /** @returns null when the run stops first */
  async #nextFailure(): Promise<LiveFailure | null> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#failure !== null || this.#stopping.signal.aborted) resolve();
    });
    this.#wake = null;
    return this.#stopping.signal.aborted ? null : this.#failure;
  }

  /** A session that ended after its time is started again, one that somebody stopped is not. */
  #mayComeBack(failure: LiveFailure): boolean {
    if (isPassing(failure)) return true;
    const ranOut = Date.now() - this.#startedAt > MAX_DURATION_HOURS * HOUR_MS - 60_000;
    return failure.code === "live-session-stopped" && this.ownSession && this.#startedAt > 0 && ranOut;
  }

  #giveUp(failure: LiveFailure): void {
    const helps = failure.code === "live-session-stopped" ? startSession(this.session) : failure.sql;
    this.#status = { ...this.#status, state: "failed", problem: { ...problemOf(failure), sql: helps } };
  }

  async #wait(failure: LiveFailure): Promise<void> {
    const ms = backOff(this.#attempts++);
    this.#retryAt = Date.now() + ms;
    this.#status = { ...this.#status, state: "waiting", problem: problemOf(failure) };
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  /** A replica that is just coming back gets a few more seconds, so that no session stays on it. */
  async #endDespiteLosses(): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#end(); // oxlint-disable-line no-await-in-loop -- one attempt after the other
      } catch (error) {
        if (!(error instanceof LiveFailure) || !isPassing(error) || attempt === END_ATTEMPTS) throw error;
        this.#control?.close();
        this.#control = null;
        await sleep(END_PAUSE_MS); // oxlint-disable-line no-await-in-loop
      }
    }
  }

  async #end(): Promise<string> {
    if (!this.ownSession) {
      await this.#stream?.stop();
      return `AG Lens no longer reads the session ${this.session} on ${this.name}, which was there before and goes on.`;
    }
    if (!this.#created) return `No session was made on ${this.name}.`;
    const control = this.#control ?? (await this.#connectToDrop());
    await stopOwnSession(control, this.session);
    // The server still sends what it held back for the dispatch latency, and then ends the stream.
    if (this.#stream) await Promise.race([this.#stream.ended.catch(() => {}), sleep(LAST_ROWS_MS)]);
    await this.#stream?.stop();
    await dropOwnSession(control, this.session);
    this.#status = { state: "dropped", step: "dropped", problem: this.#status.problem };
    return `Session ${this.session} was dropped on ${this.name} and is gone.`;
  }

  #leftBehind(error: unknown): string {
    const why = error instanceof LiveFailure ? error.message : "It could not be reached.";
    const sql = dropSession(this.session);
    this.#status = {
      ...this.#status,
      state: "failed",
      problem: { code: "live-left-behind", detail: why, sql },
    };
    return `Session ${this.session} could not be dropped on ${this.name}: ${why} Run there: ${sql}`;
  }

  async #connectToDrop(): Promise<Connection> {
    const control = await connect(this.#request.server, this.#login as LiveLogin);
    this.#control = control;
    await this.#askWho(control);
    return control;
  }

  async #connect(): Promise<Connection> {
    return connect(this.#request.server, this.#login as LiveLogin, this.#stopping.signal);
  }

  get #major(): number {
    return Number(this.#who["major_version"]);
  }
}

function problemOf({ code, message, sql }: LiveFailure): NonNullable<LiveReplica["problem"]> {
  return { code, detail: message, sql };
}

/** What nobody foresaw is told without its text, which might hold anything. */
function unexpected(error: unknown, name: string): LiveFailure {
  const kind = error instanceof Error ? error.name : "error";
  return new LiveFailure("live-statement-failed", `Attaching to ${name} failed unexpectedly (${kind}).`);
}
