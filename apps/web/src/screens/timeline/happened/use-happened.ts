import { useMemo } from "react";
import type { EvidenceAnswer, FailoverCause, HappenedEvent, Summary } from "@aglens/contract";
import { type HappenedLane, happenedLanes, LANE_KINDS } from "../../../charts/evidence/happened-lanes.ts";
import { defaultMetrics, type MetricLane, metricLanes } from "../../../charts/evidence/metric-lanes.ts";
import { MOST_HIGH } from "../../../charts/evidence/stack.ts";
import type { TokenName } from "../../../lanes/palette.ts";
import type { View } from "../../../state/view.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useEvidence } from "../../capture-view/use-evidence.ts";
import type { Range } from "../viewport.ts";

/** Facts of the capture's evidence files, and their lanes. */
export interface Happened {
  readonly answer: EvidenceAnswer;
  readonly lanes: readonly HappenedLane[];
  readonly metrics: readonly MetricLane[];
  /** The lanes that are shown, in their order; empty where the user hid them. */
  readonly shown: readonly (HappenedLane | MetricLane)[];
  /** Kinds of lanes and keys of metrics that are shown. */
  readonly chosen: readonly string[];
  /** Indices of the events that keys go through, by time. */
  readonly inTurn: readonly number[];
}

/** Events and lanes of the capture's evidence files; null where it has none. */
export function useHappened(): Happened | null {
  const { summary, view } = useCapture();
  const answer = useEvidence();
  const { evidence } = view;
  return useMemo(
    () => (answer === null ? null : happenedOf(answer, evidence, summary)),
    [answer, evidence, summary],
  );
}

/** @param chosen lanes of the view; null for those that suit the capture */
export function happenedOf(answer: EvidenceAnswer, chosen: View["evidence"], summary: Summary): Happened {
  const lanes = happenedLanes(answer);
  const metrics = metricLanes(answer, (server) => colorOf(summary, server));
  const kinds = new Set(lanes.map(({ kind }) => kind)).size;
  const keys = chosen ?? [...LANE_KINDS, ...defaultMetrics(answer, Math.max(0, MOST_HIGH - kinds))];
  return {
    answer,
    lanes,
    metrics,
    chosen: keys,
    shown: [
      ...lanes.filter(({ kind }) => keys.includes(kind)),
      ...metrics.filter(({ key }) => keys.includes(key)),
    ],
    inTurn: eventsInTurn(answer.events, summary.durationUs),
  };
}

/** Color of a server's own work, by its first role; gray for a server without movement events. */
function colorOf({ replicas }: Summary, server: string | null): TokenName {
  const role = replicas.find(({ name }) => name.toUpperCase() === server?.toUpperCase())?.role;
  return role === "primary" ? "--p-disk" : role === "secondary" ? "--s-disk" : "--wait";
}

/** A health check without a finding is no event to stop at, and the view doesn't reach outside of the capture. */
const eventsInTurn = (events: readonly HappenedEvent[], durationUs: number): number[] =>
  Array.from(events.keys())
    .filter((index) => {
      const { at, kind, states } = events[index]!;
      return at >= 0 && at <= durationUs && !(kind === "health" && states?.[1] === "CLEAN");
    })
    .toSorted((a, b) => events[a]!.at - events[b]!.at);

/** Index of the event that an address names: of its kind the nearest in time, within a second; null without one. */
export function selectedEvent(events: readonly HappenedEvent[], named: View["happened"]): number | null {
  if (named === null) return null;
  const own = [...events.keys()].filter((index) => events[index]!.kind === named.kind);
  const distanceOf = (index: number): number => Math.abs(Math.round(events[index]!.at) - named.at);
  const least = own.reduce((nearest, index) => Math.min(nearest, distanceOf(index)), Infinity);
  if (least > SAME_EVENT_US) return null;
  const nearest = own.filter((index) => distanceOf(index) === least);
  return nearest[named.nth - 1] ?? nearest[0] ?? null;
}

/** A later analysis may align clocks slightly differently. */
const SAME_EVENT_US = 1e6;

/** The event as an address names it. */
export function nameOf(events: readonly HappenedEvent[], index: number): View["happened"] {
  const event = events[index];
  if (event === undefined) return null;
  const { kind, at } = event;
  const before = events
    .slice(0, index)
    .filter((other) => other.kind === kind && Math.round(other.at) === Math.round(at));
  return { kind, at: Math.round(at), nth: before.length + 1 };
}

/**
 * The failover of a range: the one in view, else the nearest one.
 * @param selected index of the selected event, whose failover comes first; null without one
 */
export function shownFailover(
  { failovers }: Pick<EvidenceAnswer, "failovers">,
  [from, to]: Range,
  selected: number | null,
): FailoverCause | null {
  const own = failovers.find(({ events }) => selected !== null && events.includes(selected));
  if (own !== undefined) return own;
  const distance = ({ at, until }: FailoverCause): number => Math.max(0, at - to, from - (until ?? at));
  return failovers.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Labels of the failovers on the axis; the one of a loss is before its time, so that both have room. */
export function ruleLabels(happened: Happened | null): { readonly at: number; readonly isBefore: boolean }[] {
  if (happened === null || happened.shown.length === 0) return [];
  return happened.answer.failovers.flatMap(({ at, until }) => [
    { at, isBefore: until !== null },
    ...(until === null ? [] : [{ at: until, isBefore: false }]),
  ]);
}

/** Label of a rule: its place and width, px. */
interface PlacedLabel {
  readonly x: number;
  readonly isBefore: boolean;
  readonly width: number;
}

/**
 * Left ends of the labels, px; null for one out of view. A label without room at the right edge is before its rule, and
 * moves the one before it, which would be under it.
 */
export function leftOfLabels(labels: readonly PlacedLabel[], plotWidth: number): (number | null)[] {
  return labels.map(({ x, isBefore, width }, i) => {
    if (!(x >= 0 && x <= plotWidth)) return null;
    const isClipped = (label: PlacedLabel): boolean =>
      label.x <= plotWidth && label.x + label.width > plotWidth;
    const next = labels[i + 1];
    if (!isBefore) return isClipped({ x, isBefore, width }) ? x - width : x;
    return (next !== undefined && isClipped(next) ? Math.min(x, next.x - next.width) : x) - width;
  });
}

/** Times of the causes of failovers and of new primary replicas, µs. */
export const rulesOf = ({ failovers }: Pick<EvidenceAnswer, "failovers">): number[] =>
  failovers.flatMap(({ at, until }) => (until === null ? [at] : [at, until]));
