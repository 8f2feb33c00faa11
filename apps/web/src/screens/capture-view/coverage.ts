/**
 * Periods of which a capture has no events of a server, and the reason, for patterns: idle is plain
 * (docs/contribute/design.md 6).
 */
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { Overview, Summary } from "@aglens/contract";
import { timeAxis } from "../../charts/axis.ts";
import type { UnknownTime } from "../../charts/hatch.ts";
import type { LostPlace } from "../../charts/lost-marks.ts";
import type { Ground, UnknownPeriod } from "../../charts/overview/ground.ts";
import type { TimeRange } from "../../charts/time-scale.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { primaryMoved, roleSwitches } from "./phases.ts";

type Period = readonly [from: number, to: number, replica: number, state: UnknownTime];

/**
 * Periods before, between and after each replica's files, and periods of which it lost every event: from, to (µs),
 * replica index.
 */
export function uncoveredPeriods({ replicas, missing, durationUs }: Summary): readonly Period[] {
  return replicas.flatMap(({ hasCapture, from, to }, i) => {
    if (!hasCapture) return [];
    const lost = missing
      .filter(({ replica }) => replica === i)
      .map((each) => [each.from, each.to, i, "lost"] as const);
    return [
      [0, from ?? 0, i, "notRecorded"] as const,
      ...lost,
      [to ?? durationUs, durationUs, i, "notRecorded"] as const,
    ].filter(([a, b]) => b > a);
  });
}

/**
 * A period of which a server has no events (from and to in µs), by its role at that time: 0 is the primary, s + 1 the
 * secondary of slot s.
 */
export type UncoveredRole = readonly [
  from: number,
  to: number,
  role: number,
  replica: number,
  state: UnknownTime,
];

/**
 * The same periods by role, as lanes and figures need them. While a server takes over, its events are missing in both
 * of its roles.
 */
export const uncoveredByRole = (summary: Summary): readonly UncoveredRole[] =>
  inRoles(summary, uncoveredPeriods(summary));

/**
 * Periods in which log blocks had been sent to a replica but had not arrived yet, by its role at that time: neither
 * idle nor lost.
 */
export const underWayByRole = (summary: Summary): readonly UncoveredRole[] =>
  inRoles(summary, underWayPeriods(summary));

const underWayPeriods = ({ underWay }: Summary): Period[] =>
  underWay.map(({ replica, from, to }) => [from, to, replica, "notArrived"]);

function inRoles(summary: Summary, periods: readonly Period[]): readonly UncoveredRole[] {
  const switches = roleSwitches(summary);
  if (!primaryMoved(summary))
    return periods.map(([from, to, replica, state]) => [from, to, replica, replica, state]);
  return summary.phases.flatMap(({ primary, commitModes }, phase) => {
    const start = switches.find(({ after }) => after === phase)?.from ?? 0;
    const end = switches.find(({ before }) => before === phase)?.to ?? summary.durationUs;
    const roles = [primary, ...commitModes.map((_, slot) => replicaOfSlot(primary, slot))];
    return periods
      .map(
        ([from, to, replica, state]) =>
          [Math.max(from, start), Math.min(to, end), roles.indexOf(replica), replica, state] as const,
      )
      .filter(([from, to, role]) => to > from && role >= 0);
  });
}

/** Periods without data that affect the figures of one secondary, with log blocks on their way to it: from, to (µs), and the reason. */
export const uncoveredFor = (
  summary: Summary,
  secondary: number,
): readonly (readonly [number, number, UnknownTime])[] =>
  touchingPath(summary, secondary, [...uncoveredPeriods(summary), ...underWayPeriods(summary)]).map(
    ([from, to, , state]) => [from, to, state],
  );

/** Places of single lost events of the primary, or on the way to one secondary, µs. */
export const lostPlacesFor = ({ lost }: Summary, secondary: number): LostPlace[] =>
  lost.filter((each) => each.secondary < 0 || each.secondary === secondary).flatMap(({ places }) => places);

