/** All watches: created, changed, paused and deleted by people, and started again after a restart. */
import type { Logger } from "pino";
import type {
  LiveLogin,
  Owner,
  Person,
  Watch,
  WatchCheck,
  WatchDefinition,
  WatchEpisode,
  Watches as WatchList,
  WatchMessageTested,
  WatchRehearsal,
  WatchReplica,
  WatchSeries,
  WatchStep,
} from "@aglens/contract";
import { problem, ProblemError } from "@aglens/engine/problems";
import { hasRole, mayChange } from "../access/rules.ts";
import { pause } from "../kernel/clock.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";
import type { Live } from "../live/live.ts";
import { whereIs } from "../live/server/connection.ts";
import type { Patience } from "../live/server/connection.ts";
import type { OtherServers } from "../store/other-servers.ts";
import { weekOf } from "./episodes.ts";
import { storedSeries } from "./kept-minutes.ts";
import type { SeriesRange } from "./kept-minutes.ts";
import type { Recorder } from "./recording.ts";
import { rehearsalOf } from "./rehearsal.ts";
import { missingOf } from "./rights.ts";
import { missedBetween, problemOf } from "@aglens/ag-model/schedules";
import { reasonOf } from "./messages/words.ts";
import {
  DEFINITION,
  episodesIn,
  isRefusedByFailure,
  recordRequestIn,
  STATUS,
  statusIn,
  watchIn,
} from "./stored-watch.ts";
import type { StoredStatus, StoredWatch, WatchStatus } from "./stored-watch.ts";
import { nextSchedule, RunningWatch } from "./watch.ts";
import type { Receiver, WatchFile, WatchSecrets } from "./watch-file.ts";
import { WatchCounts } from "./watch-figures.ts";
import type { WatchFigures } from "./watch-figures.ts";
import { WatchFileError } from "./watch-file.ts";
import type { WatchMessages } from "./watch-messages.ts";
import type { WatchStore } from "./watch-store.ts";

const MOST_WATCHES = 50;
/** Episodes of one answer. */
const MOST_EPISODES = 500;
const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;
/** Changes by other servers are looked for this often. */
const SYNC_MS = 2_000;
/** A request to record waits so long for the server that has the watch. */
const ELSEWHERE_MS = 15_000;
const ELSEWHERE_LOOK_MS = 250;

type ServerAndLogin = Pick<WatchDefinition, "login"> & {
  readonly server: WatchDefinition["replicas"][number]["server"];
};

/** A watch, as a recorder needs it. */
export interface WatchToRecord {
  readonly id: string;
  readonly definition: WatchDefinition;
  readonly owner: Owner | null;
  readonly login: () => Promise<LiveLogin>;
}

export interface WatchesParts {
  readonly store: WatchStore;
  readonly secrets: WatchSecrets;
  readonly live: Pick<Live, "expectAllowed" | "check" | "dropLeft">;
  readonly openRecorder: (watch: WatchToRecord) => Recorder;
  readonly messages: WatchMessages;
  /** Resolves when recordings of an earlier process are captures. */
  readonly recovered: () => Promise<void>;
  readonly others: OtherServers;
  /** Name of this server among several; null where it is the only one. */
  readonly server: string | null;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly log: Logger;
}

/** A watch that this server has, or wants to have. */
interface Running {
  /** Null until its turn, and while it reads what is kept. */
  watch: RunningWatch | null;
  /** The same after that; null where it could not be opened, or another server has it. */
  readonly opened: Promise<RunningWatch | null>;
  /** Ends it. @param reason for the recording; null where the process ends, or another server runs the watch */
  readonly release: (reason: string | null) => void;
  readonly done: Promise<void>;
}

/** Records an action in the audit log before it happens. */
type Note = (what: string) => Promise<void>;

