/** Acknowledgement events of one server by the block they cover. */
import { coveringAcknowledgements } from "./acknowledgements.ts";
import { endOffset, type BlockRows } from "./blocks.ts";
import { NO_DATABASE, type Server } from "./server.ts";

export interface AckColumns {
  /** Per block row the event that covers it, -1 for none. */
  readonly event: Int32Array;
  /** 1 when the event names just this block's end. */
  readonly exact: Uint8Array;
}

/**
 * The first acknowledgement that covers each block, among the events that `wanted` takes; only blocks that `candidate`
 * accepts get one, so that a capture that began late does not acknowledge blocks of before. Events that name no database
 * (hadr_lsn_send_complete) belong to the only database that has a block ending there.
 */
export function acknowledgementsOf(
  server: Server,
  rows: BlockRows,
  wanted: (event: number) => boolean,
  candidate: (row: number) => boolean,
): AckColumns {
  const event = new Int32Array(rows.length).fill(-1);
  const exact = new Uint8Array(rows.length);
  const events = wantedEvents(server, wanted);
  for (let d = 0; d < rows.inOrder.length; d++) {
    const blocks = rows.inOrder[d].filter(candidate);
    const own = events.filter((i) => belongsTo(server, rows, i, d));
    const ends = {
      high: Uint32Array.from(blocks, (row) => rows.high[row]),
      low: Uint32Array.from(blocks, (row) => endOffset(rows.low[row], rows.size[row])),
    };
    const acks = {
      high: Uint32Array.from(own, (i) => server.words[2 * i + 1]),
      low: Uint32Array.from(own, (i) => server.words[2 * i]),
    };
    const covering = coveringAcknowledgements(ends, acks);
    for (let k = 0; k < blocks.length; k++) {
      if (covering.ack[k] < 0) continue;
      event[blocks[k]] = own[covering.ack[k]];
      exact[blocks[k]] = covering.exact[k];
    }
  }
  return { event, exact };
}

function wantedEvents({ columns, start }: Server, wanted: (event: number) => boolean): Uint32Array {
  const events = Uint32Array.from({ length: columns.length }, (_, i) => i).filter(wanted);
  return events.sort((a, b) => start[a] - start[b]);
}

function belongsTo({ database, words }: Server, rows: BlockRows, event: number, d: number): boolean {
  if (database[event] !== NO_DATABASE) return database[event] === d;
  const ends = (other: number): boolean => rows.byEnd.get(other, words[2 * event + 1], words[2 * event]) >= 0;
  // Where several databases have a block that ends there, nothing shows whose it is.
  return (
    rows.inOrder.length === 1 || (ends(d) && !rows.inOrder.some((_, other) => other !== d && ends(other)))
  );
}
