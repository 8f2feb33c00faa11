/** Unresponsive servers, as the model's markers have them, and the blocks that waited for them. */
import { runningMaximum } from "../numbers/extremes.ts";
import type { ServerPause } from "../replication/prepare/pauses.ts";
import { primaryOfBlock, replicaOfHop, replicaOfSlot } from "../replication/shapes/slots.ts";
import { REMOTE_PATH, type RemoteStageId, type StageDefinition } from "../replication/shapes/stages.ts";
import { MARKER_KINDS, type CaptureModel } from "../replication/shapes/tables.ts";
import { anchorAt, type BlockColumns } from "./anchors.ts";
import { perModel } from "./per-model.ts";

/** If a server was unresponsive for more than this share of a time, that time counts for the pause and for no stage. */
export const PAUSE_SHARE = 0.5;

/** Every period in which a server was unresponsive, in order of time. */
export const pausesOf = perModel((model: CaptureModel): readonly ServerPause[] => {
  const { kind, time, duration, replica } = model.markers;
  return Array.from(kind.keys())
    .filter((row) => MARKER_KINDS[kind[row]] === "pause")
    .map((row) => ({ replica: replica[row], from: time[row], to: time[row] + duration[row] }));
});

/**
 * Periods in which any of these replicas was unresponsive, in order of time. @param replicas indexes into
 * `CaptureModel.replicas`
 */
export const pausesOfReplicas = (model: CaptureModel, replicas: readonly number[]): readonly ServerPause[] =>
  pausesOf(model).filter(({ replica }) => replicas.includes(replica));

/** Periods in which one replica was unresponsive, in order of time. */
export const pausesOfReplica = (model: CaptureModel, replica: number): readonly ServerPause[] =>
  pausesOfReplicas(model, [replica]);

/** Part of a duration in which a server was unresponsive, µs. */
export const pausedUs = (pause: ServerPause, from: number, to: number): number =>
  Math.max(0, Math.min(pause.to, to) - Math.max(pause.from, from));

/**
 * The pause that covers most of a duration: it is due to that server, whichever stage its instants fall in. Null for
 * none, and for an unknown or negative duration.
 * @param pauses of the servers at either end
 * @param from µs
 * @param to µs
 */
export function pauseBehind(pauses: readonly ServerPause[], from: number, to: number): ServerPause | null {
  let [longest, longestUs]: [ServerPause | null, number] = [null, 0];
  for (const pause of pauses) {
    const us = pausedUs(pause, from, to);
    if (us > longestUs) [longest, longestUs] = [pause, us];
  }
  return longestUs > PAUSE_SHARE * (to - from) ? longest : null;
}

/**
 * 1 for each duration that is mostly covered by a pause, by the rule of `pauseBehind`.
 * @param pauses in order of time
 * @param from µs, nearly ascending
 * @param to µs
 */
export function pausedDurations(
  pauses: readonly ServerPause[],
  from: Float64Array,
  to: Float64Array,
): Uint8Array {
  const paused = new Uint8Array(from.length);
  if (pauses.length === 0) return paused;
  // Nearly all durations touch no pause: only the next pause that has not ended is compared.
  const latest = runningMaximum(Float64Array.from(pauses, (pause) => pause.to));
  for (let i = 0, next = 0; i < paused.length; i++) {
    while (next > 0 && latest[next - 1] > from[i]) next--;
    while (next < latest.length && latest[next] <= from[i]) next++;
    if (next === latest.length || !(pauses[next].from < to[i])) continue;
    if (pauseBehind(pauses, from[i], to[i]) !== null) paused[i] = 1;
  }
  return paused;
}

/**
 * Primaries by phase, and servers that were unresponsive: a model has both, and so has the summary of a window's
 * capture.
 */
export interface ServerStates {
  readonly phases: CaptureModel["phases"];
  readonly pauses: readonly ServerPause[];
}

/** For a capture with blocks only. */
export const NO_PAUSES: ServerStates = { phases: [], pauses: [] };

/** The same of a model. */
export const serverStatesOf = (model: CaptureModel): ServerStates => ({
  phases: model.phases,
  pauses: pausesOf(model),
});

