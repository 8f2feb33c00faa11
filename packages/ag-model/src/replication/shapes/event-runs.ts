/**
 * Where each event of a block is: one run of packed columns for each replica with files, its events in the order in which they fired. In
 * that order instants, blocks and offsets of neighbors are close to each other, so that an event takes some six bytes.
 */
import {
  allRows,
  firstIndexWhere,
  gatherFloat64,
  gatherUint16,
  sortRows,
  type PackedColumn,
} from "../../numbers/index.ts";
import type { EventSpans } from "./event-spans.ts";

/** The events of a block's replicas by their files and offsets, so that their fields can be read again from there. */
export interface EventIndex {
  readonly length: number;
  /** One for each replica with files; equal instants of one block are in the order of the runs. */
  readonly runs: readonly EventRun[];
  /** Spans that a verdict needs of the events, where the model has no runs (`ModelWants.eventIndex`). */
  readonly spans?: EventSpans;
}

/** The packed columns of a run. */
export const RUN_COLUMNS = ["file", "offset", "block", "instant"] as const;

/** Parts of an event run; columns have a row for each event. */
export interface EventRunParts {
  /** Index into `CaptureModel.replicas`. */
  readonly replica: number;
  /** Index into `CaptureModel.files`. */
  readonly file: PackedColumn;
  /** Byte offset of the event record in its file. */
  readonly offset: PackedColumn;
  /** Row in `CaptureModel.blocks`. */
  readonly block: PackedColumn;
  /** When it fired, µs on the primary's clock, without `fraction`. */
  readonly instant: PackedColumn;
  /**
   * By block, µs to add to its events' instants: a server counts whole µs, and its clock moves all events of a block
   * alike, so the fraction of a µs is kept once per block. Empty where all instants are whole numbers.
   */
  readonly fraction: Float64Array;
}

/**
 * The events of one replica in the order in which they fired, events of one instant by block; events with an unknown
 * instant are last.
 */
export class EventRun {
  readonly parts: EventRunParts;

  constructor(parts: EventRunParts) {
    this.parts = parts;
  }

  get replica(): number {
    return this.parts.replica;
  }

  get length(): number {
    return this.parts.block.length;
  }

  /** Number of events with a known instant; these are the first ones. */
  get known(): number {
    return firstIndexWhere(this.length, (row) => Number.isNaN(this.parts.instant.at(row)));
  }

  /** When an event fired, µs on the primary's clock; NaN where unknown. */
  fireAt(row: number): number {
    const { instant, block, fraction } = this.parts;
    const whole = instant.at(row);
    return fraction.length === 0 ? whole : whole + fraction[block.at(row)];
  }

  fileAt(row: number): number {
    return this.parts.file.at(row);
  }

  offsetAt(row: number): number {
    return this.parts.offset.at(row);
  }

  blockAt(row: number): number {
    return this.parts.block.at(row);
  }

  /** Rows of a block's events, in the order in which they fired. */
  rowsOfBlock(block: number): number[] {
    return this.parts.block.rowsOf(block);
  }

  /** Row of the event at an offset of a file; -1 without such an event. */
  rowAt(file: number, offset: number): number {
    return this.parts.offset.rowsOf(offset).find((row) => this.fileAt(row) === file) ?? -1;
  }
}

/** The index without an event. */
export const NO_EVENTS: EventIndex = { length: 0, runs: [] };

/** Index of a model whose events no screen lists. */
export const noIndex = (spans: EventSpans): EventIndex => ({ ...NO_EVENTS, spans });

/** Index of these runs; runs without an event are skipped. */
export const eventIndexOf = (runs: readonly EventRun[]): EventIndex => ({
  length: runs.reduce((sum, run) => sum + run.length, 0),
  runs: runs.filter(({ length }) => length > 0),
});

/** Events in plain columns, block by block, each block's in the order in which they fired. */
export interface EventsByBlock {
  /** First row of each block's events; one entry more, the end. */
  readonly start: Uint32Array;
  readonly file: Uint16Array;
  readonly offset: Float64Array;
  readonly fire: Float64Array;
}

/** All events of the index. @param blocks of the capture */
export function eventsByBlock({ length, runs }: EventIndex, blocks: number): EventsByBlock {
  const start = new Uint32Array(blocks + 1);
  for (const run of runs) for (let row = 0; row < run.length; row++) start[run.blockAt(row) + 1]++;
  for (let block = 0; block < blocks; block++) start[block + 1] += start[block];
  const next = start.slice();
  const flat = {
    file: new Uint16Array(length),
    offset: new Float64Array(length),
    fire: new Float64Array(length),
  };
  for (const run of runs)
    for (let row = 0; row < run.length; row++) {
      const at = next[run.blockAt(row)]++;
      flat.file[at] = run.fileAt(row);
      flat.offset[at] = run.offsetAt(row);
      flat.fire[at] = run.fireAt(row);
    }
  const order = allRows(length);
  for (let block = 0; block < blocks; block++)
    sortRows(order.subarray(start[block], start[block + 1]), flat.fire);
  return {
    start,
    file: gatherUint16(flat.file, order),
    offset: gatherFloat64(flat.offset, order),
    fire: gatherFloat64(flat.fire, order),
  };
}
