/** The way from one secondary's counter to the primary's, and how good it is (docs/model.md 5). */
import { EventKind } from "../events/index.ts";
import { largest, percentile, smallest, sortedValues } from "../numbers/index.ts";
import { obtainedOf, type HopAnchors } from "./anchor-columns.ts";
import { endOffset, type BlockRows } from "./blocks.ts";
import { joinBounds, roundTripOf, type ClockBounds } from "./clock-bounds.ts";
import { fitClock } from "./clock.ts";
import { toPrimaryClock, type ClockWindow } from "./clock-windows.ts";
import type { Server } from "./server.ts";
import { Obtained, type ClockFit } from "./tables.ts";
import type { UtcMap } from "./utc-map.ts";

export interface Alignment {
  /** An instant of the secondary's counter on the primary's clock, µs. */
  readonly toPrimary: (counter: number) => number;
  /** The fit as the model has it, times relative to the capture's start. */
  readonly fit: (start: number) => ClockFit;
}

/** Bounds from before the events at hand, and who takes those of them. */
interface BoundsMemory {
  readonly before: (instant: number) => ClockBounds | undefined;
  readonly onBounds: (bounds: ClockBounds) => void;
}

/** Fits one secondary's clock to the reference server's from the blocks both saw; by UTC when there is none. */
export function alignSecondary(
  secondary: number,
  reference: Server,
  server: Server,
  hop: HopAnchors,
  blocks: BlockRows,
  memory: BoundsMemory,
): Alignment {
  if (reference === server) return itself(secondary);
  const used = measuredRows(hop);
  const here = boundsOf(hop, used);
  memory.onBounds(here);
  const before = memory.before(here.departed[0] ?? Infinity);
  const bounds = before ? joinBounds(before, here) : here;
  const windows = reference.withoutCounter || server.withoutCounter ? [] : fitClock(bounds);
  return windows.length === 0
    ? byUtc(secondary, reference, server, bounds.departed.length > 0)
    : byBlocks(
        secondary,
        reference,
        server,
        bounds,
        windows,
        outOfOrder(reference, server, endsOf(blocks, used)),
      );
}

/** Blocks whose four bounding instants were all measured, in the order of their departure. */
function measuredRows(hop: HopAnchors): Uint32Array {
  const measured = (row: number): boolean =>
    (["departed", "received", "ackDeparted", "ackReceived"] as const).every(
      (name) => obtainedOf(hop, name, row) === Obtained.measured,
    );
  const { departed } = hop.at;
  const rows = Uint32Array.from({ length: departed.length }, (_, i) => i).filter(measured);
  return rows.sort((a, b) => departed[a] - departed[b]);
}

function boundsOf(hop: HopAnchors, rows: Uint32Array): ClockBounds {
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]);
  const { departed, received, ackDeparted, ackReceived } = hop.at;
  return {
    departed: pick(departed),
    received: pick(received),
    ackDeparted: pick(ackDeparted),
    ackReceived: pick(ackReceived),
  };
}

/** Ids by which acknowledgements name these blocks. */
function endsOf({ high, low, size }: BlockRows, rows: Uint32Array): Set<bigint> {
  const ends = new Set<bigint>();
  for (const row of rows) ends.add((BigInt(high[row]) << 32n) | BigInt(endOffset(low[row], size[row])));
  return ends;
}

