/**
 * Format of all tables that an analysis stores. Raise it with each change of their columns or of the meaning of these:
 * captures stored in another format are analyzed again automatically. A column that only some captures have, and
 * without which tables are valid, is no such change (decision 349).
 */
export const TABLES_FORMAT = 5;

/**
 * A complete analyzed capture as files: Arrow IPC streams that pandas or DuckDB open, and one JSON document for the
 * rest.
 */
import { NO_EVENTS, type CaptureModel } from "@aglens/ag-model/replication";
import { decodeColumns, encodeColumns, TableError, type DecodedColumns } from "./arrow-columns.ts";
import { chunkColumns, eventsFrom, fractionColumns, LateEventIndex } from "./event-columns.ts";
import {
  blockColumns,
  blockTablesFrom,
  commitColumns,
  commitsFrom,
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
  return {
    "blocks.arrow": encodeColumns({ ...blockColumns(blocks, hops), ...fractionColumns(events) }),
    "commits.arrow": encodeColumns(commitColumns(commits)),
    "markers.arrow": encodeColumns(markerColumns(markers)),
    "events.arrow": encodeColumns(chunkColumns(events)),
    "model.json": new TextEncoder().encode(JSON.stringify({ origin: origin.toString(), ...rest })),
  };
}

/** Reads the output of `encodeModel`. Throws TableError for anything else. */
export function decodeModel(files: StoredModel): CaptureModel {
  const source = decodeColumns(files["blocks.arrow"]);
  return { ...decoded(files, source), events: eventsFrom(decodeColumns(files["events.arrow"]), source) };
}

/**
 * A model whose index of raw events is read later: it is nearly half of the stored bytes, and few questions need it.
 */
export interface ModelBeforeEvents {
  /** Complete except for its `events`, which throw an Error when they are read before `takeEvents`. */
  readonly model: CaptureModel;
  /** @param bytes of `events.arrow`. Throws TableError */
  readonly takeEvents: (bytes: Uint8Array) => void;
}

/** Reads the output of `encodeModel` except for its index of raw events. Throws TableError for anything else. */
export function decodeModelBeforeEvents(files: Omit<StoredModel, "events.arrow">): ModelBeforeEvents {
  const source = decodeColumns(files["blocks.arrow"]);
  const events = new LateEventIndex();
  return {
    model: { ...decoded(files, source), events },
    takeEvents: (bytes) => events.take(eventsFrom(decodeColumns(bytes), source)),
  };
}

/** The same without its index of raw events, for callers that read only blocks, hops and commits. */
export function decodeModelWithoutEvents(files: Omit<StoredModel, "events.arrow">): CaptureModel {
  return { ...decoded(files, decodeColumns(files["blocks.arrow"])), events: NO_EVENTS };
}

function decoded(
  files: Omit<StoredModel, "events.arrow">,
  source: DecodedColumns,
): Omit<CaptureModel, "events"> {
  const { origin, ...rest } = parseRest(files["model.json"]);
  return {
    ...rest,
    origin: BigInt(origin),
    ...blockTablesFrom(source),
    commits: commitsFrom(decodeColumns(files["commits.arrow"])),
    markers: markersFrom(decodeColumns(files["markers.arrow"])),
  };
}

/** The model's own JSON has no null, and JSON has no NaN: each is written as the other. */
function parseRest(bytes: Uint8Array): Rest & { origin: string } {
  try {
    return JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) =>
      value === null ? Number.NaN : value,
    ) as Rest & { origin: string };
  } catch (cause) {
    throw new TableError("model.json of this capture cannot be read. Analyze the capture again.", { cause });
  }
}
