/**
 * Asks a replica for its gauges again and again. Each set is a statement of its own: one that fails or is slow is a hole in its
 * gauge and nothing more.
 */
import type { LivePoll } from "@aglens/contract";
import type { Clock } from "../../kernel/clock.ts";
import type { Connection, Row } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import {
  localDatabases,
  POLL_CLOCK,
  POLL_SCHEDULERS,
  POLL_SESSION,
  POLL_WAITING,
  POLL_WAITS,
  pollCounters,
  pollDatabases,
  pollLogFiles,
  replicaStates,
} from "../server/poll-sql.ts";
import type { LogFileId } from "../server/poll-sql.ts";
import {
  connectionsIn,
  localRoles,
  localSignature,
  logFileIds,
  topologySignature,
} from "./poll-databases.ts";
import type { LocalRole } from "./poll-databases.ts";
import { guidIn, textOrNull } from "./poll-values.ts";
import { droppedIn, POLL_SETS, PollDeltas } from "./polls.ts";
import type { Dropped, PollAnswers, PollKnowledge, PollReading, PollSet } from "./polls.ts";
import type { ServerTime } from "./server-clock.ts";

/** Interval of a live run. */
const EVERY_MS = 1_000;
/** Polls in a row that do not find the session running, after which it counts as stopped. */
const MOST_NOT_RUNNING = 3;
/** Interval for large sets: the view of the performance counters, and the files of many databases. */
const LARGE_EVERY_MS = 5_000;
/** More log files than these are many. */
const MOST_FILES_A_SECOND = 50;
/** Statements that call the cluster are sent at most this often, regardless of changes. */
const REPLICA_STATES_APART_MS = 2_000;
/** A set that takes so much longer than the clock is asked less often: for this many times as long as it took it rests. */
const SLOW_MS = 500;
const REST_TIMES = 3;

export interface PollListeners {
  /** @param atMs time when the server's clock was read, or the poll was given up; ms of this machine's clock */
  onReading(reading: PollReading, atMs: number): void;
  onServerTime(time: ServerTime): void;
  /** More than at the poll before. */
  onDropped(dropped: Dropped): void;
  /**
   * @param sinceMs when the states that the roles belong to were last as before; NaN at the first time; ms of this
   *   machine's clock, as `atMs`
   */
  onRoles(roles: readonly LocalRole[], sinceMs: number, atMs: number): void;
  /** The set of the groups' databases has changed. */
  onDatabases(): void;
  /** Whether the session runs: in each poll that finds it, and when several in a row did not. */
  onSession(isRunning: boolean): void;
}

export interface PollerOptions {
  readonly connection: Connection;
  /** Version of SQL Server: 12 is 2014. */
  readonly major: number;
  readonly session: string;
  /** availability_replica_id of this server in the run's group, lower case; empty while it is unknown. */
  readonly replicaId: () => string;
  readonly clock: Clock;
  /** Time limit of one statement, ms. */
  readonly answerMs: number;
  /** Reads AlwaysOn_health after a poll, where a user wants that. */
  readonly readHealth: () => Promise<void>;
  /** Interval of the polls; a second by default. */
  readonly everyMs?: number;
  /** Sets that are asked; all by default. */
  readonly sets?: readonly PollSet[];
  /** Asks them in one batch, which costs both sides less, until one fails: then each is asked alone. */
  readonly isOneBatch?: boolean;
}

export class Poller {
  readonly #options: PollerOptions;
  readonly #everyMs: number;
  readonly #sets: readonly PollSet[];
  #isOneBatch: boolean;
  readonly #listeners: PollListeners;
  readonly #deltas = new PollDeltas();
  readonly #endTimer: () => void;
  /** Sets that are not asked until then, and why that is a hole; null where it is the plan. */
  readonly #rests = new Map<PollSet, { readonly untilMs: number; readonly why: string | null }>();
  #asking: Promise<void> | null = null;
  #stopped = false;
  #notRunning = 0;
  #dropped: Dropped | null = null;
  #known: PollKnowledge = { databaseNames: new Map(), localNames: new Map(), connections: [] };
  #logFiles: readonly LogFileId[] = [];
  #local: string | null = null;
  #topology: string | null = null;
  /** Replicas on this server, one in each of its groups. */
  #roles: readonly LocalRole[] = [];
  #statesAskedAt = Number.NEGATIVE_INFINITY;
  /** When roles were last known to be those of the last answer; ms of this machine's clock. */
  #rolesSeenAt = Number.NaN;
  /** When the server's clock was read last. */
  #clockAt = 0;
  #clockTookMs = 0;
  /** A slow batch rests as a slow set does. */
  #batchRestsUntil = 0;

  constructor(options: PollerOptions, listeners: PollListeners) {
    this.#options = options;
    this.#listeners = listeners;
    this.#everyMs = options.everyMs ?? EVERY_MS;
    this.#sets = options.sets ?? POLL_SETS;
    this.#isOneBatch = options.isOneBatch ?? false;
    options.connection.onEnd(() => this.#end());
    this.#endTimer = options.clock.every(this.#everyMs, () => this.#next());
    this.#next();
  }

  /** Asks nothing more. @returns when the connection is free for other statements */
  async stop(): Promise<void> {
    const asking = this.#asking;
    this.#end();
    if (asking === null) return;
    this.#options.connection.driver.cancel();
    await asking;
  }

  #end(): void {
    this.#stopped = true;
    this.#endTimer();
  }

