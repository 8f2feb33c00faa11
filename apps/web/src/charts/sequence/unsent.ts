import type { Sequence } from "@aglens/contract";

/**
 * Whether no event shows a block on its way to a secondary, although the primary's file has its log write: the
 * secondary doesn't have the database, or nothing was sent to it at that time.
 */
export const isUnsent = (
  { local }: Pick<Sequence, "local">,
  hop: Pick<Sequence["hops"][number], "anchors"> | undefined,
): boolean =>
  local.localFlushEnd !== null &&
  hop !== undefined &&
  Object.values(hop.anchors).every((instant) => instant === null);
