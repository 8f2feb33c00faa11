/**
 * Which secondary and database a send belongs to (docs/model.md 3.2).
 *
 * hadr_log_block_send_complete carries a log_block_id and nothing else: no replica, no database. With two secondaries a
 * block has two such events, and with two databases two blocks may have the same id. What parts them is time: a send begins
 * (start_timestamp - total_processing_time) when the capture, or the compression, of its block for its secondary begins,
 * to 2 µs as a rule and to 15 µs nearly always, and two secondaries are captured 34 µs apart:
 *
 *     capture for A        |100 ->
 *     capture for B                            |134 ->
 *     one send event       |101 ............................ 298|     1 µs from A, 33 µs from B
 *     the other one                             |135 .... 260|       35 µs from A,  1 µs from B
 *
 * "Slots" are the pairs of a secondary and a block row that an event's id allows. Each event wants the nearest slot, each
 * slot the nearest event, and both lists are ordered by the same distance. Giving every event its nearest slot would let
 * one slot take two events where another capture's begin is a little late; giving every slot its nearest event would use an
 * event twice where a send was lost. So it is the problem of stable matching, and this is Gale's and Shapley's way: an
 * event asks for its nearest slot; a slot that is held by a farther event changes hands, and the displaced event asks on:
 *
 *     events x, y ask for slot A:   x -> A                     A holds x
 *                                   y is nearer -> A           A holds y, x asks for its next best slot
 *                                   x -> B, if B is free or held by an event farther than x
 *
 * It ends because a slot's distance only ever falls, and then no event and slot prefer each other to what they have. The
 * order in which events ask does not matter, except that of two events equally near the first one keeps the slot.
 *
 * Events and captures get lost. An event that is over 1 ms from every slot that is left belongs to one whose capture was
 * lost, and stays without. A slot whose own send was lost may be left with its neighbour's, begun much earlier or later:
 * then the block's send that is nearest to the slot's capture is the better estimate, whoever holds it; it is marked doubtful,
 * and so is every send farther from its capture than own sends are.
 */
import { beginTime, EventKind } from "../events/index.ts";
import { unknownColumn } from "./anchor-columns.ts";
import type { BlockRows } from "./blocks.ts";
import type { Server } from "./server.ts";

/** A send begins this near to its own capture (99 of 100 to 12 µs); captures of two secondaries are 34 µs apart. */
const SEND_TO_CAPTURE_US = 15;
/** Farther from its capture no send begins, µs. */
const FURTHEST_SEND_US = 1_000;

/** When the send of each block to one secondary has to have begun, µs by block row; NaN where that is not known. */
export type ExpectedSends = Float64Array;

/** The sends of all blocks to one secondary, µs by block row. */
export interface Sends {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** 1 where the send event is a neighbour's, or may be. */
  readonly doubtful: Uint8Array;
}

interface Slot {
  readonly secondary: number;
  readonly row: number;
}

/**
 * Gives each send event of the primary to a block and secondary, and its row in `rowOf`.
 * @param expected per secondary
 * @returns per secondary
 */
export function attributeSends(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  expected: readonly ExpectedSends[],
): Sends[] {
  const matching = new SendMatching(server, rows, expected);
  const { kind } = server.columns;
  for (let i = 0; i < rowOf.length; i++)
    if (kind[i] === EventKind.sendComplete && rowOf[i] >= 0) matching.place(i, rowOf);
  return expected.map((_, secondary) => matching.sendsTo(secondary));
}

class SendMatching {
  readonly #server: Server;
  readonly #rows: BlockRows;
  readonly #expected: readonly ExpectedSends[];
  /** Per secondary and block row the event that holds the slot; -1 for none. */
  readonly #holders: readonly Int32Array[];

  constructor(server: Server, rows: BlockRows, expected: readonly ExpectedSends[]) {
    this.#server = server;
    this.#rows = rows;
    this.#expected = expected;
    this.#holders = expected.map(() => new Int32Array(rows.length).fill(-1));
  }

  /** An event takes the nearest slot that it is nearer to than who holds it; who held it asks on. */
  place(first: number, rowOf: Int32Array): void {
    let event = first;
    while (event >= 0) {
      const slot = this.#nearestSlot(event);
      if (slot === null) return;
      const held = this.#holders[slot.secondary];
      const displaced = held[slot.row];
      held[slot.row] = event;
      rowOf[event] = slot.row;
      event = displaced;
    }
  }

  sendsTo(secondary: number): Sends {
    const { columns, start } = this.#server;
    const held = this.#holders[secondary];
    const sends = {
      start: unknownColumn(held.length),
      end: unknownColumn(held.length),
      doubtful: new Uint8Array(held.length),
    };
    for (let row = 0; row < held.length; row++) {
      if (held[row] < 0) continue;
      const event = this.#nearestHeld(secondary, row);
      sends.start[row] = beginTime(columns.kind[event], start[event], columns.processing[event]);
      sends.end[row] = start[event];
      const isNear =
        this.#expected.length === 1 || this.#distance(event, secondary, row) <= SEND_TO_CAPTURE_US;
      sends.doubtful[row] = event === held[row] && isNear ? 0 : 1;
    }
    return sends;
  }

  /** µs between an event's begin and that of the capture; NaN where the capture's event is missing. */
  #distance(event: number, secondary: number, row: number): number {
    const { columns, start } = this.#server;
    const begin = beginTime(columns.kind[event], start[event], columns.processing[event]);
    return Math.abs(begin - this.#expected[secondary][row]);
  }

  #nearestSlot(event: number): Slot | null {
    const { words } = this.#server;
    let nearest: Slot | null = null;
    let least = Infinity;
    for (let database = 0; database < this.#rows.inOrder.length; database++) {
      const row = this.#rows.byId.get(database, words[2 * event + 1], words[2 * event]);
      for (let secondary = 0; row >= 0 && secondary < this.#expected.length; secondary++) {
        const cost = this.#cost(event, secondary, row);
        const holder = this.#holders[secondary][row];
        if (cost < least && (holder < 0 || cost < this.#distance(holder, secondary, row))) {
          least = cost;
          nearest = { secondary, row };
        }
      }
    }
    return nearest;
  }

  /** The distance of an event from a slot, Infinity where it cannot be the slot's. */
  #cost(event: number, secondary: number, row: number): number {
    const distance = this.#distance(event, secondary, row);
    if (this.#expected.length * this.#rows.inOrder.length > 1)
      return distance <= FURTHEST_SEND_US ? distance : Infinity;
    // The only slot owns the event, even where the capture's own event is missing.
    return Number.isNaN(distance) ? Number.MAX_VALUE : distance;
  }

  /** Of the sends of a block, to whichever secondary, the one nearest to a secondary's capture. */
  #nearestHeld(secondary: number, row: number): number {
    let nearest = this.#holders[secondary][row];
    for (const held of this.#holders) {
      if (held[row] < 0) continue;
      if (this.#distance(held[row], secondary, row) < this.#distance(nearest, secondary, row))
        nearest = held[row];
    }
    return nearest;
  }
}
