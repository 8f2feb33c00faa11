/** Windows of blocks whose instants a test defines, µs; the others are missing. */
import type { BinWindow, BlockWindow, CommitWindow } from "@aglens/contract";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  recordOf,
  WRITE_PARTS,
  type HopAnchor,
  type LocalAnchor,
} from "@aglens/ag-model/replication";

export interface BlockInput extends Partial<Record<LocalAnchor, number>> {
  /** Instants of its way to each secondary, in their order. */
  readonly hops?: readonly Partial<Record<HopAnchor, number>>[];
  /** Releaser of its commits, as `Gate`. */
  readonly gate?: number;
}

const instantsOf = (block: BlockInput): number[] =>
  [
    ...LOCAL_ANCHORS.map((name) => block[name]),
    ...(block.hops ?? []).flatMap((hop) => Object.values(hop)),
  ].filter((instant): instant is number => instant !== undefined && !Number.isNaN(instant));

/** A window over [from, to) with blocks in the order of their rows, the first of which is `firstRow`. */
export function blockWindow(
  given: readonly BlockInput[],
  { from = 0, to = 10_000, firstRow = 0, secondaries = 2 } = {},
): BlockWindow {
  const { length } = given;
  const column = (of: (block: BlockInput) => number | undefined): Float64Array =>
    Float64Array.from(given, (block) => of(block) ?? Number.NaN);
  const empty = (): Float64Array => new Float64Array(length).fill(Number.NaN);
  return {
    detail: "blocks",
    from,
    to,
    row: Uint32Array.from(given, (_, i) => firstRow + i),
    blocks: {
      ...recordOf(LOCAL_ANCHORS, (name) => column((block) => block[name])),
      ...recordOf(WRITE_PARTS, empty),
      length,
      database: new Uint16Array(length),
      phase: new Uint16Array(length),
      blockId: new BigUint64Array(length),
      size: empty(),
      time: column((block) => Math.min(...instantsOf(block))),
      timeEnd: column((block) => Math.max(...instantsOf(block))),
      commits: new Uint16Array(length).fill(1),
      gate: Uint8Array.from(given, ({ gate }) => gate ?? 0),
      vlfStart: new Uint8Array(length),
      uncertainty: new Float64Array(length),
      obtained: new Uint32Array(length),
    },
    hops: Array.from({ length: secondaries }, (_, s) => ({
      ...recordOf(HOP_ANCHORS, (name) => column((block) => block.hops?.[s]?.[name])),
      ...recordOf(WRITE_PARTS, empty),
      compression: empty(),
      decompression: empty(),
      uncertainty: empty(),
      obtained: new Uint32Array(length),
    })),
  };
}

/** Commits from start to end, each with the row of its block, -1 for one that is not in the capture. */
export function commitWindow(
  given: readonly (readonly [start: number, end: number, row: number])[],
  { from = 0, to = 10_000 } = {},
): CommitWindow {
  return {
    from,
    to,
    commits: {
      length: given.length,
      block: Int32Array.from(given, ([, , row]) => row),
      database: new Uint16Array(given.length),
      start: Float64Array.from(given, ([start]) => start),
      end: Float64Array.from(given, ([, end]) => end),
      gate: new Uint8Array(given.length),
      timeToCommit: new Float64Array(given.length).fill(Number.NaN),
    },
  };
}

/** Bins of equal width over [from, to) with figures by lane, µs. */
export const binWindow = (
  figures: Readonly<Record<string, { readonly max: readonly number[]; readonly p50: readonly number[] }>>,
  { from = 0, to = 10_000, count }: { from?: number; to?: number; count?: readonly number[] } = {},
): BinWindow => {
  const length = Object.values(figures)[0]?.max.length ?? count?.length ?? 0;
  const columns = (of: "max" | "p50"): Record<string, Float64Array> =>
    Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, Float64Array.from(figure[of])]));
  return {
    detail: "bins",
    from,
    to,
    length,
    count: Uint32Array.from(count ?? Array.from({ length }, () => 1)),
    slowest: new Uint32Array(length),
    max: columns("max"),
    p50: columns("p50"),
  };
};
