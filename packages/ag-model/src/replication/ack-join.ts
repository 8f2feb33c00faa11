/** Acknowledgement events of one server by the block they cover. */
import { gatherUint32, sortRows } from "../numbers/index.ts";
import { coveringAcknowledgements } from "./acknowledgements.ts";
import { EndFinder, endOffset, type BlockRows } from "./blocks.ts";
import { NO_DATABASE, type Server } from "./server.ts";

export interface AckColumns {
  /** Per block row the event that covers it, -1 for none. */
  readonly event: Int32Array;
  /** 1 when the event names just this block's end. */
  readonly exact: Uint8Array;
}

/**
 * The first acknowledgement that covers each block, among the events of a kind that `wanted` takes; only blocks that
 * `candidate` accepts get one, so that a capture that began late does not acknowledge blocks of before. Events that name no
 * database (hadr_lsn_send_complete) belong to the only database that has a block ending there.
 */
export function acknowledgementsOf(
  server: Server,
  rows: BlockRows,
  kind: number,
  wanted: (event: number) => boolean,
  candidate: (row: number) => boolean,
): AckColumns {
  const event = new Int32Array(rows.length).fill(-1);
  const exact = new Uint8Array(rows.length);
  const events = sortRows(server.rowsOf.of(kind).filter(wanted), server.start);
  for (const [d, own] of byDatabase(server, rows, events).entries()) {
    const blocks = rows.inOrder[d].filter(candidate);
    const covering = coveringAcknowledgements(endsOf(rows, blocks), idsOf(server, own));
    for (let k = 0; k < blocks.length; k++) {
      if (covering.ack[k] < 0) continue;
      event[blocks[k]] = own[covering.ack[k]];
      exact[blocks[k]] = covering.exact[k];
    }
  }
  return { event, exact };
}

function endsOf(
  { high, low, size }: BlockRows,
  blocks: Uint32Array,
): { high: Uint32Array; low: Float64Array } {
  const ends = new Float64Array(blocks.length);
  for (let k = 0; k < blocks.length; k++) ends[k] = endOffset(low[blocks[k]], size[blocks[k]]);
  return { high: gatherUint32(high, blocks), low: ends };
}

function idsOf({ words }: Server, events: Uint32Array): { high: Uint32Array; low: Uint32Array } {
  const high = new Uint32Array(events.length);
  const low = new Uint32Array(events.length);
  for (let k = 0; k < events.length; k++) {
    high[k] = words[2 * events[k] + 1];
    low[k] = words[2 * events[k]];
  }
  return { high, low };
}

/** The events of each database; one of none belongs to the only one that has a block ending there. */
function byDatabase({ database, words }: Server, rows: BlockRows, events: Uint32Array): Uint32Array[] {
  if (rows.inOrder.length === 1)
    return [events.filter((i) => database[i] === 0 || database[i] === NO_DATABASE)];
  const finders = rows.inOrder.map((_, d) => new EndFinder(rows, d));
  const ofEvents = Int16Array.from(events, (i) => {
    if (database[i] !== NO_DATABASE) return database[i];
    const having = finders.keys().filter((d) => finders[d].rowOf(words[2 * i + 1], words[2 * i]) >= 0);
    const [first = NO_DATABASE, ...others] = [...having];
    // Where several databases have a block that ends there, nothing shows whose it is.
    return others.length === 0 ? first : NO_DATABASE;
  });
  return rows.inOrder.map((_, d) => events.filter((_event, k) => ofEvents[k] === d));
}