/** A part of a block's way to a secondary, µs. */
interface PartOfWay {
  readonly secondary: number;
  /** Row of the block. */
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** Clock of the part. */
  readonly clock?: StageDefinition["clock"];
}

/** The pause that covers most of a part of a block's way; null for none. */
export function pauseOnWay(
  { blocks }: Pick<BlockColumns, "blocks">,
  { phases, pauses }: ServerStates,
  { secondary, row, from, to, clock = "aligned" }: PartOfWay,
): ServerPause | null {
  if (pauses.length === 0) return null;
  const path = { blocks, phases };
  const ends = [
    ...(clock === "secondary" ? [] : [primaryOfBlock(path, row)]),
    ...(clock === "primary" ? [] : [replicaOfHop(path, row, secondary)]),
  ];
  return pauseBehind(
    pauses.filter(({ replica }) => ends.includes(replica)),
    from,
    to,
  );
}

/** Pauses of the servers that were at either end of the way to a secondary at that time. */
export const pausesAtEnds = ({ phases, pauses }: ServerStates, secondary: number): readonly ServerPause[] =>
  pauses.filter((pause) =>
    phases.some(
      ({ primary, from, to }) =>
        from < pause.to &&
        to > pause.from &&
        (primary === pause.replica || replicaOfSlot(primary, secondary) === pause.replica),
    ),
  );

/** The pause that covers most of a block's remote harden; null for none. @param row of `tables` */
export const pauseOfHarden = (
  tables: BlockColumns,
  standing: ServerStates,
  secondary: number,
  row: number,
): ServerPause | null =>
  pauseOnWay(tables, standing, {
    secondary,
    row,
    from: anchorAt(tables, secondary, "sendStart", row),
    to: anchorAt(tables, secondary, "ackProcessed", row),
  });

/** Part of a remote path, of one block or of the mean of several, that is due to an unresponsive server. */
export interface PausedPath {
  /** Index of that server in `CaptureModel.replicas`. */
  readonly replica: number;
  /** µs by stage; stages without a pause are absent. */
  readonly stages: Readonly<Partial<Record<RemoteStageId, number>>>;
}

/**
 * The stages of a block's remote path that an unresponsive server delayed; null without such a stage. @param row of
 * `tables`
 */
export function pausedPathOf(
  tables: BlockColumns,
  standing: ServerStates,
  secondary: number,
  row: number,
): PausedPath | null {
  let replica = -1;
  let longestUs = 0;
  const stages: Partial<Record<RemoteStageId, number>> = {};
  for (const { id, from, to, clock } of standing.pauses.length === 0 ? [] : REMOTE_PATH) {
    const start = anchorAt(tables, secondary, from!, row);
    const end = anchorAt(tables, secondary, to!, row);
    const pause = pauseOnWay(tables, standing, { secondary, row, from: start, to: end, clock });
    if (pause === null) continue;
    stages[id] = end - start;
    if (end - start > longestUs) [replica, longestUs] = [pause.replica, end - start];
  }
  return replica < 0 ? null : { replica, stages };
}

/** The paused paths to one secondary, by block row, ascending. */
export const pausedPaths = perModel(
  (model: CaptureModel, secondary: number): ReadonlyMap<number, PausedPath> => {
    const standing = serverStatesOf(model);
    const found = new Map<number, PausedPath>();
    for (let row = 0; standing.pauses.length > 0 && row < model.blocks.length; row++) {
      const path = pausedPathOf(model, standing, secondary, row);
      if (path !== null) found.set(row, path);
    }
    return found;
  },
);

/** Sum of the paused paths of several blocks, µs; the server is the one with the largest part. Null for none. */
export function sumOfPaused(paths: Iterable<PausedPath>): PausedPath | null {
  const stages: Partial<Record<RemoteStageId, number>> = {};
  const byReplica = new Map<number, number>();
  for (const path of paths) {
    for (const [id, us] of Object.entries(path.stages) as [RemoteStageId, number][]) {
      stages[id] = (stages[id] ?? 0) + us;
      byReplica.set(path.replica, (byReplica.get(path.replica) ?? 0) + us);
    }
  }
  const [most] = [...byReplica].toSorted((a, b) => b[1] - a[1]);
  return most === undefined ? null : { replica: most[0], stages };
}
