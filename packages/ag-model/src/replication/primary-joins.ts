/** Instants of blocks on the primary, from its events (ag-domain section 3). */
import { beginTime, EventKind } from "../events/index.ts";
import type { BlockRows } from "./blocks.ts";
import { acknowledgementsOf, type AckColumns } from "./ack-join.ts";
import type { Server } from "./servers.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  Obtained,
  obtainedIn,
  recordOf,
  type HopAnchor,
  type LocalAnchor,
} from "./tables.ts";

/** Instants per block under construction, and how each was obtained. */
export interface Anchors<Name extends string> {
  readonly names: readonly Name[];
  readonly at: Readonly<Record<Name, Float64Array>>;
  readonly obtained: Uint32Array;
}

export type LocalAnchors = Anchors<LocalAnchor>;
export interface HopAnchors extends Anchors<HopAnchor> {
  readonly compression: Float64Array;
  readonly decompression: Float64Array;
}

const absent = (n: number): Float64Array => new Float64Array(n).fill(Number.NaN);

function anchorsFor<Name extends string>(names: readonly Name[], n: number): Anchors<Name> {
  return { names, at: recordOf(names, () => absent(n)), obtained: new Uint32Array(n) };
}

export const localAnchors = (n: number): LocalAnchors => anchorsFor(LOCAL_ANCHORS, n);

export const hopAnchors = (n: number): HopAnchors => ({
  ...anchorsFor(HOP_ANCHORS, n),
  compression: absent(n),
  decompression: absent(n),
});

/** Sets an instant unless it is NaN or already known, and records how it was obtained. */
export function put<Name extends string>(
  anchors: Anchors<Name>,
  name: Name,
  row: number,
  value: number,
  how: Obtained,
): void {
  const column = anchors.at[name];
  if (Number.isNaN(value) || !Number.isNaN(column[row])) return;
  column[row] = value;
  anchors.obtained[row] |= how << (2 * anchors.names.indexOf(name));
}

/** How an instant was obtained. */
export function obtainedOf<Name extends string>(anchors: Anchors<Name>, name: Name, row: number): Obtained {
  return obtainedIn(anchors.obtained[row], anchors.names.indexOf(name));
}

/** Typical steps between neighbouring events, µs, for instants whose event is missing (ag-domain section 3). */
export interface TypicalSteps {
  readonly captureToSent: number;
  readonly flushToAck: number;
  readonly builtToAck: number;
  readonly ackToSent: number;
}

export const typicalSteps = (engine: "pre2016" | "2016+"): TypicalSteps =>
  engine === "pre2016"
    ? { captureToSent: 99, flushToAck: 37, builtToAck: 34, ackToSent: 94 }
    : { captureToSent: 146, flushToAck: 45, builtToAck: 21, ackToSent: 78 };

const LOGPOOL_TO_FLUSH_US = 9;
const OUTER_TO_INNER_US = 5;
/** log_flush_complete rounds its duration to the nearest millisecond (seen on both reference captures). */
const DURATION_ROUNDING_US = 500;
/** A group commit begins at most this much after its commit (ag-domain 1.1, event 2). */
const COMMIT_TO_GROUP_US = 5;
const GROUP_COMMITS_PER_COMMIT = { pre2016: 1, "2016+": 2 } as const;
/** A send begins this near to its own capture (ag-domain fact 6: p99 12 µs); captures of two replicas are 34 µs apart. */
const SEND_TO_CAPTURE_US = 15;
const FURTHEST_SEND_US = 1_000;

/** "pre2016" when capture modes 3 and 4 are seen. */
export function engineOf({ columns }: Server): "pre2016" | "2016+" {
  for (let i = 0; i < columns.length; i++) {
    if (columns.kind[i] === EventKind.capture && columns.mode[i] >= 3) return "pre2016";
  }
  return "2016+";
}

const earlier = (column: Float64Array, row: number, value: number): void => {
  if (!(column[row] <= value)) column[row] = value;
};
const later = (column: Float64Array, row: number, value: number): void => {
  if (!(column[row] >= value)) column[row] = value;
};

/** Start and end of a block's log flush. The first block of a VLF has two pairs: the last is the block's own. */
export interface Flushes {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** From log_flush_complete, milliseconds resolution, µs. */
  readonly duration: Float64Array;
  readonly logPool: Float64Array;
  readonly pairs: Uint8Array;
}

