/**
 * Of all that an analysis stores. To be raised with each change of its columns or of what they mean: captures that were stored in
 * another format are analysed again by themselves.
 */
export const TABLES_FORMAT = 2;

/**
 * A whole analysed capture as files: Arrow IPC streams that pandas or DuckDB open, and one JSON document for the rest.
 */
import type { BlockTable, CaptureModel, EventIndex } from "@aglens/ag-model/replication";
import { decodeColumns, encodeColumns, TableError } from "./arrow-columns.ts";
import {
  blockColumns,
  blocksFrom,
  commitColumns,
  commitsFrom,
  hopsFrom,
  markerColumns,
  markersFrom,
} from "./table-columns.ts";

export const MODEL_FILES = [
  "blocks.arrow",
  "commits.arrow",
  "markers.arrow",
  "events.arrow",
  "model.json",
] as const;
export type ModelFile = (typeof MODEL_FILES)[number];

/** Content of each file, by its name. */
export type StoredModel = Readonly<Record<ModelFile, Uint8Array>>;

type Rest = Omit<CaptureModel, "blocks" | "hops" | "commits" | "markers" | "events" | "origin">;

/** The model as bytes to store. */
export function encodeModel(model: CaptureModel): StoredModel {
  const { blocks, hops, commits, markers, events, origin, ...rest } = model;
  // One entry per block; the entry after the last is the number of events.
  const eventStart = blocks.eventStart.subarray(0, blocks.length);
  return {
    "blocks.arrow": encodeColumns({ ...blockColumns(blocks, hops), eventStart }),
    "commits.arrow": encodeColumns(commitColumns(commits)),
    "markers.arrow": encodeColumns(markerColumns(markers)),
    "events.arrow": encodeColumns({ file: events.file, offset: events.offset, fire: events.fire }),
    "model.json": new TextEncoder().encode(JSON.stringify({ origin: origin.toString(), ...rest })),
  };
}

/** Reads what `encodeModel` wrote. Throws TableError for anything else. */
export function decodeModel(files: StoredModel): CaptureModel {
  const { origin, ...rest } = parseRest(files["model.json"]);
  const source = decodeColumns(files["blocks.arrow"]);
  const events = eventsFrom(files["events.arrow"]);
  const blocks: BlockTable = {
    ...blocksFrom(source),
    eventStart: withLast(source.column("eventStart") as Uint32Array, events.length),
  };
  return {
    ...rest,
    origin: BigInt(origin),
    blocks,
    hops: hopsFrom(source),
    commits: commitsFrom(decodeColumns(files["commits.arrow"])),
    markers: markersFrom(decodeColumns(files["markers.arrow"])),
    events,
  };
}

function withLast(starts: Uint32Array, last: number): Uint32Array {
  const all = new Uint32Array(starts.length + 1);
  all.set(starts);
  all[starts.length] = last;
  return all;
}

/** The model's own JSON has no null, JSON has no NaN: each is written for the other. */
function parseRest(bytes: Uint8Array): Rest & { origin: string } {
  try {
    return JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) =>
      value === null ? Number.NaN : value,
    ) as Rest & { origin: string };
  } catch (cause) {
    throw new TableError("model.json of this capture cannot be read. Analyse the capture again.", { cause });
  }
}

function eventsFrom(bytes: Uint8Array): EventIndex {
  const source = decodeColumns(bytes);
  return {
    length: source.length,
    file: source.column("file") as Uint16Array,
    offset: source.column("offset") as Float64Array,
    fire: source.column("fire") as Float64Array,
  };
}
