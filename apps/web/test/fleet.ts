/** Answers of the fleet page for tests. */
import type { Fleet, FleetColumn, FleetLane, FleetSide } from "@aglens/contract";

const DAY_MS = 86_400_000;
/** First of September 2026. */
const FIRST_MS = Date.UTC(2026, 8, 1);

export const fleetDays = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(FIRST_MS + i * DAY_MS).toISOString().slice(0, 10));

/** The capture of a column, in which no stage stands out. */
export function fleetColumn(column: number, change: Partial<FleetColumn> = {}): FleetColumn {
  const day = new Date(FIRST_MS + column * DAY_MS).toISOString().slice(0, 10);
  const means = { send: 100, wireOut: 300, secondaryFlush: 2_000, remoteHarden: 2_900 };
  return {
    id: `n${column}`,
    name: `Nightly load ${column}`,
    verdict: "Commits finish in 5.00 ms (p95). No stage stands out.",
    severity: "none",
    place: "none",
    column,
    captures: 1,
    from: `${day}T02:00:00.0000000Z`,
    p95: 5_000,
    isThere: true,
    durationUs: 60e6,
    blocks: 1_000,
    commits: 900,
    episodes: 0,
    paths: [
      {
        replica: "SQL2",
        isAsynchronous: false,
        means: {
          secondaryAppend: null,
          ackBuild: null,
          ackSend: null,
          wireBack: null,
          ackReceive: null,
          ...means,
        },
      },
    ],
    ...change,
  };
}

/** A lane with the same figures in every capture; p50 is half of p95, p99 twice as much, the maximum four times. */
export function fleetLane(
  stage: FleetLane["stage"],
  replica: string,
  p95: readonly (number | null)[],
  change: Partial<FleetLane> = {},
): FleetLane {
  const times = (factor: number) => p95.map((us) => (us === null ? null : us * factor));
  return {
    stage,
    replica,
    isAsynchronous: false,
    p50: times(0.5),
    p95: [...p95],
    p99: times(2),
    max: times(4),
    change: null,
    ...change,
  };
}

/** A group in which nothing has changed. */
export function fleetSide(
  columns: readonly FleetColumn[],
  lanes: readonly FleetLane[],
  change: Partial<FleetSide> = {},
): FleetSide {
  return {
    group: "SALES-AG",
    groupName: change.group ?? "SALES-AG",
    replica: null,
    tag: null,
    replicas: [...new Set(lanes.map(({ stage, replica }) => (stage === "localFlush" ? "" : replica)))].filter(
      (name) => name !== "",
    ),
    captures: columns.length,
    columns: [...columns],
    lanes: [...lanes],
    verdict: {
      sentence: "No stage of SALES-AG has changed over 30 nights.",
      rest: "",
      checkNext: [],
      isWorse: false,
      from: null,
      lane: null,
    },
    ...change,
  };
}

/**
 * Thirty nights: the eleventh has no capture and the sixth an episode; from the 21st on log writes of SQL2 take three
 * times as long.
 */
export function changedFleet(): Fleet & { readonly a: FleetSide } {
  const nights = Array.from({ length: 30 }, (_, i) => i).filter((i) => i !== 10);
  const columns = nights.map((i) =>
    fleetColumn(i, i === 5 ? { severity: "slow", place: "network", episodes: 1, p95: 160_000 } : {}),
  );
  const flush = nights.map((i) => (i < 20 ? 2_000 : 6_000));
  const lanes = [
    fleetLane(
      "commit",
      "",
      nights.map((i) => (i === 5 ? 160_000 : 5_000)),
    ),
    fleetLane(
      "localFlush",
      "SQL1",
      nights.map(() => 2_400),
    ),
    fleetLane("secondaryFlush", "SQL2", flush, {
      change: { from: 20, before: 2_000, since: 6_000, factor: 3, columnsBefore: 18, columnsSince: 10 },
    }),
  ];
  const verdict = {
    sentence: "SQL2's log write takes 3.0 times as long since 21 September.",
    rest: "Commits do not follow: p95 5.00 ms before, 5.00 ms since. No other stage moved by 10 %.",
    checkNext: ["Volume of SQL2's log, changes between 20 and 21 September"],
    isWorse: true,
    from: 20,
    lane: 2,
  };
  return {
    groups: [
      { group: "SALES-AG", groupName: "SALES-AG", captures: 29 },
      { group: "CRM-AG", groupName: "CRM-AG", captures: 30 },
    ],
    tags: [],
    unit: "night",
    days: fleetDays(30),
    a: fleetSide(columns, lanes, { verdict }),
    b: null,
  };
}

/** The same with a second group next to it, whose log writes take 3 ms. */
export function twoGroups(): Fleet & { readonly a: FleetSide; readonly b: FleetSide } {
  const columns = Array.from({ length: 30 }, (_, i) => fleetColumn(i, { id: `c${i}` }));
  const lanes = [
    fleetLane(
      "commit",
      "",
      columns.map(() => 8_000),
    ),
    fleetLane(
      "secondaryFlush",
      "CRM2",
      columns.map(() => 3_000),
    ),
  ];
  return { ...changedFleet(), b: fleetSide(columns, lanes, { group: "CRM-AG" }) };
}

/** The same group's SQL2 filled and next to it its asynchronous SQL3, whose log writes take 3 ms. */
export function twoReplicas(): Fleet & { readonly a: FleetSide; readonly b: FleetSide } {
  const fleet = changedFleet();
  const replicas = ["SQL2", "SQL3"];
  const { columns } = fleet.a;
  const lanes = [
    fleetLane(
      "secondaryFlush",
      "SQL3",
      columns.map(() => 3_000),
      { isAsynchronous: true },
    ),
  ];
  return {
    ...fleet,
    a: { ...fleet.a, replica: "SQL2", replicas },
    b: fleetSide(columns, lanes, { replica: "SQL3", replicas }),
  };
}
