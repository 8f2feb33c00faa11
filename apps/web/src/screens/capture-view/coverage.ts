/** Of what time a capture has no events of a server, for hatching: idle is plain, missing is hatched (docs/design.md 1). */
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { Overview, Summary } from "@aglens/contract";
import { timeAxis } from "../../charts/axis.ts";
import type { Ground } from "../../charts/overview/ground.ts";
import type { TimeRange } from "../../charts/time-scale.ts";
import { primaryMoved, roleSwitches } from "./phases.ts";

/** Stretches before, between and after each replica's files, and those of which it lost every event: from, to (µs), replica index. */
export function uncoveredStretches({
  replicas,
  missing,
  durationUs,
}: Summary): readonly (readonly [number, number, number])[] {
  return replicas.flatMap(({ hasCapture, from, to }, i) => {
    if (!hasCapture) return [];
    const lost = missing
      .filter(({ replica }) => replica === i)
      .map((each) => [each.from, each.to, i] as const);
    return [[0, from ?? 0, i] as const, ...lost, [to ?? durationUs, durationUs, i] as const].filter(
      ([a, b]) => b > a,
    );
  });
}

/** A stretch of which a server has no events (from and to in µs), by the role that it had then: 0 the primary, s + 1 the one behind slot s. */
export type UncoveredRole = readonly [from: number, to: number, role: number, replica: number];

/** The same by role, which lanes and figures are by. While a server takes over its events are missing in both its roles. */
export const uncoveredByRole = (summary: Summary): readonly UncoveredRole[] =>
  inRoles(summary, uncoveredStretches(summary));

/** When log blocks that were sent to a replica had not arrived there yet, by its role then: that is neither idle nor lost. */
export const underWayByRole = (summary: Summary): readonly UncoveredRole[] =>
  inRoles(
    summary,
    summary.underWay.map(({ replica, from, to }) => [from, to, replica] as const),
  );

function inRoles(
  summary: Summary,
  stretches: readonly (readonly [number, number, number])[],
): readonly UncoveredRole[] {
  const switches = roleSwitches(summary);
  if (!primaryMoved(summary)) return stretches.map(([from, to, replica]) => [from, to, replica, replica]);
  return summary.phases.flatMap(({ primary, commitModes }, phase) => {
    const start = switches.find(({ after }) => after === phase)?.from ?? 0;
    const end = switches.find(({ before }) => before === phase)?.to ?? summary.durationUs;
    const roles = [primary, ...commitModes.map((_, slot) => replicaOfSlot(primary, slot))];
    return stretches
      .map(
        ([from, to, replica]) =>
          [Math.max(from, start), Math.min(to, end), roles.indexOf(replica), replica] as const,
      )
      .filter(([from, to, role]) => to > from && role >= 0);
  });
}

/** Those of them that touch the figures of one secondary. */
export const uncoveredFor = (summary: Summary, secondary: number): readonly (readonly [number, number])[] =>
  touchingPath(summary, secondary, uncoveredStretches(summary)).map(([from, to]) => [from, to]);

/** The parts of stretches (from and to in µs, replica index) that touch the figures of one secondary: that time's primary's and its own. */
export function touchingPath(
  summary: Summary,
  secondary: number,
  stretches: readonly (readonly [number, number, number])[],
): [number, number, number][] {
  const found: [number, number, number][] = [];
  const touching = inRoles(summary, stretches).filter(([, , role]) => role === 0 || role === secondary + 1);
  for (const [from, to, , replica] of touching.toSorted((a, b) => a[0] - b[0])) {
    // One that reaches over a change of roles is in two roles, one after the other.
    const last = found.find((each) => each[2] === replica && each[1] >= from);
    if (last === undefined) found.push([from, to, replica]);
    else last[1] = Math.max(last[1], to);
  }
  return found;
}

/**
 * Names stretches of which replicas have no events (from and to in µs, replica index), side by side: where those of several replicas
 * lie over each other, one names them all.
 */
export function uncoveredNames(
  { replicas: all }: Summary,
  uncovered: readonly (readonly [number, number, number])[],
): { readonly from: number; readonly to: number; readonly words: string }[] {
  const edges = [...new Set(uncovered.flatMap(([from, to]) => [from, to]))].sort((a, b) => a - b);
  return edges.slice(1).flatMap((to, i) => {
    const names = uncovered
      .filter((each) => each[0] < to && each[1] > (edges[i] ?? to))
      .map(([, , replica]) => all[replica]?.name ?? "a replica");
    return names.length === 0
      ? []
      : [{ from: edges[i] ?? to, to, words: `no events of ${names.join(", ")}` }];
  });
}

/** What lies behind the charts of a range (µs) towards one secondary; of an overview that has not come yet, its grid and episodes. */
export function overviewGround(
  summary: Summary,
  overview: Overview | null,
  secondary: number,
  { from, to }: TimeRange,
): Ground {
  return {
    idle: overview?.idle ?? [],
    // Events of other replicas do not touch these figures.
    uncovered: touchingPath(summary, secondary, [
      ...(overview?.uncovered ?? []),
      ...missingWithin(summary, from, to),
    ]),
    episodes: summary.verdict.episodes.filter((episode) => episode.secondary === secondary),
    ticks: timeAxis(from, to, summary).ticks.map((tick) => tick.at),
  };
}

/** Of which time replicas lost every event, between others, as far as it lies in the range. */
const missingWithin = ({ missing }: Summary, from: number, to: number): [number, number, number][] =>
  missing
    .filter((each) => each.to > from && each.from < to)
    .map((each) => [Math.max(each.from, from), Math.min(each.to, to), each.replica]);

/**
 * Log blocks that both sides' files should have: those that both have, and those of one side in time that the other side's files
 * cover. Of a capture that an earlier version analyzed these are not counted, and all of its blocks are.
 */
export const joinableBlocks = ({ blocks }: Pick<Summary, "blocks">): number =>
  blocks.common === undefined
    ? blocks.total
    : blocks.onBoth + blocks.common.primaryOnly + blocks.common.secondaryOnly;
