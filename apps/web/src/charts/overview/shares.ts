/** Which part of remote harden each place took, bin by bin. */
import type { Overview } from "@aglens/contract";
import { REMOTE_PATH, type RemoteStageId } from "@aglens/ag-model/replication";
import { stack, stackOffsetExpand } from "d3-shape";
import { stageToken, type StageToken } from "../../lanes/palette.ts";

/** Bottom to top: strong and stable stages at the foot, so that changes of the network show as a moving edge. */
export const SHARE_ORDER: readonly StageToken[] = ["--s-disk", "--s-work", "--n-out", "--n-back", "--p-work"];

/** Stages that share one color, which the chart draws as one. */
export function stagesOf(token: StageToken): RemoteStageId[] {
  return REMOTE_PATH.filter(({ id }) => stageToken(id) === token).map(({ id }) => id);
}

/** µs of the stages of one color in one bin; a stage that clocks made negative counts as 0. */
const sumOfColor = (stageSums: Overview["stageSums"], bin: number, token: StageToken): number =>
  stagesOf(token).reduce((sum, id) => sum + Math.max(0, stageSums[id][bin] ?? 0), 0);

/** From where to where a color reaches in its column: fractions of remote harden, from the foot up. */
export type SharePart = readonly [from: number, to: number];

/** The stacked parts of each bin, in SHARE_ORDER; null for a bin without a block. */
export function shareColumns(
  stageSums: Overview["stageSums"],
  bins: number,
): (readonly SharePart[] | null)[] {
  const rows = Array.from({ length: bins }, (_, bin) =>
    SHARE_ORDER.map((token) => sumOfColor(stageSums, bin, token)),
  );
  const series = stack<number[], number>()
    .keys(SHARE_ORDER.keys())
    .value((row, color) => row[color])
    .offset(stackOffsetExpand)(rows);
  return rows.map((row, bin) =>
    row.some((sum) => sum > 0) ? series.map((color) => [color[bin][0], color[bin][1]] as const) : null,
  );
}

/** Fraction of remote harden per color in each bin, in SHARE_ORDER; null where no block is. */
export const sharesOf = (stageSums: Overview["stageSums"], bins: number): (number[] | null)[] =>
  shareColumns(stageSums, bins).map((column) => column?.map(([from, to]) => to - from) ?? null);

/** True when every file covers a bin: where one does not, the missing stages would make the others look larger. */
export function isCovered(overview: Pick<Overview, "from" | "binUs" | "uncovered">, bin: number): boolean {
  const start = overview.from + bin * overview.binUs;
  return overview.uncovered.every(([from, to]) => to <= start || from >= start + overview.binUs);
}
