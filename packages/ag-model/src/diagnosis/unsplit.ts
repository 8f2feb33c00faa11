/** A secondary without a file: the whole of remote harden is known, its parts are not. */
import { commitLatencies, stageColumn, stageStatistics } from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { Aspect, PassedLimit } from "./aspect.ts";
import { onPathOf, shareOfCommits } from "./effect.ts";
import { replicaName, type Path } from "./paths.ts";
import { releasesOf } from "./releases.ts";
import type { Settings } from "./settings.ts";
import { sourceWords } from "./source-words.ts";
import { largestRemotePart } from "./shares.ts";
import { formatDuration } from "../words/words.ts";

export function unsplitAspect(model: CaptureModel, path: Path, settings: Settings): Aspect[] {
  const { replica, secondary } = path;
  const { n } = stageStatistics(model, secondary, "remoteHarden");
  if (n === 0 || largestRemotePart(model, secondary) !== null) return [];
  const name = replicaName(model, replica);
  const time = stageColumn(model, secondary, "remoteHarden");
  return [
    {
      cause: "data_quality",
      rule: "D13",
      stage: "remoteHarden",
      place: "none",
      replica,
      path,
      parts: [],
      time,
      figure: time,
      words: `remote harden on ${name} took`,
      label: `Slow remote harden to ${name}`,
      share: shareOfCommits(model, time, onPathOf(secondary)),
      limit: settings.writeExcess,
      passed: hardenLimit(model, path, settings),
      source: "AG Lens default",
      checkNext: [sourceWords(model).unsplitCheck(name)],
    },
  ];
}

/** Commits that are slow and released by a replica that shows nothing of itself. */
function hardenLimit(
  model: CaptureModel,
  { replica, secondary }: Path,
  settings: Settings,
): PassedLimit | null {
  const { p95 } = statisticsOf(commitLatencies(model));
  const { most } = releasesOf(model);
  if (!(p95 >= settings.commitP95Us) || most !== secondary + 1) return null;
  const { mean } = stageStatistics(model, secondary, "remoteHarden");
  return {
    severity: p95 > 2 * settings.commitP95Us ? "slow" : "notice",
    sentence: `Commits wait for ${replicaName(model, replica)}: remote harden takes ${formatDuration(mean)} on average.`,
    threshold: `p95 of commits over ${formatDuration(settings.commitP95Us)}`,
  };
}
