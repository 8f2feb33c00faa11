/** The stage table of the overview and of the report: its lines and their means. */
import type { Summary } from "@aglens/contract";
import { REMOTE_PATH, type RemoteStageId, type StageId } from "@aglens/ag-model/replication";
import { stageToken, stageWords, type ReplicaNames, type StageToken } from "../lanes/palette.ts";

/** Means by stage, µs, or their shares; null or absent where none is known. */
export type Means = Readonly<Partial<Record<StageId, number | null>>>;

/** The means of a secondary's stages. */
export const meansOf = (stages: Summary["stages"][number] | undefined): Means =>
  Object.fromEntries(Object.entries(stages ?? {}).map(([id, { mean }]) => [id, mean]));

/** One line of the stage table; ack build and ack send are one line. */
export interface StageRow {
  readonly key: string;
  readonly label: string;
  readonly token: StageToken;
  readonly ids: readonly RemoteStageId[];
}

/** Lines of the remote path in its order. */
export function stageRows(names: ReplicaNames): StageRow[] {
  return REMOTE_PATH.filter(({ id }) => id !== "ackSend").map(({ id }) => ({
    key: id,
    label: id === "ackBuild" ? `${names.secondary} ack` : stageWords(id, names),
    token: stageToken(id),
    ids: id === "ackBuild" ? ["ackBuild", "ackSend"] : [id],
  }));
}

const HIDDEN = "hidden";

/** True when no file of the secondary separates its part from the network's. */
export const isHidden = (means: Means): boolean => (means["wireOut"] ?? null) === null;

/** True when the whole of the remote path is known, whatever is known of its parts. */
export const isWholeKnown = (means: Means): boolean => (means["remoteHarden"] ?? null) !== null;

/** Lines without the secondary's file: what the primary saw, and the rest as one. */
export function rowsWithoutFile(names: ReplicaNames): StageRow[] {
  const seen = stageRows(names).filter(({ ids }) => ids.includes("send") || ids.includes("ackReceive"));
  return [...seen, { key: HIDDEN, label: `Network and ${names.secondary}`, token: "--wait", ids: [] }];
}

/** What the primary's own stages leave of the remote path, µs. */
function hiddenMean(means: Means): number | null {
  const whole = means["remoteHarden"];
  if (whole === null || whole === undefined) return null;
  return whole - (means["send"] ?? 0) - (means["ackReceive"] ?? 0);
}

/** Sum of a line's stages, µs; null when none is known. */
export function rowMean(row: StageRow, means: Means): number | null {
  return row.key === HIDDEN ? hiddenMean(means) : rowSum(row, means);
}

/** Sum of what is known of a line's stages, such as their shares; null when nothing is. */
export function rowSum({ ids }: StageRow, values: Means): number | null {
  const known = ids.map((id) => values[id]).filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/**
 * Mean remote harden, µs: means of the path's stages add up to it. Without the secondary's file only the whole is known.
 */
export function pathMean(means: Means): number | null {
  const whole = means["remoteHarden"];
  if (isHidden(means) && whole !== null && whole !== undefined) return whole;
  const known = REMOTE_PATH.map(({ id }) => means[id]).filter((us) => us !== null && us !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/** What `pathMean` is of: of the secondary's own part where the whole is not known, without the primary's file or start_timestamp. */
export function pathMeanName(means: Means, names: ReplicaNames): string {
  const partly = !isWholeKnown(means) && pathMean(means) !== null;
  return partly ? `Mean of ${names.secondary}'s part` : "Mean remote harden";
}
