/**
 * Questions about one database or one phase of a capture: computed from its rows as a capture of their own, and
 * answered with the rows that blocks have in the complete capture, because links and other questions use those.
 */
import {
  blockRun,
  commitStatistics,
  commitRun,
  commitWakeUps,
  gatesOfAllCommits,
  isLongRange,
  perModel,
  ofScope,
  ofTimeRange,
  type CaptureScope,
  type ScopedModel,
} from "../columns/index.ts";
import { diagnose, diagnosePhase, type Verdict } from "../diagnosis/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { filteredRows } from "./block-filter.ts";
import { equalLsns } from "./equal-lsns.ts";
import { NO_ROW } from "./lanes.ts";
import { withoutNaN } from "./null-for-nan.ts";
import { scopeRows } from "./scope-rows.ts";
import type { slowCommits } from "./slow-commits.ts";
import type { slowestBlocks } from "./slowest.ts";
import { flushClassesOf, shareOfEachStage, statisticsOfEachStage } from "./summary.ts";
import type { BinWindow, BlockWindow, CommitWindow } from "./window.ts";

/** A part of a capture, or the capture itself: then its rows are its own, and both lists null. */
export interface AskedModel {
  readonly model: CaptureModel;
  readonly rows: Uint32Array | null;
  readonly commitRows: Uint32Array | null;
}

/** Parts by database and phase, the most recently used last. */
const keptScopes = perModel(() => new Map<string, ScopedModel>());

/** The part of the capture, kept: the kept parts have together no more blocks than the capture, or only one is kept. */
export function scopedModel(model: CaptureModel, scope: CaptureScope): AskedModel {
  if (scope.database === null && scope.phase === null) return { model, rows: null, commitRows: null };
  const kept = keptScopes(model);
  const key = `${scope.database} ${scope.phase}`;
  const found = kept.get(key) ?? ofScope(model, scope);
  kept.delete(key);
  kept.set(key, found);
  let blocks = [...kept.values()].reduce((sum, { rows }) => sum + rows.length, 0);
  for (const [oldest, { rows }] of kept) {
    if (blocks <= model.blocks.length || oldest === key) break;
    kept.delete(oldest);
    blocks -= rows.length;
  }
  return found;
}

/** A range of time, µs. */
interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Whether a range has more than `most` of the part's blocks or commits. */
export function isLongPart(
  model: CaptureModel,
  scope: CaptureScope,
  { from, to }: TimeRange,
  most: number,
): boolean {
  const part = scopeRows(model, scope);
  if (part === null) return isLongRange(model, { from, to }, most);
  const blocks = filteredRows(part.blocks, blockRun(model, from, to));
  const commits = filteredRows(part.commits, commitRun(model, from, to));
  return Math.max(blocks.length, commits.length) > most;
}

/**
 * Summary of the part's own blocks and commits: `ScopeSummary` of the contract.
 * @param range µs; only blocks and commits that overlap it, judged as a capture of its own; null for all
 */
export function summariseScope(model: CaptureModel, scope: CaptureScope, range: TimeRange | null = null) {
  const part = (asked: CaptureScope): CaptureModel =>
    range === null ? scopedModel(model, asked).model : ofTimeRange(model, range.from, range.to, asked);
  const own = part(scope);
  return {
    commits: {
      count: own.commits.length,
      latency: withoutNaN(commitStatistics(own)),
      wakeUp: withoutNaN(statisticsOf(commitWakeUps(own))),
      gates: [...gatesOfAllCommits(own)],
    },
    stages: own.hops.map((_, secondary) => statisticsOfEachStage(own, secondary)),
    shares: own.hops.map((_, secondary) => shareOfEachStage(own, secondary)),
    flushClasses: flushClassesOf(own),
    verdict: named(
      model.databases[scope.database ?? -1]?.name,
      scope.phase === null ? diagnose(own) : diagnosePhase(own, scope.phase, part({ ...scope, phase: null })),
    ),
  };
}

/** The verdict with the name of its database. */
const named = (database: string | undefined, verdict: Verdict): Verdict =>
  database === undefined ? verdict : { ...verdict, sentence: `${database}: ${verdict.sentence}` };

/** A window of the part with the rows of the complete capture. */
export function windowInCapture(
  window: BlockWindow | BinWindow,
  { rows }: AskedModel,
): BlockWindow | BinWindow {
  if (rows === null) return window;
  if (window.detail === "blocks") return { ...window, row: window.row.map((row) => rows[row]) };
  return { ...window, slowest: window.slowest.map((row) => (row === NO_ROW ? NO_ROW : rows[row])) };
}

/** Commits of the part with the rows of the complete capture. */
export function commitsInCapture(window: CommitWindow, { rows }: AskedModel): CommitWindow {
  if (rows === null) return window;
  const block = window.commits.block.map((row) => (row < 0 ? -1 : rows[row]));
  return { ...window, commits: { ...window.commits, block } };
}

/**
 * Slowest blocks of the part with the rows of the complete capture, each with the blocks of other databases that have
 * its LSN.
 */
export function slowestInCapture(whole: CaptureModel, slowest: SlowestBlocks, { rows }: AskedModel) {
  const inWhole = slowest.rows.map((block) => {
    const row = rows === null ? block.row : rows[block.row];
    return { ...block, row, equalLsns: equalLsns(whole, row) };
  });
  return { ...slowest, rows: inWhole };
}

type SlowestBlocks = ReturnType<typeof slowestBlocks>;

/** Slow commits of the part with the rows of the complete capture. */
export function slowCommitsInCapture(slow: SlowCommits, { rows, commitRows }: AskedModel): SlowCommits {
  if (rows === null || commitRows === null) return slow;
  const inWhole = slow.rows.map((commit) => ({
    ...commit,
    row: commitRows[commit.row],
    block: commit.block === null ? null : rows[commit.block],
  }));
  return { ...slow, rows: inWhole };
}

type SlowCommits = ReturnType<typeof slowCommits>;
