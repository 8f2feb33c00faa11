/** Cuts rows from one model and joins them with rows of others: the recent part of a run as a model of its own. */
import { NO_EVENTS } from "../replication/shapes/event-runs.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  recordOf,
  WRITE_PARTS,
  type BlockTable,
  type CaptureModel,
  type CommitTable,
  type HopAnchor,
  type HopTable,
  type LocalAnchor,
  type MarkerTable,
} from "../replication/shapes/tables.ts";

/** Rows of a model whose times are µs of the run. */
export interface Piece {
  readonly blocks: BlockTable;
  readonly hops: readonly HopTable[];
  /** `block` is the number of the block in the run; -1 where unknown. */
  readonly commits: CommitTable;
  readonly markers: MarkerTable;
}

/** Part of a model to cut out, with its shift and its new numbers. */
export interface Cut {
  readonly model: CaptureModel;
  /** Added to every instant, µs. */
  readonly shift: number;
  /** Rows of blocks, commits and markers to take, ascending. */
  readonly blocks: Uint32Array;
  readonly commits: Uint32Array;
  readonly markers: Uint32Array;
  /** The piece's database for each of the model's. */
  readonly databaseOf: readonly number[];
  /** The piece's secondary for each of the model's. */
  readonly secondaryOf: readonly number[];
  readonly secondaries: number;
  /** Run number of a block by its row in the model. */
  readonly numberOf: (row: number) => number;
}

/** Takes rows of a model. */
export function cutPiece(cut: Cut): Piece {
  const { model, shift, blocks, commits, markers, databaseOf, secondaryOf, secondaries, numberOf } = cut;
  const gateOf = (gate: number): number => (gate < 2 ? gate : 2 + secondaryOf[gate - 2]);
  const hopOf = new Map(secondaryOf.map((to, from) => [to, from]));
  const { blocks: given, commits: c, markers: m } = model;
  return {
    blocks: {
      ...anchors(LOCAL_ANCHORS, given, blocks, shift),
      ...recordOf(WRITE_PARTS, (name) => shifted(given[name], blocks, 0)),
      length: blocks.length,
      database: Uint16Array.from(blocks, (row) => databaseOf[given.database[row]]),
      phase: new Uint16Array(blocks.length),
      blockId: pickIds(given.blockId, blocks),
      size: shifted(given.size, blocks, 0),
      time: shifted(given.time, blocks, shift),
      timeEnd: shifted(given.timeEnd, blocks, shift),
      commits: Uint16Array.from(blocks, (row) => given.commits[row]),
      gate: Uint8Array.from(blocks, (row) => gateOf(given.gate[row])),
      vlfStart: Uint8Array.from(blocks, (row) => given.vlfStart[row]),
      uncertainty: shifted(given.uncertainty, blocks, 0),
      obtained: blocks.map((row) => given.obtained[row]),
    },
    hops: Array.from({ length: secondaries }, (_, s) => {
      const from = hopOf.get(s);
      return from === undefined ? emptyHop(blocks.length) : cutHop(model.hops[from], blocks, shift);
    }),
    commits: {
      length: commits.length,
      block: Int32Array.from(commits, (row) => (c.block[row] < 0 ? -1 : numberOf(c.block[row]))),
      database: Uint16Array.from(commits, (row) => databaseOf[c.database[row]]),
      start: shifted(c.start, commits, shift),
      end: shifted(c.end, commits, shift),
      gate: Uint8Array.from(commits, (row) => gateOf(c.gate[row])),
      timeToCommit: shifted(c.timeToCommit, commits, 0),
    },
    markers: {
      length: markers.length,
      kind: Uint8Array.from(markers, (row) => m.kind[row]),
      replica: Uint8Array.from(markers, (row) =>
        m.replica[row] === 0 ? 0 : 1 + secondaryOf[m.replica[row] - 1],
      ),
      time: shifted(m.time, markers, shift),
      duration: shifted(m.duration, markers, 0),
    },
  };
}

/** The first rows of a piece and the others. Nothing is copied. */
export function splitPiece(piece: Piece, blocks: number, commits: number, markers: number): [Piece, Piece] {
  return [
    partOf(piece, [0, blocks], [0, commits], [0, markers]),
    partOf(
      piece,
      [blocks, piece.blocks.length],
      [commits, piece.commits.length],
      [markers, piece.markers.length],
    ),
  ];
}

type Rows = readonly [from: number, to: number];

