/** Two regimes in one view: what the mean block looks like before and after an episode's edge. */
import type { BlockWindow, Summary } from "xel-parser/contract";
import { REMOTE_PATH, type HopAnchor } from "xel-parser/replication";
import { lowerBound } from "../../charts/timeline/layout.ts";

export interface Regime {
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
  /** Mean µs per stage of the remote path. */
  readonly stages: Readonly<Record<string, number>>;
  readonly total: number;
}

/** Fewer blocks on either side make no regime. */
const LEAST_BLOCKS = 5;

/** Mean stages of the blocks that begin in [from, to). */
export function regime(window: BlockWindow, secondary: number, from: number, to: number): Regime {
  const hop = window.hops[secondary];
  const sums = new Float64Array(REMOTE_PATH.length);
  const columns = REMOTE_PATH.map((s) => [hop?.[s.from as HopAnchor], hop?.[s.to as HopAnchor]] as const);
  const { time } = window.blocks;
  let blocks = 0;
  for (let i = lowerBound(time, from); hop && i < time.length && time[i] < to; i++) {
    // A block counts when no instant of its path is missing; a sum with NaN in it tells that.
    let whole = 0;
    for (const [start, end] of columns) whole += end[i] - start[i];
    if (Number.isNaN(whole)) continue;
    for (let k = 0; k < columns.length; k++) sums[k] += columns[k][1][i] - columns[k][0][i];
    blocks++;
  }
  const stages = Object.fromEntries(REMOTE_PATH.map((s, k) => [s.id, blocks > 0 ? sums[k] / blocks : 0]));
  return { from, to, blocks, stages, total: sums.reduce((a, b) => a + b, 0) / Math.max(1, blocks) };
}

/** The regimes on both sides of the first episode edge inside the view; null when there is none. */
export function twoRegimes(
  window: BlockWindow,
  summary: Summary,
  secondary: number,
  from: number,
  to: number,
): readonly [Regime, Regime] | null {
  const edges = summary.verdict.episodes
    .filter((e) => e.secondary === secondary)
    .flatMap((e) => [e.from, e.to]);
  for (const edge of edges) {
    if (edge <= from || edge >= to) continue;
    const pair = [regime(window, secondary, from, edge), regime(window, secondary, edge, to)] as const;
    if (pair.every((r) => r.blocks >= LEAST_BLOCKS)) return pair;
  }
  return null;
}

/** Largest place of a regime and its share, 0..1. */
export function largestPart(r: Regime): {
  readonly place: "network" | "primary" | "secondary";
  readonly share: number;
  readonly flushShare: number;
} {
  const parts = { network: 0, primary: 0, secondary: 0 };
  for (const s of REMOTE_PATH)
    parts[s.kind === "network" ? "network" : (s.place as "primary" | "secondary")] += r.stages[s.id];
  const place = (Object.keys(parts) as (keyof typeof parts)[]).reduce((a, b) =>
    parts[b] > parts[a] ? b : a,
  );
  return { place, share: parts[place] / r.total, flushShare: r.stages["secondaryFlush"] / r.total };
}
