/** Finds the database of hadr_lsn_send_complete, which the event does not name (docs/contribute/model/attribution.md 2.3). */
import { EventKind } from "../../events/index.ts";
import { keepEarlier, unknownColumn } from "../shapes/anchor-columns.ts";
import { BlockMap } from "../prepare/block-map.ts";
import { blockFinder, EndFinder, type BlockRows } from "./blocks.ts";
import { NO_DATABASE } from "../prepare/own-databases.ts";
import { instantsOf } from "../prepare/own-instants.ts";
import { idOf, type Server } from "../prepare/server.ts";

/**
 * hadr_lsn_send_complete follows within 200 µs of the acknowledgment that it sends; on a busy processor it takes
 * longer.
 */
const ACK_SEND_US = 1_000;

/**
 * Sets the database of each hadr_lsn_send_complete in the server's `database` column: that of the last
 * hadr_send_harden_lsn_message of the same block just before it. Where several databases acknowledged equal ids at that
 * time, total_processing_time decides, since it reaches back to the block's receive exactly. Where the acknowledgment's
 * own events were lost, the event has no database.
 */
export function nameAckSends(server: Server, rows: BlockRows): void {
  if (rows.inOrder.length === 1) {
    nameOfOnly(server);
    return;
  }
  const { columns, rowsOf, ids, database, start } = server;
  const built = rows.inOrder.map((own) => new BlockMap(own.length));
  const received = receiveTimes(server, rows);
  const ends = rows.inOrder.map((_, d) => new EndFinder(rows, d));
  for (const i of rowsOf.ofAny([EventKind.sendHarden, EventKind.ackSendComplete])) {
    const id = idOf(server, i);
    if (id < 0) continue;
    const [high, low] = [ids.high[id], ids.low[id]];
    if (columns.kind[i] === EventKind.sendHarden) {
      if (database[i] >= 0) built[database[i]].set(high, low, i);
    } else {
      const near = [...built.keys()].filter((d) => isNear(start, i, built[d].get(high, low)));
      const began = start[i] - columns.processing[i];
      const distance = (d: number): number =>
        Math.abs(began - (received[ends[d].rowOf(high, low)] ?? Number.NaN));
      database[i] = near.length > 1 ? nearest(near, distance) : (near[0] ?? NO_DATABASE);
    }
  }
}

/** Whether an acknowledgment was sent just before event `i`. @param before its event; -1 for none */
const isNear = (start: Float64Array, i: number, before: number): boolean =>
  before >= 0 && start[i] - start[before] <= ACK_SEND_US;

/** The same for a single database: the last acknowledgment of each block is looked up by the number of its id. */
function nameOfOnly({ rowsOf, ids, blocks: { id }, blockOf, database, start }: Server): void {
  const built = new Int32Array(ids.high.length).fill(-1);
  const acks = rowsOf.of(EventKind.sendHarden);
  let next = 0;
  const sent = rowsOf.of(EventKind.ackSendComplete);
  for (let k = 0; k < sent.length; k++) {
    const i = sent[k];
    for (; next < acks.length && acks[next] < i; next++)
      if (database[acks[next]] === 0) built[id[blockOf[acks[next]]]] = acks[next];
    database[i] = isNear(start, i, built[id[blockOf[i]]]) ? 0 : NO_DATABASE;
  }
}

/** The candidate at the least distance; NO_DATABASE without a known distance. */
function nearest(candidates: readonly number[], distance: (candidate: number) => number): number {
  let best = NO_DATABASE;
  let least = Infinity;
  for (const candidate of candidates) {
    if (!(distance(candidate) < least)) continue;
    least = distance(candidate);
    best = candidate;
  }
  return best;
}

/** When this server received each block, µs of its counter. */
function receiveTimes({ ids, blocks, databaseOfBlock, instants }: Server, rows: BlockRows): Float64Array {
  const times = unknownColumn(rows.length);
  const finders = rows.inOrder.map((_, d) => blockFinder(rows, d));
  for (const { from, length, received, receivedInner } of instantsOf(instants, ["received", "receivedInner"]))
    for (let k = 0; k < length; k++) {
      const database = databaseOfBlock[from + k];
      if (database < 0) continue;
      const id = blocks.id[from + k];
      const row = finders[database].indexOf(ids.high[id], ids.low[id]);
      if (row < 0) continue;
      keepEarlier(times, row, received[k]);
      keepEarlier(times, row, receivedInner[k]);
    }
  return times;
}
