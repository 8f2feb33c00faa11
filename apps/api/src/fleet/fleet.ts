/** Captures of a group or two in columns, their stages in lanes, and what has changed. */
import type { Fleet, FleetColumn, FleetLane, FleetSide } from "@aglens/contract";
import { changeOf, FLEET_STAGES, fleetSideName, fleetVerdict } from "@aglens/ag-model/fleet";
import type { ColumnUnit, FleetSideOf } from "@aglens/ag-model/fleet";
import { groupNames, nameOfGroup } from "../captures/kept/group-name.ts";
import type { FiguredCapture } from "../captures/life/library.ts";

export interface FleetQuestion {
  /** Groups by their names; without `a` the one with the newest capture, without `b` the same. */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  /** Secondaries by their names. */
  readonly aReplica?: string | undefined;
  readonly bReplica?: string | undefined;
  /** Tag of both sides, unless the second has its own. */
  readonly tag?: string | undefined;
  readonly bTag?: string | undefined;
  /** Days up to that of the newest capture. */
  readonly days: number;
  /** Zone of IANA by whose clock days begin. */
  readonly timeZone?: string | undefined;
}

/** From this number of days on, a column is a week. */
const LONGEST_NIGHTS = 180;
const WEEK = 7;
const DAY_MS = 86_400_000;

/** A capture with the UTC day of its first event, counted from 1970. */
interface Dated extends FiguredCapture {
  readonly from: string;
  readonly group: string;
  readonly day: number;
}

/** @param captures all that the person of the request may see */
export function fleetAnswer(captures: readonly FiguredCapture[], question: FleetQuestion): Fleet {
  const dayOf = dayCounter(question.timeZone ?? "UTC");
  const dated = captures.flatMap((capture) => withDay(capture, dayOf));
  const groups = groupsOf(dated);
  const [a, b] = sidesOf(question, groups);
  const shown = dated.filter(({ group }) => group === a?.group || group === b?.group);
  const axis = axisOf(
    shown.filter((each) => isOf(each, a) || isOf(each, b)),
    question.days,
  );
  return {
    groups: groups.map(({ group, groupName, captures: count }) => ({ group, groupName, captures: count })),
    tags: tagsOf(shown),
    unit: axis.unit,
    days: axis.days,
    a: a && sideOf(a, shown, axis),
    b: b && sideOf(b, shown, axis, !haveSameCaptures(a, b)),
  };
}

type Sides = readonly [a: FleetSideOf | null, b: FleetSideOf | null];

/**
 * The sides of the question. Without parameters for the second side, or with the same captures and replica as the
 * first, the second side is null.
 */
function sidesOf(question: FleetQuestion, groups: Fleet["groups"]): Sides {
  const { aReplica = null, bReplica = null, tag = null, bTag = null } = question;
  const group = question.a ?? groups.find((each) => each.group !== question.b)?.group;
  if (group === undefined) return [null, null];
  const named = (id: string): Pick<FleetSideOf, "group" | "groupName"> => ({
    group: id,
    groupName: groups.find((each) => each.group === id)?.groupName ?? nameOfGroup(id),
  });
  const a = { ...named(group), replica: aReplica, tag };
  const b = { ...named(question.b ?? group), replica: bReplica, tag: bTag ?? tag };
  const isSame = b.group === a.group && b.tag === a.tag && (b.replica ?? a.replica) === a.replica;
  return [a, isSame ? null : b];
}

const isOf = ({ group, line }: Dated, side: FleetSideOf | null): boolean =>
  side !== null && group === side.group && (side.tag === null || line.tags.includes(side.tag));

const haveSameCaptures = (a: FleetSideOf | null, b: FleetSideOf): boolean =>
  a !== null && b.group === a.group && b.tag === a.tag;

