/** The way between two servers' counters, and how good it is (docs/contribute/model/clocks.md 5). */
import { EventKind } from "../../events/index.ts";
import { largest, percentile, smallest, sortedValues } from "../../numbers/index.ts";
import { IdFinder } from "../prepare/block-finder.ts";
import type { HopAnchors } from "../shapes/anchor-columns.ts";
import { boundsWhere, roundTripOf, type ClockBounds } from "../clocks/clock-bounds.ts";
import { fitClock, possibleBounds } from "../clocks/clock.ts";
import { longestBetween, utcChanges, type UtcChange } from "../clocks/clock-utc.ts";
import {
  carriedBack,
  lineErrorAt,
  toFirstCounter,
  toOtherCounter,
  windowAt,
  windowsByCounter,
  type ClockWindow,
} from "../clocks/clock-windows.ts";
import { shiftAt } from "../prepare/counter-restarts.ts";
import { anyOf } from "../join/lacking-events.ts";
import { idOf, publishAt, type Server } from "../prepare/server.ts";
import type { ClockFit } from "../shapes/tables.ts";
import type { UtcMap } from "../clocks/utc-map.ts";

/** Ids by which acknowledgments name a set of blocks. */
export interface EndsOf {
  has(high: number, low: number): boolean;
}

/** The clocks of two replicas, the first one's counter and the other's. */
export interface PairClock {
  readonly a: number;
  readonly b: number;
  /**
   * Returns the shift that moves a block's instants on its secondary to its primary's counter, and the strict bound of
   * its one-way times, µs.
   * @param isForward true when the first replica is the block's primary
   * @param first the block's first instant on its secondary
   */
  readonly move: (
    hop: HopAnchors,
    row: number,
    isForward: boolean,
    first: number,
  ) => { readonly shift: number; readonly uncertaintyUs: number };
  /** An instant of the other counter on the first one's. @param near instant of the first one's counter nearby; NaN for none */
  readonly fromOther: (counter: number, near: number) => number;
  /** The fit's windows, at least one. */
  readonly windows: readonly ClockWindow[];
  /** How far `fromOther` may be off at an instant of the first counter, µs. */
  readonly errorAt: (counter: number) => number;
  /** When either server's UTC clock was set, µs of the first one's counter. */
  readonly utcChanges: { readonly first: readonly UtcChange[]; readonly other: readonly UtcChange[] };
  /** The fit as the model has it. @param toStart instants of the first one's counter relative to the capture's start */
  readonly fit: (toStart: (counter: number) => number) => ClockFit;
}

/**
 * Fits two servers' clocks from the blocks both saw; undefined without such a block or without a counter.
 * @param ends ids by which acknowledgments name blocks that the first server sent
 */
export function pairClock(
  a: number,
  b: number,
  [first, other]: readonly [Server, Server],
  bounds: ClockBounds,
  ends: EndsOf,
): PairClock | undefined {
  const windows = first.withoutCounter || other.withoutCounter ? [] : fitLives(bounds, first, other);
  if (windows.length === 0) return undefined;
  const byCounter = windowsByCounter(windows);
  const changes = utcChanges(first.utc, other.utc, windows);
  const fromOther = (counter: number, near: number): number =>
    toFirstCounter(Number.isNaN(near) ? byCounter(counter) : windowAt(windows, near), counter);
  return {
    a,
    b,
    move: (hop, row, isForward, start) =>
      isForward ? movedForward(windows, byCounter, hop, row, start) : movedBack(windows, hop, row, start),
    fromOther,
    windows,
    errorAt: (counter) => strictBound(windowAt(windows, counter), counter, 0),
    utcChanges: changes,
    fit: (toStart) =>
      fitOf(
        { a, b, first, other, bounds, windows, changes, outOfOrderByUtc: outOfOrder(first, other, ends) },
        toStart,
      ),
  };
}

/**
 * Fits the windows of each time between restarts: a counter that was moved by UTC does not continue the line before.
 */
function fitLives(bounds: ClockBounds, first: Server, other: Server): ClockWindow[] {
  const restarts = first.prepared.restarts.length + other.prepared.restarts.length;
  if (restarts === 0) return fitClock(bounds);
  const lifeOf = (block: number): number =>
    restartsBefore(first, bounds.departed[block]) + restartsBefore(other, bounds.received[block]);
  return Array.from({ length: restarts + 1 }, (_, life) => {
    const [window, ...more] = fitClock(boundsWhere(bounds, (block) => lifeOf(block) === life));
    return window === undefined ? [] : [sinceRestart(window, first, other), ...more];
  }).flat();
}

