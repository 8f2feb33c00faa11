import { stageColumn, stageStatistics } from "../columns/index.ts";
import { allRows, keepRows } from "../numbers/index.ts";
import { stageDefinition, type StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { replicaName, type Path } from "./paths.ts";
import { formatCount, formatRoughly } from "../words/words.ts";

/**
 * "3 blocks over 300 ms are SQL2 log writes, not network", when that is true for all blocks over half the maximum; else
 * null.
 * @param blamed the stage that the verdict is about
 */
export function slowestOfAnotherCause(
  model: CaptureModel,
  { replica, secondary }: Path,
  blamed: StageId,
): string | null {
  const harden = stageColumn(model, secondary, "remoteHarden");
  const half = stageStatistics(model, secondary, "remoteHarden").max / 2;
  const digit = 10 ** Math.floor(Math.log10(half));
  const limit = Math.floor(half / digit) * digit;
  const rows = keepRows(allRows(harden.length), (row) => harden[row] > limit);
  const flush = stageColumn(model, secondary, "secondaryFlush");
  const isOther = blamed !== "secondaryFlush" && rows.every((row) => flush[row] > harden[row] / 2);
  if (!isOther || rows.length === 0) return null;
  const [what, verb, writes] =
    rows.length === 1 ? ["block", "is a", "log write"] : ["blocks", "are", "log writes"];
  const not = blamed === "networkRoundTrip" ? "network" : stageDefinition(blamed).label.toLowerCase();
  return `${formatCount(rows.length)} ${what} over ${formatRoughly(limit)} ${verb} ${replicaName(model, replica)} ${writes}, not ${not}`;
}
