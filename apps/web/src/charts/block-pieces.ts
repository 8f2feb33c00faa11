/** The block bar as pieces: stages of the remote path end to end. */
import { REMOTE_PATH, type StageId } from "@aglens/ag-model/replication";
import type { PausedPath } from "@aglens/contract";
import { stageToken, type StageToken } from "../lanes/palette.ts";

/** Durations by stage, µs; null or absent for an unknown stage. */
export type BarStages = Readonly<Partial<Record<StageId, number | null>>>;

/** µs of each stage that are due to an unresponsive server; null without one. */
export type PausedStages = Pick<NonNullable<PausedPath>, "stages"> | null;

interface Piece {
  readonly id: string;
  readonly token: StageToken;
  readonly from: number;
  readonly duration: number;
}

/** The part of the remote path that a replica without a file hides. */
function unknownPart(stages: BarStages): number {
  const whole = stages["remoteHarden"];
  if (whole === null || whole === undefined || !isMissing(stages["wireOut"])) return 0;
  return whole - REMOTE_PATH.reduce((sum, { id }) => sum + Math.max(0, stages[id] ?? 0), 0);
}

const isMissing = (us: number | null | undefined): boolean => us === null || us === undefined;

/**
 * Stages of the remote path end to end, µs from its start; one gray piece where the secondary has no file, and in each
 * stage one piece for the part that is due to an unresponsive server.
 */
export function barPieces(stages: BarStages, paused: PausedStages = null): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  for (const { id } of REMOTE_PATH) {
    const duration = id === "wireOut" && isMissing(stages[id]) ? unknownPart(stages) : (stages[id] ?? 0);
    if (!(duration > 0)) continue;
    const token = isMissing(stages[id]) ? "--wait" : stageToken(id);
    const still = Math.min(duration, paused?.stages[id] ?? 0);
    if (still < duration) result.push({ id, token, from: at, duration: duration - still });
    at += duration;
    if (still > 0)
      result.push({ id: `${id} was unresponsive`, token: "--wait", from: at - still, duration: still });
  }
  return result;
}

/** Length of a block's bar, µs: the remote path, or its known part. */
export const barLength = (stages: BarStages): number =>
  barPieces(stages).reduce((sum, { duration }) => sum + duration, 0);

/**
 * An acknowledgment that takes longer than this to build waits for others: that is no work, and belongs to no place,
 * µs.
 */
export const ACK_WAITS_US = 1_000;
