/**
 * Moves what each server's own counter gave to one clock, the reference's (docs/model.md 5): first a hop's instants to the
 * counter of its block's primary, by what the blocks between these two servers show, then the block as a whole to the
 * reference.
 */
import { pairClock, utcShift, unaligned, type EndsOf, type PairClock } from "./alignment.ts";
import { BlockMap } from "./block-map.ts";
import { obtainedOf, type HopAnchors, type LocalAnchors } from "./anchor-columns.ts";
import type { Commits } from "./commits.ts";
import { joinBounds, type ClockBounds } from "./clock-bounds.ts";
import { endOffset } from "./blocks.ts";
import type { Continuity } from "./continuity.ts";
import type { Joined } from "./join.ts";
import { smallest } from "../numbers/index.ts";
import { replicaOfSlot, slotOfReplica } from "./slots.ts";
import {
  HOP_ANCHORS,
  isOnSecondaryClock,
  LOCAL_ANCHORS,
  Obtained,
  SECONDARY_ANCHORS,
  type ClockFit,
} from "./tables.ts";

/** Everything on the reference's clock. */
export interface Aligned {
  /** Server whose counter is the reference. */
  readonly reference: number;
  /** Per server: when each event fired, µs of the reference's counter. */
  readonly fires: readonly Float64Array[];
  /** Per server: its commits on the reference's clock. */
  readonly commits: readonly Commits[];
  /** Per slot: strict bound of each block's one-way times, µs; NaN where the clocks are not aligned. */
  readonly uncertainty: readonly Float64Array[];
  /** How far each block may be off as a whole, µs; 0 while its primary is the reference, NaN unknown. */
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
    fires: joined.servers.map((_, s) => clocks.movedFires(s, shifts)),
    commits: joined.commits.map((commits, s) => clocks.movedCommits(commits, s, shifts.primary)),
    uncertainty: shifts.uncertainty,
    blockUncertainty: clocks.blockUncertainty(),
    fits: (start) => clocks.fits(start),
  };
}

/** What was added to a block's instants, µs by row; NaN where it has none of that server. */
interface Shifts {
  readonly primary: Float64Array;
  /** By slot. */
  readonly hops: readonly Float64Array[];
  readonly uncertainty: readonly Float64Array[];
}

/**
 * Instants of an engine without start_timestamp are publish times: UTC swings by 15 ms against a server's counter within one
 * capture (docs/model.md 5.6), and an event is published when it has been handled.
 */
const UTC_SWING_US = 20_000;

const PRIMARY_HOP_ANCHORS = HOP_ANCHORS.filter((name) => !isOnSecondaryClock(name));

class Clocks {
  readonly reference: number;
  readonly #joined: Joined;
  /** By the replicas of the pair, the smaller one first. */
  readonly #pairs = new Map<string, PairClock>();
  /** Per server: an instant of its counter on the reference's. */
  readonly #toReference: readonly ((counter: number) => number)[];

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
    const primary = Float64Array.from({ length: rows.length }, (_, row) => this.#primaryShift(row, raw));
    for (const [slot, hop] of hops.entries()) addToHop(hop, raw[slot], primary);
    for (const name of LOCAL_ANCHORS) addTo(local.at[name], primary);
    return {
      primary,
      hops: raw.map((shifts) => shifts.map((shift, row) => shift + (primary[row] || 0))),
      uncertainty,
    };
  }

  /** How far each block may be off as a whole; its primary's instants are those of the moved tables. */
  blockUncertainty(): Float64Array {
    const { rows, primaryOf, replicaOf, servers, local } = this.#joined;
    const reference = replicaOf[this.reference];
    return Float64Array.from({ length: rows.length }, (_, row) => {
      const primary = primaryOf[row];
      const p = replicaOf.indexOf(primary);
      if (p >= 0 && servers[p].withoutCounter) return UTC_SWING_US;
      if (primary === reference || p < 0) return 0;
      const at = smallest(LOCAL_ANCHORS.map((name) => local.at[name][row]));
      return this.#pairs.get(pairKey(reference, primary))?.errorAt(at) ?? Number.NaN;
    });
  }

