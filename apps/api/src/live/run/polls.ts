/** Meaning of one poll of a replica, as the difference to the previous one (docs/contribute/live-protocol.md 7). */
import type { LivePoll } from "@aglens/contract";
import { plural } from "@aglens/ag-model/words";
import type { Row } from "../server/connection.ts";
import { CounterDeltas } from "./poll-counters.ts";
import { databaseStates } from "./poll-databases.ts";
import { LogFileDeltas } from "./poll-log-files.ts";
import { numberOrNull, textOrNull } from "./poll-values.ts";

/** A poll without the run's own knowledge: which replica, and when. */
export type PollReading = Omit<LivePoll, "replica" | "at">;

/** Sets of every poll, in this order; `counters` and many `logFiles` only in every fifth. */
export const POLL_SETS = [
  "clock",
  "session",
  "databases",
  "waits",
  "logFiles",
  "schedulers",
  "waiting",
  "counters",
] as const;
export type PollSet = (typeof POLL_SETS)[number];

/** Rows by set; a set that was not asked, or not answered, is not there. */
export type PollAnswers = Readonly<Partial<Record<PollSet, readonly Row[]>>>;

/** Facts that polls do not ask for every second. */
export interface PollKnowledge {
  /** Names by group_database_id, and by this server's database_id. */
  readonly databaseNames: ReadonlyMap<string, string>;
  readonly localNames: ReadonlyMap<number, string>;
  readonly connections: LivePoll["connections"];
}

interface Sample {
  readonly milliseconds: number;
  readonly started: string;
  readonly waits: ReadonlyMap<string, Wait> | null;
}
interface Wait {
  readonly ms: number;
  readonly signalMs: number;
  readonly count: number;
}

/** Keeps a replica's earlier counters, to compute their differences. */
export class PollDeltas {
  #before: Sample | null = null;
  readonly #counters = new CounterDeltas();
  readonly #logFiles = new LogFileDeltas();

  /**
   * @param failures sets that were asked in vain
   * @returns null for the first poll, and for the first after a restart of the server or of its counters
   */
  next(answers: PollAnswers, known: PollKnowledge, failures: LivePoll["failures"] = []): PollReading | null {
    const sample = sampleOf(answers);
    const before = this.#before;
    this.#before = sample;
    if (sample === null) {
      this.#logFiles.clear();
      return failures.length === 0 ? null : missedPoll(failures, known);
    }
    const { milliseconds } = sample;
    const counters =
      answers.counters === undefined ? null : this.#counters.next(answers.counters, milliseconds);
    const isFirst = before === null || this.#isRestarted(before, sample, answers);
    if (isFirst) this.#logFiles.clear();
    const logWrites =
      answers.logFiles === undefined
        ? null
        : this.#logFiles.next(answers.logFiles, milliseconds, known.localNames);
    if (isFirst) return null;
    return {
      seconds: (milliseconds - before.milliseconds) / 1000,
      waits: before.waits && sample.waits && waitDeltas(before.waits, sample.waits),
      logWrites,
      databases:
        answers.databases === undefined ? null : databaseStates(answers.databases, known.databaseNames),
      schedulers: schedulersIn(answers.schedulers?.[0]),
      waiting: answers.waiting === undefined ? null : waitingIn(answers.waiting),
      counters,
      connections: known.connections,
      failures,
    };
  }

  /** Counters that ran backwards were cleared, by a restart or by hand. */
  #isRestarted(before: Sample, now: Sample, { logFiles = [] }: PollAnswers): boolean {
    if (now.started !== before.started || now.milliseconds <= before.milliseconds) return true;
    for (const [type, wait] of now.waits ?? []) if (wait.ms < (before.waits?.get(type)?.ms ?? 0)) return true;
    return this.#logFiles.hasFallen(logFiles);
  }
}

/** A poll without any answer: a hole in every gauge, with its reason. */
function missedPoll(failures: LivePoll["failures"], known: PollKnowledge): PollReading {
  return {
    seconds: 0,
    waits: null,
    logWrites: null,
    databases: null,
    schedulers: null,
    waiting: null,
    counters: null,
    connections: known.connections,
    failures,
  };
}

/** Null for an answer without a clock, which nothing can be measured by. */
function sampleOf({ clock, waits }: PollAnswers): Sample | null {
  const row = clock?.[0];
  if (row === undefined) return null;
  return {
    milliseconds: Number(row["ms_ticks"]),
    started: String(row["started_at"]),
    waits: waits === undefined ? null : waitsIn(waits),
  };
}

function waitsIn(rows: readonly Row[]): Map<string, Wait> {
  return new Map(
    rows.map((row) => [
      String(row["wait_type"]),
      {
        ms: Number(row["wait_time_ms"]),
        signalMs: Number(row["signal_wait_time_ms"]),
        count: Number(row["waiting_tasks_count"]),
      },
    ]),
  );
}

const NO_WAIT: Wait = { ms: 0, signalMs: 0, count: 0 };

function waitDeltas(
  before: ReadonlyMap<string, Wait>,
  now: ReadonlyMap<string, Wait>,
): NonNullable<LivePoll["waits"]> {
  const deltas = [...now].map(([type, wait]) => {
    const old = before.get(type) ?? NO_WAIT;
    const waitMs = wait.ms - old.ms;
    const signalMs = wait.signalMs - old.signalMs;
    return { type, waitMs, signalMs, resourceMs: waitMs - signalMs, count: wait.count - old.count };
  });
  const total = deltas.reduce((sum, { waitMs }) => sum + waitMs, 0);
  return deltas
    .filter(({ waitMs, count }) => waitMs > 0 || count > 0)
    .map((delta) => ({ ...delta, percent: total === 0 ? 0 : (100 * delta.waitMs) / total }))
    .toSorted((a, b) => b.waitMs - a.waitMs);
}

function schedulersIn(row: Row | undefined): LivePoll["schedulers"] {
  if (row === undefined) return null;
  return {
    count: numberOrNull(row["schedulers"]) ?? 0,
    runnable: numberOrNull(row["runnable"]) ?? 0,
    runnableMax: numberOrNull(row["runnable_max"]) ?? 0,
  };
}

function waitingIn(rows: readonly Row[]): NonNullable<LivePoll["waiting"]> {
  return rows.map((row) => ({
    session: Number(row["session_id"]),
    database: textOrNull(row["database_name"]) ?? `database ${Number(row["database_id"])}`,
    wait: String(row["wait_type"]),
    waitMs: numberOrNull(row["wait_time"]) ?? 0,
  }));
}

/** Losses for which a session had no room: single events, and complete buffers, whose events were not counted. */
export interface Dropped {
  readonly events: number;
  readonly buffers: number;
}

/** "321 events", "2 buffers with all events in them", or both. */
export function amountDropped({ events, buffers }: Dropped): string {
  const parts = [
    ...(events > 0 ? [plural(events, "# event")] : []),
    ...(buffers > 0
      ? [`${plural(buffers, "# buffer")} with all events in ${plural(buffers, "it", "them")}`]
      : []),
  ];
  return parts.join(" and ");
}

/** Losses of the session since it started; null when it does not run. */
export function droppedIn([row]: readonly Row[]): Dropped | null {
  if (row === undefined) return null;
  return {
    events: numberOrNull(row["dropped_event_count"]) ?? 0,
    buffers: numberOrNull(row["dropped_buffer_count"]) ?? 0,
  };
}
