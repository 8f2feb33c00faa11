/** One replica of a run: attaches, reads and polls it, and attaches again after a loss. */
import type { LiveLogin, LiveReplica } from "@aglens/contract";
import type { EvidenceEvent } from "@aglens/evidence";
import type { StreamRow } from "xel-parser/format";
import { pause } from "../../kernel/clock.ts";
import { whereIs } from "../server/connection.ts";
import type { Connection } from "../server/connection.ts";
import { isPassing, LiveFailure } from "../server/failure.ts";
import type { LeftBehind } from "../server/left-sessions.ts";
import type { LiveFailureCode } from "../server/failure.ts";
import { LAST_STATEMENT } from "../server/poll-sql.ts";
import { dropSession, MAX_DURATION_HOURS, startSession } from "../server/sql.ts";
import { backOff } from "./back-off.ts";
import { Counters } from "./counters.ts";
import { until } from "./control-connection.ts";
import { HealthSession } from "./health-session.ts";
import { Poller } from "./poller.ts";
import type { LocalRole } from "./poll-databases.ts";
import type { Dropped, PollReading } from "./polls.ts";
import { ReplicaIdentity } from "./replica-identity.ts";
import { ReplicaSession } from "./replica-session.ts";
import type { SessionRequest } from "./replica-session.ts";
import { ServerClock } from "./server-clock.ts";

/** Reports of an attachment to the run it belongs to. */
export interface AttachmentOwner {
  /** False when another attachment already reads this server. */
  claim(attachment: Attachment, serverName: string): boolean;
  onRow(attachment: Attachment, row: StreamRow): void;
  /** @param atMs when the server's clock was read, ms of this machine's clock */
  onPoll(attachment: Attachment, reading: PollReading, atMs: number): void;
  /** Events that the session dropped since the last report. */
  onDropped(attachment: Attachment, dropped: Dropped): void;
  onTopology(attachment: Attachment): void;
  /** Its session is created next. Resolves when that is stored for the next process, in case this one is killed. */
  onCreating(): Promise<void>;
  /** Its stream is read, for the first time or again. */
  onReading(attachment: Attachment): void;
  onRole(attachment: Attachment): void;
  /**
   * Its role as a poll saw it, also while it is being decided. @param sinceMs when its former role was still seen; NaN where no
   * poll did; ms of this machine's clock, as `atMs`
   */
  onPolledRole(attachment: Attachment, role: LocalRole, sinceMs: number, atMs: number): void;
  /** Events of its session AlwaysOn_health, by its server's clock. */
  onHealth(attachment: Attachment, events: readonly EvidenceEvent[]): void;
  /** A session stays on its server, which could not be reached or refused to drop it. */
  onLeftBehind(left: LeftBehind): void;
  /** Reading ended; a gap begins. */
  onLost(attachment: Attachment, failure: LiveFailure): void;
}

type Status = Pick<LiveReplica, "state" | "step" | "problem">;

/** Failures whose sentences name the replica, once it has a name. */
const NAMED: readonly LiveFailureCode[] = [
  "live-session-stopped",
  "live-disconnected",
  "live-connection-lost",
  "live-starting",
  "live-busy",
  "live-unreachable",
];

const HOUR_MS = 3_600_000;
/** A session that ends this close to its limit has run out; it was not stopped. */
const RAN_OUT_WITHIN_MS = 60_000;
/** Attempts to drop a session after the first, and the pause between them. */
const END_ATTEMPTS = 4;
const END_PAUSE_MS = 1_000;

