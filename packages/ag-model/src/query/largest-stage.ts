import { REMOTE_STAGE_IDS, type RemoteStageId } from "../replication/shapes/stages.ts";

/** Stage of the remote path that took longest, or null without a known one. @param stages µs */
export function largestStage(
  stages: Readonly<Record<RemoteStageId, number | null>> | null,
): RemoteStageId | null {
  let [found, longest]: [RemoteStageId | null, number] = [null, -Infinity];
  for (const id of REMOTE_STAGE_IDS) {
    const us = stages?.[id] ?? Number.NaN;
    if (us > longest) [found, longest] = [id, us];
  }
  return found;
}
