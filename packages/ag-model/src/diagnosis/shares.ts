import { remoteShares } from "../columns/index.ts";
import type { RemoteStageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/**
 * Parts of remote harden that one team can act on: both directions of the network are one, and so is all work outside
 * the disk.
 */
export const REMOTE_PARTS = {
  network: ["wireOut", "wireBack"],
  secondary_disk: ["secondaryFlush"],
  send: ["send"],
  secondary_cpu: ["secondaryAppend", "ackBuild", "ackSend"],
  primary_ack: ["ackReceive"],
} as const satisfies Readonly<Record<string, readonly RemoteStageId[]>>;

export type RemotePart = keyof typeof REMOTE_PARTS;

/** Share of remote harden that stages of its path take together, 0..1; NaN where unknown. */
export function shareOfHarden(
  model: CaptureModel,
  secondary: number,
  parts: readonly RemoteStageId[],
): number {
  const shares = remoteShares(model, secondary);
  return parts.reduce((sum, id) => sum + shares[id], 0);
}

/** The part of remote harden with the largest share of its mean; null where the split is unknown. */
export function largestRemotePart(model: CaptureModel, secondary: number): RemotePart | null {
  const names = Object.keys(REMOTE_PARTS) as RemotePart[];
  const shares = names.map((name) => shareOfHarden(model, secondary, REMOTE_PARTS[name]));
  // Without the secondary's file only the primary's stages are known; those alone do not show the rest.
  if (shares.some(Number.isNaN)) return null;
  return names[shares.indexOf(Math.max(...shares))];
}
