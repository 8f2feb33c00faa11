/** One replica of a run: attaches, reads and polls it, and comes back after a loss. */
import type { LiveLogin, LiveReplica } from "@aglens/contract";
import type { StreamRow } from "xel-parser/format";
import { pause } from "../../clock.ts";
import { whereIs } from "../server/connection.ts";
import type { Connection } from "../server/connection.ts";
import { isPassing, LiveFailure } from "../server/failure.ts";
import { dropSession, MAX_DURATION_HOURS, startSession } from "../server/sql.ts";
import { backOff } from "./back-off.ts";
import { Counters } from "./counters.ts";
import { Poller } from "./poller.ts";
import type { Dropped, LocalRole, PollReading } from "./polls.ts";
import { ReplicaIdentity } from "./replica-identity.ts";
import { ReplicaSession } from "./replica-session.ts";
import type { SessionRequest } from "./replica-session.ts";

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

type Status = Pick<LiveReplica, "state" | "step" | "problem">;

const HOUR_MS = 3_600_000;
/** A session that ends this close to its time has run out; nobody stopped it. */
const RAN_OUT_WITHIN_MS = 60_000;
/** Attempts to drop a session after the first, and the pause between them. */
const END_ATTEMPTS = 4;
const END_PAUSE_MS = 1_000;

export class Attachment {
  readonly index: number;
  readonly identity: ReplicaIdentity;
  readonly session: ReplicaSession;
  /** What the run counts of this replica's stream. */
  readonly counters = new Counters();
  readonly #request: SessionRequest;
  readonly #owner: AttachmentOwner;
  readonly #stopping = new AbortController();
  #status: Status = { state: "connecting", step: "connecting", problem: null };
  #poller: Poller | null = null;
  #failure: LiveFailure | null = null;
  #attempts = 0;
  #retryAt: number | null = null;
  #disconnects = 0;
  #following: Promise<void> = Promise.resolve();
  #wake: (() => void) | null = null;

  /** @param index in the run's request */
  constructor(index: number, request: SessionRequest, login: LiveLogin, owner: AttachmentOwner) {
    this.index = index;
    this.identity = new ReplicaIdentity(whereIs(request.server));
    this.session = new ReplicaSession(request, login, this.identity);
    this.#request = request;
    this.#owner = owner;
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
      session: this.session.name,
      ownSession: this.session.isOwn,
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
    if (!this.isReading) this.session.closeControl();
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
      this.#poller = null;
      this.session.forget();
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
    const control = await this.session.connect(this.#stopping.signal);
    if (!this.#owner.claim(this, this.name)) {
      throw new LiveFailure(
        "live-same-server",
        `${control.where} is ${this.name}, which is attached already. Give each replica once.`,
      );
    }
    this.session.refuseWithoutPermission();
    await this.#askTopology(control);
    await this.session.prepare(control);
    this.#status = { state: "created", step: "created", problem: null };
  }

  async #askTopology(control: Connection): Promise<void> {
    await this.session.askTopology(control);
    this.#owner.onTopology();
  }

  async #start(): Promise<void> {
    const control = await this.session.start();
    this.#status = { state: "started", step: "started", problem: null };
    await this.session.read(
      this.#stopping.signal,
      (row) => this.#takeRow(row),
      (failure) => this.#lose(failure),
    );
    control.onEnd(() => this.#loseOf(control));
    this.#status = { state: "reading", step: "reading", problem: null };
    this.#poll(control);
  }

  #poll(control: Connection): void {
    const { clock, patience } = this.#request;
    this.#poller = new Poller(control, this.identity.major, this.session.name, clock, patience.pollMs, {
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
    if (this.session.control === control)
      this.#lose(new LiveFailure("live-connection-lost", `The connection to ${this.name} was lost.`));
  }

  /** Closes what is open and reports it once; `follow` decides what comes next. */
  #lose(failure: LiveFailure): void {
    if (this.#failure !== null || this.#stopping.signal.aborted) return;
    this.#failure = failure;
    if (failure.code === "live-disconnected") this.#disconnects += 1;
    this.#status = { ...this.#status, problem: problemOf(failure) };
    this.#poller?.stop();
    this.session.close();
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
    const { isOwn, startedAt } = this.session;
    const ranFor = this.#request.clock.now() - startedAt;
    const ranOut = ranFor > MAX_DURATION_HOURS * HOUR_MS - RAN_OUT_WITHIN_MS;
    return failure.code === "live-session-stopped" && isOwn && startedAt > 0 && ranOut;
  }

  #abandon(failure: LiveFailure): void {
    const helps = failure.code === "live-session-stopped" ? startSession(this.session.name) : failure.sql;
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
    this.#status = {
      ...this.#status,
      state: "failed",
      problem: { code: "live-left-behind", detail: why, sql },
    };
    return `Session ${this.session.name} could not be dropped on ${this.name}: ${why} Run there: ${sql}`;
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