/** A window that begins when its server was back: instants before its first block belong to it. */
function sinceRestart(window: ClockWindow, first: Server, other: Server): ClockWindow {
  const began = lastRestart(first, window.from);
  const back = lastRestart(other, window.ownFrom);
  const from = Math.max(began, toFirstCounter(window, back));
  return {
    ...carriedBack(window, Number.isFinite(from) ? from : window.from),
    ownFrom: Math.max(back, Number.isFinite(began) ? toOtherCounter(window, began) : -Infinity),
  };
}

const lastRestart = ({ prepared }: Server, counter: number): number =>
  prepared.restarts.findLast(({ at }) => at <= counter)?.at ?? -Infinity;

const restartsBefore = ({ prepared }: Server, counter: number): number =>
  prepared.restarts.filter(({ at }) => at <= counter).length;

interface Moved {
  readonly shift: number;
  readonly uncertaintyUs: number;
}

/** A block of the first server: its departure, by that server's own counter, shows which window it belongs to. */
function movedForward(
  windows: readonly ClockWindow[],
  byCounter: (counter: number) => ClockWindow,
  { at }: HopAnchors,
  row: number,
  start: number,
): Moved {
  const departed = at.departed[row];
  const asked = Number.isNaN(departed) ? byCounter(start) : windowAt(windows, departed);
  const messages = {
    left: departed,
    arrived: at.received[row],
    leftBack: at.ackDeparted[row],
    arrivedBack: at.ackReceived[row],
  };
  const window = possibleWindow(windows, asked, messages);
  const moved = toFirstCounter(window, start);
  const bound = boundOfBlock(window, messages, moved, residenceOf(at, row));
  const isCut = at.ackSent[row] > window.ownTo;
  return { shift: moved - start, uncertaintyUs: isCut ? bound + stepAfter(windows, window) : bound };
}

/** A block of the other server: the first one's own counter, by which the acknowledgment left it, shows the window. */
function movedBack(windows: readonly ClockWindow[], { at }: HopAnchors, row: number, start: number): Moved {
  const left = at.ackDeparted[row];
  const messages = {
    left,
    arrived: at.ackReceived[row],
    leftBack: at.departed[row],
    arrivedBack: at.received[row],
  };
  const window = possibleWindow(windows, windowAt(windows, Number.isNaN(left) ? start : left), messages);
  const bound = boundOfBlock(window, messages, start, residenceOf(at, row));
  const isCut = at.ackSent[row] > window.to;
  return {
    shift: toOtherCounter(window, start) - start,
    uncertaintyUs: isCut ? bound + stepAfter(windows, window) : bound,
  };
}

/**
 * How far a clock stepped between a window and the next one, µs; 0 after the last. A block whose last instant on its
 * secondary is later than all instants of its window may have been under way then, and all its instants are moved
 * together.
 */
function stepAfter(windows: readonly ClockWindow[], window: ClockWindow): number {
  const next = windows[windows.indexOf(window) + 1];
  return next === undefined
    ? 0
    : Math.abs(toOtherCounter(next, window.to) - toOtherCounter(window, window.to));
}

/** Instants of two messages: from the first server to the other, and from the other to the first. */
interface Messages {
  readonly left: number;
  readonly arrived: number;
  readonly leftBack: number;
  readonly arrivedBack: number;
}

/**
 * The window of the block's instant, unless a message would arrive before it left in that window and not in an adjacent
 * one: where the first server's counter was set back, instants before and after have the same values.
 */
function possibleWindow(
  windows: readonly ClockWindow[],
  asked: ClockWindow,
  messages: Messages,
): ClockWindow {
  if (windows.length === 1 || isPossible(asked, messages)) return asked;
  const place = windows.indexOf(asked);
  const beside = [windows[place - 1], windows[place + 1]].filter((window) => window !== undefined);
  return beside.find((window) => isPossible(window, messages)) ?? asked;
}

/** The strict bound of a block; unknown for one that no window allows, since a clock stepped while it was under way. */
function boundOfBlock(window: ClockWindow, messages: Messages, at: number, residence: number): number {
  return isPossible(window, messages) ? strictBound(window, at, residence) : Number.NaN;
}

function isPossible(window: ClockWindow, { left, arrived, leftBack, arrivedBack }: Messages): boolean {
  const slack = window.hardBound + 2 * ROUNDING_US;
  const isEarly = toFirstCounter(window, arrived) < left - slack;
  const isLate = toFirstCounter(window, leftBack) > arrivedBack + slack;
  return !isEarly && !isLate;
}

/** Time from a block's receive to its acknowledgment's departure, µs; 0 where one is missing. */
const residenceOf = ({ received, ackDeparted }: HopAnchors["at"], row: number): number =>
  Math.max(0, ackDeparted[row] - received[row]) || 0;