const NO_FIT = {
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

const itself = (secondary: number): Alignment => ({
  toPrimary: (counter) => counter,
  fit: () => ({
    ...NO_FIT,
    secondary,
    status: "cannotAlign",
    reason: "There is no capture of the primary: times are on this secondary's clock.",
  }),
});

/** Counters count whole µs; the hundredth is for what doubles round. */
const ROUNDING_US = 1.01;

const medianAhead = ({ ahead }: UtcMap): number => percentile(sortedValues(ahead), 50);

function byUtc(secondary: number, reference: Server, server: Server, overlap: boolean): Alignment {
  const theta = medianAhead(reference.utc) - medianAhead(server.utc);
  const shift = Number.isNaN(theta) ? 0 : theta;
  const reason = overlap
    ? "The events have no start_timestamp: the two clocks are compared by UTC only and the network times cannot be split."
    : "The captures share no log block: times of this secondary are placed by UTC only. Capture all replicas at the same time.";
  return {
    toPrimary: (counter) => counter - shift,
    fit: () => ({ ...NO_FIT, secondary, status: "cannotAlign", reason }),
  };
}

function byBlocks(
  secondary: number,
  reference: Server,
  server: Server,
  bounds: ClockBounds,
  windows: readonly ClockWindow[],
  outOfOrderByUtc: number,
): Alignment {
  const toPrimary = toPrimaryClock(windows);
  const residence = longestResidence(bounds);
  const fit = (start: number): ClockFit => ({
    secondary,
    status: "aligned",
    reason: reasonOf(windows),
    blocksUsed: bounds.departed.length,
    ...driftOf(windows),
    oneWayUncertaintyUs: Math.abs(largest(windows.map(({ width }) => width))) / 2,
    minNetworkRoundTripUs: smallest(bounds.departed.map((_, block) => roundTripOf(bounds, block))),
    utcAheadOfPrimaryUs: utcAhead(reference, server, windows, toPrimary),
    causalityViolationsAfter: violations(bounds, toPrimary),
    outOfOrderByUtc,
    windows: windows.map((window) => ({
      from: window.from - start,
      to: window.to - start,
      uncertaintyUs: strictBound(window, residence),
    })),
  });
  return { toPrimary, fit };
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

/** Longest time from a block's receive to its acknowledgement's departure, µs of the secondary's counter. */
const longestResidence = ({ received, ackDeparted }: ClockBounds): number =>
  largest(received.map((at, block) => ackDeparted[block] - at));

/**
 * What no one-way time of a block in the window is off by, µs: the line can be wrong by its own bound and two counters
 * round, and since a block is moved as a whole by its receive, the clocks drift apart while it is on the secondary.
 */
const strictBound = ({ hardBound, driftFeasible: [least, most] }: ClockWindow, residence: number): number =>
  hardBound + 2 * ROUNDING_US + residence * Math.max(Math.abs(least), Math.abs(most));

/** Blocks that by the fit were received before they departed, or whose acknowledgement arrived before it left. */
function violations(bounds: ClockBounds, toPrimary: (counter: number) => number): number {
  let count = 0;
  for (let block = 0; block < bounds.departed.length; block++) {
    const early = toPrimary(bounds.received[block]) < bounds.departed[block] - ROUNDING_US;
    const late = toPrimary(bounds.ackDeparted[block]) > bounds.ackReceived[block] + ROUNDING_US;
    if (early || late) count++;
  }
  return count;
}

/** Secondary's UTC minus primary's: means over the events of the common range, since both wobble against the counters. */
function utcAhead(
  reference: Server,
  server: Server,
  windows: readonly ClockWindow[],
  toPrimary: (counter: number) => number,
): number {
  const from = windows[0].from;
  const to = windows.at(-1)!.to;
  const mean = ({ publish, fire }: Server, at: (counter: number) => number): number => {
    let sum = 0;
    let n = 0;
    for (let i = 0; i < fire.length; i++) {
      const t = at(fire[i]);
      if (!(t >= from && t <= to)) continue;
      sum += publish[i] - t;
      n++;
    }
    return sum / n;
  };
  return mean(server, toPrimary) - mean(reference, (counter) => counter);
}

/** Blocks whose acknowledgement would arrive before it was sent if files were merged by UTC timestamp. */
function outOfOrder(reference: Server, server: Server, ends: ReadonlySet<bigint>): number {
  const left = new Map<bigint, number>();
  for (let i = 0; i < server.columns.length; i++) {
    const { kind, mode, blockId } = server.columns;
    if (kind[i] === EventKind.sendHarden && mode[i] === 3) left.set(blockId[i], server.publish[i]);
  }
  let n = 0;
  const self = server.columns.texts[server.columns.self.find((t) => t > 0) ?? 0];
  for (let i = 0; i < reference.columns.length; i++) {
    const { kind, mode, blockId, partner, texts } = reference.columns;
    if (kind[i] !== EventKind.receiveHarden || mode[i] !== 2 || (self !== "" && texts[partner[i]] !== self))
      continue;
    if (ends.has(blockId[i]) && reference.publish[i] < (left.get(blockId[i]) ?? -Infinity)) n++;
  }
  return n;
}
