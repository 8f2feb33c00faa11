/** The model and its verdict as tables that other tools read. */
import type { Finding, Verdict } from "../diagnosis/verdict.ts";
import { EVENTS, type EventColumns } from "../events/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import { filetimeText } from "xel-parser/format";
import {
  Gate,
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  eventsByBlock,
  formatLsn,
  microsecondsToTicks,
  isOnSecondaryClock,
  Obtained,
  primaryOfBlock,
  replicaOfHop,
  type CaptureModel,
  type HopAnchor,
  type LocalAnchor,
} from "../replication/index.ts";
import { anchorQuality, obtainedColumn } from "./anchors.ts";
import { instants, integers, labels, numbers, texts, type ExportTable, type TableColumn } from "./table.ts";

/** Everything `xel tables` writes. */
export interface CaptureTables {
  /** Text metadata of every table: origin, reference clock, version. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly tables: readonly ExportTable[];
}

/** Names of the anchors in the tables. */
const LOCAL_NAMES: Readonly<Record<LocalAnchor, string>> = {
  commitStart: "commit_start",
  pushedToLogPool: "log_pool",
  localFlushStart: "flush_start",
  localFlushEnd: "flush_end",
  commitEnd: "commit_end",
};

const HOP_NAMES: Readonly<Record<HopAnchor, string>> = {
  sendStart: "send_start",
  departed: "departed",
  sendEnd: "send_end",
  received: "received",
  secondaryFlushStart: "flush_start",
  secondaryFlushEnd: "flush_end",
  ackBuilt: "ack_built",
  ackDeparted: "ack_departed",
  ackSent: "ack_sent",
  ackReceived: "ack_received",
  ackProcessed: "ack_processed",
};

/**
 * The tables of a capture. `sources` are the event columns that the model was built from: the index of events takes
 * names and modes from them.
 */
export function captureTables(
  model: CaptureModel,
  verdict: Verdict,
  sources: readonly EventColumns[],
): CaptureTables {
  return {
    metadata: tableMetadata(model),
    tables: [
      ...ROW_TABLES.map((name) => rowTable(model, name)),
      clocksTable(model),
      findingsTable(model, verdict),
      eventsTable(model, sources),
    ],
  };
}

/** Text metadata of every table of a capture: origin, reference clock, version. */
export const tableMetadata = (model: CaptureModel): Readonly<Record<string, string>> => ({
  format: "aglens-tables-1",
  origin: filetimeText(model.origin),
  origin_ticks: model.origin.toString(),
  reference: model.replicas[0].name,
  reference_id: model.replicas[0].id,
});

/** Tables with a row per block, per block and replica, and per commit. */
export const ROW_TABLES = ["blocks", "hops", "commits"] as const;
export type RowTable = (typeof ROW_TABLES)[number];

/** One of them: of the whole capture, or of the blocks and commits that begin in [from, to), µs. */
export function rowTable(model: CaptureModel, name: RowTable, { from, to }: TimeRange = EVER): ExportTable {
  if (name === "commits") {
    const { start } = model.commits;
    return commitsTable(model, firstAtOrAfter(start, from), firstAtOrAfter(start, to));
  }
  const { time } = model.blocks;
  const [first, end] = [firstAtOrAfter(time, from), firstAtOrAfter(time, to)];
  const part = {
    ...model,
    blocks: rowsOfTable(model.blocks, first, end),
    hops: model.hops.map((hop) => rowsOfTable(hop, first, end)),
  };
  return name === "blocks" ? blocksTable(part, first) : hopsTable(part, first);
}

/** The rows of a table whose blocks are marked with 1, by the numbers that the table has for them; rows of no block are left out. */
export function withBlocks(table: ExportTable, isIn: Uint8Array): ExportTable {
  const block = table.columns.find(({ name }) => name === "block");
  if (block?.kind !== "int32") throw new RangeError(`The table ${table.name} has no column block.`);
  const kept = Array.from(block.values.keys()).filter((row) => isIn[block.values[row]] === 1);
  const isKept = new Uint8Array(table.length);
  for (const row of kept) isKept[row] = 1;
  return {
    ...table,
    length: kept.length,
    columns: table.columns.map((column) => pickedColumn(column, isKept)),
  };
}

function pickedColumn(column: TableColumn, isKept: Uint8Array): TableColumn {
  const keep = (_: unknown, row: number): boolean => isKept[row] === 1;
  switch (column.kind) {
    case "dictionary":
      return { ...column, codes: column.codes.filter(keep) };
    case "float64":
    case "float32":
      return { ...column, values: column.values.filter(keep) };
    case "int32":
      return { ...column, values: column.values.filter(keep) };
    case "uint64":
      return { ...column, values: column.values.filter(keep) };
    case "boolean":
      return { ...column, values: column.values.filter(keep) };
    case "text":
      return { ...column, values: column.values.filter(keep) };
    case "texts":
      return { ...column, values: column.values.filter(keep) };
  }
}

/** The table of a part of a capture with the numbers that its blocks have in the whole. @param rows null for the whole */
export function withWholeRows(table: ExportTable, rows: Uint32Array | null): ExportTable {
  if (rows === null) return table;
  const columns = table.columns.map((column) =>
    column.kind === "int32" && column.name === "block"
      ? { ...column, values: column.values.map((row) => (row < 0 ? -1 : rows[row])) }
      : column,
  );
  return { ...table, columns };
}

/** The same with a first column `utc`: that of the earliest instant of each row, for tools that know no origin. */
export function withUtc(table: ExportTable, { origin }: CaptureModel): ExportTable {
  const columns = table.columns.filter(isInstant);
  const utc = Array.from({ length: table.length }, (_, row) => {
    let earliest = Infinity;
    for (const { values } of columns) if (values[row] < earliest) earliest = values[row];
    return earliest === Infinity ? null : filetimeText(origin + microsecondsToTicks(earliest));
  });
  return { ...table, columns: [texts("utc", utc), ...table.columns] };
}

type InstantColumn = Extract<TableColumn, { kind: "float64" | "float32" }>;
const isInstant = (column: TableColumn): column is InstantColumn =>
  column.kind === "float64" && column.unit === "µs" && !column.name.endsWith("_us");

/** µs from the capture's origin. */
interface TimeRange {
  readonly from: number;
  readonly to: number;
}
const EVER: TimeRange = { from: -Infinity, to: Infinity };

/** Rows [first, end) of a table of typed columns, without copying them. */
function rowsOfTable<T extends object>(table: T, first: number, end: number): T {
  const columns = Object.entries(table).map(([name, column]: [string, unknown]) => {
    if (typeof column === "number") return [name, end - first];
    return [name, (column as Float64Array).subarray(first, end)];
  });
  return Object.fromEntries(columns) as T;
}

const namesOf = (model: CaptureModel): string[] => model.replicas.map(({ name }) => name);
/** availability_replica_ids by replica and, behind one another, database: an instance has one in each group. */
const idsOf = ({ databases, replicas }: CaptureModel): string[] =>
  databases.flatMap(({ replicaIds }) => replicas.map((_, replica) => replicaIds[replica]));
/** Place of a replica's id for a database in `idsOf`. */
const idIndex = ({ replicas }: CaptureModel, replica: number, database: number): number =>
  database * replicas.length + replica;
const COMMIT_MODES = ["sync", "async", "undetermined"] as const;

const rowsOf = (length: number, first = 0): Int32Array => Int32Array.from({ length }, (_, i) => first + i);

/** The gate of rows as texts: the names, and the ids, of what released the commits. */
function gateColumns(
  model: CaptureModel,
  gates: Uint8Array,
  blockOf: (row: number) => number,
): TableColumn[] {
  const names = ["unknown", "local_flush", ...namesOf(model)];
  const codes = new Int32Array(gates.length);
  const ids = new Int32Array(gates.length).fill(-1);
  for (let row = 0; row < gates.length; row++) {
    const gate = gates[row];
    if (gate === Gate.localFlush) codes[row] = 1;
    if (gate <= Gate.localFlush) continue;
    const block = blockOf(row);
    const replica = replicaOfHop(model, block, Gate.secondaryOf(gate));
    codes[row] = 2 + replica;
    ids[row] = idIndex(model, replica, model.blocks.database[block]);
  }
  return [labels("gate", codes, names), labels("gate_id", ids, idsOf(model))];
}

/** @param first number of the model's first block in the capture */
function blocksTable(model: CaptureModel, first: number): ExportTable {
  const { blocks, databases } = model;
  const { length } = blocks;
  const database = Int32Array.from(blocks.database);
  const primary = Int32Array.from({ length }, (_, row) => primaryOfBlock(model, row));
  const primaryIds = primary.map((replica, row) => idIndex(model, replica, blocks.database[row]));
  const anchors = LOCAL_ANCHORS.flatMap((anchor, i) => [
    instants(LOCAL_NAMES[anchor], blocks[anchor]),
    ...anchorQuality(
      LOCAL_NAMES[anchor],
      obtainedColumn(blocks.obtained, i),
      (row) => blocks.uncertainty[row],
    ),
  ]);
  return {
    name: "blocks",
    length,
    columns: [
      integers("block", rowsOf(length, first)),
      labels(
        "database",
        database,
        databases.map(({ name }) => name),
      ),
      labels(
        "group_database_id",
        database,
        databases.map(({ id }) => id),
      ),
      { name: "log_block_id", unit: "", kind: "uint64", values: blocks.blockId },
      texts(
        "lsn",
        Array.from(blocks.blockId, (id) => formatLsn(id)),
      ),
      numbers("size_bytes", "bytes", blocks.size),
      labels("primary", primary, namesOf(model)),
      labels("primary_id", primaryIds, idsOf(model)),
      integers("phase", Int32Array.from(blocks.phase)),
      ...anchors,
      ...gateColumns(model, blocks.gate, (row) => row),
      integers("commits", Int32Array.from(blocks.commits)),
      { name: "vlf_start", unit: "", kind: "boolean", values: blocks.vlfStart },
    ],
  };
}

/** One row per block and replica that it was sent to or arrived at. */
function hopsTable(model: CaptureModel, first: number): ExportTable {
  const places = hopPlaces(model);
  const length = places.block.length;
  const replicas = places.block.map((row, i) => replicaOfHop(model, row, places.secondary[i]));
  const ids = replicas.map((replica, i) => idIndex(model, replica, model.blocks.database[places.block[i]]));
  const valueOf = (column: (secondary: number) => Float64Array): Float64Array => {
    const columns = model.hops.map((_, secondary) => column(secondary));
    const values = new Float64Array(length);
    for (let i = 0; i < length; i++) values[i] = columns[places.secondary[i]][places.block[i]];
    return values;
  };
  const anchors = HOP_ANCHORS.flatMap((anchor, a) => {
    const obtained = new Uint8Array(length);
    for (let i = 0; i < length; i++)
      obtained[i] = (model.hops[places.secondary[i]].obtained[places.block[i]] >>> (2 * a)) & 3;
    const name = HOP_NAMES[anchor];
    const clockUs = (i: number): number => {
      const [row, slot] = [places.block[i], places.secondary[i]];
      const own = isOnSecondaryClock(anchor) ? model.hops[slot].uncertainty[row] : 0;
      return own + model.blocks.uncertainty[row];
    };
    return [
      instants(
        name,
        valueOf((s) => model.hops[s][anchor]),
      ),
      ...anchorQuality(name, obtained, clockUs),
    ];
  });
  return {
    name: "hops",
    length,
    columns: [
      integers(
        "block",
        places.block.map((row) => first + row),
      ),
      labels("replica", replicas, namesOf(model)),
      labels("replica_id", ids, idsOf(model)),
      labels(
        "commit_mode",
        places.block.map((row, i) =>
          COMMIT_MODES.indexOf(
            model.phases[model.blocks.phase[row]].commitModes[places.secondary[i]] ?? "undetermined",
          ),
        ),
        COMMIT_MODES,
      ),
      ...anchors,
      numbers(
        "compression_us",
        "µs",
        valueOf((s) => model.hops[s].compression),
      ),
      numbers(
        "decompression_us",
        "µs",
        valueOf((s) => model.hops[s].decompression),
      ),
    ],
  };
}

function hopPlaces({ blocks, hops }: CaptureModel): { block: Int32Array; secondary: Int32Array } {
  const present = (row: number, secondary: number): boolean =>
    hops[secondary].obtained[row] !== Obtained.missing;
  const block: number[] = [];
  const secondary: number[] = [];
  for (let row = 0; row < blocks.length; row++) {
    for (let s = 0; s < hops.length; s++) {
      if (!present(row, s)) continue;
      block.push(row);
      secondary.push(s);
    }
  }
  return { block: Int32Array.from(block), secondary: Int32Array.from(secondary) };
}

function commitsTable(model: CaptureModel, first: number, end: number): ExportTable {
  const { databases } = model;
  const commits = rowsOfTable(model.commits, first, end);
  return {
    name: "commits",
    length: commits.length,
    columns: [
      integers("block", commits.block),
      labels(
        "database",
        Int32Array.from(commits.database),
        databases.map(({ name }) => name),
      ),
      instants("start", commits.start),
      instants("end", commits.end),
      ...gateColumns(model, commits.gate, (row) => commits.block[row]),
      numbers("time_to_commit_us", "µs", commits.timeToCommit),
    ],
  };
}

function clocksTable(model: CaptureModel): ExportTable {
  const windows = model.clocks.flatMap((clock) =>
    clock.windows.map((window) => ({ ...window, clock, replica: clock.secondary + 1 })),
  );
  const column = (name: string, unit: string, value: (w: (typeof windows)[number]) => number): TableColumn =>
    numbers(name, unit, Float64Array.from(windows, value));
  const replica = Int32Array.from(windows, (w) => w.replica);
  return {
    name: "clocks",
    length: windows.length,
    columns: [
      labels("replica", replica, namesOf(model)),
      labels("replica_id", replica, idsOf(model)),
      labels(
        "against",
        Int32Array.from(windows, (w) => w.clock.against),
        namesOf(model),
      ),
      column("from", "µs", (w) => w.from),
      column("to", "µs", (w) => w.to),
      column("offset_us", "µs", (w) => w.offsetUs),
      column("drift_ppm", "ppm", (w) => w.driftPpm),
      column("drift_low_ppm", "ppm", (w) => w.driftPpmFeasible[0]),
      column("drift_high_ppm", "ppm", (w) => w.driftPpmFeasible[1]),
      column("bound_us", "µs", (w) => w.uncertaintyUs),
    ],
  };
}

function findingsTable(model: CaptureModel, { findings }: Verdict): ExportTable {
  const column = <T>(of: (finding: Finding) => T): T[] => findings.map(of);
  const figures = (of: (finding: Finding) => number | null | undefined): Float64Array =>
    Float64Array.from(findings, (finding) => of(finding) ?? Number.NaN);
  const replica = Int32Array.from(findings, (finding) => finding.replica ?? -1);
  const database = Int32Array.from(findings, (finding) => finding.database ?? -1);
  const slower = (inside?: number | null, outside?: number | null): number =>
    (inside ?? Number.NaN) - (outside ?? Number.NaN);
  return {
    name: "findings",
    length: findings.length,
    columns: [
      integers("rank", rowsOf(findings.length)),
      texts(
        "rule",
        column(({ rule }) => rule),
      ),
      texts(
        "cause",
        column(({ cause }) => cause),
      ),
      texts(
        "severity",
        column((finding) => finding.severity),
      ),
      labels("replica", replica, namesOf(model)),
      labels("replica_id", replica, idsOf(model)),
      labels(
        "database",
        database,
        model.databases.map(({ name }) => name),
      ),
      instants(
        "from",
        figures(({ window }) => window?.from),
      ),
      instants(
        "to",
        figures(({ window }) => window?.to),
      ),
      numbers(
        "share",
        "share",
        figures(({ share }) => share),
      ),
      numbers(
        "effect_p50_us",
        "µs",
        figures(({ effect }) => slower(effect?.p50Inside, effect?.p50Outside)),
      ),
      numbers(
        "effect_p95_us",
        "µs",
        figures(({ effect }) => slower(effect?.p95Inside, effect?.p95Outside)),
      ),
      texts(
        "threshold",
        column(({ threshold }) => threshold),
      ),
      texts(
        "source",
        column(({ source }) => source),
      ),
      texts(
        "sentence",
        column((finding) => finding.sentence),
      ),
      { name: "check_next", unit: "", kind: "texts", values: column(({ checkNext }) => checkNext) },
      // The verdict's first sentence is about its first finding.
      {
        name: "headline",
        unit: "",
        kind: "boolean",
        values: Uint8Array.from(findings, (_, rank) => (rank === 0 ? 1 : 0)),
      },
    ],
  };
}

/** The events of each block; `sources` in any order, matched to the model's files by name. */
function eventsTable(model: CaptureModel, sources: readonly EventColumns[]): ExportTable {
  const { files } = model;
  const events = eventsByBlock(model.events, model.blocks.length);
  const { length } = model.events;
  const found = files.map((file) => {
    const source = sources.find((each) => each.files.some(({ name }) => name === file.name));
    return (
      source &&
      rowsByOffset(
        source,
        source.files.findIndex(({ name }) => name === file.name),
      )
    );
  });
  const kinds = new Int32Array(length).fill(-1);
  const modes = new Int32Array(length);
  const block = new Int32Array(length);
  for (let row = 0; row < model.blocks.length; row++)
    block.fill(row, events.start[row], events.start[row + 1]);
  for (let i = 0; i < length; i++) {
    const place = found[events.file[i]];
    const row = place?.rows.get(events.offset[i]);
    if (place === undefined || row === undefined) continue;
    kinds[i] = place.source.kind[row];
    modes[i] = place.source.mode[row];
  }
  const replica = Int32Array.from(events.file, (file) => files[file].replica);
  return {
    name: "events",
    length,
    columns: [
      integers("block", block),
      labels("replica", replica, namesOf(model)),
      labels(
        "name",
        kinds,
        EVENTS.map(({ name }) => name),
      ),
      integers("mode", modes),
      labels(
        "file",
        Int32Array.from(events.file),
        files.map(({ name }) => name),
      ),
      numbers("offset", "bytes", events.offset),
      instants("fire", events.fire),
    ],
  };
}

function rowsByOffset(
  source: EventColumns,
  file: number,
): { source: EventColumns; rows: Map<number, number> } {
  const rows = new Map<number, number>();
  for (let row = 0; row < source.length; row++)
    if (source.file[row] === file) rows.set(source.offset[row], row);
  return { source, rows };
}