/** The flushes of one server by block row. */
export function flushesOf({ columns, start }: Server, rowOf: Int32Array, n: number): Flushes {
  const f = {
    start: absent(n),
    end: absent(n),
    duration: absent(n),
    logPool: absent(n),
    pairs: new Uint8Array(n),
  };
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i];
    if (row < 0) continue;
    const kind = columns.kind[i];
    if (kind === EventKind.flushStart) {
      later(f.start, row, start[i]);
      f.pairs[row]++;
    } else if (kind === EventKind.flushComplete && !(f.end[row] >= start[i])) {
      f.end[row] = start[i];
      f.duration[row] = columns.processing[i];
    } else if (kind === EventKind.pushedToLogPool) {
      earlier(f.logPool, row, start[i]);
    }
  }
  dropUnfinished(f);
  return f;
}

/**
 * A completion before the last start belongs to the VLF header: the block's own is not in the capture. A start whose
 * distance from the completion is not the duration this tells is the header's: the block's own was lost.
 */
function dropUnfinished(f: Flushes): void {
  for (let row = 0; row < f.start.length; row++) {
    if (f.end[row] < f.start[row]) f.end[row] = f.duration[row] = Number.NaN;
    const byEvents = f.end[row] - f.start[row];
    if (byEvents - f.duration[row] > 2 * DURATION_ROUNDING_US) f.start[row] = Number.NaN;
  }
}

/** Puts start and end of the flush with their fallbacks under the given anchor names. */
export function putFlush<Name extends string>(
  anchors: Anchors<Name>,
  f: Flushes,
  from: Name,
  to: Name,
): void {
  for (let row = 0; row < f.start.length; row++) {
    put(anchors, from, row, f.start[row], Obtained.measured);
    put(anchors, to, row, f.end[row], Obtained.measured);
    put(anchors, from, row, flushStartOf(f, row), Obtained.fallback);
  }
}

/**
 * Start of a flush whose log_flush_start was lost. The log pool is nearer to it (a few µs), but comes before the VLF
 * header's write too: it counts only as far as the rounded duration allows.
 */
function flushStartOf({ end, duration, logPool }: Flushes, row: number): number {
  const byPool = logPool[row] + LOGPOOL_TO_FLUSH_US;
  const byDuration = end[row] - duration[row];
  if (Number.isNaN(byDuration)) return byPool;
  if (Number.isNaN(byPool)) return byDuration;
  return Math.min(Math.max(byPool, byDuration - DURATION_ROUNDING_US), byDuration + DURATION_ROUNDING_US);
}

/** Fills the local anchors that do not depend on a secondary; returns the flushes. */
export function joinLocal(
  server: Server,
  rowOf: Int32Array,
  local: LocalAnchors,
  engine: "pre2016" | "2016+",
): Flushes {
  const n = local.obtained.length;
  const { columns, start, fire } = server;
  const commitStart = absent(n);
  const commitEnd = absent(n);
  const groupStart = absent(n);
  const commits = new Uint16Array(n);
  const groupCommits = new Uint16Array(n);
  const hardens = new Uint16Array(n);
  // A block with group commits but no commit of its own has its commits after the capture's end.
  const hasCommits = columns.kind.includes(EventKind.commit);
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i];
    if (row < 0) continue;
    if (columns.kind[i] === EventKind.commit) {
      earlier(commitStart, row, start[i]);
      later(commitEnd, row, fire[i]);
      commits[row]++;
    } else if (columns.kind[i] === EventKind.groupCommit) {
      earlier(groupStart, row, start[i]);
      groupCommits[row]++;
    } else if (columns.kind[i] === EventKind.commitManagerHarden) {
      hardens[row]++;
    }
  }
  const flushes = flushesOf(server, rowOf, n);
  const hasGroups = groupCommits.some((count) => count > 0);
  const hasHardens = hardens.some((count) => count > 0);
  for (let row = 0; row < n; row++) {
    // A group commit well before the first commit tells that the first commit's event was lost.
    const firstLost = groupStart[row] < commitStart[row] - COMMIT_TO_GROUP_US;
    if (firstLost || !hasCommits) put(local, "commitStart", row, groupStart[row], Obtained.fallback);
    // Where a commit's companions do not add up, a commit's own event may be lost too, of the first or the last commit.
    // Grouping takes at most 10 ms (ag-domain, rule D6), which bounds the error; all end within a few µs.
    const oneLost =
      (hasGroups && groupCommits[row] !== GROUP_COMMITS_PER_COMMIT[engine] * commits[row]) ||
      (hasHardens && hardens[row] !== commits[row]);
    const how = oneLost ? Obtained.derived : Obtained.measured;
    put(local, "commitStart", row, commitStart[row], how);
    put(local, "commitEnd", row, commitEnd[row], how);
    put(local, "pushedToLogPool", row, flushes.logPool[row], Obtained.measured);
  }
  putFlush(local, flushes, "localFlushStart", "localFlushEnd");
  return flushes;
}

