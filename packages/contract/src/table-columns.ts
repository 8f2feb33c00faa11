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

/** Reads the parts of log writes, by the prefix of their columns. All missing columns share one array of NaN. */
function writePartsIn(source: DecodedColumns): (prefix: string) => WriteParts {
  let absent: Float64Array | null = null;
  return (prefix) =>
    recordOf(WRITE_PARTS, (name) =>
      source.names.includes(`${prefix}${name}`)
        ? (source.column(`${prefix}${name}`) as Float64Array)
        : (absent ??= new Float64Array(source.length).fill(Number.NaN)),
    );
}

export function blockColumns(blocks: BlockTable, hops: readonly HopTable[]): Record<string, Column> {
  const perHop = hops.map((hop, secondary) => ({
    ...namedColumns(hop, HOP_COLUMNS, `hop${secondary}.`),
    ...writePartColumns(hop, `hop${secondary}.`),
  }));
  const own = { ...namedColumns(blocks, BLOCK_COLUMNS), ...writePartColumns(blocks) };
  return Object.assign(own, ...perHop) as Record<string, Column>;
}

/** Reads the columns that `blockColumns` returns. */
export function blockTablesFrom(source: DecodedColumns): { blocks: BlockTable; hops: HopTable[] } {
  const partsOf = writePartsIn(source);
  const columns = tableFrom(source, BLOCK_COLUMNS) as unknown as Omit<BlockTable, "length">;
  const secondaries = source.names.filter((name) => /^hop\d+\.sendStart$/u.test(name)).length;
  return {
    blocks: { ...columns, ...partsOf(""), length: source.length },
    hops: Array.from({ length: secondaries }, (_, secondary) => {
      const prefix = `hop${secondary}.`;
      return { ...(tableFrom(source, HOP_COLUMNS, prefix) as unknown as HopTable), ...partsOf(prefix) };
    }),
  };
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
