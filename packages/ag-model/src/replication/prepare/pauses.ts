/** Finds servers that were unresponsive (docs/contribute/model/joins.md 3.7). */
import { percentileOf } from "../../numbers/index.ts";
import type { Span } from "../shapes/event-spans.ts";
import { primaryOfBlock, replicaOfHop, slotOfReplica } from "../shapes/slots.ts";
import { HOP_ANCHORS, Obtained, obtainedIn, type CaptureModel } from "../shapes/tables.ts";

/** A server without an event for at least this long, while something waited for it, was unresponsive, µs. */
export const PAUSE_US = 500_000;
/** Part of a silence at either end in which instants may be off: clocks are not certain there. */
const END_PART = 0.1;
/** A message that left before the middle of a silence and is answered near its end takes at least this long, µs. */
const LEAST_WAIT_US = (0.5 - END_PART) * PAUSE_US;

/** A period in which a server was unresponsive, µs. */
export interface ServerPause {
  readonly replica: number;
  readonly from: number;
  readonly to: number;
}

/** A message to a server, and its answer, µs. */
interface Exchange {
  readonly left: number;
  readonly answered: number;
  /**
   * A log write explains a silence if it began this many times its usual duration before the silence, and ended with
   * it; Infinity where no write can delay the answer.
   */
  readonly hungFactor: number;
}

/**
 * Finds servers that were unresponsive: no event of any kind for a while, and then an answer to a message that arrived
 * before. A silence without a waiting message is an idle server, one in which answers continued to arrive elsewhere is
 * a loss of events, and one that was caused by a log write that should have been done before it is due to the disk.
 */
export function serverPauses(model: Omit<CaptureModel, "warnings" | "markers">): ServerPause[] {
  const silent = model.events.spans?.silences ?? silencesOf(model);
  if (silent.every((silences) => silences.length === 0)) return [];
  const { ofSecondary, ofPrimary } = slowExchanges(model);
  const waitedFor = (exchanges: readonly (readonly Exchange[])[]): ServerPause[] =>
    silent.flatMap((silences, replica) => {
      if (silences.length === 0 || exchanges[replica].length === 0) return [];
      const isHung = hungWrites(model, replica);
      return silences
        .filter((silence) =>
          exchanges[replica].some((each) => spans(each, silence) && !isHung(silence, each.hungFactor)),
        )
        .map((silence) => ({ replica, ...silence }));
    });
  const secondaries = waitedFor(ofSecondary);
  // A primary whose commits all wait for an unresponsive secondary is silent as well.
  const primaries = waitedFor(ofPrimary).filter((pause) => !secondaries.some((each) => overlap(each, pause)));
  return [...secondaries, ...primaries].sort((a, b) => a.from - b.from);
}

/**
 * A block that arrived is hardened before it is answered. The factor is 2, because few writes take over twice as long
 * as 95 % do.
 */
const HUNG_FACTOR = 2;

interface Write extends Span {
  /**
   * When the first secondary's acknowledgment of the block was processed, for a write of its primary; -Infinity where
   * unknown.
   */
  readonly answered: number;
}

/**
 * Whether a log write of a server explains a silence of it: it ended with the silence, and it began so many times its
 * usual duration (p95) before it that the server still worked while the write hung. On a primary the way to a secondary
 * and back was done meanwhile.
 */
function hungWrites(
  model: Pick<CaptureModel, "replicas" | "phases" | "blocks" | "hops">,
  replica: number,
): (silence: Span, factor: number) => boolean {
  const writes = writesOf(model, replica);
  const isLong = ({ from, to }: Span): boolean => to - from >= LEAST_WAIT_US;
  const long = writes.filter(isLong);
  const others = writes.filter((write) => !isLong(write));
  const usual =
    percentileOf(
      Float64Array.from(others, ({ from, to }) => to - from),
      95,
    ) || 0;
  return ({ from, to }, factor) =>
    long.some(
      (write) =>
        write.from <= from - factor * usual &&
        write.answered <= from &&
        write.to >= to - (to - from) * END_PART,
    );
}

