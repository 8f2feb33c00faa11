/** Everything that attaches to servers: checks, leftovers, runs. The allow-list is asked before any connection. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type {
  LeftoverRemoval,
  LiveAllowance,
  LiveCheck,
  LiveCheckRequest,
  LiveLeftSessions,
  LiveLogin,
  LiveRunCreated,
  LiveServer,
  NewLiveRun,
  Owner,
} from "@aglens/contract";
import type { z } from "zod";
import type { PolledGroup } from "@aglens/ag-model/watch";
import { plural } from "@aglens/ag-model/words";
import type { Captures } from "../captures/captures.ts";
import type { NamedFile } from "@aglens/engine/files";
import type { Clock } from "../kernel/clock.ts";
import { hashOf, matchesHash, newId } from "../kernel/identity.ts";
import { problem } from "@aglens/engine/problems";
import type { AllowList } from "./server/allow-list.ts";
import { checkServer, removeLeftovers } from "./server/check.ts";
import { connect, whereIs } from "./server/connection.ts";
import type { Connection, Patience } from "./server/connection.ts";
import { LiveFailure } from "./server/failure.ts";
import { findOf, forgetOf, leftOf } from "./cluster-member.ts";
import { FirstContacts } from "./first-contacts.ts";
import { GroupHistograms } from "./group-histograms.ts";
import type { ClusterMember } from "./cluster-member.ts";
import { newOwnId, serverOf } from "./own-id.ts";
import { LeftNotes } from "./server/left-notes.ts";
import type { NotesPlace } from "./server/left-notes.ts";
import { LeftSessions } from "./server/left-sessions.ts";
import type { MayForget, ServerAccess } from "./server/left-sessions.ts";
import type { KeptAs } from "./run/keep.ts";
import { keepAsCapture, recoverRun, removeEmptied, sessionsNotedIn, writeNote } from "./run/keep.ts";
import { LiveRun } from "./run/run.ts";
import type { RunReplica } from "./run/run.ts";

/** Each run reads several servers and has a thread of its own. */
const MOST_RUNS = 4;
/** Runs of watches at the same time, in addition. */
const MOST_UNATTENDED = 8;
/** A run that has ended is shown for so long to people who watched it. */
const SHOWN_MS = 3_600_000;

interface Running {
  readonly run: LiveRun;
  readonly owner: Owner | undefined;
  readonly controlHash: string;
  readonly isUnattended: boolean;
}

/** A run that needs no client: a watch begins and ends it. */
export interface Unattended {
  readonly as: KeptAs;
  /** Name of the availability group. */
  readonly group: string;
  /** As `RunOptions` has it. */
  readonly ringSeconds: number | null;
}

interface LiveParts {
  /** Servers that may be attached to. */
  readonly allowList: AllowList;
  readonly captures: Captures;
  /** Directory for the event buffers of runs until they are captures. */
  readonly directory: string;
  /** Bytes that one run may keep. */
  readonly keepBytes: number;
  /** Rejects before the disk has too little space for so many more bytes. */
  readonly expectRoom: (bytes: number) => Promise<void>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly patience: Patience;
  /** Bytes of memory that the picture of one run may use. */
  readonly memoryBytes: number;
  /** Place of the notes about sessions that are left on servers. */
  readonly leftNotes: NotesPlace;
  /** Null where this AG Lens is the only one. */
  readonly among: ClusterMember | null;
  /** Runs that one person may have at once. */
  readonly mostPerPerson: number;
}

export class Live {
  readonly #allowList: AllowList;
  readonly #captures: Captures;
  readonly #directory: string;
  readonly #keepBytes: number;
  readonly #memoryBytes: number;
  readonly #expectRoom: (bytes: number) => Promise<void>;
  readonly #clock: Clock;
  readonly #patience: Patience;
  readonly #among: ClusterMember | null;
  readonly #mostPerPerson: number;
  readonly #log: Logger;
  readonly #left: LeftSessions;
  /** Checks of all statements. */
  readonly contacts: FirstContacts;
  readonly #runs = new Map<string, Running>();
  /** Durations of all runs. */
  readonly histograms: GroupHistograms;
  /** Functions that cancel the timers of ended runs. */
  readonly #forgetting: (() => void)[] = [];
  #recovering: Promise<void> = Promise.resolve();

