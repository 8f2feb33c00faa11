/**
 * Assigns each send to a secondary and a database (docs/contribute/model/joins.md 3.2).
 *
 * hadr_log_block_send_complete carries a log_block_id and nothing else: no replica, no database. With two secondaries a
 * block has two such events, and with two databases two blocks may have the same id. Time distinguishes them: a send begins
 * (start_timestamp - total_processing_time) when the capture, or the compression, of its block for its secondary begins,
 * to 2 µs as a rule and to 15 µs nearly always, and two secondaries are captured 34 µs apart:
 *
 *     capture for A        |100 ->
 *     capture for B                            |134 ->
 *     one send event       |101 ............................ 298|     1 µs from A, 33 µs from B
 *     the other one                             |135 .... 260|       35 µs from A,  1 µs from B
 *
 * All sends of one log_block_id are assigned at once, each to one place (a secondary and a block), so that the sum of the
 * costs of their distances is least: a send that fits two places is assigned to the one that the others leave free.
 *
 *     places by expected begin     A   B           C
 *     sends by begin                 x   y       z        x -> A, y -> B, z -> C; nearest first would leave A without
 *
 * A distance costs its square as far as own sends scatter, and little more beyond: a thread that was held up for 60 µs must
 * not take the send away from a place that it fits to 2 µs. Events and captures get lost: as many sends as possible find a
 * place within 1 ms, the rest stay without. Where another way is nearly as good (two captures or two sends within a few µs of
 * each other, a place whose own send may be the lost one), which send is whose cannot be known, and the instants are marked
 * doubtful.
 */
import { beginTime, EventKind } from "../../events/index.ts";
import { assign } from "./assign.ts";
import { unknownColumn } from "../shapes/anchor-columns.ts";
import type { IdFinder } from "../prepare/block-finder.ts";
import { blockFinder, type BlockRows } from "./blocks.ts";
import { idOf, type Server } from "../prepare/server.ts";

/** A send begins this near to its own capture (99 of 100 to 12 µs); captures of two secondaries are 34 µs apart. */
const SEND_TO_CAPTURE_US = 15;
/** No send begins farther from its capture, µs. */
const FURTHEST_SEND_US = 1_000;
/**
 * Cost, µs², by which another assignment has to be worse for the best one to be certain: a begin scatters by some 2 µs
 * around its capture's, so this is a likelihood of one in a thousand (2 s² ln 1000).
 */
const CERTAIN_US2 = 55;

/** When the send of each block to one secondary has to have begun, µs by block row; NaN where unknown. */
export type ExpectedSends = Float64Array;

/** The sends of all blocks to one secondary, µs by block row. */
export interface Sends {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** 1 where the send may be another place's. */
  readonly doubtful: Uint8Array;
}

/** A secondary and block that a send may belong to. */
interface Place {
  readonly secondary: number;
  readonly row: number;
  readonly expected: number;
}

interface Send {
  readonly event: number;
  readonly begin: number;
}

/**
 * Assigns each send event of the primary to a block and secondary, and sets its row in `rowOf`.
 * @param expected per secondary
 * @param isOwn true for a block whose primary is this server
 * @returns per secondary
 */
export function attributeSends(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  expected: readonly ExpectedSends[],
  isOwn: (row: number) => boolean,
): Sends[] {
  const sends = expected.map(() => noSends(rows.length));
  if (expected.length * rows.inOrder.length === 1) {
    putOnly(server, expected[0], isOwn, sends[0], rowOf);
    return sends;
  }
  const finders = rows.inOrder.map((_, d) => blockFinder(rows, d));
  for (const events of sendsById(server, rowOf, rows.length)) {
    const { event } = events[0];
    const id = idOf(server, event);
    const { high, low } = server.ids;
    putAll(server, events, placesOf(finders, expected, isOwn, high[id], low[id]), sends, rowOf);
  }
  return sends;
}

const noSends = (rows: number): Sends => ({
  start: unknownColumn(rows),
  end: unknownColumn(rows),
  doubtful: new Uint8Array(rows),
});

const sendOf = ({ columns, start }: Server, event: number): Send => ({
  event,
  begin: beginTime(columns.kind[event], start[event], columns.processing[event]),
});

/** The sends of each id that is a block's, in the order of the events: they have one row now, that of the first such block. */
function* sendsById(server: Server, rowOf: Int32Array, rows: number): Generator<Send[]> {
  const events = server.rowsOf.of(EventKind.sendComplete);
  const first = new Int32Array(rows).fill(-1);
  const next = new Int32Array(events.length).fill(-1);
  for (let k = events.length - 1; k >= 0; k--) {
    const row = rowOf[events[k]];
    if (row < 0) continue;
    next[k] = first[row];
    first[row] = k;
  }
  for (let row = 0; row < rows; row++) {
    const sends: Send[] = [];
    for (let k = first[row]; k >= 0; k = next[k]) sends.push(sendOf(server, events[k]));
    if (sends.length > 0) yield sends;
  }
}

