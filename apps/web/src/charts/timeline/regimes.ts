/** Two regimes in one view: what the mean block looks like before and after an episode's edge. */
import type { BlockWindow, Summary } from "@aglens/contract";
import {
  recordOf,
  REMOTE_PATH,
  REMOTE_STAGE_IDS,
  type HopAnchor,
  type RemoteStageId,
} from "@aglens/ag-model/replication";
import { firstAtOrAfter } from "@aglens/ag-model/numbers";

export interface Regime {
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
  /** Mean µs per stage of the remote path. */
  readonly stages: Readonly<Record<RemoteStageId, number>>;
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
  for (let i = firstAtOrAfter(time, from); hop && i < time.length && time[i] < to; i++) {
    // A block counts when no instant of its path is missing; a sum with NaN in it shows that.
    let whole = 0;
    for (const [start, end] of columns) whole += end[i] - start[i];
    if (Number.isNaN(whole)) continue;
    for (let k = 0; k < columns.length; k++) sums[k] += columns[k][1][i] - columns[k][0][i];
    blocks++;
  }
  const stages = recordOf(REMOTE_STAGE_IDS, (_, k) => (blocks > 0 ? sums[k] / blocks : 0));
  return { from, to, blocks, stages, total: sums.reduce((a, b) => a + b, 0) / Math.max(1, blocks) };
}

/** Two stretches taken together, weighted by their blocks. */
function together(a: Regime, b: Regime): Regime {
  const blocks = a.blocks + b.blocks;
  const mean = (x: number, y: number) => (x * a.blocks + y * b.blocks) / Math.max(1, blocks);
  const stages = recordOf(REMOTE_STAGE_IDS, (id) => mean(a.stages[id], b.stages[id]));
  return { from: a.from, to: b.to, blocks, stages, total: mean(a.total, b.total) };
}

export interface RegimePair {
  /** "edge": before and after one instant; "inside": an episode that lies in the view, and the rest. */
  readonly kind: "edge" | "inside";
  readonly pair: readonly [Regime, Regime];
}

/** The regimes that an episode of the capture makes in the view; null when no edge of one lies in it. */
export function twoRegimes(
  window: BlockWindow,
  summary: Summary,
  secondary: number,
  from: number,
  to: number,
): RegimePair | null {
  for (const episode of summary.verdict.episodes) {
    if (episode.secondary !== secondary) continue;
    const starts = episode.from > from && episode.from < to;
    const ends = episode.to > from && episode.to < to;
    if (!starts && !ends) continue;
    const part = (a: number, b: number) => regime(window, secondary, a, b);
    const edge = starts ? episode.from : episode.to;
    const pair =
      starts && ends
        ? ([
            part(episode.from, episode.to),
            together(part(from, episode.from), part(episode.to, to)),
          ] as const)
        : ([part(from, edge), part(edge, to)] as const);
    if (pair.every((r) => r.blocks >= LEAST_BLOCKS))
      return { kind: starts && ends ? "inside" : "edge", pair };
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
