/** Acknowledgment events of one server by the block they cover. */
import { EarliestAcks, type AckColumns } from "../prepare/acknowledgments.ts";
import { rangeOf, type BlockRows } from "./blocks.ts";
import { isOfPhase, type PhaseEvents } from "./phase-events.ts";
import { NO_DATABASE } from "../prepare/own-databases.ts";
import { idOf, type Server } from "../prepare/server.ts";

/** Acknowledgment events that a join is about. */
export interface WantedAcks {
  /** Columns of events; -1 without an event. */
  readonly events: readonly (Int32Array | Uint32Array)[];
  readonly phase: PhaseEvents;
}

/**
 * The first acknowledgment that covers each block, among the wanted ones. Only candidates get one, so that a capture
 * that began late does not acknowledge earlier blocks. Events that name no database (hadr_lsn_send_complete) belong to
 * the only database that has a block ending there.
 * @param candidate by block row: 1 for a block that may have one
 */
export function acknowledgmentsOf(
  server: Server,
  rows: BlockRows,
  wanted: WantedAcks,
  candidate: Uint8Array,
): AckColumns {
  const found = { event: new Int32Array(rows.length).fill(-1), exact: new Uint8Array(rows.length) };
  const byDatabase = rows.inOrder.map((_, d) => {
    const [first, end] = rangeOf(rows, d);
    return new EarliestAcks(rows.ends, first, end, server.start);
  });
  for (const events of wanted.events) addEvents(server, events, wanted.phase, byDatabase);
  for (const [d, acks] of byDatabase.entries())
    acks.cover(rows.inOrder[d], rows.ends.place, candidate, found);
  return found;
}

function addEvents(
  server: Server,
  events: Int32Array | Uint32Array,
  phase: PhaseEvents,
  byDatabase: readonly EarliestAcks[],
): void {
  const { ids, database } = server;
  for (let k = 0; k < events.length; k++) {
    const i = events[k];
    if (i < 0 || !isOfPhase(phase, i)) continue;
    const id = idOf(server, i);
    if (id < 0) continue;
    const high = ids.high[id];
    const low = ids.low[id];
    const own = database[i] === NO_DATABASE ? onlyWithEnd(byDatabase, high, low) : database[i];
    if (own >= 0) byDatabase[own].add(i, high, low);
  }
}

/** The only database with a block that ends there; where several databases have one, nothing shows which one it is. */
function onlyWithEnd(byDatabase: readonly EarliestAcks[], high: number, low: number): number {
  if (byDatabase.length === 1) return 0;
  let found = NO_DATABASE;
  for (const [d, acks] of byDatabase.entries()) {
    if (!acks.has(high, low)) continue;
    if (found !== NO_DATABASE) return NO_DATABASE;
    found = d;
  }
  return found;
}
