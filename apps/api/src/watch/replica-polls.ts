/** One replica of a watch: connects, polls, and connects again after a loss. */
import type { LiveLogin, MissingPermission, WatchedReplica, WatchReplica } from "@aglens/contract";
import { pause } from "../kernel/clock.ts";
import type { Clock } from "../kernel/clock.ts";
import { hashOf } from "../kernel/identity.ts";
import { inTurn, until } from "../live/run/control-connection.ts";
import { Poller } from "../live/run/poller.ts";
import type { LocalRole } from "../live/run/poll-databases.ts";
import type { PollReading, PollSet } from "../live/run/polls.ts";
import { ReplicaIdentity } from "../live/run/replica-identity.ts";
import { askWho } from "../live/server/check.ts";
import { connect, whereIs } from "../live/server/connection.ts";
import type { Connection, Patience } from "../live/server/connection.ts";
import { LiveFailure } from "../live/server/failure.ts";
import { missingPermissions } from "../live/server/permissions.ts";
import { POLL_COST } from "../live/server/poll-sql.ts";
import { askTopology } from "../live/server/topology.ts";
import type { ReplicaPoll } from "@aglens/ag-model/watch";
import { PollCost } from "./poll-cost.ts";
import { rightsIn } from "./rights.ts";
import { WatchFileError } from "./watch-file.ts";

/** Sets of a poll that a watch needs: no session is read, and files of the log aren't asked for. */
const SETS: readonly PollSet[] = ["clock", "databases", "waits", "counters"];
/** Polls in a row without an answer, after which the connection counts as lost. */
const MOST_MISSED = 3;
const FIRST_MS = 1_000;
const LONGEST_DOUBLED_MS = 32_000;
/** Pause after the doubled ones, and between two looks at the file of a login that was refused. */
const LONGEST_MS = 60_000;
/** Rights are asked for again after so long. */
const RIGHTS_MS = 3_600_000;
/** The CPU time of the polls is asked for this often. */
const COST_MS = 60_000;

/** Pause after a loss, and after a failed try, from 0: 1, 2, 4 ... 32 s, then a minute. */
export function pauseAfter(tries: number): number {
  const doubled = FIRST_MS * 2 ** Math.max(0, tries);
  return doubled <= LONGEST_DOUBLED_MS ? doubled : LONGEST_MS;
}

/** "notStarted": its login can't be read. */
export type ReplicaState = "polled" | "cannotSignIn" | "unreachable" | "notStarted";

export interface ReplicaPollsParts {
  readonly replica: WatchReplica;
  /** Name of the watched group. */
  readonly group: string;
  readonly everyMs: number;
  /** The login as the file has it now. @throws WatchFileError */
  readonly login: () => Promise<LiveLogin>;
  /** @throws LiveFailure for a host that is not allowed */
  readonly expectAllowed: () => void;
  readonly clock: Clock;
  readonly patience: Patience;
  /** @param atMs ms of this machine's clock */
  readonly onReading: (atMs: number) => void;
  /** Its state, role or name is another. */
  readonly onChange: () => void;
}

/** A problem, and since when it lasts. */
interface Trouble {
  readonly state: ReplicaState;
  readonly problem: NonNullable<WatchedReplica["problem"]>;
  readonly sinceMs: number;
}

export class ReplicaPolls {
  readonly #parts: ReplicaPollsParts;
  readonly #identity: ReplicaIdentity;
  readonly #cost: PollCost;
  readonly #closing = new AbortController();
  /** Aborted when a person asks to try again. */
  #asked = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #trouble: Trouble | null = null;
  #tries = 0;
  #retryAt: number | null = null;
  #polledAt: number | null = null;
  #polledSince: number;
  #reading: PollReading | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #missed = 0;
  #missing: MissingPermission[] | null = null;
  #rightsAt = 0;
  #costAt = 0;
  /** Hash of the login that the server refused. */
  #refusedLogin = "";

  constructor(parts: ReplicaPollsParts) {
    this.#parts = parts;
    this.#polledSince = parts.clock.now();
    this.#identity = new ReplicaIdentity(parts.replica.server, parts.replica.serverName);
    this.#identity.chooseGroup(parts.group);
    this.#cost = new PollCost(parts.clock);
  }

  begin(): void {
    this.#running = this.#run();
  }

  get state(): ReplicaState {
    return this.#trouble?.state ?? "polled";
  }
  /** Name of the server as it calls itself; its address before it answered. */
  get name(): string {
    return this.#identity.name;
  }
  get hasAnswered(): boolean {
    return this.#identity.hasAnswered;
  }
  get isPrimary(): boolean {
    return this.#identity.role === "primary";
  }
  /** Since when the state is as it is, ms. */
  get sinceMs(): number {
    return this.#trouble?.sinceMs ?? this.#polledSince;
  }

  /** The last poll, where it is not older than that. @param oldestMs ms of this machine's clock */
  poll(oldestMs: number): ReplicaPoll {
    const { name, replicaId, role, commitMode } = this.#identity;
    const reading = this.#readAt >= oldestMs ? this.#reading : null;
    return { serverName: name, replicaId, role, commitMode, reading };
  }

