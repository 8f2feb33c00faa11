/**
 * Figures of the fleet page that are computed from its answer: medians in view, unusual captures, before and since a
 * change, A against B.
 */
import type { Fleet, FleetColumn, FleetLane, FleetSide } from "@aglens/contract";
import { changeAt, fleetLaneName, fleetPlace, fleetStageName, type Change } from "@aglens/ag-model/fleet";
import { medianOf } from "@aglens/ag-model/numbers";
import type { ColumnRange } from "../../charts/fleet/columns.ts";
import type { Place } from "../../lanes/palette.ts";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import type { FleetPercentile } from "./fleet-address.ts";

/** Commits over this have a mark, µs. */
export const SLOW_COMMIT_US = 50_000;

/** Place of a capture's longest waits, where it is unusual; null for a column without an unusual stage. */
export function standsOut(side: FleetSide, { column, severity, place }: FleetColumn): Place | null {
  if (severity !== null && severity !== "none") return place ?? "none";
  const { lane, from, isWorse } = side.verdict;
  const changed = side.lanes[lane ?? -1];
  if (changed === undefined || from === null || !isWorse || column < from) return null;
  return fleetPlace(changed.stage);
}

/** The next or previous unusual capture; null without one. */
export function nextOut(side: FleetSide, at: number | null, direction: 1 | -1): FleetColumn | null {
  const out = side.columns.filter((column) => standsOut(side, column) !== null);
  if (direction === 1) return out.find(({ column }) => at === null || column > at) ?? null;
  return out.findLast(({ column }) => at === null || column < at) ?? null;
}

export const isInView = ({ column }: Pick<FleetColumn, "column">, [first, end]: ColumnRange): boolean =>
  column >= first && column < end;

/** Median over the captures in view of a percentile, µs; null without one. */
export function medianInView(
  { columns }: FleetSide,
  lane: FleetLane,
  percentile: FleetPercentile,
  range: ColumnRange,
): number | null {
  const values = columns.map((each, i) => (isInView(each, range) ? lane[percentile][i] : null));
  const median = medianOf(Float64Array.from(values, (value) => value ?? Number.NaN));
  return Number.isNaN(median) ? null : median;
}

/** µs of a lane by column; NaN without a capture, or where it has an episode of its own. */
function seriesOf(
  side: FleetSide,
  lane: FleetLane,
  percentile: FleetPercentile,
  columns: number,
): Float64Array {
  const series = new Float64Array(columns).fill(Number.NaN);
  side.columns.forEach(({ column, episodes }, i) => {
    if (episodes === 0) series[column] = lane[percentile][i] ?? Number.NaN;
  });
  return series;
}

/** Without a change, this number of newest captures is compared with the earlier ones; at most half of all captures. */
const LATEST = 14;
const WEEK = 7;

/** The columns of the last fourteen days. */
export const latestColumns = ({ unit, days }: Pick<Fleet, "unit" | "days">): ColumnRange => [
  Math.max(0, days.length - (unit === "week" ? LATEST / WEEK : LATEST)),
  days.length,
];

function firstOfLatest({ columns }: FleetSide): number {
  const latest = Math.min(LATEST, Math.floor(columns.length / 2));
  return columns[columns.length - latest]?.column ?? 0;
}

/** A lane before and since the column that the verdict is about. */
export interface ComparedLane {
  readonly name: string;
  readonly lane: FleetLane;
  /** Null where either side has no capture with the stage. */
  readonly change: Change | null;
}

export interface Compared {
  /** Empty where no stage is on both sides. */
  readonly rows: readonly ComparedLane[];
  /** Whether a change separates the two sides, and not a number of columns. */
  readonly isChange: boolean;
  /** Captures on either side that have the first stage. */
  readonly before: number;
  readonly since: number;
}

/**
 * All lanes before and since the change of the verdict, or else the last two weeks of columns compared with those
 * before.
 */
export function comparedLanes(side: FleetSide, percentile: FleetPercentile, columns: number): Compared {
  const from = side.verdict.from ?? firstOfLatest(side);
  const rows = side.lanes.map((lane) => ({
    name: fleetLaneName(lane),
    lane,
    change: changeAt(seriesOf(side, lane, percentile, columns), from),
  }));
  // Commits have priority; where no commits were recorded, the captures of another stage are counted.
  const counted = rows.find(({ change }) => change !== null)?.change ?? null;
  return {
    rows: counted === null ? [] : rows,
    isChange: side.verdict.from !== null,
    before: counted?.columnsBefore ?? 0,
    since: counted?.columnsSince ?? 0,
  };
}

/** One kind of stage in both groups. */
export interface SideBySide {
  readonly name: string;
  readonly stage: FleetLane["stage"];
  /** Servers of the figures; "" for commits. */
  readonly servers: readonly [a: string, b: string];
  readonly a: number | null;
  readonly b: number | null;
}

/**
 * Rows that both sides have: commits, the primary's log writes, and the path to the chosen replica, else to the replica
 * that commits wait for longest.
 */
export function sideBySide(
  a: FleetSide,
  b: FleetSide,
  percentile: FleetPercentile,
  latest: ColumnRange,
): readonly SideBySide[] {
  const row = (stage: FleetLane["stage"], role: string): SideBySide[] => {
    const ofA = longestLane(a, stage, percentile, latest);
    const ofB = longestLane(b, stage, percentile, latest);
    if (ofA === null || ofB === null) return [];
    return [
      {
        name: role === "" ? fleetStageName(stage) : `${fleetStageName(stage)}, ${role}`,
        stage,
        servers: [ofA.lane.replica, ofB.lane.replica],
        a: ofA.us,
        b: ofB.us,
      },
    ];
  };
  const secondary = a.replica === null && b.replica === null ? texts.syncReplica : "";
  return [
    ...row("commit", ""),
    ...row("networkRoundTrip", secondary),
    ...row("localFlush", "primary"),
    ...row("secondaryFlush", secondary),
    ...(secondary === "" ? row("remoteHarden", secondary) : []),
  ];
}

function longestLane(
  side: FleetSide,
  stage: FleetLane["stage"],
  percentile: FleetPercentile,
  range: ColumnRange,
) {
  const lanes = side.lanes
    .filter((lane) => lane.stage === stage && (side.replica !== null || !lane.isAsynchronous))
    .map((lane) => ({ lane, us: medianInView(side, lane, percentile, range) }));
  return lanes.toSorted((x, y) => (y.us ?? 0) - (x.us ?? 0))[0] ?? null;
}

/**
 * The lane of another group that a lane is compared with: the lane of the same stage and the same server, else the one
 * at the same place among the lanes of the stage that commits wait for, or don't wait for; null where no lane matches.
 * Two chosen replicas are compared whether commits wait for them or not.
 */
export function laneOfOther(a: FleetSide, b: FleetSide, lane: FleetLane): FleetLane | null {
  const isAlike = ({ stage, isAsynchronous }: FleetLane): boolean =>
    stage === lane.stage && (b.replica !== null || isAsynchronous === lane.isAsynchronous);
  const place = a.lanes.filter(isAlike).indexOf(lane);
  const alike = b.lanes.filter(isAlike);
  const other =
    alike.find(({ replica }) => replica === lane.replica) ?? alike[b.replica === null ? place : 0];
  return other ?? null;
}

/** Whether both sides contain the same captures, and only their replicas differ. */
export const haveSameCaptures = (a: FleetSide, b: FleetSide): boolean =>
  a.group === b.group && a.tag === b.tag;
