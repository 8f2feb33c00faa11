/**
 * Tables on the wire: Apache Arrow IPC streams, the same bytes that the API stores and that a user can open in pandas
 * or DuckDB. One Arrow table contains blocks with each secondary's hop columns next to them, named `hop0.sendStart`.
 */
import type { BinWindow, BlockWindow, CommitWindow } from "@aglens/ag-model/query";
import type { MarkerTable } from "@aglens/ag-model/replication";
import { decodeColumns, encodeColumns, type Column, type DecodedColumns } from "../arrow-columns.ts";
import {
  blockColumns,
  blockTablesFrom,
  commitColumns,
  commitsFrom,
  markerColumns,
  markersFrom,
} from "../table-columns.ts";

export type { BinWindow, BlockWindow, CommitWindow };

export type Window = BlockWindow | BinWindow;

export interface MarkerWindow {
  readonly markers: MarkerTable;
}

/** A window as an Arrow IPC stream; `detail`, `from` and `to` are in the schema's metadata. */
export function encodeWindow(window: Window): Uint8Array {
  const { detail, from, to } = window;
  const metadata = { detail, from: String(from), to: String(to) };
  if (window.detail === "blocks") {
    const columns = { row: window.row, ...blockColumns(window.blocks, window.hops) };
    return encodeColumns(narrowInstants(columns, window.blocks.time), metadata);
  }
  return encodeColumns(
    {
      count: window.count,
      slowest: window.slowest,
      ...narrowed("max.", window.max),
      ...narrowed("p50.", window.p50),
    },
    metadata,
  );
}

/** Reads the output of `encodeWindow`; columns are typed arrays. Throws TableError for anything else. */
export function decodeWindow(bytes: Uint8Array): Window {
  const source = decodeColumns(bytes);
  const [from, to] = [Number(source.text("from")), Number(source.text("to"))];
  if (source.text("detail") === "blocks") {
    const row = source.column("row") as Uint32Array;
    const wide = widenInstants(source);
    return { detail: "blocks", from, to, row, ...blockTablesFrom(wide) };
  }
  return {
    detail: "bins",
    from,
    to,
    length: source.length,
    count: source.column("count") as Uint32Array,
    slowest: source.column("slowest") as Uint32Array,
    max: withPrefix(source, "max."),
    p50: withPrefix(source, "p50."),
  };
}

/** Instants that keep their width: the others are relative to the first. */
const WIDE: ReadonlySet<string> = new Set(["time", "timeEnd"]);

/** Columns that are no instants: bytes and µs unchanged. */
const IS_FIGURE = /(?:^size|compression|uncertainty)$/u;

/**
 * A window has some thirty columns of instants, which are most of a screen's download. Relative to the first instant of
 * their block they fit a float32: exact to 1 µs up to 16 s after it, beyond that to 4 µs for each minute.
 */
function narrowInstants(
  columns: Readonly<Record<string, Column>>,
  time: Float64Array,
): Record<string, Column> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      if (!(column instanceof Float64Array) || WIDE.has(name)) return [name, column];
      return [name, IS_FIGURE.test(name) ? new Float32Array(column) : offsetsFrom(column, time)];
    }),
  );
}

function offsetsFrom(instants: Float64Array, time: Float64Array): Float32Array {
  const offsets = new Float32Array(instants.length);
  for (let row = 0; row < offsets.length; row++) offsets[row] = instants[row]! - time[row]!;
  return offsets;
}

/** The columns as they were before `narrowInstants`. */
function widenInstants(source: DecodedColumns): DecodedColumns {
  const time = source.column("time") as Float64Array;
  return {
    ...source,
    column(name) {
      const column = source.column(name);
      if (!(column instanceof Float32Array)) return column;
      return IS_FIGURE.test(name) ? new Float64Array(column) : instantsFrom(column, time);
    },
  };
}

function instantsFrom(offsets: Float32Array, time: Float64Array): Float64Array {
  const instants = new Float64Array(offsets.length);
  for (let row = 0; row < instants.length; row++) instants[row] = time[row]! + offsets[row]!;
  return instants;
}

/** Durations of bins are for pictures: as float32 they are exact to 1 µs up to 16 s, and half as many bytes. */
const narrowed = (prefix: string, columns: Readonly<Record<string, Float64Array>>) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [prefix + name, new Float32Array(column)]),
  );

function withPrefix(source: DecodedColumns, prefix: string): Record<string, Float64Array> {
  const names = source.names.filter((name) => name.startsWith(prefix));
  return Object.fromEntries(
    names.map((name) => [name.slice(prefix.length), new Float64Array(source.column(name) as Float32Array)]),
  );
}

/** Commits of a range as an Arrow IPC stream. */
export function encodeCommits({ from, to, commits }: CommitWindow): Uint8Array {
  return encodeColumns(commitColumns(commits), { from: String(from), to: String(to) });
}

/** Reads the output of `encodeCommits`. Throws TableError for anything else. */
export function decodeCommits(bytes: Uint8Array): CommitWindow {
  const source = decodeColumns(bytes);
  return { from: Number(source.text("from")), to: Number(source.text("to")), commits: commitsFrom(source) };
}

/** Markers of a capture as an Arrow IPC stream. */
export function encodeMarkers({ markers }: MarkerWindow): Uint8Array {
  return encodeColumns(markerColumns(markers));
}

/** Reads the output of `encodeMarkers`. Throws TableError for anything else. */
export function decodeMarkers(bytes: Uint8Array): MarkerWindow {
  return { markers: markersFrom(decodeColumns(bytes)) };
}
