/** Capture and send of blocks on the primary, per secondary (docs/contribute/model/joins.md 3.2). */
import {
  addTo,
  keepEarlier,
  columnsOfAnchors,
  putInstant,
  unknownColumn,
  type HopAnchors,
} from "../shapes/anchor-columns.ts";
import type { BlockRows } from "./blocks.ts";
import { typicalSteps, type Engine } from "./engine.ts";
import { partnerInstantsOf, type InstantRun } from "../prepare/own-instants.ts";
import { attributeSends, type Sends } from "./send-attribution.ts";
import type { Server } from "../prepare/server.ts";
import { Obtained } from "../shapes/tables.ts";

/** The capture of all blocks for one secondary, µs by block row. */
interface Captures {
  readonly begin: Float64Array;
  /** Copied to the message: mode 2. */
  readonly copied: Float64Array;
  /** Handed on to transport: mode 4, before 2016. */
  readonly handedOn: Float64Array;
  /** Begin of compression. */
  readonly compressed: Float64Array;
}

/** Blocks whose primary is this server. */
interface BlocksOfPrimary {
  /** Block row of each event; rows of sends are filled in. */
  readonly eventRows: Int32Array;
  /** Block row of each own block; -1 for one of another primary. */
  readonly rowOf: Int32Array;
  /** Slot of a text of the partner column; -1 for none. */
  readonly slotOfText: Int16Array;
  readonly isOwn: (row: number) => boolean;
}

/** Fills the primary's way out of every hop: capture, compression, send. */
export function joinCaptures(
  server: Server,
  { eventRows, rowOf, slotOfText, isOwn }: BlocksOfPrimary,
  rows: BlockRows,
  hops: readonly HopAnchors[],
  engine: Engine,
): void {
  const captures = hops.map(() => emptyCaptures(rows.length));
  for (const partner of server.instants.partners) {
    const slot = slotOfText[partner];
    if (slot < 0) continue;
    for (const shown of partnerInstantsOf(server.instants, partner, CAPTURE_COLUMNS))
      addCaptures(
        shown,
        rowOf.subarray(shown.from, shown.from + shown.length),
        captures[slot],
        hops[slot].compression,
        engine,
      );
  }
  const sends = attributeSends(server, eventRows, rows, captures.map(expectedSends), isOwn);
  for (const [s, hop] of hops.entries()) putSends(hop, captures[s], sends[s], engine);
}

const CAPTURE_COLUMNS = ["begin", "begun", "copied", "handedOn", "compressed", "compression"] as const;

function addCaptures(
  partner: InstantRun<(typeof CAPTURE_COLUMNS)[number]>,
  rowOf: Int32Array,
  { begin, copied, handedOn, compressed }: Captures,
  compression: Float64Array,
  engine: Engine,
): void {
  // Before 2016 mode 1 starts when the thread began to wait for the block: only its end is usable.
  const begins = engine === "pre2016" ? partner.begun : partner.begin;
  for (let block = 0; block < rowOf.length; block++) {
    const row = rowOf[block];
    if (row < 0) continue;
    keepEarlier(begin, row, begins[block]);
    keepEarlier(copied, row, partner.copied[block]);
    keepEarlier(handedOn, row, partner.handedOn[block]);
    keepEarlier(compressed, row, partner.compressed[block]);
    addTo(compression, row, partner.compression[block]);
  }
}

const emptyCaptures = (rows: number): Captures => ({
  begin: unknownColumn(rows),
  copied: unknownColumn(rows),
  handedOn: unknownColumn(rows),
  compressed: unknownColumn(rows),
});

/** A send begins with its block's compression, and with its capture where the block has no compression. */
const expectedSends = ({ begin, compressed }: Captures): Float64Array =>
  compressed.map((at, row) => (Number.isNaN(at) ? begin[row] : at));

function putSends(hop: HopAnchors, captures: Captures, sends: Sends, engine: Engine): void {
  const { begin, copied, handedOn, compressed } = captures;
  const { captureToSent } = typicalSteps(engine);
  const to = columnsOfAnchors(hop);
  for (let row = 0; row < begin.length; row++) {
    const sent = sends.doubtful[row] === 1 ? Obtained.derived : Obtained.measured;
    const departed = handedOn[row] > copied[row] ? handedOn[row] : copied[row];
    const started = knownStart(sends, row, departed);
    putInstant(to.sendStart, row, started, sent);
    putInstant(to.sendStart, row, compressed[row], Obtained.derived);
    putInstant(to.sendStart, row, begin[row], Obtained.derived);
    // Before 2016 mode 4 follows mode 2 by some 50 µs: where it was lost, mode 2 is only near.
    const isHandedOn = engine === "2016+" || !Number.isNaN(handedOn[row]);
    putInstant(to.departed, row, departed, isHandedOn ? Obtained.measured : Obtained.derived);
    putInstant(to.departed, row, handedOn[row], Obtained.measured);
    putInstant(to.departed, row, hop.at.sendStart[row], Obtained.fallback);
    putInstant(to.departed, row, sends.start[row], Obtained.fallback);
    putInstant(to.sendEnd, row, sends.end[row], sent);
    putInstant(to.sendEnd, row, hop.at.departed[row] + captureToSent, Obtained.fallback);
  }
}

/** When a send began, µs; NaN where unknown. */
function knownStart({ start, end }: Sends, row: number, departed: number): number {
  // Before 2014 SP2 the event does not contain the duration of the send, so its beginning is not its end.
  const hasDuration = start[row] < end[row];
  // A message can't have departed before its send began: in that case the thread was delayed after the capture.
  return !hasDuration || start[row] > departed ? Number.NaN : start[row];
}
