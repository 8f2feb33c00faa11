/** All durations of the tables with many rows, by their server or gate: the source of small tables. */
import { commitLatencies, commitWakeUps } from "../columns/index.ts";
import { primaryOfBlock, replicaOfHop, type CaptureModel } from "../replication/index.ts";
import { BLOCK_DURATIONS, HOP_DURATIONS } from "./durations.ts";
import { gateCodes } from "./gates.ts";
import { hopPlaces, hopValues } from "./hop-rows.ts";
import type { RowTable } from "./row-tables.ts";

/** Rows of a table with many rows, and the place by which their durations are grouped. */
export interface DurationsByPlace {
  readonly rowsOf: RowTable;
  /** Meaning of `place`; "all" where rows of all servers are counted together. */
  readonly by: "replica" | "gate" | "all";
  /** Server or gate of each row. */
  readonly place: Int32Array;
  readonly database: ArrayLike<number>;
  /** Time of each row, the source of `utc`: µs from the capture's origin. */
  readonly time: Float64Array;
  readonly stages: readonly DurationColumn[];
}

interface DurationColumn {
  /** A column of that table. */
  readonly name: string;
  /** µs, one per row; NaN where unknown. */
  readonly values: () => Float64Array;
}

/** Durations of blocks by their primary, of hops by their replica, of commits together and by their release. */
export function durationsByPlace(model: CaptureModel): DurationsByPlace[] {
  const { blocks, commits } = model;
  const places = hopPlaces(model);
  const replicas = places.block.map((row, i) => replicaOfHop(model, row, places.slot[i]));
  const { codes } = gateCodes(model, commits.gate, (row) => commits.block[row]);
  // A model of its own for each duration: values that are kept per model would otherwise be kept for all durations, 8
  // bytes per block each.
  const passing = (): CaptureModel => ({ ...model });
  const ofCommits = {
    rowsOf: "commits" as const,
    database: commits.database,
    time: commits.start,
    stages: [
      { name: "latency", values: () => commitLatencies(passing()) },
      { name: "wake_up", values: () => commitWakeUps(passing()) },
      { name: "time_to_commit", values: () => commits.timeToCommit },
    ],
  };
  return [
    {
      rowsOf: "blocks",
      by: "replica",
      place: Int32Array.from({ length: blocks.length }, (_, row) => primaryOfBlock(model, row)),
      database: blocks.database,
      time: blocks.time,
      stages: BLOCK_DURATIONS.map(({ name, of }) => ({
        name: withoutUnit(name),
        values: () => of(passing(), 0),
      })),
    },
    {
      rowsOf: "hops",
      by: "replica",
      place: replicas,
      database: places.block.map((row) => blocks.database[row]),
      time: Float64Array.from(places.block, (row) => blocks.time[row]),
      stages: HOP_DURATIONS.map(({ name, of }) => ({
        name: withoutUnit(name),
        values: () => hopValues(model, places, (slot) => of(passing(), slot)),
      })),
    },
    { ...ofCommits, by: "all", place: new Int32Array(commits.length) },
    { ...ofCommits, by: "gate", place: codes },
  ];
}

const withoutUnit = (column: string): string => column.replace(/_us$/u, "");
