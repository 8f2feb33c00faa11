/** Tables of captures in SQL. */
import { TABLES_AT_REST, type TableAtRest } from "@aglens/ag-model/tables";
import { problem } from "@aglens/engine/problems";
import type { SqlFileTable, SqlRowTable } from "./question.ts";

/** Place of tables at rest (`dataset/`). */
export interface TablesAtRest {
  /** Paths of one table below the data set's folder, of those of the captures that have it by now. */
  files(captures: Iterable<string>, table: TableAtRest): readonly string[];
  /** Writes a capture's tables next if they are not there. @returns false where they cannot be written */
  whenWritten(id: string): Promise<boolean>;
  /** Called after tables could not be read: incomplete ones are skipped until they are written again. */
  lookAgain(): Promise<void>;
}

/** One view per table, over all these captures. Captures whose tables are not written yet are skipped. */
export function tablesOf(atRest: TablesAtRest, captureIds: readonly string[]): SqlFileTable[] {
  return TABLES_AT_REST.map((name) => ({ name, files: atRest.files(captureIds, name), utc: ["utc"] })).filter(
    ({ files }) => files.length > 0,
  );
}

/** @throws ProblemError where there is nothing to ask */
export function expectTables<Table>(tables: readonly Table[]): readonly Table[] {
  if (tables.length > 0) return tables;
  throw problem(
    "sql-no-tables",
    "There are no tables for SQL yet. They are written behind the analysis; try again in a minute.",
  );
}

/** Facts about a capture that are not in its tables. */
export interface CaptureLine {
  readonly id: string;
  readonly name: string;
  /** Id of its group, as the data set has it. */
  readonly group: string | null;
  /** For people. */
  readonly groupName: string | null;
  readonly tags: readonly string[];
  /** Time of its first event, UTC, ISO 8601. */
  readonly from: string | null;
  readonly durationUs: number | null;
  readonly p95Us: number | null;
  readonly verdict: string | null;
  readonly place: string | null;
}

const text = (name: string, about: string) => ({ name, type: "VARCHAR", unit: null, about });

/** The captures themselves, a row each, for the ids in the column `capture` of the other tables. */
export const capturesTable = (lines: readonly CaptureLine[]): SqlRowTable => ({
  name: "captures",
  columns: [
    text("capture", "its id, as in the other tables"),
    text("name", ""),
    text("ag", "name of the availability group, else its servers"),
    text("group", "id of the availability group, as in the other tables"),
    { name: "tags", type: "VARCHAR[]", unit: null, about: "as they are now, in alphabetical order" },
    { name: "begun", type: "TIMESTAMP", unit: null, about: "its first event, UTC" },
    { name: "duration_us", type: "DOUBLE", unit: "µs", about: "from the first event to the last" },
    { name: "commit_p95_us", type: "DOUBLE", unit: "µs", about: "of commit latency" },
    text("verdict", ""),
    text("place", "where its verdict sees the wait"),
  ],
  rows: lines.map((line) => ({
    capture: line.id,
    name: line.name,
    ag: line.groupName,
    group: line.group,
    tags: line.tags,
    begun: line.from,
    duration_us: line.durationUs,
    commit_p95_us: line.p95Us,
    verdict: line.verdict,
    place: line.place,
  })),
});
