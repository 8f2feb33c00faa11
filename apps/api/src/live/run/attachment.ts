/** One replica of a run: connects, makes or finds the session, reads it, polls beside it, and comes back after a loss. */
import type { LiveLogin, LiveReplica, LiveServer } from "@aglens/contract";
import type { StreamRow } from "xel-parser/format";
import { pause } from "../../clock.ts";
import type { Clock } from "../../clock.ts";
import { askEvents, askWho } from "../server/check.ts";
import { connect, whereIs } from "../server/connection.ts";
import type { Connection, Patience, Row } from "../server/connection.ts";
import { isPassing, LiveFailure } from "../server/failure.ts";
import { missingPermissions } from "../server/permissions.ts";
import {
  createOwnSession,
  dropOwnSession,
  expectRunning,
  startOwnSession,
  stopOwnSession,
} from "../server/session.ts";
import { dropSession, MAX_DURATION_HOURS, startSession, wantedEvents } from "../server/sql.ts";
import { askTopology } from "../server/topology.ts";
import { backOff } from "./back-off.ts";
import { Counters } from "./counters.ts";
import { Poller } from "./poller.ts";
import type { Dropped, LocalRole, PollReading } from "./polls.ts";
import { ReplicaIdentity } from "./replica-identity.ts";
import { openStream } from "./stream.ts";
import type { EventStream } from "./stream.ts";

/** What an attachment reports to the run it belongs to. */
export interface AttachmentOwner {
  /** False when another attachment already reads this server. */
  claim(attachment: Attachment, serverName: string): boolean;
  onRow(attachment: Attachment, row: StreamRow): void;
  onPoll(attachment: Attachment, reading: PollReading): void;
  /** What the session dropped since the last time. */
  onDropped(attachment: Attachment, dropped: Dropped): void;
  onTopology(): void;
  onRole(attachment: Attachment): void;
  /** Reading ended; a gap begins. */
  onLost(attachment: Attachment, failure: LiveFailure): void;
}

export interface AttachmentRequest {
  readonly index: number;
  readonly server: LiveServer;
  /** A session that exists; null makes one. */
  readonly existing: string | null;
  /** Name of the session to make. */
  readonly newName: string;
  readonly withoutCommits: boolean;
  readonly clock: Clock;
  readonly patience: Patience;
}

type Status = Pick<LiveReplica, "state" | "step" | "problem">;

const LAST_ROWS_MS = 2_000;
const HOUR_MS = 3_600_000;
/** A session that ends this close to its time has run out; nobody stopped it. */
const RAN_OUT_WITHIN_MS = 60_000;
/** Attempts to drop a session after the first, and the pause between them. */
const END_ATTEMPTS = 4;
const END_PAUSE_MS = 1_000;

