/**
 * The events of one server that the joins read one by one. All others are no longer needed after their instants are
 * collected for their block (`own-instants.ts`): two thirds of a capture, which use no memory.
 */
import {
  ClientTexts,
  EventKind,
  OTHER_EVENT,
  type ClientColumns,
  rowsByKind,
  type EventColumns,
  type RowsByKind,
} from "../../events/index.ts";
import {
  ColumnPacker,
  gatherFloat64,
  gatherInt32,
  gatherUint16,
  gatherUint32,
  gatherUint8,
  GrowingColumn,
  NarrowColumn,
  type PackedParts,
} from "../../numbers/index.ts";

/** The three kinds whose log_block_id is the END of a range. */
const END_KINDS: readonly number[] = [
  EventKind.receiveHarden,
  EventKind.sendHarden,
  EventKind.ackSendComplete,
];

/**
 * Commits and their releases are paired, acknowledgments cover ranges of blocks and are counted by time, sends are
 * assigned to the captures that they follow, and the rest become markers.
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

/** Columns of single events that the joins need; columns as in `EventColumns`. */
export interface SingleColumns extends Pick<EventColumns, "length" | "texts" | "kind" | "mode" | "start"> {
  /** Narrow where no value needs more. */
  readonly processing: Float32Array | Float64Array;
}

/** Numbered from 0 in the order in which they were published. A third of all events are single, so each byte of one counts. */
export interface SingleEvents {
  readonly columns: SingleColumns;
  readonly kinds: RowsByKind;
  /** Shape of each (`shapes.ts`), which has its databases and replicas. */
  readonly shapeOf: Uint16Array | Uint32Array;
  /** Number of each one's own block, which has its log_block_id; -1 for an event of a foreign database. */
  readonly blockOf: Int32Array;
  /** Number of each one's text of action; 0 for none. */
  readonly action: PackedParts;
  /** When each was published, ticks after the server's first event. */
  readonly published: PackedParts;
  /** Events whose instant is unknown. */
  readonly late: Uint32Array;
  /** Absent where no event names its client. */
  readonly clients?: SingleClients;
}

/** Clients of the single events that name one. */
export interface SingleClients extends ClientColumns {
  /** Number of the event of each row, ascending. */
  readonly event: Uint32Array;
}

/** Events of one server in which single ones are looked for. */
export interface FiredEvents {
  readonly columns: EventColumns;
  readonly shapeOf: Uint32Array;
  readonly blockOf: Int32Array;
  readonly fire: Float64Array;
  readonly published: Float64Array;
}

/** Flags each single event: events of some kinds, and events with an unknown instant. @param isSingle is filled */
export function flagSingle({ kind }: EventColumns, fire: Float64Array, isSingle: Uint8Array): void {
  for (let i = 0; i < fire.length; i++) isSingle[i] = Number.isNaN(fire[i]) ? 1 : IS_SINGLE[kind[i]];
}

/** Numbers single events, from `first` on. @param singleOf is filled */
export function numberSingle(isSingle: Uint8Array, first: number, singleOf: Int32Array): void {
  for (let i = 0, next = first; i < isSingle.length; i++) {
    singleOf[i] = next;
    next += isSingle[i];
  }
}

/** Gathers the single events of one server, which arrive in one or several parts. */
export class SingleEventsOfParts {
  readonly #kind = new GrowingColumn(Uint8Array);
  readonly #mode = new GrowingColumn(Uint8Array);
  readonly #start = new GrowingColumn(Float64Array);
  readonly #processing = new NarrowColumn(Float32Array, Float64Array);
  readonly #shapeOf = new NarrowColumn(Uint16Array, Uint32Array);
  readonly #blockOf = new GrowingColumn(Int32Array);
  readonly #action = new ColumnPacker();
  readonly #published = new ColumnPacker();
  readonly #late = new GrowingColumn(Uint32Array);
  readonly #clients = new ClientsOfParts();

