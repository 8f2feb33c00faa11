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
 * Mean remote harden, µs: means of the path's stages add up to it. Without the secondary's file only the whole is known; where that
 * is not, it is the sum of what is (`knownPart`).
 */
export function pathMean(means: Means): number | null {
  const whole = means["remoteHarden"];
  if (isHidden(means) && whole !== null && whole !== undefined) return whole;
  const known = REMOTE_PATH.map(({ id }) => means[id]).filter((us) => us !== null && us !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

const KNOWN_STAGES = "the known stages";

/**
 * What of the remote path `pathMean` is of: the secondary's own part without the primary's file or start_timestamp, and some stages
 * where no acknowledgement is seen to arrive; null for all of it, and where nothing is known.
 * @param secondary its name
 */
export function knownPart(means: Means, secondary: string): string | null {
  const known = REMOTE_PATH.filter(({ id }) => (means[id] ?? null) !== null);
  if (isWholeKnown(means) || known.length === 0) return null;
  return known.every(({ place }) => place === "secondary") ? `${secondary}'s part` : KNOWN_STAGES;
}

const nameOfMean = (part: string | null): string =>
  part === null ? "Mean remote harden" : `Mean of ${part}`;

/** What `pathMean` is called. */
export const pathMeanName = (means: Means, names: ReplicaNames): string =>
  nameOfMean(knownPart(means, names.secondary));

/** A mean beside others: of a database or a phase. */
export interface MeanBeside {
  readonly name: string;
  readonly means: Means;
  /** Name of the secondary. */
  readonly secondary: string;
}

/** What means side by side are called together, and a sentence for each that is of less; null without any. */
export function namesOfMeans(beside: readonly MeanBeside[]): {
  readonly title: string;
  readonly less: string | null;
} {
  const rows = beside
    .filter(({ means }) => pathMean(means) !== null)
    .map(({ name, means, secondary }) => ({ name, part: knownPart(means, secondary) }));
  const parts = [...new Set(rows.map(({ part }) => part))];
  const together = parts.length < 2 ? (parts[0] ?? null) : parts.includes(null) ? null : KNOWN_STAGES;
  const less = rows
    .filter(({ part }) => part !== null && part !== together)
    .map(({ name, part }) => `${name}: mean of ${part}.`);
  return { title: nameOfMean(together), less: less.length === 0 ? null : less.join(" ") };
}
