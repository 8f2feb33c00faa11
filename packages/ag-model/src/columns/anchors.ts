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
} from "../replication/shapes/tables.ts";

/** Blocks and their hops, row by row: a complete model, or a window of it. */
export interface BlockColumns {
  readonly blocks: BlockTable;
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

/**
 * Whether an instant that was obtained like this has an event of its anchor. A derived one on the way to a secondary has
 * an event that may belong to another block, except a receive.
 */
export const hasEvent = (anchor: Anchor, how: Obtained): boolean =>
  how === Obtained.measured || (how === Obtained.derived && !isLocalAnchor(anchor) && anchor !== "received");

/** Number of known instants of all blocks, and of those that are estimates because their event is missing. */
export function countObtained({ blocks, hops }: BlockColumns): {
  readonly known: number;
  readonly fallback: number;
} {
  let known = 0;
  let fallback = 0;
  const count = (column: Uint32Array): void => {
    for (let row = 0; row < column.length; row++) {
      const bits = column[row];
      known += ones((bits | (bits >>> 1)) & LOW_BITS);
      fallback += ones(bits & (bits >>> 1) & LOW_BITS);
    }
  };
  count(blocks.obtained);
  for (const hop of hops) count(hop.obtained);
  return { known, fallback };
}

/** The lower bit of each pair: an anchor has two bits; both are set for a fallback and none for a missing instant. */
const LOW_BITS = 0x55555555;

/** Number of set bits; at most every second bit is set. */
function ones(bits: number): number {
  const ofFour = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  const ofEight = (ofFour + (ofFour >>> 4)) & 0x0f0f0f0f;
  return Math.imul(ofEight, 0x01010101) >>> 24;
}

/**
 * True for a block in the primary's files: its log write, its copy in the log pool or its departure to a secondary is
 * known.
 */
export function isOnPrimary({ blocks, hops }: BlockColumns, row: number): boolean {
  return (
    !Number.isNaN(blocks.pushedToLogPool[row]) ||
    !Number.isNaN(blocks.localFlushStart[row]) ||
    hops.some(({ departed }) => !Number.isNaN(departed[row]))
  );
}

/** True for a block in the files of this secondary: its receive or its log write there is known. */
export function isOnSecondary({ hops }: BlockColumns, secondary: number, row: number): boolean {
  const { received, secondaryFlushStart } = hops[secondary];
  return !Number.isNaN(received[row]) || !Number.isNaN(secondaryFlushStart[row]);
}
