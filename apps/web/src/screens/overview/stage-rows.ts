import { REMOTE_PATH } from "xel-parser/replication";
import { stageToken, stageWords, type ReplicaNames, type StageToken } from "../../charts/palette.ts";

export type Means = Readonly<Record<string, number | null>>;

/** One line of the stage table; ack build and ack send are one line. */
export interface StageRow {
  readonly key: string;
  readonly label: string;
  readonly token: StageToken;
  readonly ids: readonly string[];
}

/** Lines of the remote path in its order. */
export function stageRows(names: ReplicaNames): StageRow[] {
  const rows = REMOTE_PATH.filter(({ id }) => id !== "ackSend").map(({ id }) => ({
    key: id,
    label: id === "ackBuild" ? `${names.secondary} ack` : stageWords(id, names),
    token: stageToken(id),
    ids: id === "ackBuild" ? ["ackBuild", "ackSend"] : [id],
  }));
  return rows;
}

/** Sum of a line's stages, µs; null when none is known. */
export function rowMean(row: StageRow, means: Means): number | null {
  const known = row.ids.map((id) => means[id]).filter((us) => us !== null && us !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/** Sum over the remote path, µs: means of stages add up to the mean remote harden. */
export function pathMean(means: Means): number | null {
  const known = REMOTE_PATH.map(({ id }) => means[id]).filter((us) => us !== null && us !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}
