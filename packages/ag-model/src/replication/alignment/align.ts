/**
 * Moves the instants of each server's own counter to one clock, the reference's (docs/contribute/model/clocks.md 5): first a
 * hop's instants to the counter of its block's primary, by the blocks between these two servers, then all instants of
 * the block together to the reference.
 */
import { pairClock, utcShift, unaligned, type EndsOf, type PairClock } from "./alignment.ts";
import type { HopAnchors, LocalAnchors } from "../shapes/anchor-columns.ts";
import type { Commits } from "../join/commits.ts";
import { joinBounds, type ClockBounds } from "../clocks/clock-bounds.ts";
import { EndFinder } from "../join/blocks.ts";
import type { Continuity } from "../clocks/continuity.ts";
import type { Joined } from "../join/join.ts";
import { lackingForClocks, rolesOf } from "../join/lacking-events.ts";
import type { UtcChange } from "../clocks/clock-utc.ts";
import {
  toFirstCounter,
  toOtherCounter,
  windowAt,
  windowsByCounter,
  type ClockWindow,
} from "../clocks/clock-windows.ts";
import {
  serverEvents,
  type CounterWay,
  type FireMove,
  type ServerEvents,
} from "../event-index/moved-events.ts";
import { allRows, gatherUint32, keepRows, smallest, sortRows } from "../../numbers/index.ts";
import { aheadByUtc } from "../clocks/utc-map.ts";
import { replicaOfSlot, slotOfReplica } from "../shapes/slots.ts";
import {
  HOP_ANCHORS,
  isOnSecondaryClock,
  LOCAL_ANCHORS,
  Obtained,
  SECONDARY_ANCHORS,
  type ClockFit,
  type Role,
} from "../shapes/tables.ts";

/** Results on the reference's clock. */
export interface Aligned {
  /** Server whose counter is the reference. */
  readonly reference: number;
  /**
   * Per server: all its events, single or not, with their blocks and the function that moves them to the reference's
   * clock.
   */
  readonly events: readonly ServerEvents[];
  /** Per server: its commits on the reference's clock. */
  readonly commits: readonly Commits[];
  /** Per server: when its counter restarted, µs. */
  readonly restarts: readonly (readonly number[])[];
  /** Per server: from its UTC, µs after the servers' common base, to the reference's counter, µs; NaN where unknown. */
  readonly atUtc: readonly ((utc: number) => number)[];
  /** Per server: when its UTC clock was set. */
  readonly utcChanges: readonly (readonly UtcChange[])[];
  /** Per slot: strict bound of each block's one-way times, µs; NaN where the clocks are not aligned. */
  readonly uncertainty: readonly Float64Array[];
  /** Uncertainty of all of a block's instants together, µs; 0 while its primary is the reference, NaN unknown. */
  readonly blockUncertainty: Float64Array;
  /** The fits, times relative to the capture's start. */
  readonly fits: (start: number) => ClockFit[];
}

/** Finds the clocks of all servers and moves the instants of `joined.local` and `joined.hops` to the reference's. */
export function alignClocks(joined: Joined, continuity: Continuity | undefined): Aligned {
  const clocks = new Clocks(joined, continuity);
  const shifts = clocks.moveBlocks();
  return {
    reference: clocks.reference,
    events: joined.servers.map((server, s) =>
      serverEvents(server, joined.ownRows[s], joined.eventRows[s], clocks.moveOf(s, shifts)),
    ),
    commits: joined.commits.map((commits, s) => clocks.movedCommits(commits, s, shifts.primary)),
    restarts: joined.servers.map(({ prepared }, s) => clocks.onReference(s, prepared.restarts)),
    atUtc: joined.servers.map((_, s) => clocks.atUtc(s)),
    utcChanges: joined.replicaOf.map((replica) => clocks.utcChanges(replica)),
    uncertainty: shifts.uncertainty,
    blockUncertainty: clocks.blockUncertainty(),
    fits: (start) => clocks.fits(start),
  };
}

/** Time added to the instants of each block, µs by row; NaN where the block has no instant of that server. */
interface Shifts {
  readonly primary: Float64Array;
  /** By slot. */
  readonly hops: readonly Float64Array[];
  readonly uncertainty: readonly Float64Array[];
}