  constructor(parts: LiveParts) {
    const { clock, patience, leftNotes, among, directory, log } = parts;
    this.#clock = clock;
    this.#patience = patience;
    this.#among = among;
    this.#mostPerPerson = parts.mostPerPerson;
    const notes = new LeftNotes(leftNotes, (error) =>
      log.error({ err: error }, "the sessions that are left on servers could not be written down"),
    );
    this.#left = new LeftSessions(clock, patience, notes, among?.name);
    this.#allowList = parts.allowList;
    this.#captures = parts.captures;
    this.#directory = directory;
    this.#keepBytes = parts.keepBytes;
    this.#memoryBytes = parts.memoryBytes;
    this.histograms = new GroupHistograms(clock);
    this.#expectRoom = parts.expectRoom;
    this.#log = log;
    this.contacts = new FirstContacts({
      clock,
      patience,
      directory,
      onLeftBehind: (left, owner) => this.#left.add(left, owner),
    });
  }

  /** Begins to make captures, in the background, of recorded data that an earlier process could not keep. */
  async recover(): Promise<void> {
    await this.#left.recover();
    const names = await readdir(this.#directory).catch(() => []);
    this.#recovering = this.#recoverAll(names.map((name) => join(this.#directory, name)));
  }

  allowance(): z.infer<typeof LiveAllowance> {
    return this.#allowList.allowance;
  }

  /**
   * Answers of a server; creates nothing on it. @param owner the person of the request, who gets its names from then on
   * @throws LiveFailure
   */
  async check({ server, login }: LiveCheckRequest, owner?: Owner): Promise<z.infer<typeof LiveCheck>> {
    const check = await this.#connected(server, login, checkServer);
    await this.#captures.names.learn({ owner }, namesInCheck(check));
    this.#left.takeCheck(
      check.serverName,
      check.leftovers.map(({ name }) => name),
    );
    const own = this.#sessions();
    return { ...check, leftovers: check.leftovers.filter(({ name }) => !own.has(name)) };
  }

  /** Drops sessions that earlier runs left. @throws LiveFailure */
  async removeLeftovers({ server, login, names }: z.infer<typeof LeftoverRemoval>): Promise<string[]> {
    const own = this.#sessions();
    const others = names.filter((name) => !own.has(name));
    return this.#connected(server, login, (connection) => removeLeftovers(connection, others));
  }

