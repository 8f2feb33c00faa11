/** The tables with many rows: a row per block, per block and replica, and per commit. */
import { commitLatencies, completeRows, releasedAt } from "../columns/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import {
  formatLsn,
  HOP_ANCHORS,
  isOnSecondaryClock,
  LOCAL_ANCHORS,
  primaryOfBlock,
  replicaOfHop,
  type CaptureModel,
} from "../replication/index.ts";
import { anchorQuality, HOP_NAMES, LOCAL_NAMES } from "./anchors.ts";
import { BLOCK_DURATIONS, HOP_DURATIONS } from "./durations.ts";
import { gateCodes, gateNames } from "./gates.ts";
import { hopPlaces, hopValues } from "./hop-rows.ts";
import { idIndex, idsOf, namesOf } from "./replica-names.ts";
import {
  flags,
  instants,
  integers,
  labels,
  numbers,
  texts,
  type ExportTable,
  type TableColumn,
} from "./table.ts";
import { utcColumn } from "./utc.ts";

export const ROW_TABLES = ["blocks", "hops", "commits"] as const;
export type RowTable = (typeof ROW_TABLES)[number];

export const isRowTable = (name: string): name is RowTable =>
  (ROW_TABLES as readonly string[]).includes(name);

/** µs from the capture's origin. */
interface TimeRange {
  readonly from: number;
  readonly to: number;
}
const EVER: TimeRange = { from: -Infinity, to: Infinity };

/** One of the tables: of the complete capture, or of the blocks and commits that begin in [from, to), µs. */
export function rowTable(model: CaptureModel, name: RowTable, { from, to }: TimeRange = EVER): ExportTable {
  const beginnings = beginningsOf(model, name);
  return someRowsOf(model, name, firstAtOrAfter(beginnings, from), firstAtOrAfter(beginnings, to));
}

/**
 * Yields one of the tables in parts of `rows` blocks or commits, one after the other, so that a long table is never
 * completely in memory; one part without a row for an empty table.
 */
export function* rowTableParts(model: CaptureModel, name: RowTable, rows: number): Generator<ExportTable> {
  const { length } = beginningsOf(model, name);
  let first = 0;
  do {
    yield someRowsOf(model, name, first, Math.min(first + rows, length));
    first += rows;
  } while (first < length);
}

const beginningsOf = ({ blocks, commits }: CaptureModel, name: RowTable): Float64Array =>
  name === "commits" ? commits.start : blocks.time;

function someRowsOf(model: CaptureModel, name: RowTable, first: number, end: number): ExportTable {
  if (name === "commits") return commitsTable(model, first, end);
  const part = {
    ...model,
    blocks: rowsOfTable(model.blocks, first, end),
    hops: model.hops.map((hop) => rowsOfTable(hop, first, end)),
  };
  return name === "blocks" ? blocksTable(part, first) : hopsTable(part, first);
}

/** Rows [first, end) of a table of typed columns, without copying them. */
function rowsOfTable<T extends object>(table: T, first: number, end: number): T {
  const columns = Object.entries(table).map(([name, column]: [string, unknown]) => {
    if (typeof column === "number") return [name, end - first];
    return [name, (column as Float64Array).subarray(first, end)];
  });
  return Object.fromEntries(columns) as T;
}

const COMMIT_MODES = ["sync", "async", "undetermined"] as const;
const BLOCK_UTC = "the block's earliest known instant";

/** The gate of rows as texts: the names, and the ids, of the replicas that released the commits. */
function gateColumns(
  model: CaptureModel,
  gates: Uint8Array,
  blockOf: (row: number) => number,
): TableColumn[] {
  const { codes, ids } = gateCodes(model, gates, blockOf);
  return [
    labels("gate", codes, gateNames(model), "what released its commits: local_flush or a replica"),
    labels("gate_id", ids, idsOf(model)),
  ];
}

const databaseColumn = ({ databases }: CaptureModel, database: Int32Array): TableColumn =>
  labels("database", database, databases.map(({ name }) => name)); // prettier-ignore

/** @param first number of the model's first block in the capture */
function blocksTable(model: CaptureModel, first: number): ExportTable {
  const { blocks, databases } = model;
  const { length } = blocks;
  const database = Int32Array.from(blocks.database);
  const primary = Int32Array.from({ length }, (_, row) => primaryOfBlock(model, row));
  const primaryIds = primary.map((replica, row) => idIndex(model, replica, blocks.database[row]));
  const anchors = LOCAL_ANCHORS.flatMap((anchor, place) => {
    const { name, about } = LOCAL_NAMES[anchor];
    return [
      instants(name, blocks[anchor], about),
      ...anchorQuality(name, { words: blocks.obtained, place }, blocks.uncertainty),
    ];
  });
  return {
    name: "blocks",
    length,
    columns: [
      utcColumn(model.origin, blocks.time, BLOCK_UTC),
      integers("block", Int32Array.from({ length }, (_, row) => first + row), "row number"), // prettier-ignore
      databaseColumn(model, database),
      labels("group_database_id", database, databases.map(({ id }) => id)), // prettier-ignore
      blockIds(blocks.blockId),
      texts("lsn", Array.from(blocks.blockId, (id) => formatLsn(id)), "LSN as the log prints it"), // prettier-ignore
      numbers("size_bytes", "bytes", blocks.size),
      labels("primary", primary, namesOf(model), "server that was the block's primary"),
      labels("primary_id", primaryIds, idsOf(model)),
      integers("phase", Int32Array.from(blocks.phase), "phase: time and databases with one primary"),
      ...anchors,
      ...gateColumns(model, blocks.gate, (row) => row),
      integers("commits", Int32Array.from(blocks.commits), "commits that waited for the block"),
      flags("vlf_start", blocks.vlfStart, "first block of a VLF"),
      ...BLOCK_DURATIONS.map(({ name, about, of }) => numbers(name, "µs", of(model, 0), about)),
    ],
  };
}

