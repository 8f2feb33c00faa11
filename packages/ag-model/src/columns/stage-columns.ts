import { STAGES, stage, stageDuration, type StageId } from "../replication/stages.ts";
import { statisticsOf, type Statistics } from "../replication/statistics.ts";
import type { BlockTable, CaptureModel, HopAnchor, HopTable, LocalAnchor } from "../replication/tables.ts";

/** Columns computed once per model; the model itself never changes after analysis. */
const cache = new WeakMap<CaptureModel, Map<string, unknown>>();

/** A value computed once per model and key. */
export function oncePerModel<T>(model: CaptureModel, key: string, compute: () => T): T {
  let values = cache.get(model);
  if (!values) cache.set(model, (values = new Map()));
  if (!values.has(key)) values.set(key, compute());
  return values.get(key) as T;
}

/** Stages that do not depend on a secondary. */
const LOCAL_STAGES: ReadonlySet<string> = new Set(["commitQueue", "localFlush", "commitWakeUp"]);

/** True when a stage is the same towards every secondary: commit queue, local log write, commit wake-up. */
export const isLocalStage = (id: string): boolean => LOCAL_STAGES.has(id);

/** True for a stage id of ag-domain section 3. */
export const isStageId = (id: string): id is StageId => STAGES.some((s) => s.id === id);

/** Durations of one stage towards one secondary, µs, one per block; NaN where an anchor is missing. */
export function stageColumn(model: CaptureModel, secondary: number, id: StageId): Float64Array {
  const owner = isLocalStage(id) ? 0 : secondary;
  return oncePerModel(model, `stage/${owner}/${id}`, () => computeColumn(model, owner, id));
}

function computeColumn(model: CaptureModel, secondary: number, id: StageId): Float64Array {
  const { from, to } = stage(id);
  const start = from && anchorColumn(model.blocks, model.hops[secondary], from);
  const end = to && anchorColumn(model.blocks, model.hops[secondary], to);
  if (start && end) return start.map((value, row) => end[row] - value);
  const column = new Float64Array(model.blocks.length);
  for (let row = 0; row < column.length; row++) column[row] = stageDuration(model, secondary, id, row);
  return column;
}

function anchorColumn(
  blocks: BlockTable,
  hop: HopTable | undefined,
  name: LocalAnchor | HopAnchor,
): Float64Array {
  if (name in blocks) return blocks[name as LocalAnchor];
  return hop ? hop[name as HopAnchor] : new Float64Array(blocks.length).fill(Number.NaN);
}

/** Statistics of one stage over the whole capture, µs. */
export function stageStatistics(model: CaptureModel, secondary: number, id: StageId): Statistics {
  const owner = isLocalStage(id) ? 0 : secondary;
  return oncePerModel(model, `statistics/${owner}/${id}`, () => statisticsOf(stageColumn(model, owner, id)));
}

/** Commit latency (end - start) of every commit, µs. */
export function commitLatencies(model: CaptureModel): Float64Array {
  return oncePerModel(model, "commits/latency", () =>
    model.commits.start.map((start, row) => model.commits.end[row] - start),
  );
}

/** When what gated a commit happened: local log write end or acknowledgement processed; NaN when unknown. */
export function releasedAt(model: CaptureModel, block: number, gate: number): number {
  if (gate === 0 || block < 0) return Number.NaN;
  if (gate === 1) return model.blocks.localFlushEnd[block];
  return model.hops[gate - 2]?.ackProcessed[block] ?? Number.NaN;
}

/** Commit end after its release (stage 8), µs, one per commit. */
export function commitWakeUps(model: CaptureModel): Float64Array {
  const { block, end, gate } = model.commits;
  return oncePerModel(model, "commits/wakeUp", () =>
    end.map((instant, row) => instant - releasedAt(model, block[row], gate[row])),
  );
}

/** Commits by gate over rows [first, end) of the commit table: [0] local log write, [s + 1] secondary s. */
export function countGates(model: CaptureModel, rows: Iterable<number>): number[] {
  const counts = Array.from({ length: model.hops.length + 1 }, () => 0);
  for (const row of rows) {
    const gate = model.commits.gate[row];
    if (gate > 0 && gate <= counts.length) counts[gate - 1]++;
  }
  return counts;
}

/** Time that the files of every captured replica cover, µs; NaN when nothing does. */
export function commonCoverage(model: CaptureModel): [number, number] {
  const covered = model.replicas.filter((r) => r.hasCapture && Number.isFinite(r.from));
  if (covered.length === 0) return [Number.NaN, Number.NaN];
  const from = Math.max(...covered.map((r) => r.from));
  const to = Math.min(...covered.map((r) => r.to));
  return from < to ? [from, to] : [Number.NaN, Number.NaN];
}