export class Attachment {
  readonly index: number;
  readonly session: string;
  readonly identity: ReplicaIdentity;
  /** What the run counts of this replica's stream. */
  readonly counters = new Counters();
  readonly #request: AttachmentRequest;
  readonly #owner: AttachmentOwner;
  /** Only here, and only until the end of the run. */
  #login: LiveLogin | null;
  readonly #stopping = new AbortController();
  #status: Status = { state: "connecting", step: "connecting", problem: null };
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
    this.identity = new ReplicaIdentity(whereIs(request.server));
    this.#request = request;
    this.#login = login;
    this.#owner = owner;
  }

  get ownSession(): boolean {
    return this.#request.existing === null;
  }
  get name(): string {
    return this.identity.name;
  }
  get isReading(): boolean {
    return this.#status.state === "reading";
  }

  /** What the picture says of this replica, without what the run counts. */
  description(
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
    const { name, replicaId, role, commitMode } = this.identity;
    return {
      index: this.index,
      name,
      replicaId,
      role,
      commitMode,
      ...this.#status,
      session: this.session,
      ownSession: this.ownSession,
      disconnects: this.#disconnects,
      retryIn: this.#retryAt === null ? null : Math.max(0, Math.ceil((this.#retryAt - now) / 1000)),
    };
  }

  /** Connects, asks who is there and makes the session. A failure is kept and shown, not thrown. */
  async prepare(): Promise<void> {
    await this.#attempt(() => this.#prepare());
  }

  /** Starts the session and reads it; nothing after a failed `prepare`. */
  async start(): Promise<void> {
    if (this.#failure === null) await this.#attempt(() => this.#start());
  }

  /** Comes back after losses until the run stops or coming back makes no sense. */
  follow(): void {
    this.#following = this.#follow();
  }

  /** Gives up at once whatever is still being attached; what is read already is read until `stop`. */
  giveUp(): void {
    this.#stopping.abort();
    if (this.isReading) return;
    this.#control?.close();
    this.#control = null;
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
    if (this.#stopping.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.#lose(error instanceof LiveFailure ? error : unexpected(error, this.name));
    }
  }

  async #prepare(): Promise<void> {
    this.#status = { state: "connecting", step: "connecting", problem: null };
    this.#retryAt = null;
    const control = await this.#connect(this.#stopping.signal);
    this.#control = control;
    this.identity.setWho(await this.#askWho(control));
    if (!this.#owner.claim(this, this.name)) {
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

  async #askWho(control: Connection): Promise<Row> {
    const who = await askWho(control);
    if (this.identity.isSame(who)) return who;
    throw new LiveFailure(
      "live-other-server",
      `${control.where} is ${String(who["server_name"])} now and was ${this.name}. Give the replica's own host and port instead of a listener's.`,
    );
  }

  #refuseWithoutPermission(): void {
    const missing = missingPermissions(this.identity.who, this.ownSession).find(({ blocking }) => blocking);
    if (missing === undefined) return;
    throw new LiveFailure(
      "live-permission",
      `The login lacks ${missing.permission} on ${this.name}. ${missing.consequence}`,
      missing.grant,
    );
  }

  async #askTopology(control: Connection): Promise<void> {
    this.identity.setTopology(await askTopology(control, this.identity.major, this.name));
    this.#owner.onTopology();
  }

  async #create(control: Connection): Promise<void> {
    const { events } = await askEvents(control);
    const wanted = wantedEvents(this.#request.withoutCommits);
    // A line that breaks after the statement leaves a session behind whose making was never confirmed.
    this.#created = true;
    try {
      await createOwnSession(control, {
        name: this.session,
        major: this.identity.major,
        events: events.filter(({ name }) => wanted.includes(name)),
        databaseIds: this.identity.topology.databases.map(({ databaseId }) => databaseId),
      });
    } catch (error) {
      this.#created = error instanceof LiveFailure && isPassing(error);
      throw error;
    }
  }

  async #start(): Promise<void> {
    const control = this.#control;
    if (control === null)
      throw new LiveFailure("live-connection-lost", `The connection to ${this.name} was lost.`);
    if (this.ownSession) {
      this.#created = true;
      await startOwnSession(control, this.session);
      this.#startedAt = this.#request.clock.now();
    }
    this.#status = { state: "started", step: "started", problem: null };
    const reader = await this.#connect(this.#stopping.signal);
    this.#stream = await openStream(reader, this.session, this.#request.clock, (row) => this.#takeRow(row));
    this.#stream.ended.catch((failure: LiveFailure) => this.#lose(failure));
    control.onEnd(() => this.#loseOf(control));
    this.#status = { state: "reading", step: "reading", problem: null };
    this.#poll(control);
  }

  #poll(control: Connection): void {
    const { clock, patience } = this.#request;
    this.#poller = new Poller(control, this.identity.major, this.session, clock, patience.pollMs, {
      onReading: (reading) => this.#owner.onPoll(this, reading),
      onDropped: (dropped) => this.#owner.onDropped(this, dropped),
      onRoles: (roles) => this.#takeRoles(roles, control),
      onSilent: (failure) => this.#lose(failure),
    });
  }

  #takeRow(row: StreamRow): void {
    this.#attempts = 0;
    this.#owner.onRow(this, row);
  }

  #takeRoles(roles: readonly LocalRole[], control: Connection): void {
    const own = roles.find(({ replicaId }) => replicaId === this.identity.replicaId);
    if (!own?.role || !this.identity.setRole(own.role)) return;
    this.#owner.onRole(this);
    // What a primary and a secondary know of the group differs.
    this.#askTopology(control).catch(() => {});
  }

  #loseOf(control: Connection): void {
    if (this.#control === control)
      this.#lose(new LiveFailure("live-connection-lost", `The connection to ${this.name} was lost.`));
  }

  /** Closes what is open and reports it once; `follow` decides what comes next. */
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
    this.#owner.onLost(this, failure);
    this.#wake?.();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    signal.addEventListener("abort", () => this.#wake?.());
    while (!signal.aborted) {
      const failure = this.#failure ?? (await this.#nextFailure());
      if (failure === null) return;
      if (!this.#mayComeBack(failure)) return this.#abandon(failure);
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
    const ranFor = this.#request.clock.now() - this.#startedAt;
    const ranOut = ranFor > MAX_DURATION_HOURS * HOUR_MS - RAN_OUT_WITHIN_MS;
    return failure.code === "live-session-stopped" && this.ownSession && this.#startedAt > 0 && ranOut;
  }

  #abandon(failure: LiveFailure): void {
    const helps = failure.code === "live-session-stopped" ? startSession(this.session) : failure.sql;
    this.#status = { ...this.#status, state: "failed", problem: { ...problemOf(failure), sql: helps } };
  }

  async #wait(failure: LiveFailure): Promise<void> {
    const { clock } = this.#request;
    const ms = backOff(this.#attempts++);
    this.#retryAt = clock.now() + ms;
    this.#status = { ...this.#status, state: "waiting", problem: problemOf(failure) };
    await pause(clock, ms, this.#stopping.signal);
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
        await pause(this.#request.clock, END_PAUSE_MS); // oxlint-disable-line no-await-in-loop
      }
    }
  }

  async #end(): Promise<string> {
    if (!this.ownSession) {
      await this.#stream?.stop();
      return `AG Lens no longer reads the session ${this.session} on ${this.name}, which was there before and still runs.`;
    }
    if (!this.#created) return `No session was made on ${this.name}.`;
    const control = this.#control ?? (await this.#connectToDrop());
    await stopOwnSession(control, this.session);
    // The server still sends what it held back for the dispatch latency, and then ends the stream.
    if (this.#stream) {
      await Promise.race([this.#stream.ended.catch(() => {}), pause(this.#request.clock, LAST_ROWS_MS)]);
    }
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
    const control = await this.#connect();
    this.#control = control;
    await this.#askWho(control);
    return control;
  }

  async #connect(signal?: AbortSignal): Promise<Connection> {
    if (this.#login === null) throw new Error("The login is forgotten: the attachment was stopped.");
    return connect(this.#request.server, this.#login, this.#request.patience, signal);
  }
}

function problemOf({ code, message, sql }: LiveFailure): NonNullable<LiveReplica["problem"]> {
  return { code, detail: message, sql };
}

/** What nobody foresaw is shown without its text, which might hold anything. */
function unexpected(error: unknown, name: string): LiveFailure {
  const kind = error instanceof Error ? error.name : "error";
  return new LiveFailure("live-statement-failed", `Attaching to ${name} failed unexpectedly (${kind}).`);
}
