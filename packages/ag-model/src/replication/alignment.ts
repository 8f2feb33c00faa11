/** The way from one secondary's counter to the primary's, and how good it is (ag-domain section 4). */
import { percentile, sortedValues } from "../numbers/index.ts";
import { EventKind } from "../events/index.ts";
import { endOffset, type BlockRows } from "./blocks.ts";
import { fitClock, type ClockBounds } from "./clock.ts";
import { toPrimaryClock, type ClockWindow } from "./clock-windows.ts";
import { obtainedOf, type HopAnchors } from "./primary-joins.ts";
import type { Server } from "./servers.ts";
import type { UtcMap } from "./utc-map.ts";
import { Obtained, type ClockFit } from "./tables.ts";

export interface Alignment {
  /** An instant of the secondary's counter on the primary's clock, µs. */
  readonly toPrimary: (counter: number) => number;
  /** The fit as the model tells it, times relative to the capture's start. */
  readonly fit: (start: number) => ClockFit;
}

/** Bounds from before the events at hand, and where to tell those of them. */
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
  const bounds = before ? followed(before, here) : here;
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

function followed(before: ClockBounds, after: ClockBounds): ClockBounds {
  const join = (name: keyof ClockBounds): Float64Array =>
    Float64Array.from([...before[name], ...after[name]]);
  return {
    departed: join("departed"),
    received: join("received"),
    ackDeparted: join("ackDeparted"),
    ackReceived: join("ackReceived"),
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

/** Counters tell whole µs. */
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
  const n = bounds.departed.length;
  let violations = 0;
  let least = Infinity;
  let longestResidence = 0;
  for (let i = 0; i < n; i++) {
    longestResidence = Math.max(longestResidence, bounds.ackDeparted[i] - bounds.received[i]);
    const received = toPrimary(bounds.received[i]);
    const left = toPrimary(bounds.ackDeparted[i]);
    if (received < bounds.departed[i] - ROUNDING_US || left > bounds.ackReceived[i] + ROUNDING_US)
      violations++;
    least = Math.min(
      least,
      bounds.ackReceived[i] - bounds.departed[i] - (bounds.ackDeparted[i] - bounds.received[i]),
    );
  }
  const widest = windows.reduce((a, b) => (b.width > a.width ? b : a));
  const weight = windows.reduce((sum, w) => sum + w.blocks, 0);
  const mean = (of: (w: ClockWindow) => number): number =>
    windows.reduce((sum, w) => sum + of(w) * w.blocks, 0) / weight;
  const one = windows.length === 1;
  // A block is moved as a whole by its receive: over its time on the secondary the clocks drift apart by this much.
  const strict = (w: ClockWindow): number =>
    w.hardBound + 2 * ROUNDING_US + longestResidence * Math.max(...w.driftFeasible.map(Math.abs));
  const fit = (start: number): ClockFit => ({
    secondary,
    status: "aligned",
    reason: one
      ? ""
      : `The clock is not one straight line over the capture (a step or another speed): fitted in ${windows.length} windows.`,
    blocksUsed: n,
    driftPpm: mean((w) => w.b) * 1e6,
    driftPpmFeasible: [mean((w) => w.driftFeasible[0]) * 1e6, mean((w) => w.driftFeasible[1]) * 1e6],
    oneWayUncertaintyUs: Math.abs(widest.width) / 2,
    minNetworkRoundTripUs: least,
    utcAheadOfPrimaryUs: utcAhead(reference, server, windows, toPrimary),
    causalityViolationsAfter: violations,
    outOfOrderByUtc,
    windows: windows.map((w) => ({ from: w.from - start, to: w.to - start, uncertaintyUs: strict(w) })),
  });
  return { toPrimary, fit };
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