  /** A poll that takes longer than the interval is not overtaken by the next. */
  #next(): void {
    if (this.#stopped || this.#asking !== null) return;
    this.#asking = this.#poll().finally(() => (this.#asking = null));
  }

  async #poll(): Promise<void> {
    const failures: LivePoll["failures"] = [];
    const answers =
      (this.#isOneBatch ? await this.#askTogether(failures) : null) ?? (await this.#askOneByOne(failures));
    if (answers === "resting") return;
    if (!this.#stopped) this.#report(answers, failures);
    if (!this.#stopped) await this.#options.readHealth();
  }

  /** @returns null where the batch failed, and each set is to be asked alone */
  async #askTogether(failures: LivePoll["failures"]): Promise<PollAnswers | "resting" | null> {
    const { clock, connection, answerMs } = this.#options;
    const askedMs = clock.now();
    if (askedMs < this.#batchRestsUntil) return "resting";
    const due = this.#sets.filter((set) => this.#isDue(set, failures));
    const sql = due.map((set) => this.#sqlOf(set)).join("\n");
    const found = await connection.query(sql, {}, answerMs).catch((error: unknown) => error);
    if (this.#stopped) return "resting";
    if (found instanceof LiveFailure && found.code === "live-connection-lost") {
      failures.push({ set: "clock", detail: this.#whyNot(found, answerMs) });
      return {};
    }
    if (!Array.isArray(found) || found.length !== due.length) {
      this.#isOneBatch = false;
      return null;
    }
    const answers: Partial<Record<PollSet, readonly Row[]>> = Object.fromEntries(
      due.map((set, index) => [set, (found as Row[][])[index]]),
    );
    const answeredMs = clock.now();
    this.#clockAt = answeredMs;
    this.#takeServerTime(answers.clock?.[0], askedMs, answeredMs);
    if (answeredMs - askedMs > SLOW_MS)
      this.#batchRestsUntil = answeredMs + REST_TIMES * (answeredMs - askedMs);
    for (const set of due) this.#restAfter(set, 0);
    if (answers.databases !== undefined) await this.#askWhatChanged(answers.databases, failures);
    return answers;
  }

  async #askOneByOne(failures: LivePoll["failures"]): Promise<PollAnswers | "resting"> {
    const answers: Partial<Record<PollSet, readonly Row[]>> = {};
    for (const set of this.#sets) {
      if (this.#stopped) return "resting";
      if (!this.#isDue(set, failures)) continue;
      const rows = await this.#rowsOf(set, failures); // oxlint-disable-line no-await-in-loop -- one statement per connection
      if (rows !== null) answers[set] = rows;
      // Without its clock nothing can be measured: a server that does not answer is not asked seven times more.
      else if (set === "clock") break;
      if (set === "databases" && rows !== null) await this.#askWhatChanged(rows, failures); // oxlint-disable-line no-await-in-loop
    }
    return answers;
  }

  #isDue(set: PollSet, failures: LivePoll["failures"]): boolean {
    const rest = this.#rests.get(set);
    if (rest !== undefined && this.#options.clock.now() < rest.untilMs) {
      if (rest.why !== null) failures.push({ set, detail: rest.why });
      return false;
    }
    if (set === "logFiles") return this.#logFiles.length > 0;
    // Commits are waited for on the primary only.
    return set !== "waiting" || this.#isPrimary;
  }

  /**
   * Whether it is the primary of the run's group: its role in another group doesn't count, where the replica is known.
   */
  get #isPrimary(): boolean {
    const own = this.#roles.find(({ replicaId }) => replicaId === this.#options.replicaId());
    return own === undefined ? this.#roles.some(({ role }) => role === "primary") : own.role === "primary";
  }

  async #rowsOf(set: PollSet, failures: LivePoll["failures"]): Promise<Row[] | null> {
    const { clock } = this.#options;
    const askedMs = clock.now();
    const sets = await this.#ask(set, this.#sqlOf(set), failures);
    const answeredMs = clock.now();
    const rows = sets?.flat() ?? null;
    if (set !== "clock") {
      // The set is not responsible for a slow network to the server.
      this.#restAfter(set, answeredMs - askedMs - this.#clockTookMs);
      return rows;
    }
    this.#clockAt = answeredMs;
    this.#clockTookMs = answeredMs - askedMs;
    this.#takeServerTime(rows?.[0], askedMs, answeredMs);
    return rows;
  }

  #restAfter(set: PollSet, tookMs: number): void {
    const now = this.#options.clock.now();
    if (tookMs > SLOW_MS) {
      const why = `${this.#options.connection.where} took ${(tookMs / 1000).toFixed(1)} s for it: it is asked less often.`;
      this.#rests.set(set, { untilMs: now + REST_TIMES * tookMs, why });
    } else if (this.#isLarge(set)) {
      this.#rests.set(set, { untilMs: now + LARGE_EVERY_MS - this.#everyMs / 2, why: null });
    }
  }

  #isLarge(set: PollSet): boolean {
    return set === "counters" || (set === "logFiles" && this.#logFiles.length > MOST_FILES_A_SECOND);
  }

  #sqlOf(set: PollSet): string {
    switch (set) {
      case "clock":
        return POLL_CLOCK;
      case "session":
        return POLL_SESSION;
      case "databases":
        return pollDatabases(this.#options.major);
      case "waits":
        return POLL_WAITS;
      case "logFiles":
        return pollLogFiles(this.#logFiles);
      case "schedulers":
        return POLL_SCHEDULERS;
      case "waiting":
        return POLL_WAITING;
      case "counters":
        return pollCounters(this.#options.major);
    }
  }

  /** @returns null when it failed, which is noted */
  async #ask(what: string, sql: string, failures: LivePoll["failures"]): Promise<Row[][] | null> {
    const { connection, session, answerMs } = this.#options;
    try {
      return await connection.query(sql, sql === POLL_SESSION ? { session } : {}, answerMs);
    } catch (error) {
      const detail = this.#whyNot(error, answerMs);
      failures.push({ set: what, detail });
      return null;
    }
  }

  #whyNot(error: unknown, answerMs: number): string {
    if (!(error instanceof LiveFailure)) return "The statement failed.";
    // A statement that was given up does not change the connection.
    if (error.code !== "live-connection-lost" || this.#stopped) return error.message;
    return `${this.#options.connection.where} did not answer within ${answerMs / 1000} s.`;
  }

  /** Names, files, roles and connections: only after a change of the databases' states. */
  async #askWhatChanged(rows: readonly Row[], failures: LivePoll["failures"]): Promise<void> {
    const local = localSignature(rows);
    if (local !== this.#local && (await this.#askDatabases(failures))) {
      if (this.#local !== null) this.#listeners.onDatabases();
      this.#local = local;
    }
    const topology = topologySignature(rows);
    const now = this.#options.clock.now();
    if (topology === this.#topology) this.#rolesSeenAt = this.#clockAt;
    if (topology === this.#topology || now - this.#statesAskedAt < REPLICA_STATES_APART_MS) return;
    this.#statesAskedAt = now;
    if (await this.#askReplicaStates(failures)) this.#topology = topology;
  }

  async #askDatabases(failures: LivePoll["failures"]): Promise<boolean> {
    const sets = await this.#ask("names", localDatabases(this.#options.major), failures);
    if (sets === null) return false;
    const [databases = [], files = []] = sets;
    const named = databases.flatMap((row) => {
      const name = textOrNull(row["database_name"]);
      return name === null ? [] : [{ row, name }];
    });
    this.#known = {
      ...this.#known,
      databaseNames: new Map(named.map(({ row, name }) => [guidIn(row["group_database_id"]), name])),
      localNames: new Map(named.map(({ row, name }) => [Number(row["database_id"]), name])),
    };
    this.#logFiles = logFileIds(databases, files);
    return true;
  }

  /** @returns false while a local role is being decided, so that it is asked again */
  async #askReplicaStates(failures: LivePoll["failures"]): Promise<boolean> {
    const sets = await this.#ask("replicas", replicaStates(this.#options.major), failures);
    if (sets === null) return false;
    const states = sets.flat();
    const roles = localRoles(states);
    this.#known = { ...this.#known, connections: connectionsIn(states) };
    this.#roles = roles;
    if (!this.#stopped) this.#listeners.onRoles(roles, this.#rolesSeenAt, this.#clockAt);
    this.#rolesSeenAt = this.#clockAt;
    return roles.every(({ role }) => role !== null);
  }

  #takeServerTime(row: Row | undefined, askedMs: number, answeredMs: number): void {
    const utc = row?.["utc_now"];
    if (utc instanceof Date) this.#listeners.onServerTime({ askedMs, answeredMs, serverMs: utc.getTime() });
  }

  #report(answers: PollAnswers, failures: LivePoll["failures"]): void {
    if (answers.session !== undefined) this.#takeDropped(droppedIn(answers.session));
    const reading = this.#deltas.next(answers, this.#known, failures);
    if (reading !== null) this.#listeners.onReading(reading, this.#clockAt);
  }

  /** The counts start again when the session starts; losses before this run do not belong to it. */
  #takeDropped(dropped: Dropped | null): void {
    this.#notRunning = dropped === null ? this.#notRunning + 1 : 0;
    if (dropped !== null) this.#listeners.onSession(true);
    else if (this.#notRunning === MOST_NOT_RUNNING) this.#listeners.onSession(false);
    if (dropped === null) return;
    const before = this.#dropped ?? dropped;
    this.#dropped = dropped;
    const events = Math.max(0, dropped.events - before.events);
    const buffers = Math.max(0, dropped.buffers - before.buffers);
    if (events > 0 || buffers > 0) this.#listeners.onDropped({ events, buffers });
  }
}
