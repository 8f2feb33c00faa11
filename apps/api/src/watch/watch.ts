/** One watch: polls of its replicas become points, points meet rules, and a rule that is met begins a recording. */
import { isQuietFor, metRules, nextTriggers, pointOf, triggersAtStart } from "@aglens/ag-model/watch";
import type { PolledGroup, SeriesColumns, TriggerState, WatchPoint } from "@aglens/ag-model/watch";
import type {
  LiveLogin,
  Owner,
  WatchDefinition,
  WatchEpisode,
  WatchReplica,
  WatchStep,
} from "@aglens/contract";
import type { Logger } from "pino";
import type { Clock } from "../kernel/clock.ts";
import { whereIs } from "../live/server/connection.ts";
import type { Patience } from "../live/server/connection.ts";
import type { OtherServers } from "../store/other-servers.ts";
import { Episodes } from "./episodes.ts";
import { KeptMinutes } from "./kept-minutes.ts";
import type { SeriesRange } from "./kept-minutes.ts";
import type { Recorder } from "./recording.ts";
import { ReplicaPolls } from "./replica-polls.ts";
import { nextOf } from "@aglens/ag-model/schedules";
import type { BrokenReplica, WatchStatus } from "./stored-watch.ts";
import type { WatchCounts } from "./watch-figures.ts";
import type { WatchMessages } from "./watch-messages.ts";
import type { WatchStore } from "./watch-store.ts";

/** Minutes of polls are stored so often. */
const SAVE_MS = 60_000;
/** A schedule farther away is looked for again after so long: a timer has at most 24 days. */
const LONGEST_TIMER_MS = 3_600_000;
/** A schedule doesn't begin later than so long after its time. */
const LATEST_SCHEDULE_MS = 60_000;
/** A server that is gone for less is no reason for a message. */
const TOLD_AFTER_MS = 60_000;
/** Without a poll of the primary for so many intervals, the time is a hole. */
const HOLE_INTERVALS = 1.5;
/** A poll that is older than so many intervals doesn't belong to a point. */
const FRESH_INTERVALS = 1.5;
/** A poll that is older than so many intervals says nothing about now. */
const SHOWN_INTERVALS = 3;

export interface WatchParts {
  readonly id: string;
  readonly definition: WatchDefinition;
  readonly owner: Owner | null;
  /** State that an earlier process stored. */
  readonly status: WatchStatus | null;
  readonly store: WatchStore;
  readonly recorder: Recorder;
  readonly messages: WatchMessages;
  /** @throws WatchFileError */
  readonly login: (replica: WatchReplica) => Promise<LiveLogin>;
  /** @throws LiveFailure for a host that is not allowed */
  readonly expectAllowed: (replica: WatchReplica) => void;
  readonly recovered: () => Promise<void>;
  readonly others: Pick<OtherServers, "isShared">;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly log: Pick<Logger, "error">;
  /** Counts for metrics. */
  readonly counts: WatchCounts;
  /** Stores the state for other servers and the next process. */
  readonly saveStatus: (status: WatchStatus) => Promise<void>;
}

export class RunningWatch {
  readonly #parts: WatchParts;
  readonly #replicas: readonly ReplicaPolls[];
  readonly #minutes: KeptMinutes;
  readonly episodes: Episodes;
  readonly #everyMs: number;
  readonly #timers: (() => void)[] = [];
  #endSchedule = (): void => {};
  #triggers: TriggerState;
  #point: WatchPoint | null = null;
  #pointAt: number;
  /** The replica whose poll made the last point. */
  #pointOf: ReplicaPolls | null = null;
  #state: WatchStatus["state"] = "watching";
  #since: number;
  /** Replicas about which people were told, by their place. */
  readonly #told = new Map<number, BrokenReplica>();
  #telling: Promise<void> | null = null;
  #saving: Promise<void> = Promise.resolve();
  #savedStatus = "";

  constructor(parts: WatchParts) {
    const { id, definition, clock, status, store } = parts;
    this.#parts = parts;
    this.#everyMs = definition.everySeconds * 1_000;
    this.#triggers = triggersAtStart(definition.everySeconds, status?.primary ?? null);
    this.#pointAt = this.#since = clock.now();
    for (const broken of status?.told ?? []) {
      // The definition may have been changed since.
      const where = status?.replicas[broken.replica]?.where;
      const replica = definition.replicas.findIndex(({ server }) => whereIs(server) === where);
      if (replica !== -1) this.#told.set(replica, { ...broken, replica });
    }
    this.#minutes = new KeptMinutes(store, id);
    this.#replicas = definition.replicas.map((replica) => this.#newReplica(replica));
    this.episodes = new Episodes({
      ...parts,
      names: () => this.#replicas.map(({ name }) => name),
      onChange: () => this.#noteState(),
    });
  }

