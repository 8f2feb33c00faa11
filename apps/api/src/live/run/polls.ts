/** What one poll of a replica says, as the difference to the one before (docs/live.md 7). */
import type { LivePoll } from "@aglens/contract";
import { flushClass } from "@aglens/ag-model/diagnosis";
import type { Row } from "../server/connection.ts";
import { POLL_SETS } from "../server/sql.ts";
import { roleInView } from "../server/topology.ts";

/** Log files are counted in whole milliseconds, so that their average needs several seconds. */
const LOG_FILE_SECONDS = 5;

/** A poll without the run's own knowledge: which replica, and when. */
export type PollReading = Omit<LivePoll, "replica" | "at">;

/** A local replica and its role now; null while it is being decided. */
export interface LocalRole {
  readonly replicaId: string;
  readonly groupId: string;
  readonly role: "primary" | "secondary" | null;
}

interface Sample {
  readonly milliseconds: number;
  readonly started: string;
  readonly waits: ReadonlyMap<string, Wait>;
  readonly logFiles: ReadonlyMap<string, LogFile>;
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

/** The result sets of one poll by their names. */
export type PollSets = Readonly<Record<(typeof POLL_SETS)[number], readonly Row[]>>;

/** A poll's result sets in the order of the statement. */
export function pollSets(sets: readonly (readonly Row[])[]): PollSets {
  return Object.fromEntries(POLL_SETS.map((name, index) => [name, sets[index] ?? []])) as unknown as PollSets;
}

/** Remembers what a replica's counters were, to find what they did. */
export class PollDeltas {
  #samples: Sample[] = [];

  /** @returns null for the first poll, and for the first after a restart of the server or of its counters */
  next(sets: PollSets): PollReading | null {
    const sample = sampleOf(sets);
    if (sample === null) return null;
    const before = this.#samples.at(-1);
    if (before === undefined || isRestarted(before, sample)) {
      this.#samples = [sample];
      return null;
    }
    this.#samples.push(sample);
    const oldest = this.#oldestNeeded(sample);
    return {
      seconds: (sample.milliseconds - before.milliseconds) / 1000,
      waits: waitDeltas(before.waits, sample.waits),
      logWrites: logWriteDeltas(before, oldest, sample),
      queues: queuesOf(sets.databases),
      schedulers: schedulersOf(sets.schedulers[0]),
    };
  }

  /** The newest sample that is old enough for an average of log writes; what is older is forgotten. */
  #oldestNeeded(now: Sample): Sample {
    const limit = now.milliseconds - LOG_FILE_SECONDS * 1000;
    const needed = this.#samples.findLastIndex(({ milliseconds }) => milliseconds <= limit);
    this.#samples.splice(0, Math.min(needed, this.#samples.length - 2));
    return this.#samples[0] ?? now;
  }
}

/** Null for an answer without a clock, which nothing can be measured by. */
function sampleOf(sets: PollSets): Sample | null {
  const [clock] = sets.clock;
  if (clock === undefined) return null;
  return {
    milliseconds: Number(clock["ms_ticks"]),
    started: String(clock["started_at"]),
    waits: new Map(
      sets.waits.map((row) => [
        String(row["wait_type"]),
        {
          ms: Number(row["wait_time_ms"]),
          signalMs: Number(row["signal_wait_time_ms"]),
          count: Number(row["waiting_tasks_count"]),
        },
      ]),
    ),
    logFiles: new Map(
      sets.logFiles.map((row) => [
        `${Number(row["database_id"])}.${Number(row["file_id"])}`,
        {
          database: String(row["database_name"] ?? row["database_id"]),
          writes: Number(row["num_of_writes"]),
          bytes: Number(row["num_of_bytes_written"]),
          stallMs: Number(row["io_stall_write_ms"]),
        },
      ]),
    ),
  };
}

/** Counters that ran backwards were cleared, by a restart or by hand. */
function isRestarted(before: Sample, now: Sample): boolean {
  if (now.started !== before.started || now.milliseconds <= before.milliseconds) return true;
  for (const [type, wait] of now.waits) if (wait.ms < (before.waits.get(type)?.ms ?? 0)) return true;
  for (const [key, file] of now.logFiles)
    if (file.writes < (before.logFiles.get(key)?.writes ?? 0)) return true;
  return false;
}

const NO_WAIT: Wait = { ms: 0, signalMs: 0, count: 0 };

function waitDeltas(before: ReadonlyMap<string, Wait>, now: ReadonlyMap<string, Wait>): LivePoll["waits"] {
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

function logWriteDeltas(before: Sample, oldest: Sample, now: Sample): LivePoll["logWrites"] {
  const latest = byDatabase(now.logFiles, before.logFiles);
  const average = byDatabase(now.logFiles, oldest.logFiles);
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
  now: ReadonlyMap<string, LogFile>,
  before: ReadonlyMap<string, LogFile>,
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

/** A primary has the queues to its secondaries, a secondary its own; a row without queues is left out. */
function queuesOf(rows: readonly Row[]): LivePoll["queues"] {
  return rows
    .map((row) => ({
      database: String(row["database_name"] ?? row["group_database_id"]),
      replicaId: String(row["replica_id"]).toLowerCase(),
      sendQueueKb: numberOrNull(row["log_send_queue_size"]),
      redoQueueKb: numberOrNull(row["redo_queue_size"]),
      lagSeconds: numberOrNull(row["secondary_lag_seconds"]),
    }))
    .filter(
      ({ sendQueueKb, redoQueueKb, lagSeconds }) => (sendQueueKb ?? redoQueueKb ?? lagSeconds) !== null,
    );
}

function schedulersOf(row: Row | undefined): LivePoll["schedulers"] {
  if (row === undefined) return null;
  return {
    count: Number(row["schedulers"] ?? 0),
    runnable: Number(row["runnable"] ?? 0),
    runnableMax: Number(row["runnable_max"] ?? 0),
  };
}

/** Local replicas and their roles. */
export function rolesIn({ roles }: PollSets): LocalRole[] {
  return roles.map((row) => ({
    replicaId: String(row["replica_id"]).toLowerCase(),
    groupId: String(row["group_id"]).toLowerCase(),
    role: roleInView(row["role_desc"]),
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
export function droppedIn({ session: [row] }: PollSets): Dropped | null {
  if (row === undefined) return null;
  return {
    events: Number(row["dropped_event_count"] ?? 0),
    buffers: Number(row["dropped_buffer_count"] ?? 0),
  };
}

function numberOrNull(value: unknown): number | null {
  return value == null ? null : Number(value);
}