function placesOf(
  finders: readonly IdFinder[],
  expected: readonly ExpectedSends[],
  isOwn: (row: number) => boolean,
  high: number,
  low: number,
): Place[] {
  const places: Place[] = [];
  for (const finder of finders) {
    const row = finder.indexOf(high, low);
    if (row < 0 || !isOwn(row)) continue;
    for (const [secondary, begins] of expected.entries())
      places.push({ secondary, row, expected: begins[row] });
  }
  return places;
}

function put(server: Server, sends: Sends, { row }: Place, { event, begin }: Send, rowOf: Int32Array): void {
  sends.start[row] = begin;
  sends.end[row] = server.start[event];
  rowOf[event] = row;
}

/** The only secondary of the only database owns its sends, even where the capture's own event is missing. */
function putOnly(
  server: Server,
  expected: ExpectedSends,
  isOwn: (row: number) => boolean,
  sends: Sends,
  rowOf: Int32Array,
): void {
  const { columns, rowsOf, start } = server;
  const isKnown = new Uint8Array(expected.length);
  const sent = rowsOf.of(EventKind.sendComplete);
  for (let k = 0; k < sent.length; k++) {
    const event = sent[k];
    const row = rowOf[event];
    if (row < 0 || !isOwn(row)) continue;
    const begin = beginTime(columns.kind[event], start[event], columns.processing[event]);
    // If the expected begin of the send is unknown, no distance is less than another: the first send is used.
    const isNearer = Math.abs(begin - expected[row]) < Math.abs(sends.start[row] - expected[row]);
    if (isKnown[row] === 1 && !isNearer) continue;
    isKnown[row] = 1;
    sends.start[row] = begin;
    sends.end[row] = start[event];
  }
}

function putAll(
  server: Server,
  events: readonly Send[],
  all: readonly Place[],
  sends: readonly Sends[],
  rowOf: Int32Array,
): void {
  for (const { event } of events) rowOf[event] = -1;
  const places = all.filter(({ expected }) => !Number.isNaN(expected));
  places.sort((a, b) => a.expected - b.expected || a.secondary - b.secondary || a.row - b.row);
  const ordered = events.toSorted(
    (a, b) => a.begin - b.begin || server.start[a.event] - server.start[b.event],
  );
  const given = leastCost(ordered, places);
  for (const [p, e] of given.entries()) {
    if (e < 0) continue;
    put(server, sends[places[p].secondary], places[p], ordered[e], rowOf);
    const isDoubtful = isFar(ordered[e], places[p]) || !isCertain(ordered, places, given, p);
    sends[places[p].secondary].doubtful[places[p].row] = isDoubtful ? 1 : 0;
  }
}

const isFar = ({ begin }: Send, { expected }: Place): boolean =>
  Math.abs(begin - expected) > SEND_TO_CAPTURE_US;

/**
 * Cost of a send at a place: the square of its distance within the usual scatter of sends, then hardly more; Infinity
 * too far.
 */
function costOf({ begin }: Send, { expected }: Place): number {
  const distance = Math.abs(begin - expected);
  if (!(distance <= FURTHEST_SEND_US)) return Infinity;
  return distance <= SEND_TO_CAPTURE_US ? distance ** 2 : SEND_TO_CAPTURE_US ** 2 + distance;
}

/** Cost of a send and a place that are too far apart: more than any assignment of sends costs. */
const APART = 1e9;

/** Index of the send of each place, -1 for none: as many as possible, at the least cost. */
function leastCost(sends: readonly Send[], places: readonly Place[]): Int32Array {
  const isWide = places.length >= sends.length;
  const [few, many] = isWide ? [sends.length, places.length] : [places.length, sends.length];
  const cost = (f: number, m: number): number => costOf(sends[isWide ? f : m], places[isWide ? m : f]);
  const given = new Int32Array(places.length).fill(-1);
  for (const [f, m] of assign(few, many, (x, y) => Math.min(cost(x, y), APART)).entries())
    if (cost(f, m) < APART) given[isWide ? m : f] = isWide ? f : m;
  return given;
}

/** True when no other assignment of the send of place `p` is nearly as good. */
function isCertain(sends: readonly Send[], places: readonly Place[], given: Int32Array, p: number): boolean {
  const own = sends[given[p]];
  const cost = costOf(own, places[p]);
  const isUsed = new Set(given);
  for (const [other, place] of places.entries()) {
    if (other === p) continue;
    const its = given[other] < 0 ? undefined : sends[given[other]];
    const now = cost + (its === undefined ? 0 : costOf(its, place));
    const swapped = costOf(own, place) + (its === undefined ? 0 : costOf(its, places[p]));
    if (swapped - now < CERTAIN_US2) return false;
  }
  return !sends.some((send, e) => !isUsed.has(e) && costOf(send, places[p]) - cost < CERTAIN_US2);
}