const NO_FIT = {
  against: 0,
  blocksUsed: 0,
  driftPpm: Number.NaN,
  driftPpmFeasible: [Number.NaN, Number.NaN] as const,
  oneWayUncertaintyUs: Number.NaN,
  minNetworkRoundTripUs: Number.NaN,
  utcAheadOfPrimaryUs: Number.NaN,
  causalityViolationsAfter: 0,
  outOfOrderByUtc: 0,
  windows: [],
};

/** Why a replica's clock has no fit. */
const REASONS = {
  ownClock: "There is no event of the primary: times are on this secondary's clock.",
  noCounter:
    "The events have no start_timestamp: the two clocks are compared by UTC only and the network times cannot be split.",
  noBounds:
    "No log block shows when it and its acknowledgment left and arrived on both servers: times of this secondary are placed by UTC only.",
  noEvents:
    "Its session, or its version, does not have the events that name its log blocks: its times are placed by UTC only.",
  noBlocks:
    "This secondary and the other replicas share no log block: its times are placed by UTC only. Record all replicas at the same time.",
};

/**
 * The clock of a replica that no fit places.
 * @param why a known reason, or the events without which there can be none
 */
export const unaligned = (replica: number, why: keyof typeof REASONS | readonly string[]): ClockFit => ({
  ...NO_FIT,
  secondary: replica - 1,
  status: "cannotAlign",
  reason:
    typeof why === "string"
      ? REASONS[why]
      : `Its session, or the primary's, does not have ${anyOf(why)}: its times are placed by UTC only.`,
});

/** Counters count whole µs; the hundredth is for the rounding of doubles. */
const ROUNDING_US = 1.01;

const medianAhead = ({ ahead }: UtcMap): number => percentile(sortedValues(ahead), 50);

/** Shift that moves a server's counter to another's when both show the same UTC, µs. */
export function utcShift(to: Server, from: Server): number {
  const shift = medianAhead(from.utc) - medianAhead(to.utc);
  return Number.isNaN(shift) ? 0 : shift;
}

interface FittedPair {
  readonly a: number;
  readonly b: number;
  readonly first: Server;
  readonly other: Server;
  readonly bounds: ClockBounds;
  readonly windows: readonly ClockWindow[];
  readonly changes: PairClock["utcChanges"];
  readonly outOfOrderByUtc: number;
}

function fitOf(pair: FittedPair, toStart: (counter: number) => number): ClockFit {
  const { bounds, windows } = pair;
  const residence = longestResidence(bounds);
  const possible = possibleBounds(bounds);
  return {
    secondary: pair.b - 1,
    against: pair.a,
    status: "aligned",
    reason: reasonOf(windows),
    blocksUsed: bounds.departed.length,
    ...driftOf(windows),
    oneWayUncertaintyUs: Math.abs(largest(windows.map(({ width }) => width))) / 2,
    minNetworkRoundTripUs: smallest(possible.departed.map((_, block) => roundTripOf(possible, block))),
    utcAheadOfPrimaryUs: utcAhead(pair),
    causalityViolationsAfter: violations(bounds, windows),
    outOfOrderByUtc: pair.outOfOrderByUtc,
    windows: windows.map((window) => ({
      from: toStart(window.from),
      to: toStart(window.to),
      offsetUs: offsetInFiles(pair, window),
      driftPpm: window.b * 1e6,
      driftPpmFeasible: [window.driftFeasible[0] * 1e6, window.driftFeasible[1] * 1e6] as const,
      uncertaintyUs: Math.max(...window.errors.map((error) => boundOf(window, error, residence))),
    })),
  };
}

type Servers = Pick<FittedPair, "first" | "other">;

/** How far the other counter is ahead at the begin of a window, as their files have both, µs. */
function offsetInFiles({ first, other }: Servers, window: ClockWindow): number {
  const moved = window.a + window.b * (window.from - window.t0);
  const ofOther = shiftAt(other.prepared.restarts, window.ownFrom);
  return moved - ofOther + shiftAt(first.prepared.restarts, window.from);
}

const reasonOf = ({ length }: readonly ClockWindow[]): string =>
  length === 1
    ? ""
    : `The clock is not one straight line over the capture (a step or another speed): fitted in ${length} windows.`;

/** The drift of all windows, each counting by its blocks. */
function driftOf(windows: readonly ClockWindow[]): Pick<ClockFit, "driftPpm" | "driftPpmFeasible"> {
  const weight = windows.reduce((sum, { blocks }) => sum + blocks, 0);
  const mean = (of: (window: ClockWindow) => number): number =>
    (windows.reduce((sum, window) => sum + of(window) * window.blocks, 0) / weight) * 1e6;
  return {
    driftPpm: mean(({ b }) => b),
    driftPpmFeasible: [
      mean(({ driftFeasible }) => driftFeasible[0]),
      mean(({ driftFeasible }) => driftFeasible[1]),
    ],
  };
}

