/** Which database hadr_lsn_send_complete belongs to: the event names none (docs/model.md 2.3). */
import { EventKind } from "../events/index.ts";
import { BlockMap } from "./block-map.ts";
import type { BlockRows } from "./blocks.ts";
import { NO_DATABASE, type Server } from "./server.ts";

/** hadr_lsn_send_complete comes within 200 µs of the acknowledgement it sends; a busy processor takes longer. */
const ACK_SEND_US = 1_000;

/**
 * Names the database of each hadr_lsn_send_complete in the server's `database` column: that of the last
 * hadr_send_harden_lsn_message of the same block just before it. Where several databases acknowledged equal ids then,
 * total_processing_time decides, since it reaches back to the block's receive exactly. Where the acknowledgement's own
 * events were lost the event stays without a database.
 */
export function nameAckSends(server: Server, rows: BlockRows): void {
  const { columns, words, database, start } = server;
  const built = rows.inOrder.map(() => new BlockMap<number>());
  const received = rows.inOrder.length > 1 ? receiveTimes(server, rows) : new Float64Array(0);
  for (let i = 0; i < columns.length; i++) {
    const [high, low] = [words[2 * i + 1], words[2 * i]];
    if (columns.kind[i] === EventKind.sendHarden && database[i] >= 0) {
      built[database[i]].set(high, low, i);
    } else if (columns.kind[i] === EventKind.ackSendComplete) {
      const near = [...built.keys()].filter((d) => {
        const before = built[d].get(high, low);
        return before !== undefined && start[i] - start[before] <= ACK_SEND_US;
      });
      const began = start[i] - columns.processing[i];
      const distance = (d: number): number =>
        Math.abs(began - (received[rows.byEnd.get(d, high, low)] ?? Number.NaN));
      database[i] = near.length > 1 ? nearest(near, distance) : (near[0] ?? NO_DATABASE);
    }
  }
}

/** The candidate at the least distance; NO_DATABASE where none is known. */
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
function receiveTimes({ columns, words, database, start }: Server, rows: BlockRows): Float64Array {
  const received = new Float64Array(rows.length).fill(Number.NaN);
  for (let i = 0; i < columns.length; i++) {
    if (columns.kind[i] !== EventKind.transportReceive || database[i] < 0) continue;
    const row = rows.byId.get(database[i], words[2 * i + 1], words[2 * i]);
    if (row >= 0 && !(received[row] <= start[i])) received[row] = start[i];
  }
  return received;
}