  /** When a server's events fired: those of a block where the block was moved to, the others by the server's counter. */
  movedFires(s: number, shifts: Shifts): Float64Array {
    const { servers, replicaOf, eventRows, primaryOf } = this.#joined;
    const replica = replicaOf[s];
    const rows = eventRows[s];
    const toReference = this.#toReference[s];
    return servers[s].fire.map((fire, i) => {
      const row = rows[i];
      if (row < 0) return toReference(fire);
      const primary = primaryOf[row];
      const shift =
        primary === replica ? shifts.primary[row] : shifts.hops[slotOfReplica(primary, replica)][row];
      return Number.isNaN(shift) ? toReference(fire) : fire + shift;
    });
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

  /** Why the clock of a replica with a file could not be fitted against any other. */
  #whyUnaligned(replica: number): "noCounter" | "noBounds" | "noBlocks" {
    const { replicaOf, servers, rows } = this.#joined;
    const own = replicaOf.indexOf(replica);
    const sharing = replicaOf.flatMap((_, s) =>
      s !== own && rows.seen[s].some((seen, row) => seen === 1 && rows.seen[own][row] === 1) ? [s] : [],
    );
    if (sharing.length === 0) return "noBlocks";
    return [own, ...sharing].some((s) => servers[s].withoutCounter) ? "noCounter" : "noBounds";
  }

  #fitPair(a: number, b: number, continuity: Continuity | undefined): void {
    const { replicaOf, servers, replicas, primaryOf } = this.#joined;
    const { bounds: here, used } = this.#bounds(a, b);
    const id = a === replicaOf[this.reference] ? (replicas[b].ids[0] ?? "") : undefined;
    if (id !== undefined) continuity?.onBounds(id, here);
    const before = id === undefined ? undefined : continuity?.boundsBefore(id, here.departed[0] ?? Infinity);
    const bounds = before ? joinBounds(before, here) : here;
    const both = [servers[replicaOf.indexOf(a)], servers[replicaOf.indexOf(b)]] as const;
    const pair = pairClock(a, b, both, bounds, this.#endsOf(used.filter((row) => primaryOf[row] === a)));
    if (pair) this.#pairs.set(pairKey(a, b), pair);
  }

  /**
   * What the blocks between two replicas show of the second one's counter against the first one's, in the order of their
   * departure from the first. A block that the second one sent bounds it the other way round: its acknowledgement left the
   * first one and arrived at the second, and the block itself left the second one before it was received by the first.
   */
  #bounds(a: number, b: number): { bounds: ClockBounds; used: Uint32Array } {
    const { primaryOf, hops, rows } = this.#joined;
    const forward = hops[b - 1];
    const back = hops[slotOfReplica(b, a)];
    const hopOf = (row: number): HopAnchors => (primaryOf[row] === a ? forward : back);
    const isUsed = (row: number): boolean =>
      (primaryOf[row] === a || primaryOf[row] === b) && isMeasured(hopOf(row), row);
    const pick = (
      from: Uint32Array,
      sent: keyof HopAnchors["at"],
      acknowledged: keyof HopAnchors["at"],
    ): Float64Array =>
      Float64Array.from(
        from,
        (row) => (primaryOf[row] === a ? forward.at[sent] : back.at[acknowledged])[row],
      );
    const all = Uint32Array.from({ length: rows.length }, (_, row) => row).filter(isUsed);
    const leaves = pick(all, "departed", "ackDeparted");
    const used = Uint32Array.from(all.keys())
      .sort((x, y) => leaves[x] - leaves[y])
      .map((k) => all[k]);
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