/** Log writes of a server, in whichever role. */
function writesOf(
  model: Pick<CaptureModel, "replicas" | "phases" | "blocks" | "hops">,
  replica: number,
): Write[] {
  const { blocks, hops } = model;
  const writes: Write[] = [];
  for (let row = 0; row < blocks.length; row++) {
    const primary = primaryOfBlock(model, row);
    const isPrimary = primary === replica;
    const hop = isPrimary ? null : hops[slotOfReplica(primary, replica)];
    const from = (hop?.secondaryFlushStart ?? blocks.localFlushStart)[row];
    const to = (hop?.secondaryFlushEnd ?? blocks.localFlushEnd)[row];
    if (!(to >= from)) continue;
    const answers = isPrimary ? hops.map(({ ackProcessed }) => ackProcessed[row]) : [];
    const known = answers.filter((us) => !Number.isNaN(us));
    writes.push({ from, to, answered: known.length === 0 ? -Infinity : Math.min(...known) });
  }
  return writes;
}

const overlap = (a: Span, b: Span): boolean => Math.min(a.to, b.to) > Math.max(a.from, b.from);

/** Whether it left before the middle of a silence and was answered only at its end. */
function spans({ left, answered }: Exchange, { from, to }: Span): boolean {
  const part = (to - from) * END_PART;
  return left >= from - part && left <= (from + to) / 2 && answered >= to - part;
}

/**
 * By replica: blocks that took long from their departure to the answer's, on a secondary, and answers that took long to
 * arrive, on a primary, or commits whose log write took long to begin there. A secondary whose answer had left by then
 * was not unresponsive, however late the answer arrived.
 */
function slowExchanges(model: Pick<CaptureModel, "replicas" | "phases" | "blocks" | "hops">): {
  readonly ofSecondary: readonly Exchange[][];
  readonly ofPrimary: readonly Exchange[][];
} {
  const ofSecondary = model.replicas.map((): Exchange[] => []);
  const ofPrimary = model.replicas.map((): Exchange[] => []);
  for (const [slot, { sendEnd, ackSent, ackReceived, obtained }] of model.hops.entries()) {
    for (let row = 0; row < model.blocks.length; row++) {
      const [sent, received] = [ackSent[row], ackReceived[row]];
      // If an instant is missing, the difference is NaN, and every comparison is false.
      if (sent - sendEnd[row] >= LEAST_WAIT_US && isOwn(obtained[row], ACK_SENT))
        ofSecondary[replicaOfHop(model, row, slot)].push({
          left: sendEnd[row],
          answered: sent,
          hungFactor: HUNG_FACTOR,
        });
      if (received - sent >= LEAST_WAIT_US && isOwn(obtained[row], ACK_RECEIVED))
        ofPrimary[primaryOfBlock(model, row)].push({ left: sent, answered: received, hungFactor: Infinity });
    }
  }
  const { commitStart, localFlushStart, length } = model.blocks;
  for (let row = 0; row < length; row++)
    if (localFlushStart[row] - commitStart[row] >= LEAST_WAIT_US)
      ofPrimary[primaryOfBlock(model, row)].push({
        left: commitStart[row],
        answered: localFlushStart[row],
        hungFactor: 1,
      });
  return { ofSecondary, ofPrimary };
}

const ACK_SENT = HOP_ANCHORS.indexOf("ackSent");
const ACK_RECEIVED = HOP_ANCHORS.indexOf("ackReceived");

/**
 * Whether an instant of the acknowledgment is the block's own. An asynchronous replica acknowledges several blocks at
 * once, and in quiet times waits long for the block that triggers the acknowledgment: its wait is no pause, and neither
 * is its primary's. Nor is a derived instant of a primary that lost the block's own events.
 */
const isOwn = (obtained: number, anchor: number): boolean =>
  obtainedIn(obtained, anchor) !== Obtained.derived;

/** Events that are passed over together where they are close to each other. */
const LOOKED_OVER = 100;

/** By replica: periods of PAUSE_US or more without an event. */
function silencesOf({ replicas, events }: Pick<CaptureModel, "replicas" | "events">): readonly Span[][] {
  const silences = replicas.map((): Span[] => []);
  for (const run of events.runs) {
    const { known } = run;
    for (let end = 1; end < known; end += LOOKED_OVER) {
      // If this many events take less time than a pause, none of them is far from the next.
      const last = Math.min(known, end + LOOKED_OVER);
      if (run.fireAt(last - 1) - run.fireAt(end - 1) < PAUSE_US) continue;
      for (let row = end; row < last; row++) {
        const [from, to] = [run.fireAt(row - 1), run.fireAt(row)];
        if (to - from >= PAUSE_US) silences[run.replica].push({ from, to });
      }
    }
  }
  return silences;
}
