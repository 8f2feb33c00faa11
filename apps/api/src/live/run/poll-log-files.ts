/** Writes of log files: cumulative values become differences, and a time per write (docs/contribute/live-protocol.md 7.3). */
import type { LivePoll } from "@aglens/contract";
import { flushClass } from "@aglens/ag-model/diagnosis";
import type { Row } from "../server/connection.ts";

/** The stall of log files is in whole milliseconds, so that their average needs several seconds. */
const AVERAGE_MS = 5_000;

interface LogFile {
  readonly database: string;
  readonly writes: number;
  readonly bytes: number;
  readonly stallMs: number;
}
type LogFiles = ReadonlyMap<string, LogFile>;

interface Sample {
  readonly milliseconds: number;
  readonly files: LogFiles;
}

/** Keeps earlier counters of a replica's log files, to compute differences. */
export class LogFileDeltas {
  #samples: Sample[] = [];

  /**
   * Writes since the last sample.
   * @param milliseconds the server's clock
   * @param names of databases by database_id
   * @returns null for the first sample
   */
  next(
    rows: readonly Row[],
    milliseconds: number,
    names: ReadonlyMap<number, string>,
  ): LivePoll["logWrites"] {
    const files = logFilesIn(rows, names);
    const before = this.#samples.at(-1);
    this.#samples.push({ milliseconds, files });
    const oldest = this.#oldestNeeded(milliseconds);
    return before === undefined ? null : logWriteDeltas(before.files, oldest, files);
  }

  /** Whether a counter is lower than before: the server or the database has restarted. */
  hasFallen(rows: readonly Row[]): boolean {
    const before = this.#samples.at(-1)?.files;
    return rows.some((row) => Number(row["num_of_writes"]) < (before?.get(keyOf(row))?.writes ?? 0));
  }

  /** Forgets the samples. */
  clear(): void {
    this.#samples = [];
  }

  /** The newest sample that is old enough for an average; older ones are forgotten. */
  #oldestNeeded(now: number): LogFiles {
    const needed = this.#samples.findLastIndex(({ milliseconds }) => milliseconds <= now - AVERAGE_MS);
    if (needed > 0) this.#samples.splice(0, needed);
    return this.#samples[0]!.files;
  }
}

const keyOf = (row: Row): string => `${Number(row["database_id"])}.${Number(row["file_id"])}`;

function logFilesIn(rows: readonly Row[], names: ReadonlyMap<number, string>): LogFiles {
  return new Map(
    rows.map((row) => {
      const databaseId = Number(row["database_id"]);
      return [
        keyOf(row),
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

function logWriteDeltas(
  before: LogFiles,
  oldest: LogFiles,
  now: LogFiles,
): NonNullable<LivePoll["logWrites"]> {
  const latest = byDatabase(now, before);
  const average = byDatabase(now, oldest);
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
