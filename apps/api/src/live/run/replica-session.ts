/**
 * A run's connections to one server: a connection for statements, the session, and its stream on a connection of its
 * own. It does not handle losses: it throws all errors, and after `close` it can be opened again.
 */
import { recordedEvents } from "@aglens/ag-model/events";
import type { LiveLogin, LiveServer } from "@aglens/contract";
import type { StreamRow } from "xel-parser/format";
import { pause } from "../../kernel/clock.ts";
import type { Clock } from "../../kernel/clock.ts";
import { askEvents, askWho } from "../server/check.ts";
import { connect } from "../server/connection.ts";
import type { Connection, Patience, Row } from "../server/connection.ts";
import { inTurn, until } from "./control-connection.ts";
import { isPassing, LiveFailure } from "../server/failure.ts";
import type { LeftBehind } from "../server/left-sessions.ts";
import { missingPermissions } from "../server/permissions.ts";
import {
  createOwnSession,
  dropOwnSession,
  expectRunning,
  sessionState,
  startOwnSession,
  stopOwnSession,
} from "../server/session.ts";
import type { SessionState } from "../server/session.ts";
import type { RecordedDatabases } from "../server/sql.ts";
import { askTopology } from "../server/topology.ts";
import type { ReplicaIdentity } from "./replica-identity.ts";
import { openStream } from "./stream.ts";
import type { EventStream } from "./stream.ts";

export interface SessionRequest {
  readonly server: LiveServer;
  /** A session that exists; null makes one. */
  readonly existing: string | null;
  /** Name of the session to make. */
  readonly newName: string;
  readonly withoutCommits: boolean;
  /** Records every user database, not only those of the group. */
  readonly everyDatabase: boolean;
  readonly clock: Clock;
  readonly patience: Patience;
}

/** After a session was stopped, its stream still sends events that the server kept for the dispatch latency. */
const LAST_ROWS_MS = 2_000;
/** MAX_DISPATCH_LATENCY of a session that is made here, ms. */
const OWN_DISPATCH_MS = 1_000;

export class ReplicaSession {
  #request: SessionRequest;
  readonly #identity: ReplicaIdentity;
  /** The login is only here, and only until `forget`. */
  #login: LiveLogin | null;
  #control: Connection | null = null;
  #stream: EventStream | null = null;
  #created = false;
  #startedAt = 0;
  /** Dispatch latency of a session that AG Lens created; another session's own value replaces it. */
  #dispatchMs = OWN_DISPATCH_MS;

  constructor(request: SessionRequest, login: LiveLogin, identity: ReplicaIdentity) {
    this.#request = request;
    this.#login = login;
    this.#identity = identity;
  }

  get name(): string {
    return this.#request.existing ?? this.#request.newName;
  }
  /** Whether it is made here, and so stopped and dropped at the end. */
  get isOwn(): boolean {
    return this.#request.existing === null;
  }
  /** Whether it is, or may be, on the server by this run's doing. */
  get wasCreated(): boolean {
    return this.#created;
  }
  /** ms since 1970; 0 before the first start, and for a session that AG Lens did not create. */
  get startedAt(): number {
    return this.#startedAt;
  }
  /** Dispatch latency, ms; Infinity for a session that sends only full buffers. */
  get dispatchMs(): number {
    return this.#dispatchMs;
  }
  /** For statements, while it is open. */
  get control(): Connection | null {
    return this.#control;
  }

  /** Connects and asks who is there. @param signal ends everything that is asked @throws LiveFailure */
  async connect(signal: AbortSignal): Promise<Connection> {
    const control = await this.#newControl(signal);
    this.#control = control;
    const line = until(signal, control);
    this.#identity.setWho(await this.#askWho(line));
    return line;
  }

  /** Another connection for statements in place of one that was lost. @throws LiveFailure */
  async reopenControl(signal: AbortSignal): Promise<Connection> {
    const control = await this.#newControl(signal);
    try {
      await this.#askWho(until(signal, control));
      signal.throwIfAborted();
    } catch (error) {
      control.close();
      throw error;
    }
    this.#control = control;
    return control;
  }

  /** Uses another address or login from the next `connect` on. A session that was made stays the one of this replica. */
  changeAccess(request: SessionRequest, login: LiveLogin): void {
    this.#login = login;
    this.#request = this.#created ? { ...this.#request, server: request.server } : request;
  }

  /** State of the session in the server's catalog views. @throws LiveFailure */
  state(control: Connection): Promise<SessionState> {
    return sessionState(control, this.name);
  }

  /** Makes the session, or finds the one that was named, on a server that was connected. @throws LiveFailure */
  async prepare(control: Connection): Promise<void> {
    if (this.isOwn) await this.#create(control);
    else this.#dispatchMs = await expectRunning(control, this.name);
  }