  /** Reads what is kept, and begins to poll. */
  async open(): Promise<void> {
    const { clock, id, messages, recorder } = this.#parts;
    await this.#minutes.open(clock.now());
    await this.episodes.open();
    await messages.begin(id);
    for (const replica of this.#replicas) replica.begin();
    recorder.arm();
    this.#timers.push(
      clock.every(this.#everyMs, () => this.#tick()),
      clock.every(SAVE_MS, () => this.#save()),
    );
    this.#schedule(clock.now());
  }

  get status(): WatchStatus {
    return {
      state: this.#state,
      since: new Date(this.#since).toISOString(),
      primary: this.#point?.primary ?? this.#parts.status?.primary ?? null,
      replicas: this.#replicas.map((replica) => replica.description()),
      told: [...this.#told.values()],
    };
  }

  /** The last poll of the group; null before the first one, and while it can't be polled. */
  get point(): WatchPoint | null {
    return this.#point;
  }

  /** The last polls of its replicas; null where none was answered. */
  polled(): PolledGroup | null {
    const oldest = this.#parts.clock.now() - SHOWN_INTERVALS * this.#everyMs;
    const replicas = this.#replicas.map((replica) => replica.poll(oldest));
    if (replicas.every(({ reading }) => reading === null)) return null;
    return { group: this.#parts.definition.group, replicas };
  }

  series(range: SeriesRange): Promise<SeriesColumns> {
    return this.#minutes.series(range, this.#parts.clock.now());
  }

  /** Begins a recording that a person or a tool asked for. @returns its episode */
  record(rule: "hand" | "http"): WatchEpisode {
    const text = rule === "hand" ? "Begun by hand" : "Begun by HTTP";
    const none = { value: null, limit: null, usual: null };
    return this.episodes.fire({ rule, at: this.#parts.clock.now(), text, ...none });
  }

  /** Connects again to replicas that can't be polled. @param index of one; all by default */
  tryAgain(index?: number): void {
    const asked = index === undefined ? this.#replicas : this.#replicas.slice(index, index + 1);
    for (const replica of asked) replica.tryAgain();
  }

  noteStep(episode: string, step: WatchStep): void {
    this.episodes.noteStep(episode, step);
  }

  /** Ends the recording and keeps it, because the watch is paused, changed or deleted; then `close`. */
  async stop(reason: string): Promise<void> {
    await this.episodes.stop(reason);
    await this.close();
  }

  /** A recording is continued by the next process. */
  async close(): Promise<void> {
    for (const end of this.#timers.splice(0)) end();
    this.#endSchedule();
    const { recorder, messages, id } = this.#parts;
    await Promise.all([
      ...this.#replicas.map((replica) => replica.close()),
      this.episodes.close(),
      recorder.close(),
    ]);
    await this.episodes.closed();
    await this.#telling;
    await messages.end(id);
    this.#save();
    await this.#saving;
  }

  #newReplica(replica: WatchReplica): ReplicaPolls {
    const { definition, clock, patience, login, expectAllowed } = this.#parts;
    const polls: ReplicaPolls = new ReplicaPolls({
      replica,
      group: definition.group,
      everyMs: this.#everyMs,
      login: () => login(replica),
      expectAllowed: () => expectAllowed(replica),
      clock,
      patience,
      onReading: (atMs) => this.#takeReading(polls, atMs),
      onChange: () => this.#noteState(),
    });
    return polls;
  }

  /** Polls of the primary make the points; those of secondaries wait for it. */
  #takeReading(replica: ReplicaPolls, atMs: number): void {
    if (!replica.isPrimary) return;
    // After a forced failover two replicas may be primary for some time: one point per interval.
    const isOfOther = this.#pointOf !== null && this.#pointOf !== replica;
    if (isOfOther && atMs - this.#pointAt < this.#everyMs / 2) return;
    this.#pointOf = replica;
    this.#takePoint(atMs);
  }

  #tick(): void {
    const now = this.#parts.clock.now();
    if (now - this.#pointAt >= HOLE_INTERVALS * this.#everyMs) {
      this.#pointOf = null;
      this.#takePoint(now);
    }
    this.#look();
    this.#telling ??= this.#tellBroken(now).finally(() => (this.#telling = null));
  }

  #takePoint(atMs: number): void {
    const oldest = atMs - FRESH_INTERVALS * this.#everyMs;
    const point = pointOf(
      atMs,
      this.#replicas.map((replica) => replica.poll(oldest)),
    );
    this.#pointAt = atMs;
    this.#point = point;
    this.#minutes.add(point);
    const { definition, counts } = this.#parts;
    const usual = this.#minutes.usualAt(atMs);
    const { state, fired } = nextTriggers(this.#triggers, point, definition.triggers, usual);
    this.#triggers = state;
    counts.takePoint(point);
    for (const rule of fired) this.episodes.fire(rule);
    this.#look();
  }

  #look(): void {
    this.episodes.look(isQuietFor(this.#triggers), metRules(this.#triggers).length > 0);
  }

  /** Waits for the next schedule. @param afterMs the last time that was looked for */
  #schedule(afterMs: number): void {
    const { clock, definition } = this.#parts;
    const next = nextSchedule(definition, afterMs);
    if (next === null) return;
    const ms = next.atMs - clock.now();
    this.#endSchedule = clock.after(Math.min(ms, LONGEST_TIMER_MS), () => {
      if (ms > LONGEST_TIMER_MS) return this.#schedule(afterMs);
      // A machine that was suspended is late: these schedules are missed.
      if (clock.now() - next.atMs <= LATEST_SCHEDULE_MS) this.#fireSchedule(next.cron, next.forSeconds);
      this.#schedule(next.atMs);
    });
  }

  #fireSchedule(cron: string, forSeconds: number): void {
    const none = { value: null, limit: null, usual: null };
    const at = this.#parts.clock.now();
    this.episodes.fire({ rule: "schedule", at, text: `Schedule ${cron}`, ...none }, forSeconds);
  }

  #noteState(): void {
    const state = this.#stateNow();
    if (state !== this.#state) {
      this.#state = state;
      this.#since = this.#sinceNow(state);
    }
    this.#saveStatus();
  }

  #stateNow(): WatchStatus["state"] {
    // Called while the constructor makes the replicas.
    if (this.episodes?.isRecording) return "recording";
    const states = (this.#replicas ?? []).map((replica) => replica.state);
    for (const state of ["notStarted", "cannotSignIn", "unreachable"] as const)
      if (states.includes(state)) return state;
    return "watching";
  }

  #sinceNow(state: WatchStatus["state"]): number {
    const broken = this.#replicas.filter((replica) => replica.state === state);
    return broken.length === 0 ? this.#parts.clock.now() : Math.min(...broken.map(({ sinceMs }) => sinceMs));
  }

  /** One message when a replica is gone for a minute, or refuses the login; one when it is polled again. */
  async #tellBroken(now: number): Promise<void> {
    for (const [index, replica] of this.#replicas.entries()) {
      const told = this.#told.get(index);
      const { problem } = replica.description();
      if (problem === null) {
        if (told === undefined || replica.state !== "polled" || !replica.hasAnswered) continue;
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        if (await this.#tell({ kind: "mended", server: told.server, since: told.since }))
          this.#told.delete(index);
      } else if (
        told === undefined &&
        (replica.state !== "unreachable" || now - replica.sinceMs >= TOLD_AFTER_MS)
      ) {
        const broken = { server: replica.name, since: new Date(replica.sinceMs).toISOString() };
        // oxlint-disable-next-line no-await-in-loop
        if (await this.#tell({ kind: "broken", ...broken, code: problem.code }))
          this.#told.set(index, { replica: index, ...broken });
      }
    }
    this.#saveStatus();
  }

  /** @returns whether it is stored: otherwise the next interval tries again */
  async #tell(message: Parameters<WatchMessages["add"]>[1]): Promise<boolean> {
    const { messages, id, definition, owner, log } = this.#parts;
    try {
      await messages.add({ id, definition, owner, week: this.episodes.week }, message);
      return true;
    } catch (error) {
      log.error({ err: error, watch: id }, "a message of a watch was not stored");
      return false;
    }
  }

  #save(): void {
    this.#queue(() => this.#minutes.save(this.#parts.clock.now()));
    this.#saveStatus();
  }

