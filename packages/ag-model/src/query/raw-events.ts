/**
 * Raw events of a range in the order in which they fired, for all replicas together. The model has the place and the
 * instant of each event of a block; names and fields are read again from the files, so that one answer reads a bounded
 * number of events.
 */
import { perModel } from "../columns/index.ts";
import { firstIndexWhere } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { EventOrder, type RunEvent, type RunPart } from "./event-order.ts";
import { placeOfEvent, type EventPlace } from "./sequence-event.ts";

/** Beginning of a list of events: a position, an event by its place in a file, or the first event of a block. */
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
  /** Position of the first of `places`; `total` without one. */
  readonly position: number;
  readonly places: readonly PlacedEvent[];
}

/**
 * Up to `most` events of a range, from `first` on. An event or a block that is not among them is searched by its
 * instant: the list begins at the first event from there on.
 * @throws RangeError for a block that is not in the capture
 */
export function eventPlacesFrom(
  model: CaptureModel,
  range: EventRange,
  first: FirstEvent,
  most: number,
): EventPlaces {
  const order = new EventOrder(partsOfRange(model, range));
  const position = Math.min(order.length, positionOf(model, order, first));
  const places = order
    .from(position, most)
    .map(({ run, row }) => ({ ...placeOfEvent(run, row), block: run.blockAt(row) }));
  return { total: order.length, position, places };
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
  const parts = partsOfRange(model, range);
  const filled = parts.filter((part) => part.end > part.from);
  const firsts = filled.map((part) => fireIn(part, part.from));
  const lasts = filled.map((part) => fireIn(part, part.end - 1));
  const from = Number.isFinite(range.from) ? range.from : filled.length === 0 ? 0 : Math.min(...firsts);
  const to = Number.isFinite(range.to) ? range.to : filled.length === 0 ? from : Math.max(...lasts);
  const perUs = to > from ? bins / (to - from) : 0;
  const counts = model.replicas.map(() => Array.from({ length: bins }, () => 0));
  for (const part of filled) {
    const binOf = (index: number): number =>
      Math.min(bins - 1, Math.floor((fireIn(part, index) - from) * perUs));
    const ofReplica = counts[part.run.replica];
    // Events are in the order in which they fired, so those of a bin are next to each other.
    for (let index = part.from; index < part.end;) {
      const bin = binOf(index);
      const end = index + firstIndexWhere(part.end - index, (i) => binOf(index + i) > bin);
      ofReplica[bin] += end - index;
      index = end;
    }
  }
  return { from, to, counts };
}

/** Events that are in no list by time, over the complete capture. */
export function unlistedEvents(model: CaptureModel) {
  const ofNoBlock = model.replicas.map(() => 0);
  let withoutInstant = 0;
  for (const { replica, events } of model.files) ofNoBlock[replica] += events;
  for (const run of model.events.runs) {
    ofNoBlock[run.replica] -= run.length;
    withoutInstant += run.length - run.known;
  }
  return {
    /** By replica: number of events in its files that belong to no known log block. */
    ofNoBlock,
    /** Number of events of a block whose instant is not known. */
    withoutInstant,
  };
}

/** By run: rows of the events of one database's blocks; events without an instant are skipped. */
const eventRowsOf = perModel((model: CaptureModel, database: number): readonly Uint32Array[] =>
  model.events.runs.map((run) => {
    const databases = model.blocks.database;
    const rows = new Uint32Array(run.known);
    let length = 0;
    for (let row = 0; row < rows.length; row++)
      if (databases[run.blockAt(row)] === database) rows[length++] = row;
    return rows.slice(0, length);
  }),
);

/** Events of each run in a range; replicas outside the request have none. */
function partsOfRange(model: CaptureModel, { from, to, replicas, database = null }: EventRange): RunPart[] {
  const { events, databases } = model;
  const ofDatabase = database === null || databases.length === 1 ? null : eventRowsOf(model, database);
  return events.runs.map((run, r) => {
    const rows = ofDatabase?.[r] ?? null;
    const length = rows?.length ?? run.known;
    if (replicas !== null && !replicas.includes(run.replica)) return { run, rows, from: 0, end: 0 };
    const whole = { run, rows, from: 0, end: length };
    const first = firstIndexWhere(length, (index) => fireIn(whole, index) >= from);
    const end = firstIndexWhere(length, (index) => fireIn(whole, index) >= to);
    return { ...whole, from: first, end: Math.max(first, end) };
  });
}

/** When the event at an index of a part fired, µs. */
const fireIn = ({ run, rows }: RunPart, index: number): number =>
  run.fireAt(rows === null ? index : rows[index]);

function positionOf(model: CaptureModel, order: EventOrder, first: FirstEvent): number {
  if ("position" in first) return first.position;
  const event = "block" in first ? firstOfBlock(model, first.block) : eventAt(model, first);
  return event === null ? order.length : order.rankOf(event);
}

/** The event of a block that fired first; null without a known instant. */
function firstOfBlock({ blocks, events }: CaptureModel, block: number): RunEvent | null {
  if (block >= blocks.length)
    throw new RangeError(`The capture has ${blocks.length} log blocks; there is no row ${block}.`);
  const firsts = events.runs.flatMap((run) => {
    const row = run.rowsOfBlock(block).at(0);
    return row === undefined || row >= run.known ? [] : [{ run, row }];
  });
  return firsts.reduce<RunEvent | null>((a, b) => (a === null || fireOf(b) < fireOf(a) ? b : a), null);
}

const fireOf = ({ run, row }: RunEvent): number => run.fireAt(row);

/** The event at an offset of a file; null where the index does not have it, or its instant is unknown. */
function eventAt(
  { events, files }: CaptureModel,
  { file, offset }: { readonly file: number; readonly offset: number },
): RunEvent | null {
  const run = events.runs.find(({ replica }) => replica === files[file]?.replica);
  const row = run?.rowAt(file, offset) ?? -1;
  return run === undefined || row < 0 || row >= run.known ? null : { run, row };
}
