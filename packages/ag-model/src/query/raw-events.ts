/**
 * Raw events of a range in the order they fired, all replicas together. The model knows where each event of a block is and when
 * it fired; names and fields are read again from the files, so that one answer reads a bounded number of events.
 */
import { oncePerModel } from "../columns/index.ts";
import { firstIndexWhere, firstAtOrAfter } from "../numbers/index.ts";
import { rowsByValue } from "../numbers/rows-by-value.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { EventPlace } from "./sequence-event.ts";

/** Where a list of events begins: at a position, at an event by its place in a file, or at the first event of a block. */
export type FirstEvent =
  | { readonly position: number }
  | { readonly file: number; readonly offset: number }
  | { readonly block: number };

export interface EventRange {
  /** µs; an event that fired at `to` is not in it. */
  readonly from: number;
  readonly to: number;
  /** Indices of the replicas whose files are read; null for all. */
  readonly replicas: readonly number[] | null;
  /** Index of the database whose blocks the events are of; null or absent for all. */
  readonly database?: number | null;
}

/** An event of the range, and its block's row. */
export interface PlacedEvent extends EventPlace {
  readonly block: number;
}

export interface EventPlaces {
  /** Events of the range and the replicas. */
  readonly total: number;
  /** Position of the first of `places`; `total` where there is none. */
  readonly position: number;
  readonly places: readonly PlacedEvent[];
}

/**
 * Up to `most` events of a range, from `first` on. An event or a block that is not among them is looked for by the instant it
 * fired: the list begins at the first event from there on.
 * @throws RangeError for a block that is not in the capture
 */
export function eventPlacesFrom(
  model: CaptureModel,
  range: EventRange,
  first: FirstEvent,
  most: number,
): EventPlaces {
  const rows = rowsOfRange(model, range);
  const position = Math.min(rows.length, positionOf(model, rows, first));
  const places = Array.from(rows.subarray(position, position + most), (row) => placeOf(model, row));
  return { total: rows.length, position, places };
}

/** How many events of a range fired in each of equal bins. */
export interface EventDensity {
  /** µs: where the first bin begins and the last one ends. An open range is from the first event to the last. */
  readonly from: number;
  readonly to: number;
  /** By replica of the capture, then by bin. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts without reading a file. `bins` at least 1. */
export function eventDensity(model: CaptureModel, range: EventRange, bins: number): EventDensity {
  const rows = rowsOfRange(model, range);
  const { fire, file } = model.events;
  const counts = model.replicas.map(() => Array.from({ length: bins }, () => 0));
  const last = rows.length - 1;
  const from = Number.isFinite(range.from) ? range.from : last < 0 ? 0 : fire[rows[0]];
  const to = Number.isFinite(range.to) ? range.to : last < 0 ? from : fire[rows[last]];
  const perUs = to > from ? bins / (to - from) : 0;
  const ofFile = model.files.map(({ replica }) => counts[replica]);
  for (let i = 0; i < rows.length; i++) {
    const bin = Math.floor((fire[rows[i]] - from) * perUs);
    ofFile[file[rows[i]]][bin < bins ? bin : bins - 1]++;
  }
  return { from, to, counts };
}

/** Events that no list by time has, over the whole capture. */
export function unlistedEvents(model: CaptureModel) {
  const { file, length } = model.events;
  return oncePerModel(model, "events/unlisted", () => {
    const ofNoBlock = model.replicas.map(() => 0);
    for (const { replica, events } of model.files) ofNoBlock[replica] += events;
    for (let row = 0; row < length; row++) ofNoBlock[model.files[file[row]].replica]--;
    return {
      /** Of each replica: in its files, but of no log block that was found. */
      ofNoBlock,
      /** Of a block, but the instant they fired is not known. */
      withoutInstant: length - rowsByFire(model).length,
    };
  });
}

/** Rows of the event index by the instant the event fired, those without one left out; equal instants by block. */
const rowsByFire = (model: CaptureModel): Uint32Array =>
  oncePerModel(model, "events/byFire", () => rowsByValue(model.events.fire));

/** Those of one database's blocks. */
const rowsOfDatabase = (model: CaptureModel, database: number): Uint32Array =>
  oncePerModel(model, `events/byFire/${database}`, () => {
    const { eventStart, database: databases } = model.blocks;
    const isWanted = new Uint8Array(model.events.length);
    for (let block = 0; block < databases.length; block++)
      if (databases[block] === database) isWanted.fill(1, eventStart[block], eventStart[block + 1]);
    return rowsByFire(model).filter((row) => isWanted[row] === 1);
  });

function rowsOfRange(model: CaptureModel, { from, to, replicas, database = null }: EventRange): Uint32Array {
  const rows = database === null ? rowsByFire(model) : rowsOfDatabase(model, database);
  const { fire, file } = model.events;
  const first = firstIndexWhere(rows.length, (i) => fire[rows[i]] >= from);
  const end = firstIndexWhere(rows.length, (i) => fire[rows[i]] >= to);
  const ofRange = rows.subarray(first, end);
  if (replicas === null) return ofRange;
  const isWanted = model.files.map(({ replica }) => replicas.includes(replica));
  return ofRange.filter((row) => isWanted[file[row]]);
}

function positionOf(model: CaptureModel, rows: Uint32Array, first: FirstEvent): number {
  if ("position" in first) return first.position;
  const { fire } = model.events;
  const row = "block" in first ? firstRowOfBlock(model, first.block) : rowAt(model, first);
  if (row === -1) return rows.length;
  return firstIndexWhere(
    rows.length,
    (i) => fire[rows[i]] > fire[row] || (fire[rows[i]] === fire[row] && rows[i] >= row),
  );
}

function firstRowOfBlock({ blocks, events }: CaptureModel, block: number): number {
  if (block >= blocks.length)
    throw new RangeError(`The capture has ${blocks.length} log blocks; there is no row ${block}.`);
  for (let row = blocks.eventStart[block]; row < blocks.eventStart[block + 1]; row++)
    if (!Number.isNaN(events.fire[row])) return row;
  return -1;
}

/** Row of the event at an offset of a file; -1 where the index has none. */
function rowAt({ events }: CaptureModel, place: { readonly file: number; readonly offset: number }): number {
  let row = events.offset.indexOf(place.offset);
  while (row >= 0 && events.file[row] !== place.file) row = events.offset.indexOf(place.offset, row + 1);
  return row;
}

function placeOf({ events, blocks }: CaptureModel, row: number): PlacedEvent {
  return {
    file: events.file[row],
    offset: events.offset[row],
    fire: events.fire[row],
    block: blockOf(blocks.eventStart, row),
  };
}

/** The block whose run of the event index holds a row. Blocks without events have empty runs. */
const blockOf = (eventStart: Uint32Array, row: number): number => firstAtOrAfter(eventStart, row + 1) - 1;