/**
 * The parts of periods (from and to in µs, replica index) that affect the figures of one secondary: periods of the
 * secondary and of the primary of that time.
 */
export function touchingPath(summary: Summary, secondary: number, periods: readonly Period[]): Period[] {
  const found: [number, number, number, UnknownTime][] = [];
  const touching = inRoles(summary, periods).filter(([, , role]) => role === 0 || role === secondary + 1);
  for (const [from, to, , replica, state] of touching.toSorted((a, b) => a[0] - b[0])) {
    // A period across a role change is in two roles, one after the other.
    const last = found.find((each) => each[2] === replica && each[3] === state && each[1] >= from);
    if (last === undefined) found.push([from, to, replica, state]);
    else last[1] = Math.max(last[1], to);
  }
  return found;
}

const NAMED: Readonly<Record<UnknownTime, (names: string) => string>> = {
  notRecorded: (names) => texts.noEventsOf(names),
  lost: (names) => texts.eventsOfLost(names),
  notArrived: (names) => texts.notArrivedOnYet(names),
};
const STATES: readonly UnknownTime[] = ["notRecorded", "lost", "notArrived"];

/**
 * Names the periods of which replicas have no events, in order of time. Where periods of several replicas overlap, one
 * period names all of them.
 */
export function uncoveredNames(
  { replicas: all }: Summary,
  uncovered: readonly UnknownPeriod[],
): { readonly from: number; readonly to: number; readonly words: string }[] {
  const edges = [...new Set(uncovered.flatMap(([from, to]) => [from, to]))].sort((a, b) => a - b);
  return edges.slice(1).flatMap((to, i) => {
    const from = edges[i] ?? to;
    const here = uncovered.filter((each) => each[0] < to && each[1] > from);
    const words = STATES.flatMap((state) => {
      const names = here
        .filter(([, , , own = "notRecorded"]) => own === state)
        .map(([, , replica]) => all[replica]?.name ?? texts.replica);
      return names.length === 0 ? [] : [NAMED[state](names.join(", "))];
    });
    return words.length === 0 ? [] : [{ from, to, words: words.join(", ") }];
  });
}

/**
 * The background of the charts of a range (µs) for one secondary. The grid and the episodes are there before the
 * overview arrives.
 */
export function overviewGround(
  summary: Summary,
  overview: Overview | null,
  secondary: number,
  { from, to }: TimeRange,
): Ground {
  return {
    idle: overview?.idle ?? [],
    // Events of other replicas do not affect these figures.
    uncovered: touchingPath(summary, secondary, [
      ...(overview?.uncovered ?? []).map(([begin, end, replica]): Period => [
        begin,
        end,
        replica,
        "notRecorded",
      ]),
      ...within(summary, from, to),
    ]),
    episodes: summary.verdict.episodes.filter((episode) => episode.secondary === secondary),
    ticks: timeAxis(from, to, summary).ticks.map((tick) => tick.at),
  };
}

/**
 * The parts within a range of the periods of which replicas lost every event, between others, or had not yet received
 * the log that was sent.
 */
const within = (summary: Summary, from: number, to: number): Period[] =>
  [
    ...summary.missing.map((each): Period => [each.from, each.to, each.replica, "lost"]),
    ...underWayPeriods(summary),
  ]
    .filter((each) => each[1] > from && each[0] < to)
    .map(([begin, end, replica, state]) => [Math.max(begin, from), Math.min(end, to), replica, state]);

/**
 * Number of log blocks that both sides' files should have: the blocks of both, and the blocks of one side in time that
 * the other side's files cover. Captures that an earlier version analyzed don't have these counts: the result is all of
 * their blocks.
 */
export const joinableBlocks = ({ blocks }: Pick<Summary, "blocks">): number =>
  blocks.common === undefined
    ? blocks.total
    : blocks.onBoth + blocks.common.primaryOnly + blocks.common.secondaryOnly;