export class Attachment {
  readonly index: number;
  readonly identity: ReplicaIdentity;
  readonly session: ReplicaSession;
  /** Counts of this replica's stream. */
  readonly counters = new Counters();
  readonly health: HealthSession;
  /** Difference between the server's UTC and this machine's, from the polls. */
  readonly serverClock = new ServerClock();
  #request: SessionRequest;
  readonly #owner: AttachmentOwner;
  readonly #stopping = new AbortController();
  #status: Status = { state: "connecting", step: "connecting", problem: null };
  #poller: Poller | null = null;
  #failure: LiveFailure | null = null;
  /** Aborted when reading ends, for everything that belongs to it alone. */
  #reading = new AbortController();
  /**
   * Another login or tool stopped or dropped the session: it is neither created nor started until the user asks for
   * that.
   */
  #endedByOthers = false;
  #resuming = false;
  #isCreating = false;
  /** Rows of the stream so far: new rows show that the server is there. */
  #rows = 0;
  #attempts = 0;
  #retryAt: number | null = null;
  #disconnects = 0;
  #following: Promise<void> = Promise.resolve();
  #wake: (() => void) | null = null;
  /** Aborted when the user asks to try again. */
  #asked = new AbortController();

  /** @param index in the run's request @param knownAs replica_server_name, where it was chosen by it */
  constructor(
    index: number,
    request: SessionRequest,
    login: LiveLogin,
    knownAs: string,
    owner: AttachmentOwner,
  ) {
    this.index = index;
    this.identity = new ReplicaIdentity(request.server, knownAs);
    this.session = new ReplicaSession(request, login, this.identity);
    const { clock, patience } = request;
    this.health = new HealthSession({ identity: this.identity, clock, answerMs: patience.pollMs });
    this.#request = request;
    this.#owner = owner;
  }

  get name(): string {
    return this.identity.name;
  }
  get isReading(): boolean {
    return this.#status.state === "reading";
  }

