import { stageColumn } from "../columns/index.ts";
import { meanWhere } from "../numbers/index.ts";
import { PATH_STAGES, type StageId } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { windowOf, type Delay } from "./delays.ts";
import type { Rows } from "./excess.ts";
import { pausedIn } from "./pauses.ts";
import { replicaName } from "./paths.ts";
import type { Episode, EpisodeMeans } from "./verdict.ts";

/** Every stretch of the delays that have a severity, in order of time: what screens mark. */
export function episodesOf(model: CaptureModel, delays: readonly Delay[]): Episode[] {
  return delays
    .filter(({ finding }) => finding.severity !== "none")
    .flatMap((delay) => delay.stretches.map(({ rows }) => episodeOf(model, delay, rows)))
    .sort((a, b) => a.from - b.from);
}

/** @param rows one of the delay's stretches */
function episodeOf(model: CaptureModel, { finding, aspect, stretches }: Delay, rows: Rows): Episode {
  const [first, end] = rows;
  const window = windowOf(model, { rows });
  const paused = pausedIn(model, window);
  const secondary = Math.max((finding.replica ?? 0) - 1, 0);
  const means = (wanted: (row: number) => boolean): EpisodeMeans =>
    recordOf(PATH_STAGES, (id) => meanOf(model, secondary, id, wanted));
  return {
    ...(paused === null
      ? { label: aspect?.label ?? "Flow control", cause: finding.cause }
      : { label: `${replicaName(model, paused)} stood still`, cause: "server_pause" }),
    ...window,
    blocks: end - first,
    stage: finding.stage ?? "remoteHarden",
    secondary,
    inside: means((row) => row >= first && row < end),
    // The same elsewhere is not what it is like otherwise.
    outside: means((row) => !stretches.some((each) => row >= each.rows[0] && row < each.rows[1])),
  };
}

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