  /** Stores the state where it is another. */
  #saveStatus(): void {
    const { state, since, primary, told, replicas } = this.status;
    // Other servers show the time of the last poll.
    const minute = this.#parts.others.isShared ? Math.floor(this.#parts.clock.now() / SAVE_MS) : 0;
    const facts = JSON.stringify([
      minute,
      state,
      since,
      primary,
      told,
      replicas.map(({ role, problem }) => [role, problem]),
    ]);
    if (facts === this.#savedStatus) return;
    this.#savedStatus = facts;
    this.#queue(() => this.#parts.saveStatus(this.status));
  }

  #queue(step: () => Promise<void>): void {
    this.#saving = this.#saving.then(step).catch((error: unknown) => {
      this.#parts.log.error({ err: error, watch: this.#parts.id }, "polls of a watch were not stored");
    });
  }
}

/** The schedule that comes first after a time, of several the longest; null without one. */
export function nextSchedule(
  { triggers }: Pick<WatchDefinition, "triggers">,
  afterMs: number,
): { readonly atMs: number; readonly cron: string; readonly forSeconds: number } | null {
  const next = triggers.schedules.flatMap(({ cron, forSeconds }) => {
    const atMs = nextOf(cron, afterMs);
    return atMs === null ? [] : [{ atMs, cron, forSeconds }];
  });
  return next.toSorted((a, b) => a.atMs - b.atMs || b.forSeconds - a.forSeconds)[0] ?? null;
}
