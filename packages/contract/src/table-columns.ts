import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  type BlockTable,
  type CommitTable,
  type HopTable,
  type MarkerTable,
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

export function blockColumns(blocks: BlockTable, hops: readonly HopTable[]): Record<string, Column> {
  const perHop = hops.map((hop, secondary) => namedColumns(hop, HOP_COLUMNS, `hop${secondary}.`));
  return Object.assign(namedColumns(blocks, BLOCK_COLUMNS), ...perHop) as Record<string, Column>;
}

export function blocksFrom(source: DecodedColumns): BlockTable {
  const columns = tableFrom(source, BLOCK_COLUMNS) as unknown as Omit<BlockTable, "length">;
  return { length: source.length, ...columns };
}

export function hopsFrom(source: DecodedColumns): HopTable[] {
  const secondaries = source.names.filter((name) => /^hop\d+\.sendStart$/u.test(name)).length;
  return Array.from(
    { length: secondaries },
    (_, secondary) => tableFrom(source, HOP_COLUMNS, `hop${secondary}.`) as unknown as HopTable,
  );
}

export const commitColumns = (commits: CommitTable): Record<string, Column> =>
  namedColumns(commits, COMMIT_COLUMNS);

export function commitsFrom(source: DecodedColumns): CommitTable {
  const columns = tableFrom(source, COMMIT_COLUMNS) as unknown as Omit<CommitTable, "length">;
  return { length: source.length, ...columns };
}

export const markerColumns = (markers: MarkerTable): Record<string, Column> =>
  namedColumns(markers, MARKER_COLUMNS);

export function markersFrom(source: DecodedColumns): MarkerTable {
  const columns = tableFrom(source, MARKER_COLUMNS) as unknown as Omit<MarkerTable, "length">;
  return { length: source.length, ...columns };
}
