/** A secondary without events: the time of the network and the secondary together is known, but not its split. */
import { commitStatistics, stageColumn, stageStatistics } from "../../columns/index.ts";
import { percentileOf } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect, PassedLimit } from "../aspect.ts";
import { onPathOf, shareOfCommits } from "../effect.ts";
import type { Rows } from "../excess.ts";
import { blocksWithin, lossesOf } from "./loss.ts";
import { replicaName, type Path } from "../paths.ts";
import { releasesOf } from "../releases.ts";
import type { Settings } from "../settings.ts";
import { sourceTerms } from "../source-terms.ts";
import { largestRemotePart } from "../shares.ts";
import { networkAndSecondary } from "../waiting.ts";
import { formatDuration, formatPercent } from "../../words/words.ts";

/**
 * The gray part of the path, "Network and SQL2" on screens; if the secondary has events for a part of the time, the
 * gray part covers the rest.
 */
export function unsplitAspect(model: CaptureModel, path: Path, settings: Settings): Aspect[] {
  const { replica, secondary } = path;
  const { n } = stageStatistics(model, secondary, "remoteHarden");
  const isComplete = largestRemotePart(model, secondary) === null;
  const unseen = isComplete ? null : unseenRows(model, replica, settings);
  if (n === 0 || (!isComplete && unseen === null)) return [];
  const name = replicaName(model, replica);
  const words = sourceTerms(model);
  const time = networkAndSecondary(model, path);
  const share = shareOfCommits(model, time, onPathOf(secondary));
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
      words: `the network and ${name} together took`,
      label: `Slow network or ${name}`,
      share,
      limit: settings.writeExcess,
      passed: isComplete ? unsplitLimit(model, path, settings) : null,
      ...(unseen !== null && { isOwn: (rows: Rows) => isMostly(unseen, rows) }),
      source: "AG Lens default",
      checkNext: [
        isComplete && model.replicas[replica].hasCapture
          ? words.sessionCheck(name)
          : words.unsplitCheck(name),
      ],
    },
  ];
}

/**
 * Marks the blocks of a time that a secondary's files do not cover; null where they are too few to be most of a slow
 * period, as at the ends of nearly every capture, and where servers are read while they run.
 */
function unseenRows(model: CaptureModel, replica: number, { slowBlocks }: Settings): Uint8Array | null {
  const { from, to, hasCapture } = model.replicas[replica];
  if (!hasCapture || model.source === "live") return null;
  const gone = lossesOf(model).find((loss) => loss.replica === replica)?.stretches ?? [];
  const { time } = model.blocks;
  const marks = blocksWithin(time, gone);
  let unseen = 0;
  for (let row = 0; row < marks.length; row++) {
    if (time[row] < from || time[row] > to) marks[row] = 1;
    unseen += marks[row];
  }
  return 2 * unseen > slowBlocks ? marks : null;
}

const isMostly = (marks: Uint8Array, [first, end]: Rows): boolean =>
  2 * marks.subarray(first, end).reduce((sum, mark) => sum + mark, 0) > end - first;

/**
 * Commits that are slow and released by a replica without events of its own, where that is a part of the slow ones and
 * most of the path.
 */
function unsplitLimit(model: CaptureModel, path: Path, settings: Settings): PassedLimit | null {
  const { p95 } = commitStatistics(model);
  const { most } = releasesOf(model);
  const { commitP95Us, unsplitShare } = settings;
  if (!(p95 >= commitP95Us) || most !== path.secondary + 1) return null;
  const time = networkAndSecondary(model, path);
  const shareOf = (us: Float64Array): number =>
    shareOfCommits(model, us, onPathOf(path.secondary), commitP95Us);
  const share = shareOf(time);
  const isMostOfPath = 2 * share > shareOf(stageColumn(model, path.secondary, "remoteHarden"));
  if (!(share >= unsplitShare) || !isMostOfPath) return null;
  const name = replicaName(model, path.replica);
  const median = formatDuration(percentileOf(time, 50));
  return {
    severity: p95 > 2 * commitP95Us ? "slow" : "notice",
    sentence: `Commits wait for ${name}: the network and ${name} together take ${median} at p50.`,
    threshold: `${formatPercent(unsplitShare)} of the time of commits over ${formatDuration(commitP95Us)}`,
  };
}