interface Capture {
  readonly begin: Float64Array;
  readonly copied: Float64Array;
  readonly handedOn: Float64Array;
  readonly compressed: Float64Array;
  readonly sentStart: Float64Array;
  readonly sentEnd: Float64Array;
  /** 1 where the send event is a neighbour's, or may be. */
  readonly doubtful: Uint8Array;
}

/**
 * Fills the primary's side of every hop: capture, send and the arrival of the block's own acknowledgement. `hopOfText`
 * tells the secondary of a text of the partner column, -1 for none. Returns per hop the acknowledgements that cover blocks.
 */
export function joinSends(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  hops: readonly HopAnchors[],
  hopOfText: Int16Array,
  engine: "pre2016" | "2016+",
): AckColumns[] {
  const captures = hops.map(() => emptyCapture(rows.length));
  const { columns, start, fire } = server;
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i];
    const s = hopOfText[columns.partner[i]];
    if (row < 0 || s < 0) continue;
    const c = captures[s];
    if (columns.kind[i] === EventKind.compression) {
      earlier(c.compressed, row, start[i]);
      add(hops[s].compression, row, columns.processing[i]);
    } else if (columns.kind[i] === EventKind.capture) {
      const mode = columns.mode[i];
      // Before 2016 mode 1 starts when the thread began to wait for the block: only its end is usable.
      if (mode === 1) earlier(c.begin, row, engine === "pre2016" ? fire[i] : start[i]);
      if (mode === 2) earlier(c.copied, row, start[i]);
      if (mode === 4) later(c.handedOn, row, start[i]);
    }
  }
  attributeSends(server, rowOf, rows, captures);
  return hops.map((hop, s) => {
    putSends(hop, captures[s], engine);
    return putArrivals(hop, server, rows, s, hopOfText);
  });
}

const emptyCapture = (n: number): Capture => ({
  begin: absent(n),
  copied: absent(n),
  handedOn: absent(n),
  compressed: absent(n),
  sentStart: absent(n),
  sentEnd: absent(n),
  doubtful: new Uint8Array(n),
});

export function add(column: Float64Array, row: number, value: number): void {
  if (Number.isNaN(value)) return;
  column[row] = Number.isNaN(column[row]) ? value : column[row] + value;
}

/**
 * hadr_log_block_send_complete names neither replica nor database: it belongs to the one whose capture or compression
 * began when it did (ag-domain fact 6). A slot goes to the event nearest to it; the other takes its next best.
 */
function attributeSends(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  captures: readonly Capture[],
): void {
  const { columns, start } = server;
  const holder = captures.map(() => new Int32Array(rows.length).fill(-1));
  const distance = (i: number, s: number, row: number): number => {
    const c = captures[s];
    const expected = Number.isNaN(c.compressed[row]) ? c.begin[row] : c.compressed[row];
    return Math.abs(beginTime(columns.kind[i], start[i], columns.processing[i]) - expected);
  };
  const place = (i: number): void => {
    let event = i;
    while (event >= 0) {
      const best = nearestSlot(server, event, rows, captures, holder, distance);
      if (!best) return;
      const displaced = holder[best.s][best.row];
      holder[best.s][best.row] = event;
      rowOf[event] = best.row;
      event = displaced;
    }
  };
  for (let i = 0; i < rowOf.length; i++)
    if (columns.kind[i] === EventKind.sendComplete && rowOf[i] >= 0) place(i);
  for (const [s, held] of holder.entries()) {
    for (let row = 0; row < held.length; row++) {
      if (held[row] < 0) continue;
      const i = nearestHeld(holder, s, row, distance);
      captures[s].sentStart[row] = beginTime(columns.kind[i], start[i], columns.processing[i]);
      captures[s].sentEnd[row] = start[i];
      const isOwn = i === held[row] && (captures.length === 1 || distance(i, s, row) <= SEND_TO_CAPTURE_US);
      captures[s].doubtful[row] = isOwn ? 0 : 1;
    }
  }
}

