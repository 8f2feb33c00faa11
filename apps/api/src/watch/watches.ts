/** All watches: created, changed, paused and deleted by people, and started again after a restart. */
import type { Logger } from "pino";
import type {
  Person,
  Watch,
  WatchCheck,
  WatchDefinition,
  WatchEpisode,
  Watches as WatchList,
  WatchMessageTested,
  WatchRehearsal,
  WatchSeries,
} from "@aglens/contract";
import { problem, ProblemError } from "@aglens/engine/problems";
import { hasRole, mayChange } from "../access/rules.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";
import type { Live } from "../live/live.ts";
import { whereIs } from "../live/server/connection.ts";
import { missingOf } from "./rights.ts";
import { DEFINITION, episodesIn, watchIn } from "./stored-watch.ts";
import type { StoredWatch } from "./stored-watch.ts";
import type { Receiver, WatchFile, WatchSecrets } from "./watch-file.ts";
import { WatchFileError } from "./watch-file.ts";
import type { WatchMessages } from "./watch-messages.ts";
import type { WatchStore } from "./watch-store.ts";

const MOST_WATCHES = 50;
/** Episodes of one answer. */
const MOST_EPISODES = 500;
const WEEK_MS = 7 * 86_400_000;

type ServerAndLogin = Pick<WatchDefinition, "login"> & {
  readonly server: WatchDefinition["replicas"][number]["server"];
};

export interface WatchesParts {
  readonly store: WatchStore;
  readonly secrets: WatchSecrets;
  readonly live: Pick<Live, "expectAllowed" | "check">;
  readonly messages: WatchMessages;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Records an action in the audit log before it happens. */
type Note = (what: string) => Promise<void>;

export class Watches {
  readonly #parts: WatchesParts;
  readonly #stored = new Map<string, StoredWatch>();

  constructor(parts: WatchesParts) {
    this.#parts = parts;
  }

  /** Starts all watches that aren't paused. */
  async open(): Promise<void> {
    await this.#readAll();
  }

  async close(): Promise<void> {
    await this.#parts.messages.close();
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
    const stored = {
      definition,
      created: now,
      owner,
      isPaused: false,
      since: now,
      pausedBy: null,
      asked: "",
    };
    await this.#save(id, stored);
    return this.get(id, person);
  }

  /** @throws ProblemError, LiveFailure */
  async change(id: string, definition: WatchDefinition, person: Person | null, note: Note): Promise<Watch> {
    const stored = this.#findOwn(id, person);
    await this.#expectUsable(definition);
    await note(definition.group);
    await this.#save(id, { ...stored, definition });
    return this.get(id, person);
  }

  /** Deletes a watch with its polls and episodes; its captures stay. @throws ProblemError */
  async remove(id: string, person: Person | null, note: Note): Promise<void> {
    const { definition } = this.#findOwn(id, person);
    await note(definition.group);
    this.#stored.delete(id);
    await this.#parts.store.remove("all", { watch: id });
  }

  /** @throws ProblemError */
  async pause(id: string, isPaused: boolean, person: Person | null, note: Note): Promise<Watch> {
    const stored = this.#findOwn(id, person);
    await note(stored.definition.group);
    if (stored.isPaused !== isPaused) {
      const pausedBy = isPaused ? (person?.name ?? null) : null;
      await this.#save(id, { ...stored, isPaused, pausedBy, since: this.#now() });
    }
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
    const at = this.#now();
    return {
      id: at,
      trigger: { rule, at, text: "", value: null, limit: null, usual: null },
      ended: at,
      state: "refused",
      refusal: "Recording isn't available.",
      recordedFrom: null,
      recordedTo: null,
      captureId: null,
      bytes: null,
      verdict: null,
      place: null,
      p95Us: null,
      steps: [],
    };
  }

  /** Polls of a time in columns. @throws ProblemError */
  async series(
    id: string,
    { from, to, bins }: { from: number; to: number; bins: number },
  ): Promise<WatchSeries> {
    this.#find(id);
    const none = Array.from({ length: bins }, () => null);
    return {
      from,
      width: (to - from) / bins,
      delay: none,
      longest: none,
      usualLow: none,
      usualHigh: none,
      sendQueueKb: none,
      rpoSeconds: none,
      polled: none.map(() => 0),
    };
  }

  /** The newest first. @throws ProblemError */
  async episodes(id: string): Promise<WatchEpisode[]> {
    this.#find(id);
    return episodesIn(await this.#parts.store.rows("episode", { watch: id, newest: MOST_EPISODES }));
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
    return this.check({ server: replica.server, login }, note);
  }

  /** Triggers that a definition would have had over the polls of a watch. @throws ProblemError */
  async rehearse(_definition: WatchDefinition, id: string | null): Promise<WatchRehearsal> {
    if (id !== null) this.#find(id);
    return { days: 0, triggers: [] };
  }

  /** @throws ProblemError where the file has no such receiver */
  async testMessage(receiver: string, note: Note): Promise<WatchMessageTested> {
    const { receivers } = await refused(this.#parts.secrets.read());
    if (!Object.hasOwn(receivers, receiver)) throw noReceiver(receiver);
    await note(receiver);
    return this.#parts.messages.test(receiver);
  }

  async #readAll(): Promise<void> {
    this.#stored.clear();
    for (const row of await this.#parts.store.rows("definition")) {
      const stored = row.key === DEFINITION ? watchIn(row) : null;
      if (stored !== null) this.#stored.set(row.watch, stored);
    }
  }

  async #save(id: string, record: StoredWatch): Promise<void> {
    await this.#parts.store.save("definition", [{ watch: id, key: DEFINITION, record }]);
    this.#stored.set(id, record);
  }

  #find(id: string): StoredWatch {
    const stored = this.#stored.get(id);
    if (stored === undefined)
      throw problem("watch-not-found", "There is no such watch. It may have been deleted.");
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
  async #expectUsable({ replicas, login, receivers }: WatchDefinition): Promise<void> {
    const { live, secrets } = this.#parts;
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
    const { definition, created, owner, isPaused, since, pausedBy } = stored;
    const from = new Date(this.#parts.clock.now() - WEEK_MS).toISOString();
    const [week, newest] = await Promise.all([
      this.#parts.store.rows("episode", { watch: id, from }),
      this.#parts.store.rows("episode", { watch: id, newest: 1 }),
    ]);
    const episodes = episodesIn(week);
    const isViewer = person !== null && !hasRole(person, "contributor");
    return {
      id,
      definition: isViewer ? { ...definition, login: "", receivers: [] } : definition,
      created,
      owner,
      state: isPaused ? "paused" : "notStarted",
      since,
      pausedBy,
      replicas: definition.replicas.map(({ server, serverName }) => ({
        serverName,
        where: whereIs(server),
        role: "unknown",
        commitMode: "undetermined",
        synchronization: null,
        polled: null,
        problem: null,
        since: null,
        tries: 0,
        retryIn: null,
        missing: null,
        cost: null,
      })),
      lastEpisode: episodesIn(newest)[0] ?? null,
      nextSchedule: null,
      week: {
        recordings: episodes.filter(({ state }) => state !== "refused").length,
        refused: episodes.filter(({ state }) => state === "refused").length,
        bytes: episodes.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      },
      missedSchedules: [],
      onServer: null,
      mayChange: mayChangeIt(stored, person),
    };
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

const NOT_SET_UP = "Watches aren't set up on this server. Ask an admin.";

const mayChangeIt = ({ owner }: StoredWatch, person: Person | null): boolean =>
  person === null || mayChange(person, owner === null ? {} : { owner });

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