  /** How many there are so far. */
  get length(): number {
    return this.#kind.length;
  }

  /** When each began, by its number; with room for more. */
  get start(): Float64Array {
    return this.#start.room;
  }

  /** @param isSingle 1 for each single event of the part */
  add({ columns, shapeOf, blockOf, fire, published }: FiredEvents, isSingle: Uint8Array): void {
    const rows = rowsOfOnes(isSingle);
    const first = this.length;
    this.#kind.add(gatherUint8(columns.kind, rows));
    this.#mode.add(gatherUint8(columns.mode, rows));
    this.#start.add(gatherFloat64(columns.start, rows));
    this.#processing.add(gatherFloat64(columns.processing, rows));
    this.#shapeOf.add(gatherUint32(shapeOf, rows));
    this.#blockOf.add(gatherInt32(blockOf, rows));
    this.#action.add(gatherUint16(columns.action, rows));
    this.#published.add(gatherFloat64(published, rows));
    for (let k = 0; k < rows.length; k++) if (Number.isNaN(fire[rows[k]])) this.#late.add([first + k]);
    if (columns.clients !== undefined) this.#clients.add(columns.clients, rows, first);
  }

  /** Makes room for this many in total. */
  reserve(length: number): void {
    for (const column of [
      this.#kind,
      this.#mode,
      this.#start,
      this.#processing,
      this.#shapeOf,
      this.#blockOf,
    ])
      column.reserve(length);
  }

  /** The events. @param texts of the action column */
  finish(texts: readonly string[]): SingleEvents {
    const columns = {
      length: this.length,
      texts,
      kind: this.#kind.values(),
      mode: this.#mode.values(),
      start: this.#start.values(),
      processing: this.#processing.values(),
    };
    return {
      columns,
      kinds: rowsByKind(columns),
      shapeOf: this.#shapeOf.values(),
      blockOf: this.#blockOf.values(),
      action: this.#action.finish(),
      published: this.#published.finish(),
      late: this.#late.values(),
      ...this.#clients.finish(),
    };
  }
}

/** Gathers the clients of single events. */
class ClientsOfParts {
  readonly #texts = new ClientTexts();
  readonly #event = new GrowingColumn(Uint32Array);
  readonly #session = new GrowingColumn(Uint16Array);
  readonly #application = new GrowingColumn(Uint16Array);
  readonly #statement = new GrowingColumn(Uint16Array);
  #renumber: { readonly texts: readonly string[]; readonly numbers: Uint16Array } | undefined;

  /** @param rows of single events @param first number of the first one */
  add({ session, application, statement, texts }: ClientColumns, rows: Uint32Array, first: number): void {
    const numbers = this.#numbersOf(texts);
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (session[row] === 0 && application[row] === 0 && statement[row] === 0) continue;
      this.#event.add([first + k]);
      this.#session.add([session[row]]);
      this.#application.add([numbers[application[row]]]);
      this.#statement.add([numbers[statement[row]]]);
    }
  }

  /** Steps of one part share a list of texts, which may be long; it only grows. */
  #numbersOf(texts: readonly string[]): Uint16Array {
    const known = this.#renumber;
    if (known?.texts === texts && known.numbers.length === texts.length) return known.numbers;
    const numbers = this.#texts.renumber(texts);
    this.#renumber = { texts, numbers };
    return numbers;
  }

  finish(): { readonly clients?: SingleClients } {
    if (this.#event.length === 0) return {};
    const clients = {
      event: this.#event.values(),
      session: this.#session.values(),
      application: this.#application.values(),
      statement: this.#statement.values(),
      texts: this.#texts.texts,
    };
    return { clients };
  }
}

function rowsOfOnes(flags: Uint8Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < flags.length; i++) count += flags[i];
  const rows = new Uint32Array(count);
  for (let i = 0, n = 0; n < count; i++) if (flags[i] === 1) rows[n++] = i;
  return rows;
}
