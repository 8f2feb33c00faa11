/**
 * The events of one server that the joins look at one by one. All others are done with once it is collected what they show of their block
 * (`own-instants.ts`): two thirds of a capture, which no memory is spent on.
 */
import { EventKind, OTHER_EVENT, rowsByKind, type EventColumns, type RowsByKind } from "../events/index.ts";
import { GrowingColumn } from "../numbers/index.ts";
import { wordsOf } from "./event-ids.ts";

/** The three kinds whose log_block_id is the END of a range. */
const END_KINDS: readonly number[] = [
  EventKind.receiveHarden,
  EventKind.sendHarden,
  EventKind.ackSendComplete,
];

/**
 * Commits and what released them are paired, acknowledgements cover whole ranges of blocks and are counted by time, sends are given to
 * the captures that they follow, and the rest become markers.
 */
const SINGLE_KINDS: readonly number[] = [
  ...END_KINDS,
  EventKind.commit,
  EventKind.commitManagerHarden,
  EventKind.sendComplete,
  EventKind.vlfHeader,
  EventKind.stillWaiting,
  EventKind.databaseFlowControl,
  EventKind.transportFlowControl,
];

const flagged = (kinds: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: OTHER_EVENT + 1 }, (_, kind) => (kinds.includes(kind) ? 1 : 0));

/** 1 for each kind whose log_block_id is the END of a range. */
export const NAMES_END = flagged(END_KINDS);

const IS_SINGLE = flagged(SINGLE_KINDS);

/** What the joins look at of single events; columns as in `EventColumns`. */
export type SingleColumns = Pick<EventColumns, "length" | "texts"> & {
  readonly [Name in ColumnName]: EventColumns[Name];
};

type ColumnName = "kind" | "mode" | "partner" | "action" | "ticks" | "start" | "processing" | "blockId";

/** Numbered from 0 in the order in which they were published. */
export interface SingleEvents {
  readonly columns: SingleColumns;
  readonly kinds: RowsByKind;
  /** Shape of each (`shapes.ts`). */
  readonly shapeOf: Uint32Array;
  /** Number of each one's own block; -1 for an event of a foreign database. */
  readonly blockOf: Int32Array;
  /** When each fired, µs of the server's counter; NaN where it has no start_timestamp. `buildModel` puts an instant there. */
  readonly fire: Float64Array;
  /** The events with NaN. */
  readonly late: Uint32Array;
}

/** Events of one server in which single ones are looked for. */
export interface FiredEvents {
  readonly columns: EventColumns;
  readonly shapeOf: Uint32Array;
  readonly blockOf: Int32Array;
  readonly fire: Float64Array;
}

/** Flags each event that is single: those of some kinds, and those of which it is not known when they fired. @param isSingle is filled */
export function flagSingle({ kind }: EventColumns, fire: Float64Array, isSingle: Uint8Array): void {
  for (let i = 0; i < fire.length; i++) isSingle[i] = Number.isNaN(fire[i]) ? 1 : IS_SINGLE[kind[i]];
}

/** Gathers the single events of one server, which come in one or several parts. */
export class SingleEventsOfParts {
  readonly #kind = new GrowingColumn(Uint8Array);
  readonly #mode = new GrowingColumn(Uint8Array);
  readonly #partner = new GrowingColumn(Uint16Array);
  readonly #action = new GrowingColumn(Uint16Array);
  readonly #ticks = new GrowingColumn(BigInt64Array);
  readonly #start = new GrowingColumn(Float64Array);
  readonly #processing = new GrowingColumn(Float64Array);
  readonly #blockId = new GrowingColumn(BigUint64Array);
  readonly #shapeOf = new GrowingColumn(Uint32Array);
  readonly #blockOf = new GrowingColumn(Int32Array);
  readonly #fire = new GrowingColumn(Float64Array);
  readonly #columns = [
    this.#kind,
    this.#mode,
    this.#partner,
    this.#action,
    this.#ticks,
    this.#start,
    this.#processing,
    this.#blockId,
    this.#shapeOf,
    this.#blockOf,
    this.#fire,
  ];

  /** How many there are so far. */
  get length(): number {
    return this.#kind.length;
  }

  /** When each began, by its number; with room for more. */
  get start(): Float64Array {
    return this.#start.room;
  }

  /** @param isSingle 1 for each single event of the part */
  add({ columns, shapeOf, blockOf, fire }: FiredEvents, isSingle: Uint8Array): void {
    const rows = rowsOfOnes(isSingle);
    const first = this.#makeRoom(rows.length);
    const { room: kind } = this.#kind;
    const { room: mode } = this.#mode;
    const { room: partner } = this.#partner;
    const { room: action } = this.#action;
    const { room: start } = this.#start;
    const { room: processing } = this.#processing;
    const { room: shape } = this.#shapeOf;
    const { room: block } = this.#blockOf;
    const { room: fired } = this.#fire;
    const ticks = wordsOf(this.#ticks.room);
    const ids = wordsOf(this.#blockId.room);
    const fromTicks = wordsOf(columns.ticks);
    const fromIds = wordsOf(columns.blockId);
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k];
      const at = first + k;
      kind[at] = columns.kind[i];
      mode[at] = columns.mode[i];
      partner[at] = columns.partner[i];
      action[at] = columns.action[i];
      start[at] = columns.start[i];
      processing[at] = columns.processing[i];
      shape[at] = shapeOf[i];
      block[at] = blockOf[i];
      fired[at] = fire[i];
      ticks[2 * at] = fromTicks[2 * i];
      ticks[2 * at + 1] = fromTicks[2 * i + 1];
      ids[2 * at] = fromIds[2 * i];
      ids[2 * at + 1] = fromIds[2 * i + 1];
    }
  }

  /** @returns the number of the first of `count` more */
  #makeRoom(count: number): number {
    const first = this.length;
    for (const column of this.#columns) column.more(count);
    return first;
  }

  /** Makes room for so many in all. */
  reserve(length: number): void {
    for (const column of this.#columns) column.reserve(length);
  }

  /** The events. @param texts of the partner and action columns */
  finish(texts: readonly string[]): SingleEvents {
    const columns = {
      length: this.length,
      texts,
      kind: this.#kind.values(),
      mode: this.#mode.values(),
      partner: this.#partner.values(),
      action: this.#action.values(),
      ticks: this.#ticks.values(),
      start: this.#start.values(),
      processing: this.#processing.values(),
      blockId: this.#blockId.values(),
    };
    const fire = this.#fire.values();
    const isLate = new Uint8Array(fire.length);
    for (let i = 0; i < fire.length; i++) if (Number.isNaN(fire[i])) isLate[i] = 1;
    const late = rowsOfOnes(isLate);
    const [shapeOf, blockOf] = [this.#shapeOf.values(), this.#blockOf.values()];
    return { columns, kinds: rowsByKind(columns), shapeOf, blockOf, fire, late };
  }
}

function rowsOfOnes(flags: Uint8Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < flags.length; i++) count += flags[i];
  const rows = new Uint32Array(count);
  for (let i = 0, n = 0; n < count; i++) if (flags[i] === 1) rows[n++] = i;
  return rows;
}
