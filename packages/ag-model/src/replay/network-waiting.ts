/** How long blocks and acknowledgments were on the network, and how long they waited there for the one before them. */
import { pausedDurations } from "../columns/index.ts";
import { differences, gatherFloat64, meanOf, viewOrGather } from "../numbers/index.ts";
import type { HopAnchor } from "../replication/index.ts";
import type { ServerPause } from "../replication/prepare/pauses.ts";
import { RecentMedian } from "./recent-median.ts";
import { columnOf, type Stream, type StreamHop } from "./streams.ts";

/** One direction by message, in the order of the log; a message that carries several blocks counts once. µs. */
export interface NetworkLegs {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly waited: Float64Array;
  readonly served: Float64Array;
  /** Bytes of the blocks that waited, per second between their arrivals; NaN when none waited. */
  readonly bytesPerSecondWaiting: number;
  /** Excluded blocks: a server at either end was unresponsive while they were on their way. */
  readonly pausedBlocks: number;
  /**
   * Mean uncertainty of a block's leg by the clocks, µs; 0 where both ends are on one clock, NaN where the clocks are
   * not aligned.
   */
  readonly errorUs: number;
}

/** Messages that arrive this close are one, µs. */
const SAME_MESSAGE_US = 10;
/** Number of the last messages alone on the network that show how long it takes: a single slow one does not count. */
const ALONE = 3;

/**
 * Both directions between a stream's primary and a secondary, and the complete way of a secondary without a file.
 * Blocks that waited for an unresponsive server are excluded: the network did not delay them.
 * @param pauses of the primary and the secondary
 */
export function networkLegsOf(
  stream: Stream,
  { table }: StreamHop,
  pauses: readonly ServerPause[],
): Readonly<Record<"out" | "back" | "unseen", () => NetworkLegs>> {
  const legs = (from: HopAnchor, to: HopAnchor, isOnOneClock: boolean) => () => {
    const [left, came] = [columnOf(stream, table[from]), columnOf(stream, table[to])];
    const { joined, rows } = unpausedRows(left, came, pauses);
    const at = (column: Float64Array): Float64Array => viewOrGather(column, rows);
    const sizes = at(columnOf(stream, stream.blocks.size));
    const errorUs = isOnOneClock ? 0 : meanOf(at(columnOf(stream, table.uncertainty)));
    return { ...inOrderWaiting(at(left), at(came), sizes), pausedBlocks: joined - rows.length, errorUs };
  };
  return {
    out: legs("sendEnd", "received", false),
    back: legs("ackSent", "ackReceived", false),
    unseen: legs("sendEnd", "ackProcessed", true),
  };
}

/**
 * Positions of the blocks with both instants known that waited for no pause; `joined` also counts those that waited for
 * one.
 */
function unpausedRows(
  from: Float64Array,
  to: Float64Array,
  pauses: readonly ServerPause[],
): { readonly joined: number; readonly rows: Uint32Array } {
  const paused = pausedDurations(pauses, from, to);
  const rows = new Uint32Array(from.length);
  let [joined, n] = [0, 0];
  for (let i = 0; i < rows.length; i++) {
    if (Number.isNaN(from[i] + to[i])) continue;
    joined++;
    if (paused[i] === 0) rows[n++] = i;
  }
  return { joined, rows: rows.subarray(0, n) };
}

/**
 * In-order delay: the part of a leg during which the message before had not arrived, beyond the time that the network
 * took for the last messages that were alone on it. A way that becomes longer is no in-order delay: messages are then
 * on it together without waiting for each other.
 * @param sizes bytes; NaN where they are not known
 */
export function inOrderWaiting(
  from: Float64Array,
  to: Float64Array,
  sizes: Float64Array,
): Omit<NetworkLegs, "pausedBlocks" | "errorUs"> {
  const messages = firstOfMessages(from, to);
  const start = viewOrGather(from, messages);
  const end = gatherFloat64(to, messages);
  for (let i = 0; i < end.length; i++) if (end[i] < start[i]) end[i] = start[i];
  const served = differences(end, start);
  const alone = new RecentMedian(ALONE);
  const waited = new Float64Array(end.length);
  let [bytes, between] = [0, 0];
  for (let i = 0, arrived = -Infinity; i < end.length; arrived = Math.max(arrived, end[i++])) {
    if (start[i] >= arrived) alone.put(served[i]);
    const us = Math.min(end[i - 1], end[i]) - (start[i] + alone.medianOr(Number.NaN));
    if (!(us > 0)) continue;
    waited[i] = us;
    served[i] -= us;
    if (end[i] <= end[i - 1]) continue;
    bytes += sizes[messages[i]] || 0;
    between += end[i] - end[i - 1];
  }
  return {
    start,
    end,
    waited,
    served,
    bytesPerSecondWaiting: between > 0 ? (1_000_000 * bytes) / between : Number.NaN,
  };
}

/** The first block of each message. */
function firstOfMessages(from: Float64Array, to: Float64Array): Uint32Array {
  const messages = new Uint32Array(from.length);
  let n = 0;
  for (let i = 0; i < messages.length; i++) {
    const isSame =
      i > 0 && Math.abs(to[i] - to[i - 1]) <= SAME_MESSAGE_US && from[i] <= from[i - 1] + SAME_MESSAGE_US;
    if (!isSame) messages[n++] = i;
  }
  return messages.subarray(0, n);
}
