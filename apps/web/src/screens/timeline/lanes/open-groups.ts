/** Replicas whose lanes are open on the timeline, and those that are folded to one lane. */
import type { RangeStatistics, Summary } from "@aglens/contract";
import { primaryMoved } from "../../capture-view/phases.ts";

type Capture = Pick<Summary, "replicas" | "phases">;

/** Number of secondaries from which only the one that releases most is open. */
const MANY_SECONDARIES = 3;

/**
 * The primary and the secondary whose acknowledgment released most commits, with equal counts the slower one; all
 * replicas where no acknowledgment released a commit.
 * @param gates commits by what released them: the local log write, then each secondary
 * @param p95 of the path to each secondary, µs
 */
export function releasingGroups(
  { replicas }: Pick<Capture, "replicas">,
  gates: readonly number[],
  p95: readonly (number | null | undefined)[],
): number[] {
  const releasing = replicas
    .map((replica, index) => ({
      index,
      commits: index > 0 && replica.commitMode !== "async" ? (gates[index] ?? 0) : 0,
      slowness: p95[index - 1] ?? 0,
    }))
    .toSorted((a, b) => b.commits - a.commits || b.slowness - a.slowness)[0];
  return releasing === undefined || releasing.commits === 0
    ? replicas.map((_, index) => index)
    : [0, releasing.index];
}

/**
 * Groups that are open unless the view specifies them: those of the complete capture, so that panning never moves a
 * lane.
 */
function defaultGroups(summary: Summary): number[] {
  const { replicas, commits, stages } = summary;
  if (replicas.length <= MANY_SECONDARIES || primaryMoved(summary)) return replicas.map((_, index) => index);
  const p95 = stages.map(({ remoteHarden }) => remoteHarden?.p95);
  return releasingGroups(summary, commits.gates, p95);
}

/** Replicas whose lanes are open. @param chosen those of the view */
export const openGroups = (summary: Summary, chosen: readonly number[] | null): readonly number[] =>
  chosen ?? defaultGroups(summary);

/** Replicas whose lanes are folded. */
export function foldedGroups(summary: Summary, chosen: readonly number[] | null): number[] {
  const open = openGroups(summary, chosen);
  return summary.replicas.map((_, index) => index).filter((index) => !open.includes(index));
}

/** Open groups of the range in view. */
export const releasingInView = (summary: Summary, { gates, stages }: RangeStatistics): number[] =>
  releasingGroups(
    summary,
    gates,
    stages.map(({ remoteHarden }) => remoteHarden?.p95),
  );