export class Watches {
  readonly #parts: WatchesParts;
  readonly #stored = new Map<string, StoredWatch>();
  /** States as other servers stored them, and as this one will find them after a restart. */
  readonly #statuses = new Map<string, StoredStatus>();
  readonly #running = new Map<string, Running>();
  readonly #counts = new Map<string, WatchCounts>();
  #endSync = (): void => {};
  #syncing: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Number of changes that this server made: rows that were read before one are out of date. */
  #changes = 0;

  constructor(parts: WatchesParts) {
    this.#parts = parts;
  }

  /** Starts all watches that aren't paused. */
  async open(): Promise<void> {
    await this.#sync();
    this.#dropLeft();
    const { others, clock } = this.#parts;
    if (!others.isShared) return;
    let isSyncing = false;
    this.#endSync = clock.every(SYNC_MS, () => {
      // A slow catalog is not asked by a growing queue.
      if (isSyncing) return;
      isSyncing = true;
      this.#syncing = this.#sync()
        .catch((error: unknown) => this.#parts.log.error({ err: error }, "watches could not be read"))
        .finally(() => (isSyncing = false));
    });
  }

  /** Recordings are continued by the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endSync();
    await this.#syncing;
    await Promise.all([...this.#running.keys()].map((id) => this.#end(id, null)));
    await this.#parts.messages.close();
  }

  /** Watches that no other server has, for metrics. */
  figures(): WatchFigures[] {
    return [...this.#stored].flatMap(([id, stored]) => {
      const { status, onServer } = this.#statusOf(id, stored);
      if (onServer !== null) return [];
      const { group, triggers } = stored.definition;
      const running = stored.isPaused ? null : this.#running.get(id)?.watch;
      return [
        {
          group,
          state: status.state,
          delayLimitMs: triggers.commitDelay?.overMs ?? null,
          counts: this.#countsOf(id),
          polled: running?.polled() ?? null,
        },
      ];
    });
  }

  /** Adds a step to an episode, such as a message that was sent. */
  noteStep(id: string, episode: string, step: WatchStep): void {
    this.#running.get(id)?.watch?.noteStep(episode, step);
  }

  /** @param person null on a server without sign-in */
  async list(person: Person | null): Promise<WatchList> {
    const file = await this.#file();
    const watches = await Promise.all(
      [...this.#stored].map(([id, stored]) => this.#watch(id, stored, person)),
    );
    const maySeeNames = person === null || hasRole(person, "contributor");
    const names = file instanceof WatchFileError || !maySeeNames ? null : file;
    return {
      watches,
      logins: Object.keys(names?.logins ?? {}),
      receivers: Object.entries(names?.receivers ?? {}).map(([name, receiver]) => ({
        name,
        kind: receiver.kind,
        shown: person === null || hasRole(person, "admin") ? shownOf(receiver) : "",
      })),
      problem: file instanceof WatchFileError ? (maySeeNames ? file.message : NOT_SET_UP) : null,
    };
  }

  /** @throws ProblemError */
  async get(id: string, person: Person | null): Promise<Watch> {
    return this.#watch(id, this.#find(id), person);
  }

  /** @throws ProblemError, LiveFailure */
  async create(definition: WatchDefinition, person: Person | null, note: Note): Promise<Watch> {
    await this.#expectUsable(definition);
    if (this.#stored.size >= MOST_WATCHES)
      throw problem(
        "too-many-watches",
        `There are ${MOST_WATCHES} watches, which is the limit. Delete one first.`,
      );
    await note(definition.group);
    const now = this.#now();
    const owner = person === null ? null : { id: person.id, name: person.name };
    const id = newId();
    const times = { created: now, changed: now, since: now };
    const record = { definition, ...times, owner, isPaused: false, pausedBy: null, asked: "" };
    await this.#parts.store.save("definition", [{ watch: id, key: DEFINITION, record }]);
    this.#changes += 1;
    await this.#take(id, record);
    return this.get(id, person);
  }

  /** @throws ProblemError, LiveFailure */
  async change(id: string, definition: WatchDefinition, person: Person | null, note: Note): Promise<Watch> {
    this.#findOwn(id, person);
    await this.#expectUsable(definition);
    await note(definition.group);
    await this.#change(id, (stored) => ({
      definition: named(definition, stored.definition),
      changed: this.#now(),
    }));
    return this.get(id, person);
  }

  /** Deletes a watch with its polls and episodes; its captures stay. @throws ProblemError */
  async remove(id: string, person: Person | null, note: Note): Promise<void> {
    const { definition } = this.#findOwn(id, person);
    await note(definition.group);
    await this.#parts.store.remove("definition", { watch: id });
    this.#changes += 1;
    this.#stored.delete(id);
    await this.#end(id, DELETED);
    this.#statuses.delete(id);
    this.#counts.delete(id);
    await this.#parts.store.remove("all", { watch: id });
  }

  /** @throws ProblemError */
  async pause(id: string, isPaused: boolean, person: Person | null, note: Note): Promise<Watch> {
    const { definition } = this.#findOwn(id, person);
    await note(definition.group);
    const pausedBy = isPaused ? (person?.name ?? null) : null;
    await this.#change(id, (now) =>
      now.isPaused === isPaused ? {} : { isPaused, pausedBy, since: this.#now() },
    );
    return this.get(id, person);
  }

  /** Begins a recording. @returns its episode, also where it is refused @throws ProblemError */
  async record(id: string, rule: "hand" | "http", note: Note): Promise<WatchEpisode> {
    const { definition } = this.#find(id);
    if (rule === "http" && !definition.triggers.http)
      throw problem(
        "watch-refused",
        `The watch of ${definition.group} does not record by HTTP. Switch the trigger on.`,
      );
    await note(definition.group);
    // A watch that was just made, or resumed, reads what is kept of it first.
    const running = this.#parts.others.isShared
      ? this.#running.get(id)?.watch
      : await this.#running.get(id)?.opened;
    if (running) return running.record(rule);
    return this.#recordElsewhere(id, rule);
  }

  /** Polls of a time in columns. @throws ProblemError */
  async series(id: string, range: SeriesRange): Promise<WatchSeries> {
    this.#find(id);
    if (range.to <= range.from) throw problem("bad-request", "The end of the range is not after its begin.");
    const { store, clock } = this.#parts;
    return this.#running.get(id)?.watch?.series(range) ?? storedSeries(store, id, range, clock.now());
  }

  /** The newest first. @throws ProblemError */
  async episodes(id: string, person: Person | null): Promise<WatchEpisode[]> {
    this.#find(id);
    const rows = await this.#parts.store.rows("episode", { watch: id, newest: MOST_EPISODES });
    return isViewer(person) ? episodesIn(rows).map(episodeForViewer) : episodesIn(rows);
  }

  /** Rights of a login on a server. @throws LiveFailure for a host that is not allowed, ProblemError */
  async check({ server, login }: ServerAndLogin, note: Note): Promise<WatchCheck> {
    const { live, secrets } = this.#parts;
    live.expectAllowed(server);
    const secret = await refused(secrets.login(login, server));
    await note(server.host);
    try {
      const answer = await live.check({ server, login: secret });
      const { mayWatch, mayRecord } = missingOf(answer);
      return { maySignIn: true, mayWatch, mayRecord, problem: null, answer };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { code, detail } = error.problem;
      const none = { maySignIn: false, mayWatch: false, mayRecord: false, answer: null };
      return { ...none, problem: { code, detail, sql: null } };
    }
  }

  /** Rights on a replica of a watch, and a new try to poll it. @throws ProblemError, LiveFailure */
  async checkReplica(id: string, index: number, note: Note): Promise<WatchCheck> {
    const { login, replicas } = this.#find(id).definition;
    const replica = replicas[index];
    if (replica === undefined) throw problem("not-found", "The watch has no such replica.");
    const found = await this.check({ server: replica.server, login }, note);
    const running = this.#running.get(id)?.watch;
    // The server that has the watch finds the time.
    if (running) running.tryAgain(index);
    else await this.#change(id, () => ({ asked: this.#now() }));
    return found;
  }

  /** Triggers that a definition would have had over the polls of a watch. @throws ProblemError */
  async rehearse(definition: WatchDefinition, id: string | null): Promise<WatchRehearsal> {
    expectSchedules(definition);
    if (id === null) return { days: 0, triggers: [] };
    this.#find(id);
    const { store, clock } = this.#parts;
    const now = clock.now();
    const from = new Date(now - WEEK_MS).toISOString();
    const episodes = episodesIn(await store.rows("episode", { watch: id, from }));
    return rehearsalOf(store, id, definition, episodes, now);
  }

  /** @throws ProblemError where the file has no such receiver */
  async testMessage(receiver: string, note: Note): Promise<WatchMessageTested> {
    const { receivers } = await refused(this.#parts.secrets.read());
    if (!Object.hasOwn(receivers, receiver)) throw noReceiver(receiver);
    await note(receiver);
    return this.#parts.messages.test(receiver);
  }

  /** Drops event sessions that recordings of an earlier process left, also where another server runs the watch by now. */
  #dropLeft(): void {
    const { live, secrets } = this.#parts;
    for (const { definition } of this.#stored.values())
      for (const { server, serverName } of definition.replicas)
        live.dropLeft(serverName, async () => {
          live.expectAllowed(server);
          return { server, login: await secrets.login(definition.login, server) };
        });
  }

  /** Takes over what people changed at other servers, and starts watches that no server has. */
  async #sync(): Promise<void> {
    const changes = this.#changes;
    const statuses = new Map(this.#statuses);
    const rows = await this.#parts.store.rows("definition");
    const found = new Set<string>();
    // A watch that starts continues from its state. One that was stored since is newer than the row.
    for (const row of rows)
      if (row.key === STATUS && this.#statuses.get(row.watch) === statuses.get(row.watch))
        this.#takeStatus(row.watch, statusIn(row));
    for (const row of rows) {
      if (changes !== this.#changes) return;
      const { watch: id, key } = row;
      if (key === DEFINITION) {
        found.add(id);
        await this.#take(id, watchIn(row)); // oxlint-disable-line no-await-in-loop -- one after the other
      } else if (key !== STATUS) await this.#takeRequest(id, key, row.record); // oxlint-disable-line no-await-in-loop
    }
    for (const id of [...this.#stored.keys()].filter((each) => !found.has(each))) {
      if (changes !== this.#changes) return;
      this.#stored.delete(id);
      await this.#end(id, DELETED); // oxlint-disable-line no-await-in-loop
      // This server may have stored polls after the rows were deleted.
      await this.#parts.store.remove("all", { watch: id }); // oxlint-disable-line no-await-in-loop
    }
  }

  async #take(id: string, stored: StoredWatch | null): Promise<void> {
    if (stored === null) return;
    const before = this.#stored.get(id);
    this.#stored.set(id, stored);
    const running = this.#running.get(id);
    if (running !== undefined && before !== undefined) {
      if (decidedIn(before) !== decidedIn(stored)) await this.#end(id, stored.isPaused ? PAUSED : CHANGED);
      else if (before.asked !== stored.asked) running.watch?.tryAgain();
    }
    if (!stored.isPaused) this.#start(id);
  }

  #takeStatus(id: string, stored: StoredStatus | null): void {
    if (stored === null) return;
    const before = this.#statuses.get(id);
    this.#statuses.set(id, stored);
    // This server lost the duty, as while it couldn't reach the catalog: only one may poll, record and send.
    const { server: own } = this.#parts;
    if (before?.server === own && stored.server !== own) this.#running.get(id)?.release(null);
  }

  /** A person or a tool asked another server for a recording. */
  async #takeRequest(id: string, key: string, record: unknown): Promise<void> {
    const watch = this.#running.get(id)?.watch;
    const request = recordRequestIn(record);
    if (!watch || request === null) return;
    const { store, clock } = this.#parts;
    // The server that was asked no longer waits, or it ended.
    if (clock.now() - Date.parse(request.at) > ELSEWHERE_MS)
      return store.remove("definition", { watch: id, from: key, before: `${key}!` });
    if (request.episode !== null) return;
    const { id: episode } = watch.record(request.rule);
    await store.save("definition", [{ watch: id, key, record: { ...request, episode } }]);
  }

  /** Leaves a request for the server that has the watch, and waits for its answer. */
  async #recordElsewhere(id: string, rule: "hand" | "http"): Promise<WatchEpisode> {
    const { store, clock } = this.#parts;
    const { definition, isPaused } = this.#find(id);
    if (isPaused)
      throw problem("watch-refused", `The watch of ${definition.group} is paused. Resume it first.`);
    const key = `record ${newId()}`;
    await store.save("definition", [{ watch: id, key, record: { rule, at: this.#now(), episode: null } }]);
    const end = clock.now() + ELSEWHERE_MS;
    try {
      while (clock.now() < end) {
        await pause(clock, ELSEWHERE_LOOK_MS); // oxlint-disable-line no-await-in-loop -- one look after the other
        const rows = await store.rows("definition", { watch: id, from: key, before: `${key}!` }); // oxlint-disable-line no-await-in-loop
        const episode = recordRequestIn(rows[0]?.record)?.episode ?? null;
        const found =
          episode === null
            ? []
            : await store.rows("episode", { watch: id, from: episode, before: `${episode}!` }); // oxlint-disable-line no-await-in-loop
        const [first] = episodesIn(found);
        if (first !== undefined) return first;
      }
    } finally {
      await store.remove("definition", { watch: id, from: key, before: `${key}!` });
    }
    throw problem(
      "watch-elsewhere",
      `No server of AG Lens runs the watch of ${definition.group} at the moment.`,
    );
  }

  /** Begins to run a watch, once no other server has it. */
  #start(id: string): void {
    if (this.#isClosed || this.#running.has(id) || this.#stored.get(id)?.isPaused === true) return;
    const { others, log } = this.#parts;
    const { promise: released, resolve: release } = Promise.withResolvers<string | null>();
    const { promise: opened, resolve: open } = Promise.withResolvers<RunningWatch | null>();
    const running: Running = {
      watch: null,
      opened,
      release,
      done: others
        .alone(`watch ${id}`, async () => {
          // Where it is alone, the list below has it first.
          await Promise.resolve();
          running.watch = await this.#opened(id);
          open(running.watch);
          const reason = await released;
          // While it closes, people may still ask for its state.
          await (reason === null ? running.watch?.close() : running.watch?.stop(reason));
        })
        .then(() => {})
        .catch((error: unknown) => log.error({ err: error, watch: id }, "a watch ended unexpectedly"))
        .finally(() => {
          open(null);
          if (this.#running.get(id) === running) this.#running.delete(id);
        }),
    };
    this.#running.set(id, running);
  }

  async #opened(id: string): Promise<RunningWatch | null> {
    const stored = this.#stored.get(id);
    if (stored === undefined) return null;
    const watch = this.#newWatch(id, stored);
    await watch.open();
    return watch;
  }

  #newWatch(id: string, { definition, owner }: StoredWatch): RunningWatch {
    const { secrets, live, openRecorder } = this.#parts;
    let isFirst = true;
    const login = (replica: WatchReplica): Promise<LiveLogin> =>
      secrets.login(definition.login, replica.server);
    return new RunningWatch({
      ...this.#parts,
      id,
      definition,
      owner,
      status: this.#statuses.get(id)?.status ?? null,
      recorder: openRecorder({ id, definition, owner, login: () => this.#loginForAll(definition) }),
      login,
      expectAllowed: ({ server }) => live.expectAllowed(server),
      counts: this.#countsOf(id),
      saveStatus: async (status) => {
        if (!this.#stored.has(id) || !(await this.#saveStatus(id, status, isFirst))) return;
        isFirst = false;
        await this.#learnNames(id, status);
      },
    });
  }

  /** @param isFirst since this server runs the watch @returns false where another server runs it by now */
  async #saveStatus(id: string, status: WatchStatus, isFirst: boolean): Promise<boolean> {
    const { store, server: own } = this.#parts;
    const row = { watch: id, key: STATUS };
    const record: StoredStatus = { server: own, status };
    if (isFirst) await store.save("definition", [{ ...row, record }]);
    else {
      const stored = await store.change("definition", row, (before) =>
        statusIn({ ...row, record: before })?.server === own ? record : null,
      );
      if (stored !== record) return false;
    }
    this.#statuses.set(id, record);
    return true;
  }

  /** The login of all replicas. @throws WatchFileError where it may not be sent to one */
  async #loginForAll({ login, replicas }: WatchDefinition): Promise<LiveLogin> {
    const [first, ...others] = replicas;
    if (first === undefined) throw new WatchFileError("The watch has no replica.");
    for (const { server } of others) await this.#parts.secrets.expectLogin(login, server); // oxlint-disable-line no-await-in-loop
    return this.#parts.secrets.login(login, first.server);
  }

  /** Keeps the names of servers that answered for the first time. */
  async #learnNames(id: string, { replicas: found }: WatchStatus): Promise<void> {
    const names = new Map(found.map(({ where, serverName }) => [where, serverName]));
    const before = this.#stored.get(id);
    const isNew = before?.definition.replicas.some(
      ({ server, serverName }) => serverName === "" && (names.get(whereIs(server)) ?? "") !== "",
    );
    if (before === undefined || isNew !== true) return;
    const stored = await this.#changeStored(id, ({ definition }) => ({
      definition: withNames(definition, names),
    }));
    // Changes of a person are taken over together with the polls of other replicas.
    if (stored === null || this.#stored.get(id) !== before || decidedIn(stored) !== decidedIn(before)) return;
    this.#changes += 1;
    this.#stored.set(id, stored);
  }

  #countsOf(id: string): WatchCounts {
    const counts = this.#counts.get(id) ?? new WatchCounts();
    this.#counts.set(id, counts);
    return counts;
  }

  async #end(id: string, reason: string | null): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.release(reason);
    await running.done;
  }

  /**
   * Changes parts of a watch as it is stored at that time, and runs it as it is then.
   * @throws ProblemError where it was deleted
   */
  async #change(id: string, changed: (stored: StoredWatch) => Partial<StoredWatch>): Promise<void> {
    const stored = await this.#changeStored(id, changed);
    if (stored === null) throw notFound();
    this.#changes += 1;
    await this.#take(id, stored);
  }

  /** @returns all of it; null where it was deleted */
  async #changeStored(
    id: string,
    changed: (stored: StoredWatch) => Partial<StoredWatch>,
  ): Promise<StoredWatch | null> {
    const row = { watch: id, key: DEFINITION };
    const record = await this.#parts.store.change("definition", row, (before) => {
      const stored = watchIn({ ...row, record: before });
      return stored && { ...stored, ...changed(stored) };
    });
    return watchIn({ ...row, record });
  }

  #find(id: string): StoredWatch {
    const stored = this.#stored.get(id);
    if (stored === undefined) throw notFound();
    return stored;
  }

  #findOwn(id: string, person: Person | null): StoredWatch {
    const stored = this.#find(id);
    if (!mayChangeIt(stored, person)) {
      const { owner } = stored;
      throw problem(
        "not-allowed",
        `Only ${owner === null ? "an admin" : `${owner.name} or an admin`} can change this watch.`,
      );
    }
    return stored;
  }

  /** @throws ProblemError, LiveFailure */
  async #expectUsable({ replicas, login, receivers, triggers }: WatchDefinition): Promise<void> {
    const { live, secrets } = this.#parts;
    expectSchedules({ triggers });
    for (const { server } of replicas) live.expectAllowed(server);
    const file = await refused(secrets.read());
    await refused(Promise.all(replicas.map(({ server }) => secrets.expectLogin(login, server))));
    const missing = receivers.find((name) => !Object.hasOwn(file.receivers, name));
    if (missing !== undefined) throw noReceiver(missing);
  }

  async #file(): Promise<WatchFile | WatchFileError> {
    return this.#parts.secrets.read().catch((error: unknown) => {
      if (error instanceof WatchFileError) return error;
      throw error;
    });
  }

  async #watch(id: string, stored: StoredWatch, person: Person | null): Promise<Watch> {
    const { definition, created, owner, isPaused, pausedBy } = stored;
    const { store, clock } = this.#parts;
    const now = clock.now();
    const from = new Date(now - WEEK_MS).toISOString();
    const [week, newest] = await Promise.all([
      store.rows("episode", { watch: id, from }),
      store.rows("episode", { watch: id, newest: 1 }),
    ]);
    const episodes = episodesIn(week);
    const hides = isViewer(person);
    const [last = null] = episodesIn(newest);
    const { status, onServer } = this.#statusOf(id, stored);
    return {
      id,
      definition: hides ? { ...definition, login: "", receivers: [] } : definition,
      created,
      owner,
      state: status.state,
      since: status.since,
      pausedBy,
      replicas: hides ? status.replicas.map(replicaForViewer) : status.replicas,
      lastEpisode: last !== null && hides ? episodeForViewer(last) : last,
      nextSchedule: isPaused ? null : nextScheduleOf(definition, now),
      week: weekOf(episodes, now),
      missedSchedules: missedSchedules(stored, episodes, now),
      onServer,
      mayChange: mayChangeIt(stored, person),
    };
  }

  /** State of a watch, and the other server that has it. */
  #statusOf(
    id: string,
    stored: StoredWatch,
  ): {
    readonly status: Pick<WatchStatus, "state" | "since" | "replicas">;
    readonly onServer: string | null;
  } {
    const running = this.#running.get(id)?.watch;
    if (running && !stored.isPaused) return { status: running.status, onServer: null };
    const kept = this.#statuses.get(id);
    const replicas = stored.definition.replicas.map((replica) =>
      unpolled(
        replica,
        kept?.status.replicas.find(({ where }) => where === whereIs(replica.server)),
      ),
    );
    if (stored.isPaused)
      return { status: { state: "paused", since: stored.since, replicas }, onServer: null };
    const isElsewhere = kept !== undefined && kept.server !== this.#parts.server;
    if (isElsewhere) return { status: kept.status, onServer: kept.server };
    return { status: { state: "notStarted", since: stored.since, replicas }, onServer: null };
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

const CHANGED = "The watch was changed";
const PAUSED = "The watch was paused";
const DELETED = "The watch was deleted";

/** All that a person decides, as a text: names of servers are found, not decided. */
const decidedIn = ({ definition, isPaused }: StoredWatch): string =>
  JSON.stringify([{ ...definition, replicas: definition.replicas.map(({ server }) => server) }, isPaused]);

/** A definition with the names of servers that an earlier one has. */
const named = (definition: WatchDefinition, { replicas }: WatchDefinition): WatchDefinition =>
  withNames(definition, new Map(replicas.map(({ server, serverName }) => [whereIs(server), serverName])));

/** A definition with names of servers by their addresses, where it has none. */
function withNames(definition: WatchDefinition, names: ReadonlyMap<string, string>): WatchDefinition {
  const replicas = definition.replicas.map((replica) => ({
    ...replica,
    serverName: replica.serverName || (names.get(whereIs(replica.server)) ?? ""),
  }));
  return { ...definition, replicas };
}

/** A replica that isn't polled; its role is the last known one. */
const unpolled = (
  { server, serverName }: WatchReplica,
  last?: Watch["replicas"][number],
): Watch["replicas"][number] => ({
  serverName,
  where: whereIs(server),
  role: last?.role ?? "unknown",
  commitMode: last?.commitMode ?? "undetermined",
  synchronization: null,
  polled: last?.polled ?? null,
  problem: null,
  since: null,
  tries: 0,
  retryIn: null,
  missing: last?.missing ?? null,
  cost: null,
});

const isViewer = (person: Person | null): boolean => person !== null && !hasRole(person, "contributor");

/** Without names of logins and files: sentences of failures and T-SQL have them. */
const replicaForViewer = (replica: Watch["replicas"][number]): Watch["replicas"][number] => ({
  ...replica,
  problem: replica.problem && {
    code: replica.problem.code,
    detail: reasonOf(replica.problem.code, replica.serverName || replica.where),
    sql: null,
  },
  missing: replica.missing?.map((missing) => ({ ...missing, grant: "" })) ?? null,
});

const HIDDEN = "Contributors and admins see the reason.";

/** The same for sentences of a recording; a message that was sent has the name of its receiver. */
const episodeForViewer = (episode: WatchEpisode): WatchEpisode => ({
  ...episode,
  refusal: isRefusedByFailure(episode) ? HIDDEN : episode.refusal,
  steps: episode.steps.map(({ at, text, isProblem }) => ({
    at,
    text: isProblem ? HIDDEN : text.replace(/ to [^"]*".*"/u, " to a receiver"),
    isProblem,
  })),
});

function nextScheduleOf(definition: WatchDefinition, now: number): Watch["nextSchedule"] {
  const next = nextSchedule(definition, now);
  return next && { at: new Date(next.atMs).toISOString(), forSeconds: next.forSeconds };
}

/** Schedules of the last 7 days without a recording, since the definition was changed. */
function missedSchedules(
  { definition, changed }: StoredWatch,
  episodes: readonly WatchEpisode[],
  now: number,
): string[] {
  const recorded = episodes.filter(({ state }) => state !== "refused");
  // A schedule's own recording begins in its minute. One that runs already is extended.
  const isRecorded = (at: number): boolean =>
    recorded.some(
      ({ trigger, ended }) =>
        Math.round(Date.parse(trigger.at) / MINUTE_MS) * MINUTE_MS <= at &&
        (ended === null || Date.parse(ended) >= at),
    );
  const since = Math.max(Date.parse(changed), now - WEEK_MS);
  // A schedule of this minute may be about to begin.
  const until = now - MINUTE_MS;
  const times = definition.triggers.schedules.flatMap(({ cron }) =>
    since < until ? missedBetween(cron, since, until) : [],
  );
  return times
    .filter((at) => !isRecorded(at))
    .toSorted((a, b) => a - b)
    .map((at) => new Date(at).toISOString());
}

/** @throws ProblemError for an expression that can't be a schedule */
function expectSchedules({ triggers }: Pick<WatchDefinition, "triggers">): void {
  for (const { cron } of triggers.schedules) {
    const reason = problemOf(cron);
    if (reason !== null) throw problem("watch-refused", reason);
  }
}

const NOT_SET_UP = "Watches aren't set up on this server. Ask an admin.";

const mayChangeIt = ({ owner }: StoredWatch, person: Person | null): boolean =>
  person === null || mayChange(person, owner === null ? {} : { owner });

const notFound = (): Error => problem("watch-not-found", "There is no such watch. It may have been deleted.");

const noReceiver = (name: string): Error =>
  problem("watch-refused", `The file of AGLENS_WATCH_FILE has no receiver "${name}".`);

/** Answers a client with the operator's sentence about the file. @throws ProblemError */
async function refused<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof WatchFileError) throw problem("watch-refused", error.message);
    throw error;
  }
}

/** The address of a receiver without its secret part. */
function shownOf(receiver: Receiver): string {
  if (receiver.kind === "email") return receiver.to.join(", ");
  return "value" in receiver.url ? hostIn(receiver.url.value) : "";
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