/**
 * Instants of an engine without start_timestamp are publish times: UTC swings by 15 ms against a server's counter within one
 * capture (docs/contribute/model/clocks.md 5.6), and an event is published when it has been handled.
 */
const UTC_SWING_US = 20_000;

const PRIMARY_HOP_ANCHORS = HOP_ANCHORS.filter((name) => !isOnSecondaryClock(name));

class Clocks {
  readonly reference: number;
  readonly #joined: Joined;
  /** By the replicas of the pair, the smaller one first. */
  readonly #pairs = new Map<string, PairClock>();
  /** Per server: from an instant of its counter to the reference's, µs. */
  readonly #toReference: readonly CounterWay[];

  constructor(joined: Joined, continuity: Continuity | undefined) {
    this.#joined = joined;
    this.reference = 0;
    for (const [i, a] of joined.replicaOf.entries())
      for (const b of joined.replicaOf.slice(i + 1)) this.#fitPair(a, b, continuity);
    this.#toReference = joined.servers.map((_, s) => this.#wayToReference(s));
  }

  /** Moves all blocks to the reference's clock. */
  moveBlocks(): Shifts {
    const { rows, hops, local } = this.#joined;
    const uncertainty = hops.map(() => new Float64Array(rows.length).fill(Number.NaN));
    const raw = hops.map((hop, slot) => this.#hopShifts(hop, slot, uncertainty[slot]));
    const primary = this.#primaryShifts(raw);
    for (const [slot, hop] of hops.entries())
      for (const name of SECONDARY_ANCHORS) addTo(hop.at[name], raw[slot]);
    // Most captures have one primary, whose clock is the reference.
    if (primary.every((shift) => shift === 0)) return { primary, hops: raw, uncertainty };
    const known = primary.map((shift) => shift || 0);
    for (const hop of hops) for (const name of HOP_ANCHORS) addTo(hop.at[name], known);
    for (const name of LOCAL_ANCHORS) addTo(local.at[name], primary);
    for (const shifts of raw) addTo(shifts, known);
    return { primary, hops: raw, uncertainty };
  }

  /**
   * Returns the uncertainty of all of a block's instants together; its primary's instants are those of the moved
   * tables.
   */
  blockUncertainty(): Float64Array {
    const { rows, primaryOf, replicaOf, servers, local, replicas } = this.#joined;
    const reference = replicaOf[this.reference];
    const ofPrimary = replicas.map((_, primary): ((row: number) => number) => {
      const p = replicaOf.indexOf(primary);
      if (p >= 0 && servers[p].withoutCounter) return () => UTC_SWING_US;
      if (primary === reference || p < 0) return () => 0;
      const pair = this.#pairs.get(pairKey(reference, primary));
      return (row) => pair?.errorAt(smallest(LOCAL_ANCHORS.map((name) => local.at[name][row]))) ?? Number.NaN;
    });
    const uncertainty = new Float64Array(rows.length);
    for (let row = 0; row < rows.length; row++) uncertainty[row] = ofPrimary[primaryOf[row]](row);
    return uncertainty;
  }

  /**
   * Returns the move of a server's events: events of a block move with their block, the others by the server's counter.
   */
  moveOf(s: number, shifts: Shifts): FireMove | null {
    const { replicas, replicaOf, primaryOf, phases } = this.#joined;
    const replica = replicaOf[s];
    // The only primary's counter is the reference: nothing moves.
    if (s === this.reference && phases.every(({ primary }) => primary === replica)) return null;
    const shiftsOf = replicas.map((_, primary) =>
      primary === replica ? shifts.primary : shifts.hops[slotOfReplica(primary, replica)],
    );
    const otherwise = this.#toReference[s];
    if (phases.length > 1) return { shifts: shiftsOf, primaryOf, otherwise };
    return { shifts: [shiftsOf[phases[0].primary]], primaryOf: null, otherwise };
  }

  /** Instants of a server's counter on the reference's, µs. */
  onReference(s: number, instants: readonly { readonly at: number }[]): number[] {
    return instants.map(({ at }) => (s === this.reference ? at : this.#toReference[s](at)));
  }

  /** From a server's UTC to the reference's counter, as `Aligned.atUtc`. */
  atUtc(s: number): (utc: number) => number {
    const aheadOf = aheadByUtc(this.#joined.servers[s].utc);
    return (utc) => this.#toReference[s](utc - aheadOf(utc));
  }

  /** Changes of a replica's UTC clock, as shown by the first pair that it is part of. */
  utcChanges(replica: number): UtcChange[] {
    const { replicaOf } = this.#joined;
    const pair = [...this.#pairs.values()].find(({ a, b }) => a === replica || b === replica);
    if (pair === undefined) return [];
    const toReference = this.#toReference[replicaOf.indexOf(pair.a)];
    return pair.utcChanges[pair.a === replica ? "first" : "other"].map(({ from, to, us }) => ({
      from: toReference(from),
      to: toReference(to),
      us,
    }));
  }

  movedCommits(commits: Commits, s: number, primary: Float64Array): Commits {
    if (s === this.reference) return commits;
    const toReference = this.#toReference[s];
    const moved = (column: Float64Array): Float64Array =>
      column.map((at, c) => {
        const row = commits.block[c];
        return row < 0 ? toReference(at) : at + primary[row];
      });
    return { ...commits, start: moved(commits.start), end: moved(commits.end) };
  }

  fits(start: number): ClockFit[] {
    const { replicaOf } = this.#joined;
    const reference = replicaOf[this.reference];
    const fits: ClockFit[] = [];
    if (reference !== 0) fits.push(unaligned(reference, "ownClock"));
    const others = replicaOf.filter((replica) => replica !== reference);
    for (const replica of others) {
      const pair = this.#pairs.get(pairKey(reference, replica));
      if (pair) fits.push(pair.fit((at) => at - start));
      else if (!others.some((other) => this.#pairs.has(pairKey(other, replica))))
        fits.push(unaligned(replica, this.#whyUnaligned(replica)));
    }
    for (const pair of this.#pairs.values()) {
      if (pair.a === reference) continue;
      const toReference = this.#toReference[replicaOf.indexOf(pair.a)];
      fits.push(pair.fit((at) => toReference(at) - start));
    }
    return fits;
  }

  /** Why the clock of a replica with a file could not be fitted against any other; names of events where these are missing. */
  #whyUnaligned(replica: number): Parameters<typeof unaligned>[1] {
    const { replicaOf, servers, rows, lacking } = this.#joined;
    const own = replicaOf.indexOf(replica);
    const sharing = replicaOf.flatMap((_, s) =>
      s !== own && rows.seen[s].some((seen, row) => seen === 1 && rows.seen[own][row] === 1) ? [s] : [],
    );
    if (sharing.length === 0) return lacking[own].length > 0 ? "noEvents" : "noBlocks";
    if ([own, ...sharing].some((s) => servers[s].withoutCounter)) return "noCounter";
    const lackingHere = this.#lackingForClock(own, sharing);
    return lackingHere.length > 0 ? lackingHere : "noBounds";
  }

  /**
   * Returns the missing event types that the fit of a server's clock needs, of the server and of the primaries that it
   * shares blocks with.
   */
  #lackingForClock(own: number, sharing: readonly number[]): string[] {
    const { servers, replicaOf, phases } = this.#joined;
    const rolesAt = (s: number): Role[] => rolesOf(phases, replicaOf[s]);
    const primaries = sharing.filter((s) => rolesAt(s).includes("primary"));
    const lacking = [
      ...primaries.flatMap((s) => lackingForClocks(servers[s], ["primary"])),
      ...lackingForClocks(servers[own], rolesAt(own)),
    ];
    return [...new Set(lacking)];
  }

  #fitPair(a: number, b: number, continuity: Continuity | undefined): void {
    const { replicaOf, servers, replicas, primaryOf } = this.#joined;
    const { bounds: here, used } = this.#bounds(a, b);
    const id = a === replicaOf[this.reference] ? (replicas[b].ids[0] ?? "") : undefined;
    if (id !== undefined) continuity?.onBounds(id, here);
    const before = id === undefined ? undefined : continuity?.boundsBefore(id, here.departed[0] ?? Infinity);
    const bounds = before ? joinBounds(before, here) : here;
    const both = [servers[replicaOf.indexOf(a)], servers[replicaOf.indexOf(b)]] as const;
    const ends = this.#endsOf(keepRows(used, (row) => primaryOf[row] === a));
    const pair = pairClock(a, b, both, bounds, ends);
    if (pair) this.#pairs.set(pairKey(a, b), pair);
  }

  /**
   * Bounds that the blocks between two replicas set on the second one's counter against the first one's, in the order
   * of their departure from the first. A block that the second one sent bounds it the other way round: its
   * acknowledgment left the first one and arrived at the second, and the block itself left the second one before it was
   * received by the first.
   */
  #bounds(a: number, b: number): { bounds: ClockBounds; used: Uint32Array } {
    const { primaryOf, hops, rows } = this.#joined;
    const forward = hops[b - 1];
    const back = hops[slotOfReplica(b, a)];
    const hopOf = (row: number): HopAnchors => (primaryOf[row] === a ? forward : back);
    const isUsed = (row: number): boolean =>
      (primaryOf[row] === a || primaryOf[row] === b) && isMeasured(hopOf(row).obtained[row]);
    const pick = (
      from: Uint32Array,
      sent: keyof HopAnchors["at"],
      acknowledged: keyof HopAnchors["at"],
    ): Float64Array => picked(from, primaryOf, a, forward.at[sent], back.at[acknowledged]);
    const all = keepRows(allRows(rows.length), isUsed);
    const leaves = pick(all, "departed", "ackDeparted");
    const used = gatherUint32(all, sortRows(allRows(all.length), leaves));
    return {
      bounds: {
        departed: pick(used, "departed", "ackDeparted"),
        received: pick(used, "received", "ackReceived"),
        ackDeparted: pick(used, "ackDeparted", "departed"),
        ackReceived: pick(used, "ackReceived", "received"),
      },
      used,
    };
  }

  /** Ids by which acknowledgments name these blocks. */
  #endsOf(used: Uint32Array): EndsOf {
    const { rows } = this.#joined;
    const isUsed = new Uint8Array(rows.length);
    for (let k = 0; k < used.length; k++) isUsed[used[k]] = 1;
    const finders = rows.inOrder.map((_, d) => new EndFinder(rows, d));
    return { has: (high, low) => finders.some((finder) => finder.isEndOf(isUsed, high, low)) };
  }

  /**
   * Returns the shifts that move each block's instants on a secondary to its primary's counter, µs by row, by the
   * block's receive.
   */
  #hopShifts(hop: HopAnchors, slot: number, uncertainty: Float64Array): Float64Array {
    const { rows, primaryOf, replicas } = this.#joined;
    const columns = SECONDARY_ANCHORS.map((name) => hop.at[name]);
    const shifts = new Float64Array(rows.length).fill(Number.NaN);
    const ways = replicas.map((_, primary) => this.#wayToPrimary(primary, slot));
    for (let row = 0; row < rows.length; row++) {
      const first = firstKnown(columns, row);
      if (Number.isNaN(first)) continue;
      const moved = ways[primaryOf[row]](hop, row, first);
      shifts[row] = moved.shift;
      uncertainty[row] = moved.uncertaintyUs;
    }
    return shifts;
  }

  /** The function from the counter of a slot's secondary to a primary's counter. */
  #wayToPrimary(
    primary: number,
    slot: number,
  ): (hop: HopAnchors, row: number, first: number) => ReturnType<PairClock["move"]> {
    const { replicaOf, servers } = this.#joined;
    const secondary = replicaOfSlot(primary, slot);
    const [p, s] = [replicaOf.indexOf(primary), replicaOf.indexOf(secondary)];
    if (p < 0)
      return (_hop, _row, first) => ({
        shift: this.#toReference[s](first) - first,
        uncertaintyUs: Number.NaN,
      });
    const pair = this.#pairs.get(pairKey(primary, secondary));
    if (pair) return (hop, row, first) => pair.move(hop, row, primary === pair.a, first);
    const byUtc = s < 0 ? Number.NaN : utcShift(servers[p], servers[s]);
    return () => ({ shift: byUtc, uncertaintyUs: Number.NaN });
  }

  /**
   * Returns the shifts that move each block's instants on its primary to the reference's counter, µs by row; NaN where
   * the primary has no file.
   */
  #primaryShifts(raw: readonly Float64Array[]): Float64Array {
    const { rows, primaryOf, replicas } = this.#joined;
    const ways = replicas.map((_, primary) => this.#wayOfPrimary(primary, raw));
    const shifts = new Float64Array(rows.length);
    for (let row = 0; row < rows.length; row++) shifts[row] = ways[primaryOf[row]](row);
    return shifts;
  }

  #wayOfPrimary(primary: number, raw: readonly Float64Array[]): (row: number) => number {
    const { replicaOf, local, hops } = this.#joined;
    const p = replicaOf.indexOf(primary);
    if (p < 0) return () => Number.NaN;
    if (p === this.reference) return () => 0;
    const pair = this.#pairs.get(pairKey(replicaOf[this.reference], primary));
    const slot = slotOfReplica(primary, replicaOf[this.reference]);
    return (row) => {
      const at = firstInstant(row, local, hops, raw);
      // The reference received the block: its own counter shows which window of the clock the block belongs to.
      if (pair) return pair.fromOther(at, hops[slot]?.at.received[row] ?? Number.NaN) - at;
      return this.#toReference[p](at) - at;
    };
  }

  /** From a server's counter to the reference's: by their blocks, by way of a third server, else by UTC. */
  #wayToReference(s: number): CounterWay {
    const { replicaOf, servers } = this.#joined;
    if (s === this.reference) return (counter) => counter;
    const reference = replicaOf[this.reference];
    const own = replicaOf[s];
    const direct = this.#pairs.get(pairKey(reference, own));
    if (direct) return toFirst(direct.windows);
    for (const replica of replicaOf) {
      const [near, far] = [
        this.#pairs.get(pairKey(reference, replica)),
        this.#pairs.get(pairKey(replica, own)),
      ];
      if (near === undefined || far === undefined) continue;
      const toThird = far.a === replica ? toFirst(far.windows) : toOther(far.windows);
      const onward = toFirst(near.windows);
      return (counter) => onward(toThird(counter));
    }
    const byUtc = utcShift(servers[this.reference], servers[s]);
    return (counter) => counter + byUtc;
  }
}

function toFirst(windows: readonly ClockWindow[]): CounterWay {
  const windowOf = windowsByCounter(windows);
  return (counter) => toFirstCounter(windowOf(counter), counter);
}

const toOther =
  (windows: readonly ClockWindow[]): CounterWay =>
  (counter) =>
    toOtherCounter(windowAt(windows, counter), counter);

const pairKey = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** The instants that bound a block's clock. */
const BOUNDING = ["departed", "received", "ackDeparted", "ackReceived"] as const;
const bitsOf = (how: Obtained): number =>
  BOUNDING.reduce((bits, name) => bits | (how << (2 * HOP_ANCHORS.indexOf(name))), 0);
const ALL_BITS = bitsOf(3);
const ALL_MEASURED = bitsOf(Obtained.measured);

/** True for a block whose four bounding instants were all measured. @param obtained of the block's hop */
const isMeasured = (obtained: number): boolean => (obtained & ALL_BITS) === ALL_MEASURED;

/** The first known value of a row in the columns; NaN without one. */
function firstKnown(columns: readonly Float64Array[], row: number): number {
  for (const column of columns) if (!Number.isNaN(column[row])) return column[row];
  return Number.NaN;
}

/** For each of the rows the value of one column where its primary is `a`, else of the other. */
function picked(
  rows: Uint32Array,
  primaryOf: Uint8Array,
  a: number,
  ofFirst: Float64Array,
  ofOther: Float64Array,
): Float64Array {
  const values = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k];
    values[k] = (primaryOf[row] === a ? ofFirst : ofOther)[row];
  }
  return values;
}

/**
 * A block's earliest instant on its primary; for a block that only secondaries saw, the earliest one there, by the
 * primary's counter.
 */
function firstInstant(
  row: number,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  raw: readonly Float64Array[],
): number {
  const own = LOCAL_ANCHORS.map((name) => local.at[name][row]);
  for (const { at } of hops) own.push(...PRIMARY_HOP_ANCHORS.map((name) => at[name][row]));
  const first = smallest(own);
  if (!Number.isNaN(first)) return first;
  return smallest(
    hops.flatMap(({ at }, slot) => SECONDARY_ANCHORS.map((name) => at[name][row] + raw[slot][row])),
  );
}

function addTo(column: Float64Array, shifts: Float64Array): void {
  for (let row = 0; row < column.length; row++) column[row] += shifts[row];
}