  /** The replica as the last poll found it. */
  description(): WatchedReplica {
    const { clock, replica } = this.#parts;
    const { role, commitMode } = this.#identity;
    const trouble = this.#trouble;
    return {
      serverName: this.#identity.hasAnswered ? this.name : replica.serverName,
      where: whereIs(replica.server),
      role,
      commitMode,
      synchronization: trouble === null ? this.#synchronization() : null,
      polled: this.#polledAt === null ? null : new Date(this.#polledAt).toISOString(),
      problem: trouble?.problem ?? null,
      since: trouble === null ? null : new Date(trouble.sinceMs).toISOString(),
      tries: this.#tries,
      retryIn: this.#retryAt === null ? null : Math.max(0, Math.ceil((this.#retryAt - clock.now()) / 1_000)),
      missing: this.#missing,
      cost: this.#cost.perHour(),
    };
  }

  /** Connects now, also with a login that was refused. */
  tryAgain(): void {
    this.#refusedLogin = "";
    this.#asked.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#retryAt = null;
      const failure = await this.#watch().catch((error: unknown) => error); // oxlint-disable-line no-await-in-loop -- one try after the other
      if (signal.aborted) return;
      this.#lose(failure);
      await this.#untilNextTry(); // oxlint-disable-line no-await-in-loop
    }
  }

  /** Polls until the connection is lost. @returns that failure @throws the failure of a try */
  async #watch(): Promise<LiveFailure> {
    const { replica, expectAllowed, login: read, patience } = this.#parts;
    const { signal } = this.#closing;
    expectAllowed();
    const login = await read();
    const hash = hashOf(JSON.stringify(login));
    if (hash === this.#refusedLogin) throw this.#refusal;
    this.#tries += 1;
    const connection = inTurn(
      await connect(replica.server, login, patience, signal).catch((error: unknown) => {
        if (isRefusal(error)) this.#refusedLogin = hash;
        throw error;
      }),
    );
    try {
      const line = until(signal, connection);
      await this.#identify(line);
      this.#mend();
      return await this.#poll(connection, line);
    } finally {
      connection.close();
    }
  }

  /** The problem of the last try: the file still has the same login. */
  get #refusal(): LiveFailure {
    const detail = this.#trouble?.problem.detail ?? "The server refused the login.";
    return new LiveFailure("live-login-refused", detail);
  }

  /** @throws LiveFailure where this is another server, or one without the group */
  async #identify(line: Connection): Promise<void> {
    await this.#askRights(line);
    const { name } = this.#identity;
    if (!rightsIn(this.#missing ?? []).mayWatch) {
      const lacks = (this.#missing ?? []).find(({ permission }) => permission.startsWith("VIEW SERVER"));
      throw new LiveFailure(
        "live-permission",
        `The login lacks ${lacks?.permission ?? "a permission"} on ${name}. AG Lens can't read waits, queues and states.`,
        lacks === undefined ? null : `USE master; ${lacks.grant}`,
      );
    }
    await this.#askTopology(line);
    const { group } = this.#parts;
    // Without permission to see definitions, groups have no names.
    const groups = this.#identity.topology.replicas
      .filter(({ isThisServer }) => isThisServer)
      .map((each) => each.group);
    if (groups.includes(group) || groups.includes("")) return;
    throw new LiveFailure(
      "live-other-server",
      groups.length === 0
        ? `${name} has no replica of ${group}.`
        : `${name} has no replica of ${group}. Its groups are ${groups.join(", ")}.`,
    );
  }

  async #askRights(line: Connection): Promise<void> {
    const who = await askWho(line);
    if (!this.#identity.isSame(who)) {
      throw new LiveFailure(
        "live-other-server",
        `${line.where} is ${String(who["server_name"])} now and was ${this.#identity.name}. Enter the replica's own host and port instead of a listener's.`,
      );
    }
    const isNew = !this.#identity.hasAnswered;
    this.#identity.setWho(who);
    this.#missing = missingPermissions(who);
    this.#rightsAt = this.#parts.clock.now();
    if (isNew) this.#parts.onChange();
  }

  async #askTopology(line: Connection): Promise<void> {
    const { role } = this.#identity;
    this.#identity.setTopology(await askTopology(line, this.#identity.major, this.#identity.name));
    if (role !== this.#identity.role) this.#parts.onChange();
  }

  /** @returns why it ended */
  async #poll(connection: Connection, line: Connection): Promise<LiveFailure> {
    const { clock, everyMs, patience } = this.#parts;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#missed = 0;
    this.#cost.connected(connection);
    const poller = new Poller(
      {
        connection,
        major: this.#identity.major,
        session: "",
        replicaId: () => this.#identity.replicaId,
        clock,
        answerMs: patience.pollMs,
        readHealth: () => this.#askBetweenPolls(line),
        everyMs,
        sets: SETS,
        isOneBatch: true,
      },
      {
        onReading: (reading, atMs) => this.#takeReading(reading, atMs, connection),
        // Each poll with an answer has the server's time.
        onServerTime: ({ answeredMs }) => this.#takeAnswer(answeredMs),
        onDropped: () => {},
        onRoles: (roles) => this.#takeRoles(roles, line),
        onDatabases: () => void this.#askTopology(line).catch(() => {}),
        onSession: () => {},
      },
    );
    connection.onEnd(end);
    this.#closing.signal.addEventListener("abort", () => end(), { once: true });
    await ended;
    await poller.stop();
    return new LiveFailure("live-connection-lost", `The connection to ${this.name} was lost.`);
  }

  #takeAnswer(atMs: number): void {
    this.#polledAt = atMs;
    this.#missed = 0;
    this.#cost.polled();
  }

  #takeReading(reading: PollReading, atMs: number, connection: Connection): void {
    if (reading.seconds === 0) {
      // A server that accepts statements and answers none is as good as not there.
      if (++this.#missed >= MOST_MISSED) connection.close();
      return;
    }
    this.#reading = reading;
    this.#readAt = atMs;
    this.#parts.onReading(atMs);
  }

  #takeRoles(roles: readonly LocalRole[], line: Connection): void {
    const own = roles.find(({ replicaId }) => replicaId === this.#identity.replicaId);
    if (!own?.role || !this.#identity.setRole(own.role)) return;
    this.#parts.onChange();
    // A primary has other facts about the group than a secondary.
    void this.#askTopology(line).catch(() => {});
  }

  async #askBetweenPolls(line: Connection): Promise<void> {
    const now = this.#parts.clock.now();
    if (now - this.#costAt >= COST_MS) {
      this.#costAt = now;
      const [[row] = []] = await line.query(POLL_COST).catch(() => []);
      if (row !== undefined) this.#cost.usedCpu(Number(row["cpu_time"]));
    }
    if (now - this.#rightsAt >= RIGHTS_MS) await this.#askRights(line).catch(() => {});
  }

  /** It is polled again. */
  #mend(): void {
    const wasBroken = this.#trouble !== null;
    this.#trouble = null;
    this.#tries = 0;
    this.#refusedLogin = "";
    if (!wasBroken) return;
    this.#polledSince = this.#parts.clock.now();
    this.#parts.onChange();
  }

  #lose(found: unknown): void {
    const { state, code, detail, sql } = troubleIn(
      found,
      this.#identity.name,
      whereIs(this.#parts.replica.server),
    );
    const before = this.#trouble;
    const sinceMs = before?.sinceMs ?? this.#parts.clock.now();
    this.#trouble = { state, problem: { code, detail, sql }, sinceMs };
    this.#reading = null;
    this.#parts.onChange();
  }

  async #untilNextTry(): Promise<void> {
    const { clock } = this.#parts;
    this.#asked = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#asked.signal]);
    // A refused login or an unreadable file is compared with the file once a minute; nothing is sent to the server.
    const isTried = this.#refusedLogin === "" && this.#trouble?.state !== "notStarted";
    const ms = this.#trouble?.state === "unreachable" ? pauseAfter(this.#tries - 1) : LONGEST_MS;
    this.#retryAt = isTried ? clock.now() + ms : null;
    await pause(clock, ms, signal);
  }

  /** The worst state of its databases in its own view. */
  #synchronization(): string | null {
    const { replicaId } = this.#identity;
    const states = (this.#reading?.databases ?? [])
      .filter((row) => row.isLocal && (replicaId === "" || row.replicaId === replicaId))
      .flatMap(({ synchronization }) => synchronization ?? []);
    return WORST_FIRST.find((state) => states.includes(state)) ?? states[0] ?? null;
  }
}

const WORST_FIRST = ["NOT SYNCHRONIZING", "REVERTING", "INITIALIZING", "SYNCHRONIZING", "SYNCHRONIZED"];

const isRefusal = (error: unknown): boolean =>
  error instanceof LiveFailure && error.code === "live-login-refused";

interface FoundTrouble {
  readonly state: ReplicaState;
  readonly code: string;
  readonly detail: string;
  readonly sql: string | null;
}

function troubleIn(error: unknown, name: string, where: string): FoundTrouble {
  if (error instanceof WatchFileError)
    return { state: "notStarted", code: "watch-file", detail: error.message, sql: null };
  if (!(error instanceof LiveFailure)) {
    const kind = error instanceof Error ? error.name : "error";
    const detail = `Polling ${name} failed unexpectedly (${kind}).`;
    return { state: "unreachable", code: "live-statement-failed", detail, sql: null };
  }
  const { code, message, sql } = error;
  const isSignIn = code === "live-login-refused" || code === "live-permission";
  return {
    state: isSignIn ? "cannotSignIn" : "unreachable",
    code,
    // The replica's own name, with its address where that may be wrong.
    detail: message.includes(name) ? message : message.replaceAll(where, `${name} (${where})`),
    sql,
  };
}