function tagsOf(captures: readonly Dated[]): Fleet["tags"] {
  const tags = new Map<string, number>();
  for (const tag of captures.flatMap(({ line }) => line.tags)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  return [...tags]
    .map(([name, captures]) => ({ name, captures }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Days since 1970 of instants (UTC, ISO 8601), by the clock of a zone. */
function dayCounter(timeZone: string): (instant: string) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone });
  return (instant) => Date.parse(format.format(Date.parse(instant))) / DAY_MS;
}

function withDay(
  { line, fleet, failover, isThere }: FiguredCapture,
  dayOf: (instant: string) => number,
): Dated[] {
  const { from, group } = line;
  if (from === null || group === null) return [];
  return [{ line, fleet, failover, isThere, from, group, day: dayOf(from) }];
}

function groupsOf(captures: readonly Dated[]) {
  const names = groupNames(captures.map(({ line }) => line));
  const groups = new Map<string, Fleet["groups"][number] & { readonly newest: string }>();
  for (const { group, from } of captures) {
    const { captures = 0, newest = "" } = groups.get(group) ?? {};
    groups.set(group, {
      group,
      groupName: names.get(group) ?? group,
      captures: captures + 1,
      newest: from > newest ? from : newest,
    });
  }
  return [...groups.values()].toSorted((a, b) => (a.newest < b.newest ? 1 : -1));
}

interface Axis {
  readonly unit: ColumnUnit;
  /** UTC day of the first column, counted from 1970. */
  readonly first: number;
  readonly width: number;
  readonly days: string[];
}

/** Columns that end with the day of the newest capture, so that old captures are shown too. */
function axisOf(captures: readonly Dated[], days: number): Axis {
  const unit = days > LONGEST_NIGHTS ? "week" : "night";
  const width = unit === "week" ? WEEK : 1;
  const count = captures.length === 0 ? 0 : Math.ceil(days / width);
  const last = captures.reduce((newest, { day }) => Math.max(newest, day), 0);
  const first = last - count * width + 1;
  return { unit, first, width, days: Array.from({ length: count }, (_, i) => isoDay(first + i * width)) };
}

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** @param hasShared whether commits and the primary are shown: of the same captures they are those of the other side */
function sideOf(side: FleetSideOf, asked: readonly Dated[], axis: Axis, hasShared = true): FleetSide {
  const own = asked.filter((each) => isOf(each, side) && each.day >= axis.first);
  const shown = byColumn(own, axis);
  const all = keptLanes(shown);
  const replicas = new Set(all.filter(isOfSecondary).map(({ replica }) => replica));
  const isShown = (lane: Kept): boolean =>
    isOfSecondary(lane) ? side.replica === null || lane.replica === side.replica : hasShared;
  const lanes = all.filter(isShown).map((lane) => laneOf(lane, shown, axis.days.length));
  return {
    ...side,
    replicas: [...replicas],
    captures: own.length,
    columns: shown.map(columnOf),
    lanes: lanes.map(({ lane }) => lane),
    verdict: fleetVerdict(
      lanes.map(({ lane, p95 }) => ({ ...lane, p95 })),
      fleetSideName(side),
      axis.days,
      axis.unit,
    ),
  };
}

/** The capture that is shown for a column. */
interface Shown extends Dated {
  readonly column: number;
  /** Captures of the column. */
  readonly captures: number;
}

/** The columns that have a capture, in order of time. */
function byColumn(captures: readonly Dated[], { first, width }: Axis): Shown[] {
  const columns = new Map<number, Dated[]>();
  for (const each of captures) {
    const column = Math.floor((each.day - first) / width);
    columns.set(column, [...(columns.get(column) ?? []), each]);
  }
  return [...columns]
    .toSorted(([a], [b]) => a - b)
    .map(([column, all]) => ({ ...slowest(all), column, captures: all.length }));
}

function slowest(captures: readonly Dated[]): Dated {
  return captures.reduce((slow, each) => ((each.line.p95Us ?? 0) > (slow.line.p95Us ?? 0) ? each : slow));
}

function columnOf({ column, line, fleet, failover, from, captures, isThere }: Shown): FleetColumn {
  const { id, name, verdict, severity, place, p95Us } = line;
  const { lanes: _, ...figures } = fleet;
  const shown = { id, name, verdict, severity, place, column, captures, from, p95: p95Us, isThere };
  return { ...figures, ...shown, ...(failover !== undefined && { failover }) };
}

interface LaneWithSeries {
  readonly lane: FleetLane;
  /** In the form that the rule of changes needs. */
  readonly p95: Float64Array;
}

type Kept = FiguredCapture["fleet"]["lanes"][number];

/** Every stage of every replica that one of the captures has, the primary's first, then by replica. */
function keptLanes(shown: readonly Shown[]): Kept[] {
  const kept = new Map<string, Kept>();
  // If the commit mode of a replica was changed, the last capture counts.
  for (const { fleet } of shown) for (const lane of fleet.lanes) kept.set(keyOf(lane), lane);
  return [...kept.values()].toSorted(byPlace);
}

const isOfSecondary = ({ stage }: Pick<Kept, "stage">): boolean =>
  stage !== "commit" && stage !== "localFlush";

const keyOf = ({ stage, replica }: Pick<Kept, "stage" | "replica">): string => `${stage} ${replica}`;

/** Commits, log writes of primaries; replicas that commits wait for before the others, by name; their stages as they follow. */
function byPlace(a: Kept, b: Kept): number {
  const rank = ({ stage }: Kept): number => Math.min(FLEET_STAGES.indexOf(stage), 2);
  return (
    rank(a) - rank(b) ||
    Number(a.isAsynchronous) - Number(b.isAsynchronous) ||
    collator.compare(a.replica, b.replica) ||
    FLEET_STAGES.indexOf(a.stage) - FLEET_STAGES.indexOf(b.stage)
  );
}

const collator = new Intl.Collator("en", { numeric: true });

function laneOf(kept: Kept, shown: readonly Shown[], columns: number): LaneWithSeries {
  const { stage, replica, isAsynchronous } = kept;
  const key = keyOf(kept);
  const own = shown.map(({ fleet }) => fleet.lanes.find((lane) => keyOf(lane) === key) ?? null);
  const p95 = new Float64Array(columns).fill(Number.NaN);
  shown.forEach(({ column, fleet }, i) => {
    if (fleet.episodes === 0) p95[column] = own[i]?.p95 ?? Number.NaN;
  });
  const figures = (name: "p50" | "p95" | "p99" | "max") => own.map((lane) => lane?.[name] ?? null);
  const lane = {
    stage,
    replica,
    isAsynchronous,
    p50: figures("p50"),
    p95: figures("p95"),
    p99: figures("p99"),
    max: figures("max"),
    change: changeOf(p95),
  };
  return { lane, p95 };
}