/**
 * The block's send event nearest to the begin of a secondary's capture. When the one that is left for it began much
 * later than its capture, the neighbour's is the better estimate.
 */
function nearestHeld(
  holder: readonly Int32Array[],
  s: number,
  row: number,
  distance: (i: number, s: number, row: number) => number,
): number {
  let nearest = holder[s][row];
  for (const held of holder) {
    if (held[row] >= 0 && distance(held[row], s, row) < distance(nearest, s, row)) nearest = held[row];
  }
  return nearest;
}

function nearestSlot(
  { words }: Server,
  event: number,
  rows: BlockRows,
  captures: readonly Capture[],
  holder: readonly Int32Array[],
  distance: (i: number, s: number, row: number) => number,
): { s: number; row: number } | null {
  let best: { s: number; row: number } | null = null;
  let least = Infinity;
  const isOneOfSeveral = captures.length * rows.inOrder.length > 1;
  for (let d = 0; d < rows.inOrder.length; d++) {
    const row = rows.byId.get(d, words[2 * event + 1], words[2 * event]);
    for (let s = 0; row >= 0 && s < captures.length; s++) {
      const held = holder[s][row];
      // Where the capture event is missing, a lone secondary still owns the event.
      const here = distance(event, s, row);
      const cost = Number.isNaN(here) ? (captures.length === 1 ? Number.MAX_VALUE : Infinity) : here;
      // Much further away is the send of another slot, whose own capture event was lost.
      if (isOneOfSeveral && cost > FURTHEST_SEND_US) continue;
      if (cost < least && (held < 0 || cost < distance(held, s, row))) {
        least = cost;
        best = { s, row };
      }
    }
  }
  return best;
}

function putSends(hop: HopAnchors, c: Capture, engine: "pre2016" | "2016+"): void {
  const steps = typicalSteps(engine);
  for (let row = 0; row < c.begin.length; row++) {
    const sent = c.doubtful[row] === 1 ? Obtained.derived : Obtained.measured;
    put(hop, "sendStart", row, c.sentStart[row], sent);
    put(hop, "sendStart", row, c.compressed[row], Obtained.derived);
    put(hop, "sendStart", row, c.begin[row], Obtained.derived);
    const handedOn = c.handedOn[row] > c.copied[row] ? c.handedOn[row] : c.copied[row];
    // Before 2016 mode 4 follows mode 2 by some 50 µs: where it was lost, mode 2 is only near.
    const isHandedOn = engine === "2016+" || !Number.isNaN(c.handedOn[row]);
    put(hop, "departed", row, handedOn, isHandedOn ? Obtained.measured : Obtained.derived);
    put(hop, "departed", row, c.handedOn[row], Obtained.measured);
    put(hop, "departed", row, hop.at.sendStart[row], Obtained.fallback);
    put(hop, "sendEnd", row, c.sentEnd[row], sent);
    put(hop, "sendEnd", row, hop.at.departed[row] + steps.captureToSent, Obtained.fallback);
  }
}

/** Puts the arrivals of acknowledgements that name just the block's end; others are `putCoveringAcks`'s. */
function putArrivals(
  hop: HopAnchors,
  server: Server,
  rows: BlockRows,
  s: number,
  hopOfText: Int16Array,
): AckColumns {
  const { columns, start, fire } = server;
  const sent = (row: number): boolean => !Number.isNaN(hop.at.departed[row]);
  const toHere = (i: number): boolean =>
    columns.kind[i] === EventKind.receiveHarden && hopOfText[columns.partner[i]] === s;
  const outer: AckColumns = acknowledgementsOf(server, rows, (i) => toHere(i) && columns.mode[i] === 2, sent);
  const inner: AckColumns = acknowledgementsOf(server, rows, (i) => toHere(i) && columns.mode[i] === 1, sent);
  for (let row = 0; row < rows.length; row++) {
    const o = outer.exact[row] === 1 ? outer.event[row] : -1;
    if (o >= 0 && start[o] >= hop.at.departed[row]) {
      put(hop, "ackReceived", row, start[o], Obtained.measured);
      put(hop, "ackProcessed", row, fire[o], Obtained.measured);
    }
    const m = inner.exact[row] === 1 ? inner.event[row] : -1;
    if (m >= 0 && start[m] >= hop.at.departed[row]) {
      put(hop, "ackReceived", row, start[m] - OUTER_TO_INNER_US, Obtained.fallback);
      put(hop, "ackProcessed", row, fire[m], Obtained.fallback);
    }
  }
  return outer;
}