  /** Refuses a login that lacks permissions. @throws LiveFailure with the GRANT */
  refuseWithoutPermission(): void {
    const missing = missingPermissions(this.#identity.who, this.isOwn).find(({ blocking }) => blocking);
    if (missing === undefined) return;
    throw new LiveFailure(
      "live-permission",
      `The login lacks ${missing.permission} on ${this.#identity.name}. ${missing.consequence}`,
      `USE master; ${missing.grant}`,
    );
  }

  /** @throws LiveFailure */
  async askTopology(control: Connection): Promise<void> {
    const { major, name } = this.#identity;
    this.#identity.setTopology(await askTopology(control, major, name));
  }

  /** Starts the session if it is made here. @throws LiveFailure */
  async start(control: Connection): Promise<void> {
    if (!this.isOwn) return;
    this.#created = true;
    await startOwnSession(control, this.name);
    this.#startedAt = this.#request.clock.now();
  }

  /** Opens the stream. @param onEnd called with the failure that ended it, not when it was closed here @throws LiveFailure */
  async read(
    signal: AbortSignal,
    onRow: (row: StreamRow) => void,
    onEnd: (failure: LiveFailure) => void,
  ): Promise<void> {
    const reader = await this.#newConnection(signal);
    const stream = await openStream(reader, this.name, this.#request.clock, onRow);
    this.#stream = stream;
    stream.ended.catch(onEnd);
  }

  /** Closes the connections; the session stays on the server. */
  close(): void {
    void this.#stream?.stop();
    this.#control?.close();
    this.#stream = null;
    this.#control = null;
  }

  /** Closes the stream only. */
  closeStream(): void {
    void this.#stream?.stop();
    this.#stream = null;
  }

  /** Closes the connection for statements only, so that the next attempt begins with a new one. */
  closeControl(): void {
    this.#control?.close();
    this.#control = null;
  }

  /** Ends reading, and drops the session if AG Lens created it. @returns a sentence about it @throws LiveFailure */
  async end(): Promise<string> {
    const { name } = this.#identity;
    if (!this.isOwn) {
      await this.#stream?.stop();
      return `AG Lens no longer reads the session ${this.name} on ${name}, which was there before and still runs.`;
    }
    if (!this.#created) return `No session was made on ${name}.`;
    const control = this.#control ?? (await this.#connectToDrop());
    if (this.#stream !== null) await this.#endStream(control, this.#stream);
    await dropOwnSession(control, this.name);
    return `Session ${this.name} was dropped on ${name} and is gone.`;
  }

  /** STOP sends the open buffers; without a reader it would only cost time, because DROP stops a session too. */
  async #endStream(control: Connection, stream: EventStream): Promise<void> {
    await stopOwnSession(control, this.name);
    await Promise.race([stream.ended.catch(() => {}), pause(this.#request.clock, LAST_ROWS_MS)]);
    await stream.stop();
  }

  /** Data for dropping the session later, when it could not be dropped now. */
  leaveBehind(failure: LiveFailure): LeftBehind {
    if (this.#login === null) throw new Error("The run has ended, and its login was discarded.");
    const { name } = this.#identity;
    return { server: this.#request.server, login: this.#login, name, session: this.name, failure };
  }

  /** Closes everything and forgets the login, which the driver's connections contain too. */
  forget(): void {
    this.#control?.close();
    this.#control = null;
    this.#stream = null;
    this.#login = null;
  }

  async #create(control: Connection): Promise<void> {
    const { events } = await askEvents(control);
    const wanted = recordedEvents(!this.#request.withoutCommits);
    let wasSent = false;
    const noting: Connection = {
      ...control,
      execute: (sql) => {
        wasSent = true;
        this.#created = true;
        return control.execute(sql);
      },
    };
    try {
      await createOwnSession(noting, {
        name: this.name,
        major: this.#identity.major,
        events: events.filter(({ name }) => wanted.includes(name)),
        databases: this.#recordedDatabases(),
      });
    } catch (error) {
      // A connection that breaks after the statement may leave a session whose creation was not confirmed.
      if (wasSent) this.#created = error instanceof LiveFailure && isPassing(error);
      throw error;
    }
    this.#created = true;
  }

  #recordedDatabases(): RecordedDatabases | null {
    if (this.#request.everyDatabase) return "user databases";
    const ids = this.#identity.topology.databases.map(({ databaseId }) => databaseId);
    return ids.length === 0 ? null : ids;
  }

  async #connectToDrop(): Promise<Connection> {
    const control = await this.#newControl();
    this.#control = control;
    await this.#askWho(control);
    return control;
  }

  /** A name that leads to another server than before is refused: the session is not there. */
  async #askWho(control: Connection): Promise<Row> {
    const who = await askWho(control);
    if (this.#identity.isSame(who)) return who;
    throw new LiveFailure(
      "live-other-server",
      `${control.where} is ${String(who["server_name"])} now and was ${this.#identity.name}. Give the replica's own host and port instead of a listener's.`,
    );
  }

  async #newControl(signal?: AbortSignal): Promise<Connection> {
    return inTurn(await this.#newConnection(signal));
  }

  async #newConnection(signal?: AbortSignal): Promise<Connection> {
    if (this.#login === null) throw new Error("The run has ended, and its login was discarded.");
    return connect(this.#request.server, this.#login, this.#request.patience, signal);
  }
}
