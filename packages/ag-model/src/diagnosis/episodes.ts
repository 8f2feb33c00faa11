import { stageColumn } from "../columns/index.ts";
import { meanWhere, medianOf } from "../numbers/index.ts";
import { REMOTE_STAGE_IDS, stageDefinition, type StageId } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { aspectColumn, replicaName, REMOTE_ASPECTS, UNSPLIT, largestAspect, type Aspect } from "./aspects.ts";
import type { Settings } from "./settings.ts";
import type { Episode, EpisodeMeans } from "./verdict.ts";

/** Rows [first, end) of the block table. */
type Rows = readonly [first: number, end: number];

/** An episode with the rows it spans; all of its blocks count, whether slow or not. */
export interface FoundEpisode extends Episode {
  readonly rows: Rows;
}

const LOCAL_WRITE: Aspect = { stage: "localFlush", parts: ["localFlush"], place: "primary", rule: "D1" };

/**
 * Stretches in which one stage is far from the rest of the capture (docs/model.md 6.3): contiguous windows whose mean
 * is over `episodeFactor` times the capture's median and `episodeExcessUs` above it, then refined to single blocks.
 */
export function findEpisodes(model: CaptureModel, settings: Settings): FoundEpisode[] {
  if (model.blocks.length === 0) return [];
  const found = model.hops.flatMap((_, secondary) =>
    (largestAspect(model, secondary) ? REMOTE_ASPECTS : [UNSPLIT]).flatMap((aspect) =>
      episodesOf(model, secondary, aspect, settings),
    ),
  );
  return [...episodesOf(model, 0, LOCAL_WRITE, settings), ...found].sort((a, b) => a.from - b.from);
}

function episodesOf(
  model: CaptureModel,
  secondary: number,
  aspect: Aspect,
  settings: Settings,
): FoundEpisode[] {
  const column = aspectColumn(model, secondary, aspect);
  const usual = medianOf(column);
  if (Number.isNaN(usual)) return [];
  const limit = Math.max(usual * settings.episodeFactor, usual + settings.episodeExcessUs);
  const windows = windowsOf(model, settings.windowUs);
  const slow = windows.map((rows) => isSlowWindow(column, rows, limit, settings));
  return contiguous(windows, slow)
    .map((rows) => refine(column, rows, limit))
    .filter(([first, end]) => end - first < model.blocks.length)
    .filter((rows) => slowBlocks(column, rows, limit) >= settings.episodeBlocks)
    .map((rows) => describe(model, secondary, aspect, rows));
}

/** Windows of equal width from time 0; some may hold no block. */
function windowsOf(model: CaptureModel, windowUs: number): Rows[] {
  const { time, length } = model.blocks;
  const windows: Rows[] = [];
  let first = 0;
  for (let row = 1; row <= length; row++) {
    if (row < length && Math.floor(time[row] / windowUs) === Math.floor(time[first] / windowUs)) continue;
    windows.push([first, row]);
    first = row;
  }
  return windows;
}

/** True, false, or null for a window with too few blocks to say. */
function isSlowWindow(
  column: Float64Array,
  [first, end]: Rows,
  limit: number,
  settings: Settings,
): boolean | null {
  let known = 0;
  let sum = 0;
  let slow = 0;
  for (let row = first; row < end; row++) {
    const us = column[row];
    if (Number.isNaN(us)) continue;
    known++;
    sum += us;
    if (us > limit) slow++;
  }
  if (known < settings.windowBlocks) return null;
  // One outlier in a quiet window is a slow block, not an episode.
  return sum / known > limit && slow >= settings.windowBlocks;
}

/** Joins neighbouring slow windows; windows that say nothing are bridged. */
function contiguous(windows: readonly Rows[], slow: readonly (boolean | null)[]): Rows[] {
  const joined: Rows[] = [];
  let open: Rows | null = null;
  windows.forEach((rows, i) => {
    if (slow[i]) open = open ? [open[0], rows[1]] : rows;
    else if (slow[i] === false && open) {
      joined.push(open);
      open = null;
    }
  });
  return open ? [...joined, open] : joined;
}

const slowBlocks = (column: Float64Array, rows: Rows, limit: number): number =>
  column.subarray(...rows).filter((us) => us > limit).length;

/**
 * Cuts fast blocks off both ends: the run of rows with the largest sum when a slow block counts 1 and a fast one costs
 * the share of slow blocks in the windows, so that a stray slow block behind the episode does not stretch it.
 */
function refine(column: Float64Array, [first, end]: Rows, limit: number): Rows {
  const share = slowBlocks(column, [first, end], limit) / (end - first);
  let best: Rows = [first, end];
  let bestSum = 0;
  let sum = 0;
  let start = first;
  for (let row = first; row < end; row++) {
    if (sum <= 0) {
      sum = 0;
      start = row;
    }
    sum += column[row] > limit ? 1 : -share;
    if (sum > bestSum) {
      bestSum = sum;
      best = [start, row + 1];
    }
  }
  return best;
}

/** Without the secondary's file the whole is known and its parts are not. */
const MEANS = [...REMOTE_STAGE_IDS, "remoteHarden"] as const;

function describe(model: CaptureModel, secondary: number, aspect: Aspect, rows: Rows): FoundEpisode {
  const [first, end] = rows;
  const means = (wanted: (row: number) => boolean): EpisodeMeans =>
    recordOf(MEANS, (id) => meanOf(model, secondary, id, wanted));
  return {
    label: labelOf(model, secondary, aspect),
    from: model.blocks.time[first],
    to: model.blocks.timeEnd[end - 1],
    blocks: end - first,
    stage: aspect.stage,
    secondary,
    inside: means((row) => row >= first && row < end),
    outside: means((row) => row < first || row >= end),
    rows,
  };
}

function meanOf(
  model: CaptureModel,
  secondary: number,
  id: StageId,
  wanted: (row: number) => boolean,
): number | null {
  const mean = meanWhere(stageColumn(model, secondary, id), wanted);
  return Number.isFinite(mean) ? mean : null;
}

function labelOf(model: CaptureModel, secondary: number, aspect: Aspect): string {
  const to = model.hops.length > 1 ? ` to ${replicaName(model, secondary + 1)}` : "";
  switch (aspect.stage) {
    case "networkRoundTrip":
      return `Slow network${to}`;
    case "remoteHarden":
      return `Slow remote harden${to}`;
    case "localFlush":
      return `Slow log writes, ${replicaName(model, 0)}`;
    case "secondaryFlush":
      return `Slow log writes, ${replicaName(model, secondary + 1)}`;
    default:
      return `Slow: ${stageDefinition(aspect.stage).label.toLowerCase()}${to}`;
  }
}
