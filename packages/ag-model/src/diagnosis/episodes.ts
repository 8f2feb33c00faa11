import { stageColumn } from "../columns/index.ts";
import { meanWhere } from "../numbers/index.ts";
import { PATH_STAGES, type StageId } from "../replication/shapes/stages.ts";
import { recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import type { Delay } from "./rules/delays.ts";
import type { Rows } from "./excess.ts";
import { pausedIn } from "./rules/pauses.ts";
import { replicaName } from "./paths.ts";
import { windowOf } from "./slow-periods.ts";
import type { Episode, EpisodeMeans } from "./verdict.ts";

/** Returns every period of the delays that have a severity, in order of time: the episodes that screens mark. */
export function episodesOf(model: CaptureModel, delays: readonly Delay[]): Episode[] {
  return delays
    .filter(({ finding }) => finding.severity !== "none")
    .flatMap((delay) => {
      const secondary = Math.max((delay.finding.replica ?? 0) - 1, 0);
      // Blocks that are slow for another cause do not show the usual figures.
      const outside = meansOf(model, secondary, (row) => delay.slow[row] !== 1);
      return [...delay.stretches, ...delay.others].map(({ rows: [first, end] }) => ({
        ...labelOf(model, delay, [first, end]),
        ...windowOf(model, { rows: [first, end] }),
        blocks: end - first,
        stage: delay.finding.stage ?? "remoteHarden",
        secondary,
        inside: meansOf(model, secondary, (row) => row >= first && row < end),
        outside,
      }));
    })
    .sort((a, b) => a.from - b.from);
}

/** @param rows one of the delay's periods */
function labelOf(
  model: CaptureModel,
  { finding, aspect }: Delay,
  rows: Rows,
): Pick<Episode, "label" | "cause"> {
  const paused = pausedIn(model, windowOf(model, { rows }));
  return paused === null
    ? { label: aspect?.label ?? "Flow control", cause: finding.cause }
    : { label: `${replicaName(model, paused)} unresponsive`, cause: "server_pause" };
}

const meansOf = (model: CaptureModel, secondary: number, wanted: (row: number) => boolean): EpisodeMeans =>
  recordOf(PATH_STAGES, (id) => meanOf(model, secondary, id, wanted));

function meanOf(
  model: CaptureModel,
  secondary: number,
  id: StageId,
  wanted: (row: number) => boolean,
): number | null {
  if (model.hops.length === 0) return null;
  const mean = meanWhere(stageColumn(model, secondary, id), wanted);
  return Number.isFinite(mean) ? mean : null;
}
