import {
  CLIENT_COLUMNS,
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  recordOf,
  WRITE_PARTS,
  type BlockTable,
  type CommitTable,
  type HopTable,
  type MarkerTable,
  type WriteParts,
} from "@aglens/ag-model/replication";
import type { Column, DecodedColumns } from "./arrow-columns.ts";

/** Tables of the model as named columns and back; hop columns are prefixed with `hop<secondary>.`. */

const BLOCK_COLUMNS = [
  "database",
  "phase",
  "blockId",
  "size",
  "time",
  "timeEnd",
  "commits",
  "gate",
  "vlfStart",
  "uncertainty",
  "obtained",
  ...LOCAL_ANCHORS,
] as const;
const HOP_COLUMNS = [...HOP_ANCHORS, "compression", "decompression", "uncertainty", "obtained"] as const;
const COMMIT_COLUMNS = ["block", "database", "start", "end", "gate", "timeToCommit"] as const;
const MARKER_COLUMNS = ["kind", "replica", "time", "duration"] as const;

function namedColumns<Name extends string>(
  table: Readonly<Record<Name, Column>>,
  names: readonly Name[],
  prefix = "",
): Record<string, Column> {
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, table[name]]));
}

function tableFrom(source: DecodedColumns, names: readonly string[], prefix = ""): Record<string, Column> {
  return Object.fromEntries(names.map((name) => [name, source.column(`${prefix}${name}`)]));
}

/** Columns without any value are not written: few captures have the events of file writes. */
const writePartColumns = (table: WriteParts, prefix = ""): Record<string, Column> =>
  namedColumns(
    table,
    WRITE_PARTS.filter((name) => table[name].some((us) => !Number.isNaN(us))),
    prefix,
  );

const writePartsFrom = (source: DecodedColumns, prefix = ""): WriteParts =>
  recordOf(WRITE_PARTS, (name) =>
    source.names.includes(`${prefix}${name}`)
      ? (source.column(`${prefix}${name}`) as Float64Array)
      : new Float64Array(source.length).fill(Number.NaN),
  );

export function blockColumns(blocks: BlockTable, hops: readonly HopTable[]): Record<string, Column> {
  const perHop = hops.map((hop, secondary) => ({
    ...namedColumns(hop, HOP_COLUMNS, `hop${secondary}.`),
    ...writePartColumns(hop, `hop${secondary}.`),
  }));
  const own = { ...namedColumns(blocks, BLOCK_COLUMNS), ...writePartColumns(blocks) };
  return Object.assign(own, ...perHop) as Record<string, Column>;
}

export function blocksFrom(source: DecodedColumns): BlockTable {
  const columns = tableFrom(source, BLOCK_COLUMNS) as unknown as Omit<BlockTable, "length">;
  return { ...columns, ...writePartsFrom(source), length: source.length };
}

export function hopsFrom(source: DecodedColumns): HopTable[] {
  const secondaries = source.names.filter((name) => /^hop\d+\.sendStart$/u.test(name)).length;
  return Array.from({ length: secondaries }, (_, secondary) => {
    const prefix = `hop${secondary}.`;
    const columns = tableFrom(source, HOP_COLUMNS, prefix) as unknown as HopTable;
    return { ...columns, ...writePartsFrom(source, prefix) };
  });
}

export function commitColumns(commits: CommitTable): Record<string, Column> {
  const columns = namedColumns(commits, COMMIT_COLUMNS);
  for (const name of CLIENT_COLUMNS) {
    const column = commits[name];
    if (column !== undefined) columns[name] = column;
  }
  return columns;
}

export function commitsFrom(source: DecodedColumns): CommitTable {
  const ofClients = CLIENT_COLUMNS.filter((name) => source.names.includes(name));
  const columns = tableFrom(source, [...COMMIT_COLUMNS, ...ofClients]) as unknown as Omit<
    CommitTable,
    "length"
  >;
  return { length: source.length, ...columns };
}

export const markerColumns = (markers: MarkerTable): Record<string, Column> =>
  namedColumns(markers, MARKER_COLUMNS);

export function markersFrom(source: DecodedColumns): MarkerTable {
  const columns = tableFrom(source, MARKER_COLUMNS) as unknown as Omit<MarkerTable, "length">;
  return { length: source.length, ...columns };
}
