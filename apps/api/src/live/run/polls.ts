/** What one poll of a replica means, as the difference to the one before (docs/live.md 7). */
import type { LivePoll } from "@aglens/contract";
import { flushClass } from "@aglens/ag-model/diagnosis";
import type { Row } from "../server/connection.ts";
import { CounterDeltas } from "./poll-counters.ts";
import { databaseStates } from "./poll-databases.ts";
import { numberOrNull, textOrNull } from "./poll-values.ts";

/** Log files are counted in whole milliseconds, so that their average needs several seconds. */
const LOG_FILE_SECONDS = 5;

/** A poll without the run's own knowledge: which replica, and when. */
export type PollReading = Omit<LivePoll, "replica" | "at">;

/** What is asked in every poll, in this order; `counters` in every fifth. */
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

/** What polls do not ask every second. */
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
  readonly logFiles: ReadonlyMap<string, LogFile> | null;
}
interface Wait {
  readonly ms: number;
  readonly signalMs: number;
  readonly count: number;
}
interface LogFile {
  readonly database: string;
  readonly writes: number;
  readonly bytes: number;
  readonly stallMs: number;
}

/** Remembers what a replica's counters were, to find what they did. */
export class PollDeltas {
  #samples: Sample[] = [];
  readonly #counters = new CounterDeltas();

  /**
   * @param failures sets that were asked in vain
   * @returns null for the first poll, and for the first after a restart of the server or of its counters
   */
  next(answers: PollAnswers, known: PollKnowledge, failures: LivePoll["failures"] = []): PollReading | null {
    const sample = sampleOf(answers, known);
    if (sample === null) {
      this.#samples = [];
      return failures.length === 0 ? null : missedPoll(failures, known);
    }
    const counters =
      answers.counters === undefined ? null : this.#counters.next(answers.counters, sample.milliseconds);
    const before = this.#samples.at(-1);
    if (before === undefined || isRestarted(before, sample)) {
      this.#samples = [sample];
      return null;
    }
    this.#samples.push(sample);
    const oldest = this.#oldestNeeded(sample);
    return {
      seconds: (sample.milliseconds - before.milliseconds) / 1000,
      waits: before.waits && sample.waits && waitDeltas(before.waits, sample.waits),
      logWrites:
        before.logFiles &&
        sample.logFiles &&
        logWriteDeltas(before.logFiles, oldest.logFiles, sample.logFiles),
      databases:
        answers.databases === undefined ? null : databaseStates(answers.databases, known.databaseNames),
      schedulers: schedulersIn(answers.schedulers?.[0]),
      waiting: answers.waiting === undefined ? null : waitingIn(answers.waiting),
      counters,
      connections: known.connections,
      failures,
    };
  }

  /** The newest sample that is old enough for an average of log writes; what is older is forgotten. */
  #oldestNeeded(now: Sample): Sample {
    const limit = now.milliseconds - LOG_FILE_SECONDS * 1000;
    const needed = this.#samples.findLastIndex(({ milliseconds }) => milliseconds <= limit);
    if (needed > 0) this.#samples.splice(0, needed);
    return this.#samples.find(({ logFiles }) => logFiles !== null) ?? now;
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
function sampleOf({ clock, waits, logFiles }: PollAnswers, { localNames }: PollKnowledge): Sample | null {
  const row = clock?.[0];
  if (row === undefined) return null;
  return {
    milliseconds: Number(row["ms_ticks"]),
    started: String(row["started_at"]),
    waits: waits === undefined ? null : waitsIn(waits),
    logFiles: logFiles === undefined ? null : logFilesIn(logFiles, localNames),
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

function logFilesIn(rows: readonly Row[], names: ReadonlyMap<number, string>): Map<string, LogFile> {
  return new Map(
    rows.map((row) => {
      const databaseId = Number(row["database_id"]);
      return [
        `${databaseId}.${Number(row["file_id"])}`,
        {
          database: names.get(databaseId) ?? String(databaseId),
          writes: Number(row["num_of_writes"]),
          bytes: Number(row["num_of_bytes_written"]),
          stallMs: Number(row["io_stall_write_ms"]),
        },
      ];
    }),
  );
}

/** Counters that ran backwards were cleared, by a restart or by hand. */
function isRestarted(before: Sample, now: Sample): boolean {
  if (now.started !== before.started || now.milliseconds <= before.milliseconds) return true;
  for (const [type, wait] of now.waits ?? []) if (wait.ms < (before.waits?.get(type)?.ms ?? 0)) return true;
  for (const [key, file] of now.logFiles ?? [])
    if (file.writes < (before.logFiles?.get(key)?.writes ?? 0)) return true;
  return false;
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

type LogFiles = ReadonlyMap<string, LogFile>;

function logWriteDeltas(
  before: LogFiles,
  oldest: LogFiles | null,
  now: LogFiles,
): NonNullable<LivePoll["logWrites"]> {
  const latest = byDatabase(now, before);
  const average = byDatabase(now, oldest ?? now);
  return [...latest].map(([database, { writes, bytes }]) => {
    const over = average.get(database);
    const msPerWrite = over && over.writes > 0 ? over.stallMs / over.writes : null;
    return {
      database,
      writes,
      bytes,
      msPerWrite,
      word: msPerWrite === null ? null : flushClass(msPerWrite * 1000),
    };
  });
}

/** Differences of all log files of each database. */
function byDatabase(
  now: LogFiles,
  before: LogFiles,
): Map<string, { writes: number; bytes: number; stallMs: number }> {
  const sums = new Map<string, { writes: number; bytes: number; stallMs: number }>();
  for (const [key, file] of now) {
    const old = before.get(key) ?? file;
    const sum = sums.get(file.database) ?? { writes: 0, bytes: 0, stallMs: 0 };
    sums.set(file.database, {
      writes: sum.writes + file.writes - old.writes,
      bytes: sum.bytes + file.bytes - old.bytes,
      stallMs: sum.stallMs + file.stallMs - old.stallMs,
    });
  }
  return sums;
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

/** What a session had no room for: single events, and whole buffers, whose number of events nobody counted. */
export interface Dropped {
  readonly events: number;
  readonly buffers: number;
}

/** "321 events", "2 buffers with all events in them", or both. */
export function amountDropped({ events, buffers }: Dropped): string {
  const parts = [
    ...(events > 0 ? [`${events} ${events === 1 ? "event" : "events"}`] : []),
    ...(buffers > 0
      ? [
          `${buffers} ${buffers === 1 ? "buffer" : "buffers"} with all events in ${buffers === 1 ? "it" : "them"}`,
        ]
      : []),
  ];
  return parts.join(" and ");
}

/** What the session dropped since it started; null when it does not run. */
export function droppedIn([row]: readonly Row[]): Dropped | null {
  if (row === undefined) return null;
  return {
    events: numberOrNull(row["dropped_event_count"]) ?? 0,
    buffers: numberOrNull(row["dropped_buffer_count"]) ?? 0,
  };
}
