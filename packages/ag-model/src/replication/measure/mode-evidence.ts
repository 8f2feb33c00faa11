/**
 * Determines from the commits of each block whether they wait for a replica, and where that changes
 * (docs/contribute/model/stages.md 4.5). A commit that ended before the acknowledgment did not wait; one that ended right
 * after the acknowledgment, which arrived last, did.
 */
import type { Joined } from "../join/join.ts";

/** Evidence of one block on whether commits wait for a replica. */
export const Shown = { nothing: 0, waited: 1, notWaited: 2 } as const;
export type Shown = (typeof Shown)[keyof typeof Shown];

/** A commit that ended this long after the last acknowledgment was released by it: waking up takes some 40 µs (4.4). */
const WAKE_UP_US = 200;

/** Blocks in order of time, with the evidence of each. */
export interface ShownBlocks {
  readonly rows: Uint32Array;
  /** By place in `rows`, as in `Shown`. */
  readonly shown: Uint8Array;
  /** When the first commit ended, by place in `rows`, µs of its primary's counter. */
  readonly end: Float64Array;
}

/** A period in which commits waited for a replica, or did not: places in `ShownBlocks`. */
export interface Era {
  readonly first: number;
  readonly end: number;
  readonly isWaitedFor: boolean;
}

/** By block row: the end of its first commit, and evidence of that commit about the replica of the row's slot. */
export function showBlocks(
  { commits, local, hops }: Pick<Joined, "commits" | "local" | "hops">,
  slotOfRow: (row: number) => number,
  rows: number,
): { readonly shown: Uint8Array; readonly end: Float64Array } {
  const shown = new Uint8Array(rows);
  const end = new Float64Array(rows).fill(Infinity);
  for (const { length, block, end: ends } of commits)
    for (let c = 0; c < length; c++) {
      const row = block[c];
      if (row < 0 || !(ends[c] < end[row])) continue;
      const slot = slotOfRow(row);
      if (slot < 0) continue;
      end[row] = ends[c];
      shown[row] = shownBy(ends[c], row, slot, local.at.localFlushEnd[row], hops);
    }
  return { shown, end };
}

function shownBy(end: number, row: number, slot: number, flushed: number, hops: Joined["hops"]): Shown {
  const { departed, ackProcessed } = hops[slot].at;
  const acknowledged = ackProcessed[row];
  // A block that was sent after its commit had ended does not show whether commits wait while the replica is connected.
  if (Number.isNaN(acknowledged) || departed[row] > end) return Shown.nothing;
  if (end < acknowledged) return Shown.notWaited;
  if (!(flushed < acknowledged) || end - acknowledged > WAKE_UP_US) return Shown.nothing;
  for (const hop of hops)
    if (hop.at.ackProcessed[row] > acknowledged && hop.at.ackProcessed[row] <= end) return Shown.nothing;
  return Shown.waited;
}

/** Fewer contradicting blocks than this do not make a change; a period between two changes needs twice as many. */
const SWITCH_COST = 10;
/**
 * Commits of a shorter period do not show a mode: when a replica is given up, all commits that waited for it are
 * released at once, µs.
 */
const LEAST_US = 2_000_000;
/**
 * Least share of commits that continue before the acknowledgment of an asynchronous replica, of all commits with a log
 * block.
 */
const LEAST_SHARE = 0.05;

/** The periods with the fewest contradictions; one where nothing changes. */
export function erasOf(blocks: ShownBlocks): Era[] {
  const found = fewestContradictions(blocks.shown);
  const eras = found.length === 1 ? found : found.filter((era) => isEra(blocks, era));
  const kept: Era[] = [];
  for (const era of eras) {
    const last = kept.at(-1);
    if (last?.isWaitedFor === era.isWaitedFor) kept[kept.length - 1] = { ...last, end: era.end };
    else kept.push({ ...era, first: last?.end ?? 0 });
  }
  const length = blocks.shown.length;
  return kept.map((era, i) => ({ ...era, end: i === kept.length - 1 ? length : kept[i + 1].first }));
}

/**
 * Two states: each block costs 1 where it contradicts the state, and each change has its price; the cheapest way
 * through all blocks wins.
 */
function fewestContradictions(shown: Uint8Array): Era[] {
  // By place and state: 1 where the cheapest way was from the other state.
  const changed = [new Uint8Array(shown.length), new Uint8Array(shown.length)];
  let [waits, passes] = [0, 0];
  for (let i = 0; i < shown.length; i++) {
    const [fromWaits, fromPasses] = [waits, passes];
    // For equal costs, commits no longer wait from the first one that did not wait, and wait again right after the last
    // one that did not.
    const becomesWaits = fromPasses + SWITCH_COST < fromWaits;
    const becomesPasses = fromWaits + SWITCH_COST <= fromPasses;
    if (becomesWaits) changed[0][i] = 1;
    if (becomesPasses) changed[1][i] = 1;
    waits = (becomesWaits ? fromPasses + SWITCH_COST : fromWaits) + (shown[i] === Shown.notWaited ? 1 : 0);
    passes = (becomesPasses ? fromWaits + SWITCH_COST : fromPasses) + (shown[i] === Shown.waited ? 1 : 0);
  }
  const eras: Era[] = [];
  let state = waits <= passes ? 0 : 1;
  let end = shown.length;
  for (let i = shown.length - 1; i > 0; i--) {
    if (changed[state][i] === 0) continue;
    eras.unshift({ first: i, end, isWaitedFor: state === 0 });
    end = i;
    state = 1 - state;
  }
  return [{ first: 0, end, isWaitedFor: state === 0 }, ...eras];
}

/**
 * Whether a period is long enough, and, in a period without waits, whether enough commits continued before the
 * acknowledgment. In a period with waits a few commits are enough: another replica may be the last of nearly all.
 */
function isEra({ shown, end }: ShownBlocks, era: Era): boolean {
  const wanted = era.isWaitedFor ? Shown.waited : Shown.notWaited;
  let [first, last, count] = [Infinity, -Infinity, 0];
  for (let i = era.first; i < era.end; i++) {
    if (shown[i] !== wanted) continue;
    count++;
    if (end[i] < first) first = end[i];
    if (end[i] > last) last = end[i];
  }
  return last - first >= LEAST_US && (era.isWaitedFor || count > LEAST_SHARE * (era.end - era.first));
}
