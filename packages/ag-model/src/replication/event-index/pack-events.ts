/**
 * Memory: decision 131: 5 to 8 instead of 18 bytes per event. Without it the simple way is to sort all events of a replica at once.
 *
 * Puts the events of one replica in the order of their run (`event-runs.ts`) and packs them.
 */
import {
  allRows,
  ColumnPacker,
  gatherFloat64,
  packColumn,
  PackedColumn,
  sortRows,
} from "../../numbers/index.ts";
import { EventRun } from "../shapes/event-runs.ts";
import type { FireExtent, MovedEvents, MovedRun } from "./moved-events.ts";

/** Events of one replica. */
export interface PlacedEvents {
  readonly replica: number;
  /** Offset from the number of a file to an index into `CaptureModel.files`. */
  readonly fileBase: number;
  readonly events: MovedEvents;
  readonly extent: FireExtent;
  /** Row of each block in the capture, by the row that events have it. */
  readonly rowOfBlock: Int32Array;
  /** The capture's origin, µs of the clock of `events`. */
  readonly start: number;
}

/** Packs events in batches: events before any possible later one are written. The run skips events without a block. */
export function packEvents(placed: PlacedEvents): EventRun {
  const { replica, events, extent, start } = placed;
  const writer = new RunWriter(fractionsOf(placed), events.length);
  const waiting = new WaitingEvents(placed);
  let ranges = 0;
  for (const range of events.stretches()) {
    waiting.add(range);
    ranges++;
    if (ranges < extent.earliestFrom.length) waiting.writeBefore(extent.earliestFrom[ranges] - start, writer);
  }
  waiting.writeAll(writer);
  return writer.run(replica);
}

/** Events in the order of their run. */
interface OrderedEvents {
  readonly fire: Float64Array;
  readonly block: Int32Array;
  readonly file: Float64Array;
  readonly offset: Float64Array;
}

/** Events that may be preceded by a later one. */
class WaitingEvents {
  readonly #fileBase: number;
  readonly #rowOfBlock: Int32Array;
  readonly #start: number;
  #columns = roomFor(0);
  /** Where the columns go when they are put in order. */
  #ordered = roomFor(0);
  #length = 0;
  /** Number of these events that an earlier pass put in order. */
  #inOrder = 0;

  constructor({ fileBase, rowOfBlock, start }: PlacedEvents) {
    this.#fileBase = fileBase;
    this.#rowOfBlock = rowOfBlock;
    this.#start = start;
  }

  add({ length, row, fire, file, offset }: MovedRun): void {
    this.#makeRoom(this.#length + length);
    const to = this.#columns;
    let at = this.#length;
    for (let i = 0; i < length; i++) {
      const block = row[i] < 0 ? -1 : this.#rowOfBlock[row[i]];
      if (block < 0) continue;
      to.fire[at] = fire[i] - this.#start;
      to.block[at] = block;
      to.file[at] = this.#fileBase + file[i];
      to.offset[at] = offset[i];
      at++;
    }
    this.#length = at;
  }