  /** Sessions of ended runs that are still on their servers. @param mayForget of the person of the request */
  async leftSessions(mayForget: MayForget): Promise<z.infer<typeof LiveLeftSessions>> {
    const others = (await this.#among?.others()) ?? [];
    const left = await Promise.all(others.map((other) => leftOf(other, mayForget)));
    return { sessions: [...this.#left.list(mayForget), ...left.flat()] };
  }

  /**
   * Takes one of them off the list, because it is gone.
   * @param note records its name before it is taken off the list
   * @throws ProblemError `not-allowed` where another person's run left it
   */
  async forgetLeftSession(
    id: string,
    mayForget: MayForget,
    note: (what: string) => Promise<void>,
  ): Promise<void> {
    const others = (await this.#among?.others()) ?? [];
    const other = others.find(({ name }) => name === serverOf(id));
    if (other?.isRunning === true) throw elsewhere("session", other.name);
    const found = other === undefined ? this.#left.find(id) : await findOf(other, id);
    if (found === null) return;
    if (!mayForget(found.owner)) throw leftByOther(found.owner);
    await note(`${found.session} on ${found.name}`);
    if (other !== undefined) return forgetOf(other, id);
    this.#left.forget(id);
    // Lists on other servers no longer contain it from now on.
    await this.#left.written();
  }

  /**
   * Drops the sessions that earlier processes left on a server.
   * @param name of the server, as it calls itself @param access read only where there are such sessions
   */
  dropLeft(name: string, access: () => Promise<ServerAccess>): void {
    void this.#recovering
      .then(() => this.#left.takeAccess(name, access))
      .catch((error: unknown) => this.#log.warn({ err: error }, "no login to drop sessions that are left"));
  }

  /** Runs at the same time. */
  readonly most = MOST_RUNS;

  /** Runs of people that are not over. */
  get running(): number {
    return this.#active(false).length;
  }

  /** The groups of all runs of people, as their last polls found them. */
  polledGroups(): PolledGroup[] {
    return this.#active(false).map(({ run }) => run.polled());
  }

  /** The runs that are not over, of people or of watches. */
  #active(isUnattended: boolean): Running[] {
    return [...this.#runs.values()].filter((each) => !each.run.isOver && each.isUnattended === isUnattended);
  }

  /**
   * Begins a run; it attaches after the answer.
   * @param owner who begins it, where people sign in
   * @param note notes the servers, before anything is sent to one
   * @throws LiveFailure for a host that is not allowed, ProblemError `live-too-many-runs`
   */
  async create(
    request: z.infer<typeof NewLiveRun>,
    owner: Owner | undefined,
    note: (what: string) => Promise<void>,
  ): Promise<z.infer<typeof LiveRunCreated>> {
    for (const { server } of request.replicas) this.expectAllowed(server);
    this.#expectFreeRun(owner);
    await note(request.replicas.map(({ server }) => whereIs(server)).join(", "));
    const control = newId();
    const { id } = await this.#begin(request, owner, control, () => this.#expectFreeRun(owner));
    return { id, control };
  }

  /**
   * Begins a run without a client; it attaches after the answer.
   * @param owner of the watch @throws LiveFailure for a host that is not allowed, ProblemError `live-too-many-runs`
   */
  async createUnattended(
    request: z.infer<typeof NewLiveRun>,
    owner: Owner | undefined,
    unattended: Unattended,
  ): Promise<{ readonly id: string; readonly run: LiveRun }> {
    for (const { server } of request.replicas) this.expectAllowed(server);
    return this.#begin(
      request,
      owner,
      newId(),
      () => {
        if (this.#active(true).length >= MOST_UNATTENDED)
          throw tooManyRuns(
            `${MOST_UNATTENDED} recordings and rings of watches are active, which is the limit.`,
          );
      },
      unattended,
    );
  }

  /** When all recorded data of an earlier process is a capture, or could not be made one. */
  get recovered(): Promise<void> {
    return this.#recovering;
  }

  async #begin(
    request: z.infer<typeof NewLiveRun>,
    owner: Owner | undefined,
    control: string,
    expectFree: () => void,
    unattended?: Unattended,
  ): Promise<{ readonly id: string; readonly run: LiveRun }> {
    const id = newOwnId(this.#among?.name ?? null);
    const directory = join(this.#directory, id);
    await mkdir(directory, { recursive: true });
    // Others may have begun one meanwhile; until it is in the list nothing waits.
    try {
      expectFree();
    } catch (error) {
      await rm(directory, { recursive: true });
      throw error;
    }
    const run = this.#newRun(request, directory, owner, unattended);
    const isUnattended = unattended !== undefined;
    this.#runs.set(id, { run, owner, controlHash: hashOf(control), isUnattended });
    run.begin();
    return { id, run };
  }

  /**
   * Adds a replica to a run, if the client has its control key. @returns its index @throws ProblemError, LiveFailure
   * for a host that is not allowed
   */
  addReplica(id: string, control: string | undefined, replica: RunReplica): number {
    const run = this.controlled(id, control);
    this.expectAllowed(replica.server);
    return run.add(replica);
  }

  /** The run of an id. @throws ProblemError */
  run(id: string): LiveRun {
    return this.#running(id).run;
  }

  /** The run, if the client has its control key. @throws ProblemError */
  controlled(id: string, control: string | undefined): LiveRun {
    const { run, controlHash } = this.#running(id);
    if (control === undefined || !matchesHash(control, controlHash)) {
      throw problem("live-control", "This link is view-only. Only the user who started the run can do that.");
    }
    return run;
  }

  /** Drops the sessions of all runs; their recorded data stays on disk for the next start. */
  async close(): Promise<void> {
    await Promise.all([this.contacts.close(), ...[...this.#runs.values()].map(({ run }) => run.leave())]);
    for (const cancel of this.#forgetting) cancel();
    await this.#left.close();
    await this.#recovering;
  }

  async #recoverAll(directories: readonly string[]): Promise<void> {
    for (const directory of directories) {
      try {
        for (const { name, session, owner } of await sessionsNotedIn(directory))
          this.#left.takeCutOff(name, session, owner);
        const id = await recoverRun(this.#captures, directory);
        if (id !== null) this.#log.warn("a live run that was cut off became a capture");
      } catch (error) {
        this.#log.error({ err: error }, "a live run that was cut off could not be made a capture");
      }
    }
  }

  #newRun(
    request: z.infer<typeof NewLiveRun>,
    directory: string,
    owner: Owner | undefined,
    unattended?: Unattended,
  ): LiveRun {
    let noted: Promise<void> = Promise.resolve();
    // Functions that outlive the run must not keep the request with its logins in memory.
    const { title } = request;
    const as = unattended?.as;
    const discard = async (): Promise<void> => {
      await noted;
      await rm(directory, { recursive: true, force: true });
    };
    const run = new LiveRun({
      request,
      isUnattended: unattended !== undefined,
      group: unattended?.group,
      ringSeconds: unattended?.ringSeconds ?? null,
      directory,
      keepBytes: this.#keepBytes,
      memoryBytes: this.#memoryBytes,
      expectRoom: this.#expectRoom,
      clock: this.#clock,
      patience: this.#patience,
      discard,
      keep: async (kept) => {
        const id = await keepAsCapture(this.#captures, directory, { ...kept, owner, as });
        await noted;
        await removeEmptied(directory);
        return id;
      },
      keepPart: async (part, aside) => {
        const id = await keepAsCapture(this.#captures, aside, { ...part, owner });
        await removeEmptied(aside);
        return id;
      },
      note: (note) => {
        noted = noted
          .then(() => writeNote(directory, { ...note, title, owner, as }))
          .catch((error: unknown) => this.#log.error({ err: error }, "note of a live run not written"));
        return noted;
      },
      onStopped: () => {
        this.histograms.end(run);
        this.#forgetLater(run);
      },
      onCounts: (group, counts, replicaIds) => this.histograms.add(run, group, counts, replicaIds),
      onLeftBehind: (left) => this.#left.add(left, owner),
      log: (message, code) => this.#log.info({ code }, message),
    });
    return run;
  }

  #forgetLater(run: LiveRun): void {
    this.#forgetting.push(
      this.#clock.after(SHOWN_MS, () => {
        for (const [id, running] of this.#runs) if (running.run === run) this.#runs.delete(id);
      }),
    );
  }

  #running(id: string): Running {
    const running = this.#runs.get(id);
    if (running) return running;
    const server = serverOf(id);
    if (server !== null && server !== this.#among?.name) throw elsewhere("run", server);
    throw problem(
      "live-run-not-found",
      "Can't find this live run. It may have ended. If it was saved, it is in the list of captures.",
    );
  }

  #sessions(): Set<string> {
    const going = [...this.#runs.values()].filter(({ run }) => !run.isOver);
    return new Set([...this.contacts.sessions, ...going.flatMap(({ run }) => run.sessions)]);
  }

  async #connected<T>(
    server: LiveServer,
    login: LiveLogin,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    this.expectAllowed(server);
    const connection = await connect(server, login, this.#patience);
    try {
      return await use(connection);
    } finally {
      connection.close();
    }
  }

  /**
   * Limits the runs of one person. The last free run is only for a person without a run, because another user may need
   * it.
   * @throws ProblemError `live-too-many-runs`
   */
  #expectFreeRun(owner: Owner | undefined): void {
    const active = this.#active(false);
    if (active.length >= MOST_RUNS)
      throw tooManyRuns(`${MOST_RUNS} live runs are active, which is the limit.`);
    if (owner === undefined) return;
    const own = active.filter(({ owner: of }) => of?.id === owner.id);
    if (own.length >= this.#mostPerPerson)
      throw tooManyRuns(
        `${plural(own.length, "# live run")} of yours ${plural(own.length, "is", "are")} active, which is the limit.`,
      );
    if (own.length > 0 && active.length === MOST_RUNS - 1)
      throw tooManyRuns("The last free live run is reserved for a user without a live run.");
  }

  /** @throws LiveFailure for a host that the operator does not allow */
  expectAllowed(server: LiveServer): void {
    // The port of a named instance is only known once the server was asked.
    const port = server.instance === undefined ? (server.port ?? 1433) : null;
    if (this.#allowList.permits(server.host, port)) return;
    throw new LiveFailure(
      "live-not-allowed",
      `This API may not connect to ${whereIs(server)}. ${this.#allowList.allowance.reason}`,
    );
  }
}

/** Names in a server's views, as topologies of its availability groups. */
function namesInCheck({ replicas, databases }: z.infer<typeof LiveCheck>): NamedFile[] {
  const groups = [...new Set([...replicas, ...databases].map(({ group }) => group))];
  return groups.map((name) => ({
    name: "",
    kind: "topology",
    replicaNames: Object.fromEntries(
      replicas
        .filter(({ group }) => group === name)
        .map(({ replicaId, serverName }) => [replicaId, serverName]),
    ),
    databaseNames: Object.fromEntries(
      databases.filter(({ group }) => group === name).map(({ id, name: database }) => [id, database]),
    ),
    groupNames: name === "" ? [] : [name],
  }));
}

const tooManyRuns = (reason: string): Error =>
  problem("live-too-many-runs", `${reason} Stop one of them first.`);

const leftByOther = (owner: Owner | undefined): Error =>
  problem(
    "not-allowed",
    `Only ${owner === undefined ? "an admin" : `${owner.name} or an admin`} can take this session off the list.`,
  );

const elsewhere = (what: "run" | "session", server: string): Error =>
  problem(
    "live-run-elsewhere",
    `This ${what} is at the server ${server}, and another one was asked. The proxy has to send requests for its address to that one.`,
  );