const blockIds = (values: BigUint64Array): TableColumn => ({
  name: "log_block_id",
  unit: "",
  about: "VLF sequence number and offset in units of 512 bytes",
  kind: "uint64",
  values,
});

/** One row per block and replica that it was sent to or arrived at. */
function hopsTable(model: CaptureModel, first: number): ExportTable {
  const { blocks, hops, phases } = model;
  const places = hopPlaces(model);
  const { block, slot } = places;
  const { length } = block;
  const database = block.map((row) => blocks.database[row]);
  const replicas = block.map((row, i) => replicaOfHop(model, row, slot[i]));
  const ids = replicas.map((replica, i) => idIndex(model, replica, database[i]));
  const modes = block.map((row, i) =>
    // A mode that a phase does not have is null, or NaN where the model was read from a file.
    COMMIT_MODES.indexOf(phases[blocks.phase[row]].commitModes[slot[i]] || "undetermined"),
  );
  const valuesOf = (columnOf: (slot: number) => Float64Array): Float64Array =>
    hopValues(model, places, columnOf);
  const words = new Uint32Array(length);
  for (let i = 0; i < length; i++) words[i] = hops[slot[i]].obtained[block[i]];
  const primaryUs = valuesOf(() => blocks.uncertainty);
  const secondaryUs = valuesOf((each) => hops[each].uncertainty);
  for (let i = 0; i < length; i++) secondaryUs[i] += primaryUs[i];
  const anchors = HOP_ANCHORS.flatMap((anchor, place) => {
    const { name, about } = HOP_NAMES[anchor];
    return [
      instants(name, valuesOf((each) => hops[each][anchor]), about), // prettier-ignore
      ...anchorQuality(name, { words, place }, isOnSecondaryClock(anchor) ? secondaryUs : primaryUs),
    ];
  });
  const columns = hops.map((_, each) => completeRows(model, each));
  const complete = new Uint8Array(length);
  for (let i = 0; i < length; i++) complete[i] = columns[slot[i]][block[i]];
  return {
    name: "hops",
    length,
    columns: [
      utcColumn(model.origin, valuesOf(() => blocks.time), BLOCK_UTC), // prettier-ignore
      integers("block", block.map((row) => first + row), "row of blocks"), // prettier-ignore
      databaseColumn(model, database),
      blockIds(BigUint64Array.from(block, (row) => blocks.blockId[row])),
      labels("replica", replicas, namesOf(model), "where the hop leads"),
      labels("replica_id", ids, idsOf(model)),
      labels("commit_mode", modes, COMMIT_MODES, "sync, async or undetermined in this phase"),
      ...anchors,
      flags("complete", complete, "every stage of remote harden is known"),
      ...HOP_DURATIONS.map(
        ({ name, about, of }) =>
        numbers(name, "µs", valuesOf((each) => of(model, each)), about), // prettier-ignore
      ),
    ],
  };
}

/** Columns of clients; a commit without a value has none, and session 0. */
function clientColumns({ clients }: CaptureModel, commits: CaptureModel["commits"]): TableColumn[] {
  const { length, session = new Uint16Array(length), application, statement } = commits;
  const text = (name: string, column: Uint16Array | undefined, texts: readonly string[] = []): TableColumn =>
    labels(name, Int32Array.from({ length }, (_, row) => (column?.[row] ?? 0) - 1), texts.slice(1)); // prettier-ignore
  return [
    integers("session_id", Int32Array.from(session), "0 where it is not recorded"),
    text("application", application, clients?.applications),
    text("statement", statement, clients?.statements),
  ];
}

function commitsTable(model: CaptureModel, first: number, end: number): ExportTable {
  const commits = rowsOfTable(model.commits, first, end);
  const wakeUps = commits.end.map(
    (instant, row) => instant - releasedAt(model, commits.block[row], commits.gate[row]),
  );
  return {
    name: "commits",
    length: commits.length,
    columns: [
      utcColumn(model.origin, commits.start, "the commit's start"),
      integers("block", commits.block, "row of blocks; -1 where its block is not in the capture"),
      databaseColumn(model, Int32Array.from(commits.database)),
      instants("start", commits.start),
      instants("end", commits.end),
      ...gateColumns(model, commits.gate, (row) => commits.block[row]),
      numbers("latency_us", "µs", commitLatencies({ ...model, commits }), "end - start"),
      numbers("wake_up_us", "µs", wakeUps, "end after what released it"),
      numbers("time_to_commit_us", "µs", commits.timeToCommit, "as the commit manager reports it"),
      ...clientColumns(model, commits),
    ],
  };
}