  /** Writes the events before an instant; those of the instant itself wait for others of it. */
  writeBefore(instant: number, writer: RunWriter): void {
    // If many events wait, they are not sorted again for every few that arrive.
    if (this.#length < 2 * this.#inOrder) return;
    this.#order();
    const { fire } = this.#columns;
    let end = 0;
    while (end < this.#length && fire[end] < instant) end++;
    this.#write(end, writer);
  }

  writeAll(writer: RunWriter): void {
    this.#order();
    this.#write(this.#length, writer);
  }

  #write(end: number, writer: RunWriter): void {
    const columns = this.#columns;
    writer.add(columns, end);
    for (const name of COLUMNS) columns[name].copyWithin(0, end, this.#length);
    this.#length -= end;
    this.#inOrder = this.#length;
  }

  #order(): void {
    const [from, to] = [this.#columns, this.#ordered];
    const fire = from.fire.subarray(0, this.#length);
    const order = sortRows(allRows(this.#length), fire);
    sortEqual(order, from);
    for (let k = 0; k < order.length; k++) {
      const row = order[k];
      to.fire[k] = from.fire[row];
      to.block[k] = from.block[row];
      to.file[k] = from.file[row];
      to.offset[k] = from.offset[row];
    }
    [this.#columns, this.#ordered] = [to, from];
  }

  #makeRoom(length: number): void {
    const old = this.#columns;
    if (length <= old.fire.length) return;
    const room = Math.max(length, 2 * old.fire.length);
    [this.#columns, this.#ordered] = [roomFor(room), roomFor(room)];
    for (const name of COLUMNS) this.#columns[name].set(old[name].subarray(0, this.#length));
  }
}

const COLUMNS = ["fire", "block", "file", "offset"] as const;

const roomFor = (events: number): OrderedEvents => ({
  fire: new Float64Array(events),
  block: new Int32Array(events),
  file: new Float64Array(events),
  offset: new Float64Array(events),
});

/** Puts events of one instant in the order of their blocks. */
function sortEqual(order: Uint32Array, { fire, block }: OrderedEvents): void {
  for (let end = 1; end < order.length; end++) {
    if (fire[order[end]] !== fire[order[end - 1]]) continue;
    const from = end - 1;
    while (end < order.length && fire[order[end]] === fire[order[from]]) end++;
    order.subarray(from, end).sort((a, b) => block[a] - block[b] || a - b);
  }
}

/** Packs the columns of a run. */
class RunWriter {
  readonly #fraction: Float64Array;
  readonly #file: ColumnPacker;
  readonly #offset: ColumnPacker;
  readonly #block: ColumnPacker;
  readonly #instant: ColumnPacker;

  /** @param fraction as `EventRunParts.fraction` @param events approximate number of events */
  constructor(fraction: Float64Array, events: number) {
    this.#fraction = fraction;
    const packer = (bytesEach: number): ColumnPacker => new ColumnPacker({ values: events, bytesEach });
    this.#file = packer(0);
    this.#offset = packer(2);
    this.#block = packer(1);
    this.#instant = packer(4);
  }

  /** Adds the first `length` of these events; their instants are overwritten. */
  add({ fire, block, file, offset }: OrderedEvents, length: number): void {
    const fraction = this.#fraction;
    if (fraction.length > 0) for (let k = 0; k < length; k++) fire[k] -= fraction[block[k]];
    this.#file.add(file, 0, length);
    this.#offset.add(offset, 0, length);
    this.#block.add(block, 0, length);
    this.#instant.add(fire, 0, length);
  }

  run(replica: number): EventRun {
    return new EventRun({
      replica,
      file: new PackedColumn(this.#file.finish()),
      offset: new PackedColumn(this.#offset.finish()),
      block: new PackedColumn(this.#block.finish()),
      instant: new PackedColumn(this.#instant.finish()),
      fraction: this.#fraction,
    });
  }
}

/**
 * By block the part of a µs that all its events' instants have; 0 where they differ in it, and then they are packed as
 * they are. Empty where all instants are whole numbers, or unknown.
 */
function fractionsOf({ events, extent, rowOfBlock, start }: PlacedEvents): Float64Array {
  if (extent.areWhole && Number.isInteger(start)) return new Float64Array();
  const fractions = new Float64Array(rowOfBlock.length).fill(Number.NaN);
  const differ = new Uint8Array(rowOfBlock.length);
  let areWhole = true;
  for (const { length, row, fire } of events.stretches(false))
    for (let i = 0; i < length; i++) {
      if (row[i] < 0 || Number.isNaN(fire[i])) continue;
      const own = rowOfBlock[row[i]];
      if (own < 0) continue;
      const at = fire[i] - start;
      const fraction = at - Math.floor(at);
      if (fraction !== 0) areWhole = false;
      if (Number.isNaN(fractions[own])) fractions[own] = fraction;
      else if (fractions[own] !== fraction) differ[own] = 1;
    }
  if (areWhole) return new Float64Array();
  for (let own = 0; own < fractions.length; own++)
    if (differ[own] === 1 || Number.isNaN(fractions[own])) fractions[own] = 0;
  return fractions;
}

/**
 * The events of some blocks as a run of a capture of these.
 * @param rows of the blocks, ascending
 * @param blocks of the capture
 * @param replica of the run in the capture of these blocks
 */
export function pickEvents(run: EventRun, rows: Uint32Array, blocks: number, replica: number): EventRun {
  const rowOf = new Int32Array(blocks).fill(-1);
  for (let k = 0; k < rows.length; k++) rowOf[rows[k]] = k;
  const { file, offset, block, instant, fraction } = run.parts;
  const kept = allRows(run.length).filter((row) => rowOf[block.at(row)] >= 0);
  const picked = (valueAt: (row: number) => number): PackedColumn =>
    packColumn(kept.length, (values, from) => {
      for (let i = 0; i < values.length; i++) values[i] = valueAt(kept[from + i]);
    });
  return new EventRun({
    replica,
    file: picked((row) => file.at(row)),
    offset: picked((row) => offset.at(row)),
    block: picked((row) => rowOf[block.at(row)]),
    instant: picked((row) => instant.at(row)),
    fraction: fraction.length === 0 ? fraction : gatherFloat64(fraction, rows),
  });
}