  /** The session that was created on the server, or is being created, and was not dropped yet; undefined without one. */
  get sessionThere(): string | undefined {
    return (this.session.wasCreated || this.#isCreating) && this.#status.step !== "dropped"
      ? this.session.name
      : undefined;
  }
  /** Whether it has failed, or waits to be tried again. */
  get isUnread(): boolean {
    return this.#status.state === "failed" || this.#status.state === "waiting";
  }

  /** State of this replica in the live picture, without the run's counts. */
  description(
    now: number,
  ): Pick<
    LiveReplica,
    | "index"
    | "name"
    | "replicaId"
    | "role"
    | "commitMode"
    | "utcOffsetMinutes"
    | "state"
    | "step"
    | "session"
    | "ownSession"
    | "disconnects"
    | "problem"
    | "retryIn"
    | "health"
  > {
    const { name, replicaId, role, commitMode, utcOffsetMinutes } = this.identity;
    return {
      index: this.index,
      name,
      replicaId,
      role,
      commitMode,
      ...(utcOffsetMinutes === null ? {} : { utcOffsetMinutes }),
      ...this.#status,
      session: this.session.name,
      ownSession: this.session.isOwn,
      disconnects: this.#disconnects,
      health: this.health.state,
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

  /** Attaches again after losses until the run stops. */
  follow(): void {
    this.#following = this.#follow();
  }

  /**
   * Attaches again at once, also after the attempts ended; creates and starts the session regardless of who ended it.
   */
  tryAgain(): void {
    if (this.isReading || this.#stopping.signal.aborted) return;
    this.#endedByOthers = false;
    this.#attempts = 0;
    this.#failure ??= new LiveFailure("live-connection-lost", `${this.name} is attached again.`);
    this.#closeReading();
    this.#asked.abort();
    this.#wake?.();
  }

  /** Attaches again at once by another address or login. */
  changeAccess(request: SessionRequest, login: LiveLogin, knownAs: string): void {
    // If a session was created, only its server is the right one.
    if (!this.session.wasCreated) this.identity.forgetServer();
    this.identity.changeAddress(request.server, knownAs);
    this.session.changeAccess(request, login);
    this.#request = request;
    this.tryAgain();
  }

  /** Stops attempts to attach at once; a stream that is already being read is read until `stop`. */
  giveUp(): void {
    this.#stopping.abort();
  }

  /** Ends reading; stops and drops the session if it was made here. @returns a sentence about it */
  async stop(): Promise<string> {
    this.#stopping.abort();
    await this.#endPoller();
    await this.#following;
    try {
      return await this.#endDespiteLosses();
    } catch (error) {
      return this.#leftBehind(error);
    } finally {
      this.session.forget();
    }
  }

  /** Text of a session's request; null when it has no request now. @throws LiveFailure */
  async lastStatement(session: number): Promise<string | null> {
    const { control } = this.session;
    if (control === null)
      throw new LiveFailure("live-connection-lost", `${this.name} is not connected at the moment.`);
    const sets = await until(this.#stopping.signal, control).query(
      LAST_STATEMENT,
      { session: String(session) },
      this.#request.patience.pollMs,
    );
    const text = sets.flat()[0]?.["text"];
    return typeof text === "string" ? text : null;
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
    this.#status = { ...this.#status, state: "connecting", step: "connecting" };
    this.#retryAt = null;
    const control = await this.session.connect(this.#stopping.signal);
    const { name } = this;
    if (!this.#owner.claim(this, name)) {
      this.identity.forgetServer();
      throw new LiveFailure(
        "live-same-server",
        `${control.where} is ${name}, which is attached already. Give each replica once.`,
      );
    }
    this.session.refuseWithoutPermission();
    await this.#askTopology(control);
    if (this.#endedByOthers && (await this.session.state(control)) !== "running") return;
    await this.#create(control);
    this.#status = { state: "created", step: "created", problem: null };
  }

  async #create(control: Connection): Promise<void> {
    if (!this.session.isOwn) return this.session.prepare(control);
    this.#isCreating = true;
    try {
      await this.#owner.onCreating();
      await this.session.prepare(control);
    } finally {
      this.#isCreating = false;
    }
  }

  async #askTopology(control: Connection): Promise<void> {
    await this.session.askTopology(control);
    this.#owner.onTopology(this);
  }

  async #start(): Promise<void> {
    const { control } = this.session;
    if (control === null)
      throw new LiveFailure("live-connection-lost", `The connection to ${this.name} was lost.`);
    this.#reading = new AbortController();
    const line = until(this.#stopping.signal, control);
    if (this.#endedByOthers && (await this.session.state(line)) !== "running") await this.#sayWhoEnded(line);
    else await this.#read(line);
    this.#watch(control);
  }

  async #read(control: Connection): Promise<void> {
    if (!this.#endedByOthers) await this.session.start(control);
    this.#status = { state: "started", step: "started", problem: null };
    await this.session.read(
      this.#stopping.signal,
      (row) => this.#takeRow(row),
      (failure) => this.#lose(failure),
    );
    this.#endedByOthers = false;
    this.#status = { state: "reading", step: "reading", problem: null };
    this.#owner.onReading(this);
  }

  /** Polls on a connection that may be lost without the stream being lost. */
  #watch(control: Connection): void {
    const { clock, patience } = this.#request;
    this.#poller = new Poller(
      {
        connection: control,
        major: this.identity.major,
        session: this.session.name,
        replicaId: () => this.identity.replicaId,
        clock,
        answerMs: patience.pollMs,
        readHealth: () => this.#readHealth(control),
      },
      {
        onReading: (reading, atMs) => this.#owner.onPoll(this, reading, atMs),
        onServerTime: (time) => this.serverClock.take(time),
        onDropped: (dropped) => this.#owner.onDropped(this, dropped),
        onRoles: (roles, sinceMs, atMs) => this.#takeRoles(roles, control, sinceMs, atMs),
        onDatabases: () => void this.#askTopology(control).catch(() => {}),
        onSession: (isRunning) => void this.#takeSession(isRunning, control),
      },
    );
    control.onEnd(() => void this.#reopenControl(control));
  }

  #takeRow(row: StreamRow): void {
    this.#rows += 1;
    this.#attempts = 0;
    this.#owner.onRow(this, row);
  }

  async #readHealth(control: Connection): Promise<void> {
    const { offset } = this.serverClock;
    if (offset === null) return;
    const events = await this.health.readIfDue(until(this.#stopping.signal, control), offset.aheadMs);
    if (events.length > 0) this.#owner.onHealth(this, events);
  }

  #takeRoles(roles: readonly LocalRole[], control: Connection, sinceMs: number, atMs: number): void {
    const own = roles.find(({ replicaId }) => replicaId === this.identity.replicaId);
    if (own !== undefined) this.#owner.onPolledRole(this, own, sinceMs, atMs);
    if (!own?.role || !this.identity.setRole(own.role)) return;
    this.#owner.onRole(this);
    // A primary has other facts about the group than a secondary.
    this.#askTopology(control).catch(() => {});
  }

  /** A session that runs again is read again. A session that is missing was dropped by another login or tool. */
  async #takeSession(isRunning: boolean, control: Connection): Promise<void> {
    if (!isRunning && this.isReading) {
      this.#lose(new LiveFailure("live-session-stopped", endedText(this.name)));
      return;
    }
    if (!isRunning || !this.#endedByOthers || this.#resuming || this.#failure !== null) return;
    this.#resuming = true;
    await this.#attempt(() => this.#read(until(this.#stopping.signal, control)));
    this.#resuming = false;
  }

  /** The connection for statements broke. While rows arrive the stream is valid, and only gauges are missing. */
  async #reopenControl(lost: Connection): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#reading.signal]);
    for (let attempt = 0; !signal.aborted && this.session.control === lost; attempt++) {
      const before = this.#rows;
      try {
        this.#watch(await this.session.reopenControl(signal)); // oxlint-disable-line no-await-in-loop -- one attempt after the other
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = error instanceof LiveFailure ? error : unexpected(error, this.name);
        if (!isPassing(failure) || this.#rows === before) this.#lose(failure);
      }
      await pause(this.#request.clock, backOff(attempt), signal); // oxlint-disable-line no-await-in-loop
    }
  }

  /** Closes all connections and reports the loss once; `follow` decides about the next step. */
  #lose(found: LiveFailure): void {
    const failure = this.#byName(found);
    if (this.#failure !== null || this.#stopping.signal.aborted) return;
    if (failure.code === "live-disconnected") this.#disconnects += 1;
    this.#status = { ...this.#status, problem: problemOf(failure) };
    if (failure.code === "live-session-stopped" && !this.#hasRunOut()) return this.#takeEnd(failure);
    this.#failure = failure;
    this.#closeReading();
    this.#owner.onLost(this, failure);
    this.#wake?.();
  }

  /**
   * After the first read a replica has its own name; its address is added to the name only in errors about reaching it.
   */
  #byName(failure: LiveFailure): LiveFailure {
    const where = whereIs(this.#request.server);
    if (!NAMED.includes(failure.code) || failure.message.includes(this.name)) return failure;
    const name = failure.code === "live-unreachable" ? `${this.name} (${where})` : this.name;
    return new LiveFailure(failure.code, failure.message.replaceAll(where, name), failure.sql);
  }

  #closeReading(): void {
    this.#reading.abort();
    void this.#endPoller();
    this.session.close();
  }

  /** Removes the reference too: the poller has the connection, which contains the login. */
  async #endPoller(): Promise<void> {
    const poller = this.#poller;
    this.#poller = null;
    await poller?.stop();
  }

  /** The session was ended by another login or tool. The polls continue, and find it when it runs again. */
  #takeEnd(failure: LiveFailure): void {
    this.#status = { ...this.#status, state: "waiting" };
    this.#retryAt = null;
    if (this.#endedByOthers) return;
    this.#endedByOthers = true;
    this.session.closeStream();
    this.#owner.onLost(this, failure);
    const { control } = this.session;
    if (control !== null) void this.#sayWhoEnded(control).catch(() => {});
  }

  /** Stopped and dropped are different things to do. */
  async #sayWhoEnded(control: Connection): Promise<void> {
    const state = await this.session.state(control);
    if (!this.#endedByOthers || state === "running") return;
    const { name } = this.session;
    const problem =
      state === "stopped"
        ? {
            code: "live-session-stopped",
            detail: `The event session ${name} on ${this.name} was stopped outside AG Lens. AG Lens resumes reading when the session runs again.`,
            sql: startSession(name),
          }
        : {
            code: "live-session-stopped",
            detail: `The event session ${name} on ${this.name} was dropped outside AG Lens. ${
              this.session.isOwn
                ? "Select Try again to create a new one."
                : "AG Lens resumes reading when a session with this name runs."
            }`,
            sql: null,
          };
    this.#status = { ...this.#status, state: "waiting", problem };
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    signal.addEventListener("abort", () => this.#wake?.());
    while (!signal.aborted) {
      const failure = this.#failure ?? (await this.#nextFailure());
      if (failure === null) return;
      await this.#untilNextAttempt(failure);
      if (signal.aborted) return;
      this.#failure = null;
      this.#asked = new AbortController();
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

  /** A session that ended at its limit is started again; a session that was stopped is not. */
  #hasRunOut(): boolean {
    const { isOwn, startedAt } = this.session;
    const ranFor = this.#request.clock.now() - startedAt;
    return isOwn && startedAt > 0 && ranFor > MAX_DURATION_HOURS * HOUR_MS - RAN_OUT_WITHIN_MS;
  }

  /** Pauses after a temporary failure; after any other one waits until the user asks. */
  async #untilNextAttempt(failure: LiveFailure): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#asked.signal]);
    if (signal.aborted) return;
    if (!isPassing(failure) && failure.code !== "live-session-stopped") {
      this.#status = { ...this.#status, state: "failed", problem: problemOf(failure) };
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return;
    }
    const { clock } = this.#request;
    const ms = backOff(this.#attempts++);
    this.#retryAt = clock.now() + ms;
    this.#status = { ...this.#status, state: "waiting", problem: problemOf(this.#byName(failure)) };
    await pause(clock, ms, signal);
  }

  /** A replica that is just starting gets a few more seconds, so that no session stays on it. */
  async #endDespiteLosses(): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        const sentence = await this.session.end(); // oxlint-disable-line no-await-in-loop -- one attempt after the other
        if (this.session.wasCreated) {
          this.#status = { state: "dropped", step: "dropped", problem: this.#status.problem };
        }
        return sentence;
      } catch (error) {
        if (!(error instanceof LiveFailure) || !isPassing(error) || attempt === END_ATTEMPTS) throw error;
        this.session.closeControl();
        await pause(this.#request.clock, END_PAUSE_MS); // oxlint-disable-line no-await-in-loop
      }
    }
  }

  #leftBehind(error: unknown): string {
    const why = error instanceof LiveFailure ? error.message : "It could not be reached.";
    const sql = dropSession(this.session.name);
    if (error instanceof LiveFailure) this.#owner.onLeftBehind(this.session.leaveBehind(error));
    this.#status = {
      ...this.#status,
      state: "failed",
      problem: { code: "live-left-behind", detail: why, sql },
    };
    const again =
      error instanceof LiveFailure && isPassing(error) ? " It is tried again while this API runs." : "";
    return `Session ${this.session.name} could not be dropped on ${this.name}: ${why}${again} Run there: ${sql}`;
  }
}

const endedText = (server: string): string =>
  `The event session on ${server} was stopped or dropped outside AG Lens.`;

function problemOf({ code, message, sql }: LiveFailure): NonNullable<LiveReplica["problem"]> {
  return { code, detail: message, sql };
}

/** An unexpected error is shown without its text, which might contain anything. */
function unexpected(error: unknown, name: string): LiveFailure {
  const kind = error instanceof Error ? error.name : "error";
  return new LiveFailure("live-statement-failed", `Attaching to ${name} failed unexpectedly (${kind}).`);
}
