/** How long blocks and acknowledgements were on the network, and how long of that they waited for the one before them. */
import { pauseBehind, pickRows } from "../columns/index.ts";
import { percentile, sortedValues } from "../numbers/index.ts";
import type { HopAnchor } from "../replication/index.ts";
import type { ServerPause } from "../replication/pauses.ts";
import type { Stream, StreamHop } from "./streams.ts";

/** One direction by message, in the order of the log; a message that carries several blocks counts once. µs. */
export interface NetworkLegs {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly waited: Float64Array;
  readonly served: Float64Array;
  /** Bytes of the blocks that waited, per second between their arrivals; NaN when none waited. */
  readonly bytesPerSecondWaiting: number;
  /** Blocks left out: a server at either end stood still while they were on their way. */
  readonly pausedBlocks: number;
}

/** Messages that arrive this close are one, µs. */
const SAME_MESSAGE_US = 10;
const FASTEST_PERCENT = 5;

/**
 * Both directions between a stream's primary and a secondary, and the whole way of a secondary without a file. What waited for a
 * server that stood still is left out: the network did nothing to it.
 * @param pauses of the primary and the secondary
 */
export function networkLegsOf(
  stream: Stream,
  { table }: StreamHop,
  pauses: readonly ServerPause[],
): Readonly<Record<"out" | "back" | "unseen", NetworkLegs>> {
  const { rows, blocks } = stream;
  const legs = (from: HopAnchor, to: HopAnchor): NetworkLegs => {
    const joined = rows.filter((row) => !Number.isNaN(table[from][row] + table[to][row]));
    const known = joined.filter((row) => pauseBehind(pauses, table[from][row], table[to][row]) === null);
    const at = (name: HopAnchor): Float64Array => pickRows(table[name], known);
    const sizes = pickRows(blocks.size, known).map((bytes) => bytes || 0);
    return { ...inOrderWaiting(at(from), at(to), sizes), pausedBlocks: joined.length - known.length };
  };
  return {
    out: legs("sendEnd", "received"),
    back: legs("ackSent", "ackReceived"),
    unseen: legs("sendEnd", "ackProcessed"),
  };
}

/**
 * In-order delay: the part of a leg over its p5 during which the message before had not arrived.
 * @param sizes bytes
 */
export function inOrderWaiting(
  from: Float64Array,
  to: Float64Array,
  sizes: Float64Array,
): Omit<NetworkLegs, "pausedBlocks"> {
  const messages = Uint32Array.from(from.keys()).filter(
    (i) =>
      i === 0 || Math.abs(to[i] - to[i - 1]) > SAME_MESSAGE_US || from[i] > from[i - 1] + SAME_MESSAGE_US,
  );
  const start = pickRows(from, messages);
  const end = pickRows(to, messages).map((instant, i) => Math.max(instant, start[i]));
  const fastest = percentile(sortedValues(end.map((instant, i) => instant - start[i])), FASTEST_PERCENT);
  let [bytes, between] = [0, 0];
  const waited = end.map((instant, i) => {
    if (i === 0) return 0;
    const us = Math.max(0, Math.min(end[i - 1], instant) - (start[i] + fastest));
    if (us > 0 && instant > end[i - 1]) {
      bytes += sizes[messages[i]];
      between += instant - end[i - 1];
    }
    return us;
  });
  const served = end.map((instant, i) => instant - start[i] - waited[i]);
  return {
    start,
    end,
    waited,
    served,
    bytesPerSecondWaiting: between > 0 ? (1_000_000 * bytes) / between : Number.NaN,
  };
}
