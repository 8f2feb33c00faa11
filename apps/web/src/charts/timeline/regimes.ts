/** Two regimes in one view: the mean block before and after an episode's edge. */
import type { BlockWindow, Episode, PausedPath, Summary } from "@aglens/contract";
import { pausedPathOf, type ServerStates, sumOfPaused } from "@aglens/ag-model/columns";
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
  /** Part of these means that is due to an unresponsive server. */
  readonly paused: PausedPath;
  readonly total: number;
}

/** Fewer blocks on either side make no regime. */
const LEAST_BLOCKS = 5;

/**
 * Mean stages of the blocks that begin in [from, to).
 * @param standing of the window's capture
 * @param since earliest begin of a block that counts if it reaches into the interval; before the first interval of a
 * view there is no other
 */
export function regime(
  window: BlockWindow,
  standing: ServerStates,
  secondary: number,
  [from, to]: readonly [from: number, to: number],
  since = from,
): Regime {
  const hop = window.hops[secondary];
  const sums = new Float64Array(REMOTE_PATH.length);
  const columns = REMOTE_PATH.map((s) => [hop?.[s.from as HopAnchor], hop?.[s.to as HopAnchor]] as const);
  const { time, timeEnd } = window.blocks;
  const paused: NonNullable<PausedPath>[] = [];
  let blocks = 0;
  for (let i = firstAtOrAfter(time, since); hop && i < time.length && time[i] < to; i++) {
    const isIn = time[i] >= from || timeEnd[i] >= from;
    if (!isIn) continue;
    // A block counts when no instant of its path is missing; a sum with NaN in it shows that.
    let whole = 0;
    for (const [start, end] of columns) whole += end[i] - start[i];
    if (Number.isNaN(whole)) continue;
    for (let k = 0; k < columns.length; k++) sums[k] += columns[k][1][i] - columns[k][0][i];
    const path = pausedPathOf(window, standing, secondary, i);
    if (path !== null) paused.push(path);
    blocks++;
  }
  const stages = recordOf(REMOTE_STAGE_IDS, (_, k) => (blocks > 0 ? sums[k] / blocks : 0));
  return {
    from,
    to,
    blocks,
    stages,
    paused: times(sumOfPaused(paused), 1 / Math.max(1, blocks)),
    total: sums.reduce((a, b) => a + b, 0) / Math.max(1, blocks),
  };
}

function times(path: PausedPath, factor: number): PausedPath {
  if (path === null) return null;
  const stages = Object.entries(path.stages).map(([id, us]) => [id, us * factor] as const);
  return { replica: path.replica, stages: Object.fromEntries(stages) };
}

/** Combines intervals in the order of time, weighted by their blocks. */
function together(parts: readonly Regime[]): Regime {
  const blocks = parts.reduce((sum, part) => sum + part.blocks, 0);
  const mean = (of: (part: Regime) => number) =>
    parts.reduce((sum, part) => sum + of(part) * part.blocks, 0) / Math.max(1, blocks);
  const paused = parts.flatMap((part) => times(part.paused, part.blocks) ?? []);
  return {
    from: parts[0]?.from ?? 0,
    to: parts.at(-1)?.to ?? 0,
    blocks,
    stages: recordOf(REMOTE_STAGE_IDS, (id) => mean(({ stages }) => stages[id])),
    paused: times(sumOfPaused(paused), 1 / Math.max(1, blocks)),
    total: mean(({ total }) => total),
  };
}

export interface RegimePair {
  /** "edge": before and after one instant; "inside": episodes in the view, and the rest. */
  readonly kind: "edge" | "inside";
  readonly pair: readonly [Regime, Regime];
  /** Number of intervals that the first of the pair combines. */
  readonly stretches: number;
  /** Episode that separates the pair; with several intervals, one of their episodes. */
  readonly episode: Episode;
}

/**
 * The regimes that an episode of the capture separates in the view, preferably an episode of the verdict's cause; null
 * when no edge of one is in it. Several episodes of the same kind are one regime: the other one is the rest.
 */
export function twoRegimes(
  window: BlockWindow,
  summary: Pick<Summary, "verdict" | "phases" | "pauses">,
  secondary: number,
  from: number,
  to: number,
): RegimePair | null {
  const part = (a: number, b: number) =>
    regime(window, summary, secondary, [a, b], a === from ? Number.NEGATIVE_INFINITY : a);
  const { cause, episodes } = summary.verdict;
  const own = episodes
    .filter((each) => each.secondary === secondary && each.from < to && each.to > from)
    .map((each) => ({ ...each, to: untilRest(window, each) }))
    .toSorted((a, b) => Number(b.cause === cause) - Number(a.cause === cause));
  for (const episode of own) {
    const starts = episode.from > from;
    const ends = episode.to < to;
    if (!starts && !ends) continue;
    const alike = own.filter(({ label }) => label === episode.label).toSorted((a, b) => a.from - b.from);
    const isInside = alike.length > 1 || (starts && ends);
    const edge = starts ? episode.from : episode.to;
    const pair = isInside
      ? ([
          together(alike.map((each) => part(Math.max(from, each.from), Math.min(to, each.to)))),
          together(between(alike, from, to).map(([a, b]) => part(a, b))),
        ] as const)
      : ([part(from, edge), part(edge, to)] as const);
    if (pair.every((r) => r.blocks >= LEAST_BLOCKS))
      return { kind: isInside ? "inside" : "edge", pair, stretches: isInside ? alike.length : 1, episode };
  }
  return null;
}

/** Up to where blocks are an episode's, µs: the one after its last may begin before that one has ended. */
function untilRest({ blocks: { time } }: BlockWindow, { from, to, blocks }: Episode): number {
  const next = time[firstAtOrAfter(time, from) + blocks];
  return next === undefined ? to : Math.min(to, next);
}

/** Remainder of [from, to) between intervals in the order of time; the first and the last may have no length. */
function between(
  periods: readonly { readonly from: number; readonly to: number }[],
  from: number,
  to: number,
): (readonly [number, number])[] {
  const starts = [from, ...periods.map((each) => each.to)];
  const ends = [...periods.map((each) => each.from), to];
  return starts.map((start, i) => [start, Math.max(start, ends[i])]);
}