  /** Ids by which acknowledgements name these blocks. */
  #endsOf(used: Uint32Array): EndsOf {
    const { high, low, size } = this.#joined.rows;
    const ends = new BlockMap(used.length);
    for (const row of used) ends.set(high[row], endOffset(low[row], size[row]), row);
    return { length: used.length, has: (h, l) => ends.get(h, l) >= 0 };
  }

  /** What moves each block's instants on a secondary to its primary's counter, by the block's receive. */
  #hopShifts(hop: HopAnchors, slot: number, uncertainty: Float64Array): Float64Array {
    const { rows, primaryOf, replicaOf } = this.#joined;
    const columns = SECONDARY_ANCHORS.map((name) => hop.at[name]);
    const shifts = new Float64Array(rows.length).fill(Number.NaN);
    for (let row = 0; row < rows.length; row++) {
      const first = columns.find((column) => !Number.isNaN(column[row]))?.[row];
      if (first === undefined) continue;
      const primary = primaryOf[row];
      const secondary = replicaOfSlot(primary, slot);
      const [p, s] = [replicaOf.indexOf(primary), replicaOf.indexOf(secondary)];
      if (p < 0) {
        shifts[row] = this.#toReference[s](first) - first;
        continue;
      }
      const pair = this.#pairs.get(pairKey(primary, secondary));
      if (pair === undefined) {
        shifts[row] = utcShift(this.#joined.servers[p], this.#joined.servers[s]);
        continue;
      }
      const moved = pair.move(hop, row, primary === pair.a, first);
      shifts[row] = moved.shift;
      uncertainty[row] = moved.uncertaintyUs;
    }
    return shifts;
  }

  /** What moves a block's instants on its primary to the reference's counter. */
  #primaryShift(row: number, raw: readonly Float64Array[]): number {
    const { primaryOf, replicaOf, local, hops } = this.#joined;
    const primary = primaryOf[row];
    const p = replicaOf.indexOf(primary);
    if (p < 0) return Number.NaN;
    if (p === this.reference) return 0;
    const at = firstInstant(row, local, hops, raw);
    const pair = this.#pairs.get(pairKey(replicaOf[this.reference], primary));
    const slot = slotOfReplica(primary, replicaOf[this.reference]);
    // The reference received the block: its own counter shows which window of the clock the block belongs to.
    if (pair) return pair.fromOther(at, hops[slot]?.at.received[row] ?? Number.NaN) - at;
    return this.#toReference[p](at) - at;
  }

  /** From a server's counter to the reference's: by their blocks, by way of a third server, else by UTC. */
  #wayToReference(s: number): (counter: number) => number {
    const { replicaOf, servers } = this.#joined;
    if (s === this.reference) return (counter) => counter;
    const reference = replicaOf[this.reference];
    const own = replicaOf[s];
    const direct = this.#pairs.get(pairKey(reference, own));
    if (direct) return (counter) => direct.fromOther(counter, Number.NaN);
    for (const replica of replicaOf) {
      const [near, far] = [
        this.#pairs.get(pairKey(reference, replica)),
        this.#pairs.get(pairKey(replica, own)),
      ];
      if (near === undefined || far === undefined) continue;
      return (counter) =>
        near.fromOther(
          far.a === replica ? far.fromOther(counter, Number.NaN) : far.toOther(counter),
          Number.NaN,
        );
    }
    const shift = utcShift(servers[this.reference], servers[s]);
    return (counter) => counter + shift;
  }
}

const pairKey = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** True for a block whose four bounding instants were all measured. */
const isMeasured = (hop: HopAnchors, row: number): boolean =>
  (["departed", "received", "ackDeparted", "ackReceived"] as const).every(
    (name) => obtainedOf(hop, name, row) === Obtained.measured,
  );

/** A block's earliest instant on its primary; of a block that only secondaries saw the first there, by the primary's counter. */
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

/** Adds a hop's own shift to what its secondary's counter gave, and the primary's to all. */
function addToHop(hop: HopAnchors, own: Float64Array, primary: Float64Array): void {
  for (const name of SECONDARY_ANCHORS) addTo(hop.at[name], own);
  for (const name of HOP_ANCHORS) {
    const column = hop.at[name];
    for (let row = 0; row < column.length; row++) column[row] += primary[row] || 0;
  }
}
