import type { Summary } from "@aglens/contract";

/**
 * Log blocks that both sides' files should have: those that both have, and those of one side in time that the other side's files
 * cover. Of a capture that an earlier version analyzed these are not counted, and all of its blocks are.
 */
export const joinableBlocks = ({ blocks }: Pick<Summary, "blocks">): number =>
  blocks.common === undefined
    ? blocks.total
    : blocks.onBoth + blocks.common.primaryOnly + blocks.common.secondaryOnly;
