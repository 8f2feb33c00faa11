/** Acknowledgement events of one server by the block they cover. */
import { EarliestAcks, type AckColumns } from "./acknowledgements.ts";
import { rangeOf, type BlockRows } from "./blocks.ts";
import { isOfPhase, type PhaseEvents } from "./phase-events.ts";
import { NO_DATABASE, type Server } from "./server.ts";

/** Which acknowledgement events a join is about. */
export interface WantedAcks {
  readonly kind: number;
  /** Only of this mode; of any when absent. */
  readonly mode?: number;
  /** Only of this slot (`slots.ts`), by the text of the partner column; of any when absent. */
  readonly partner?: { readonly slot: number; readonly slotOfText: Int16Array };
  readonly phase: PhaseEvents;
}

/**
 * The first acknowledgement that covers each block, among those that are wanted; only candidates get one, so that a capture
 * that began late does not acknowledge blocks of before. Events that name no database (hadr_lsn_send_complete) belong to the
 * only database that has a block ending there.
 * @param candidate by block row: 1 for a block that may have one
 */
export function acknowledgementsOf(
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
  addEvents(server, wanted, byDatabase);
  for (const [d, acks] of byDatabase.entries())
    acks.cover(rows.inOrder[d], rows.ends.place, candidate, found);
  return found;
}

function addEvents(
  { columns, rowsOf, words, database }: Server,
  { kind, mode, partner, phase }: WantedAcks,
  byDatabase: readonly EarliestAcks[],
): void {
  const events = rowsOf.of(kind);
  for (let k = 0; k < events.length; k++) {
    const i = events[k];
    if (mode !== undefined && columns.mode[i] !== mode) continue;
    if (partner !== undefined && partner.slotOfText[columns.partner[i]] !== partner.slot) continue;
    if (!isOfPhase(phase, i)) continue;
    const [high, low] = [words[2 * i + 1], words[2 * i]];
    const own = database[i] === NO_DATABASE ? onlyWithEnd(byDatabase, high, low) : database[i];
    if (own >= 0) byDatabase[own].add(i, high, low);
  }
}

/** The only database with a block that ends there; where several have one, nothing shows whose it is. */
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