/** Longest time between a block's receive and its acknowledgment's departure, µs. */
const longestResidence = ({ departed, received, ackDeparted, ackReceived }: ClockBounds): number =>
  largest(
    received.map((at, block) =>
      // A block that the other server sent was on the first one from its receive to its acknowledgment's departure.
      ackDeparted[block] >= at ? ackDeparted[block] - at : departed[block] - ackReceived[block],
    ),
  );

/**
 * Upper bound of the error of a block's one-way times in the window, µs: the line can be wrong by its own bound and the
 * rounding of two counters. The clocks also drift apart while a block is on the secondary, because it is moved as a
 * unit by its receive.
 */
const boundOf = ({ driftFeasible: [least, most] }: ClockWindow, error: number, residence: number): number =>
  error + 2 * ROUNDING_US + residence * Math.max(Math.abs(least), Math.abs(most));

/** That bound for a block at an instant of the first server's counter. */
const strictBound = (window: ClockWindow, at: number, residence: number): number =>
  boundOf(window, lineErrorAt(window, at), residence);

/** Blocks that by the fit were received before they departed, or whose acknowledgment arrived before it left. */
function violations(bounds: ClockBounds, windows: readonly ClockWindow[]): number {
  let count = 0;
  for (let block = 0; block < bounds.departed.length; block++) {
    const window = windowAt(windows, bounds.departed[block]);
    const early = toFirstCounter(window, bounds.received[block]) < bounds.departed[block] - ROUNDING_US;
    const late = toFirstCounter(window, bounds.ackDeparted[block]) > bounds.ackReceived[block] + ROUNDING_US;
    if (early || late) count++;
  }
  return count;
}

/**
 * Secondary's UTC minus primary's: means over the events of the common range, since both wobble against the counters.
 * If a clock was set in the range, the means cover the longest time in which none was set.
 */
function utcAhead({ first, other, windows, changes }: FittedPair): number {
  const { from, to } = longestBetween(
    [...changes.first, ...changes.other],
    windows[0].from,
    windows.at(-1)!.to,
  );
  return meanAhead(other, from, to, windowsByCounter(windows)) - meanAhead(first, from, to, undefined);
}

/**
 * Mean of UTC minus the first counter over a server's events from `from` to `to` of that counter, µs.
 * @param windowOf the window of an instant of the server's counter; absent where that is the first counter
 */
function meanAhead(
  { sample: { fire, events, ahead } }: Server,
  from: number,
  to: number,
  windowOf: ((counter: number) => ClockWindow) | undefined,
): number {
  let sum = 0;
  let n = 0;
  for (let i = 0; i < fire.length; i++) {
    const at = windowOf === undefined ? fire[i] : toFirstCounter(windowOf(fire[i]), fire[i]);
    if (!(at >= from && at <= to)) continue;
    sum += (ahead[i] + fire[i] - at) * events[i];
    n += events[i];
  }
  return sum / n;
}

/** Blocks whose acknowledgment would arrive before it was sent if files were merged by UTC timestamp. */
function outOfOrder(reference: Server, server: Server, ends: EndsOf): number {
  const left = departuresOf(server);
  const finder = new IdFinder(server.ids);
  let n = 0;
  const self = server.examples.texts[server.examples.self.find((text) => text > 0) ?? 0];
  const { columns, examples, shapeOf, ids } = reference;
  const own = columns.texts.indexOf(self);
  const arrivals = reference.rowsOf.of(EventKind.receiveHarden);
  for (let k = 0; k < arrivals.length; k++) {
    const i = arrivals[k];
    if (columns.mode[i] !== 2 || (self !== "" && examples.partner[shapeOf[i]] !== own)) continue;
    const id = idOf(reference, i);
    if (id < 0) continue;
    const high = ids.high[id];
    const low = ids.low[id];
    const number = finder.indexOf(high, low);
    const departed = number < 0 ? -1 : left[number];
    if (departed >= 0 && publishAt(reference, i) < publishAt(server, departed) && ends.has(high, low)) n++;
  }
  return n;
}

/** The last event by which an acknowledgment of each id left a server; -1 for none. */
function departuresOf({ columns, rowsOf, ids, blocks, blockOf }: Server): Int32Array {
  const left = new Int32Array(ids.high.length).fill(-1);
  const acks = rowsOf.of(EventKind.sendHarden);
  for (let k = 0; k < acks.length; k++)
    if (columns.mode[acks[k]] === 3) left[blocks.id[blockOf[acks[k]]]] = acks[k];
  return left;
}
