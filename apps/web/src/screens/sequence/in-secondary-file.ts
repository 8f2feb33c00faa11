import type { Sequence, Summary } from "@aglens/contract";

/** Whether a file of the secondary holds the block: it may end earlier or begin later than the primary's. */
export function isInSecondaryFile(sequence: Sequence, summary: Summary, secondary: number): boolean {
  if (!summary.replicas[secondary + 1]?.hasCapture) return false;
  const at = sequence.hops.find((hop) => hop.secondary === secondary)?.anchors;
  return [at?.received, at?.secondaryFlushStart, at?.ackSent].some((instant) => instant != null);
}
