import {
  HOP_ANCHORS,
  isLocalAnchor,
  LOCAL_ANCHORS,
  Obtained,
  obtainedIn,
  type BlockTable,
  type HopAnchor,
  type HopTable,
  type LocalAnchor,
} from "../replication/tables.ts";

/** Blocks and their hops, row by row: a whole model, or a window of it. */
export interface BlockColumns {
  readonly blocks: Omit<BlockTable, "eventStart">;
  readonly hops: readonly HopTable[];
}

export type Anchor = LocalAnchor | HopAnchor;

/**
 * Instants of one anchor, µs, one per block: of the block itself, or of its way to `secondary`. Undefined when the anchor
 * is a secondary's and there is no such secondary.
 */
export function anchorColumn(
  { blocks, hops }: BlockColumns,
  secondary: number,
  name: Anchor,
): Float64Array | undefined {
  return isLocalAnchor(name) ? blocks[name] : hops[secondary]?.[name];
}

/** Instant of one anchor of one block, µs; NaN when it is missing. */
export function anchorAt(tables: BlockColumns, secondary: number, name: Anchor, row: number): number {
  return anchorColumn(tables, secondary, name)?.[row] ?? Number.NaN;
}

/** How an instant of a block was obtained. */
export function obtainedAt(
  { blocks, hops }: BlockColumns,
  secondary: number,
  name: Anchor,
  row: number,
): Obtained {
  return isLocalAnchor(name)
    ? obtainedIn(blocks.obtained[row], LOCAL_ANCHORS.indexOf(name))
    : obtainedIn(hops[secondary].obtained[row], HOP_ANCHORS.indexOf(name));
}

/** Instants of all blocks that are known, and how many of them are estimates because their event is missing. */
export function countObtained({ blocks, hops }: BlockColumns): {
  readonly known: number;
  readonly fallback: number;
} {
  let known = 0;
  let fallback = 0;
  const count = (column: Uint32Array, anchors: number): void => {
    for (const bits of column) {
      for (let i = 0; i < anchors; i++) {
        const how = obtainedIn(bits, i);
        if (how !== Obtained.missing) known++;
        if (how === Obtained.fallback) fallback++;
      }
    }
  };
  count(blocks.obtained, LOCAL_ANCHORS.length);
  for (const hop of hops) count(hop.obtained, HOP_ANCHORS.length);
  return { known, fallback };
}

/**
 * True for a block that the primary's files hold: its log write, its copy in the log pool or its departure to a
 * secondary is known.
 */
export function isOnPrimary({ blocks, hops }: BlockColumns, row: number): boolean {
  return (
    !Number.isNaN(blocks.pushedToLogPool[row]) ||
    !Number.isNaN(blocks.localFlushStart[row]) ||
    hops.some(({ departed }) => !Number.isNaN(departed[row]))
  );
}

/** True for a block that the files of this secondary hold: its receive or its log write there is known. */
export function isOnSecondary({ hops }: BlockColumns, secondary: number, row: number): boolean {
  const { received, secondaryFlushStart } = hops[secondary];
  return !Number.isNaN(received[row]) || !Number.isNaN(secondaryFlushStart[row]);
}