function partOf({ blocks, hops, commits, markers }: Piece, b: Rows, c: Rows, m: Rows): Piece {
  return {
    blocks: { ...rowsOfTable(blocks, ...b), length: b[1] - b[0] },
    hops: hops.map((hop) => rowsOfTable(hop, ...b)),
    commits: { ...rowsOfTable(commits, ...c), length: c[1] - c[0] },
    markers: { ...rowsOfTable(markers, ...m), length: m[1] - m[0] },
  };
}

function rowsOfTable<T extends object>(table: T, from: number, to: number): T {
  const entries = Object.entries(table).map(([name, value]) => [
    name,
    typeof value === "number" ? value : (value as Float64Array).subarray(from, to),
  ]);
  return Object.fromEntries(entries) as T;
}

/**
 * The rows of a piece in buffers of their own: a part would otherwise keep all rows of the original piece in memory.
 */
export function copyPiece({ blocks, hops, commits, markers }: Piece): Piece {
  return {
    blocks: copyTable(blocks),
    hops: hops.map(copyTable),
    commits: copyTable(commits),
    markers: copyTable(markers),
  };
}

function copyTable<T extends object>(table: T): T {
  // Columns of a secondary without blocks share one buffer.
  const copies = new Map<ArrayBufferLike, Float64Array>();
  const entries = Object.entries(table).map(([name, value]) => {
    if (typeof value === "number") return [name, value];
    const column = value as Float64Array;
    const copy = copies.get(column.buffer) ?? column.slice();
    copies.set(column.buffer, copy);
    return [name, copy];
  });
  return Object.fromEntries(entries) as T;
}

/** Joins pieces in order of time to tables; commits whose block is in none of them have block -1. */
export function joinPieces(
  pieces: readonly Piece[],
  firstBlock: number,
  secondaries: number,
): Pick<CaptureModel, "blocks" | "hops" | "commits" | "markers" | "events"> {
  const blocks = joinTables(pieces.map((piece) => piece.blocks));
  const commits = joinTables(pieces.map((piece) => piece.commits));
  const { length } = blocks;
  for (let row = 0; row < commits.length; row++) {
    const block = commits.block[row] - firstBlock;
    commits.block[row] = block >= 0 && block < length ? block : -1;
  }
  return {
    blocks,
    hops: Array.from({ length: secondaries }, (_, s) =>
      // A secondary that appears later has no columns in the pieces before it.
      joinColumns(pieces.map((piece) => piece.hops[s] ?? emptyHop(piece.blocks.length))),
    ),
    commits,
    markers: joinTables(pieces.map((piece) => piece.markers)),
    events: NO_EVENTS,
  };
}

function joinTables<T extends { readonly length: number }>(tables: readonly T[]): T {
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  return { ...joinColumns(tables), length };
}

type Column = Float64Array;

function joinColumns<T extends object>(tables: readonly T[]): T {
  const joined: Record<string, unknown> = {};
  for (const [name, first] of Object.entries(tables[0])) {
    if (typeof first === "number") continue;
    // All tables have the same columns, so the element types of the same name agree.
    const columns = tables.map((table) => (table as Record<string, unknown>)[name] as Column);
    const length = columns.reduce((sum, column) => sum + column.length, 0);
    const all = new (first.constructor as new (length: number) => Column)(length);
    let at = 0;
    for (const column of columns) {
      all.set(column, at);
      at += column.length;
    }
    joined[name] = all;
  }
  return joined as T;
}

function cutHop(hop: HopTable, rows: Uint32Array, shift: number): HopTable {
  return {
    ...anchors(HOP_ANCHORS, hop, rows, shift),
    ...recordOf(WRITE_PARTS, (name) => shifted(hop[name], rows, 0)),
    compression: shifted(hop.compression, rows, 0),
    decompression: shifted(hop.decompression, rows, 0),
    uncertainty: shifted(hop.uncertainty, rows, 0),
    obtained: rows.map((row) => hop.obtained[row]),
  };
}

function emptyHop(length: number): HopTable {
  const none = new Float64Array(length).fill(Number.NaN);
  return {
    ...recordOf([...HOP_ANCHORS, ...WRITE_PARTS], () => none),
    compression: none,
    decompression: none,
    uncertainty: none,
    obtained: new Uint32Array(length),
  };
}

function anchors<K extends LocalAnchor | HopAnchor>(
  names: readonly K[],
  table: Readonly<Record<K, Float64Array>>,
  rows: Uint32Array,
  shift: number,
): Record<K, Float64Array> {
  return recordOf(names, (name) => shifted(table[name], rows, shift));
}

function shifted(column: Float64Array, rows: Uint32Array, by: number): Float64Array {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]] + by;
  return values;
}

function pickIds(ids: BigUint64Array, rows: Uint32Array): BigUint64Array {
  const picked = new BigUint64Array(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = ids[rows[i]];
  return picked;
}
