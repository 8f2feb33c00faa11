import { expect, test } from "vitest";
import type { Fleet, FleetFigures } from "@aglens/contract";
import type { FiguredCapture } from "../captures/life/library.ts";
import { fleetAnswer } from "./fleet.ts";

type Lane = FleetFigures["lanes"][number];

const lane = (stage: Lane["stage"], replica: string, p95: number, isAsynchronous = false): Lane => ({
  stage,
  replica,
  isAsynchronous,
  n: 100,
  p50: p95 / 2,
  p95,
  p99: 2 * p95,
  max: 4 * p95,
});

interface Night {
  readonly day: string;
  readonly p95?: number;
  readonly lanes?: readonly Lane[];
  readonly group?: string | null;
  readonly groupName?: string | null;
  readonly time?: string;
  readonly episodes?: number;
  readonly name?: string;
  readonly tags?: readonly string[];
}

function capture({
  day,
  p95 = 5_000,
  lanes = [],
  group = "SALES-AG",
  groupName = group,
  episodes = 0,
  name = day,
  time = "02:00",
  tags = [],
}: Night) {
  const from = `${day}T${time}:00.0000000Z`;
  const line = {
    id: name,
    name,
    group,
    groupName,
    tags,
    from,
    p95Us: p95,
    verdict: null,
    severity: "none",
    place: "none",
  };
  const fleet = {
    durationUs: 60e6,
    blocks: 1_000,
    commits: 900,
    episodes,
    lanes: [lane("commit", "", p95), ...lanes],
    paths: [],
  };
  return { line, fleet, isThere: true } as unknown as FiguredCapture;
}

/** Nights from the first of September on. */
const nights = (count: number, night: (i: number) => Omit<Night, "day">) =>
  Array.from({ length: count }, (_, i) =>
    capture({ day: new Date(Date.UTC(2026, 8, 1 + i)).toISOString().slice(0, 10), ...night(i) }),
  );

test("a column has the cause of its capture's failover, and no property without one", () => {
  const [first, second] = nights(2, () => ({})) as [FiguredCapture, FiguredCapture];
  const { a } = fleetAnswer([{ ...first, failover: "network" }, second], { days: 7 });
  expect(a?.columns.map((column) => ("failover" in column ? column.failover : "none"))).toEqual([
    "network",
    "none",
  ]);
});

test("the columns are the days up to the newest capture, whenever that was", () => {
  const { days, unit, a } = fleetAnswer(
    [capture({ day: "2016-05-05" }), capture({ day: "2016-05-07" }), capture({ day: "2016-04-30" })],
    { days: 7 },
  );
  expect(unit).toBe("night");
  expect(days).toEqual(["01", "02", "03", "04", "05", "06", "07"].map((day) => `2016-05-${day}`));
  expect(a?.columns.map(({ column, name }) => [column, name])).toEqual([
    [4, "2016-05-05"],
    [6, "2016-05-07"],
  ]);
  // The capture before the first column does not count.
  expect(a?.captures).toBe(2);
});

test("over 180 days a column is a week that ends with the newest capture's day", () => {
  const { days, unit, a } = fleetAnswer(
    [capture({ day: "2026-11-15" }), capture({ day: "2026-11-14" }), capture({ day: "2026-11-21" })],
    { days: 181 },
  );
  expect(unit).toBe("week");
  expect(days).toHaveLength(26);
  expect(days.slice(-2)).toEqual(["2026-11-08", "2026-11-15"]);
  expect(a?.columns.map(({ column, captures }) => [column, captures])).toEqual([
    [24, 1],
    [25, 2],
  ]);
});

test("of several captures in a column the one with the slowest commits is shown, and they are counted", () => {
  const day = "2026-11-03";
  const { a } = fleetAnswer(
    [
      capture({ day, name: "quick", p95: 4_000 }),
      capture({ day, name: "slow", p95: 80_000 }),
      capture({ day, name: "plain", p95: 5_000 }),
    ],
    { days: 30 },
  );
  expect(a?.columns).toMatchObject([{ id: "slow", captures: 3, p95: 80_000, column: 29 }]);
  expect(a?.lanes).toMatchObject([
    { stage: "commit", p50: [40_000], p95: [80_000], p99: [160_000], max: [320_000] },
  ]);
});

test("lanes: commits, the primary, replicas that commits wait for by name, then the others; gaps have no figure", () => {
  const first = [
    lane("localFlush", "SQL1", 2_000),
    lane("networkRoundTrip", "SQL10", 600),
    lane("secondaryFlush", "SQL10", 2_000),
    lane("networkRoundTrip", "SQL2", 500),
    lane("secondaryFlush", "SQL2", 2_100),
    lane("remoteHarden", "DR1", 30_000, true),
  ];
  const { a } = fleetAnswer(
    [capture({ day: "2026-11-02", lanes: first }), capture({ day: "2026-11-03", lanes: [first[0]!] })],
    { days: 7 },
  );
  expect(a?.lanes.map(({ stage, replica }) => `${stage} ${replica}`.trim())).toEqual([
    "commit",
    "localFlush SQL1",
    "networkRoundTrip SQL2",
    "secondaryFlush SQL2",
    "networkRoundTrip SQL10",
    "secondaryFlush SQL10",
    "remoteHarden DR1",
  ]);
  expect(a?.lanes[3]?.p95).toEqual([2_100, null]);
});

test("a planted change is found at its night, and captures with an episode of their own are left out of it", () => {
  const { a, days } = fleetAnswer(
    nights(60, (i) => ({
      p95: i % 13 === 5 ? 900_000 : i < 40 ? 5_000 : 9_000,
      episodes: i % 13 === 5 ? 1 : 0,
      lanes: [lane("secondaryFlush", "SQL2", i % 13 === 5 ? 700_000 : i < 40 ? 2_000 : 5_600)],
    })),
    { days: 60 },
  );
  const flush = a?.lanes[1];
  // Two of the 30 nights before, 10 to 39, have an episode (18 and 31), and two of the 20 since (44 and 57).
  expect(flush?.change).toEqual({
    from: 40,
    before: 2_000,
    since: 5_600,
    factor: 2.8,
    columnsBefore: 28,
    columnsSince: 18,
  });
  expect(days[40]).toBe("2026-10-11");
  expect(a?.verdict).toMatchObject({
    sentence: "SQL2's log write takes 2.8 times as long since 11 October.",
    isWorse: true,
    from: 40,
  });
  // They are shown all the same.
  expect(flush?.p95[5]).toBe(700_000);
});

test("groups: the one with the newest capture first, which is shown; a second one only when asked for, on the same columns", () => {
  const captures = [
    capture({ day: "2026-11-01", group: "CRM-AG" }),
    capture({ day: "2026-11-03", group: "SALES-AG" }),
    // The last one that is listed is not the newest one.
    capture({ day: "2026-10-30", group: "SALES-AG" }),
    capture({ day: "2026-11-09", group: null }),
  ];
  const one = fleetAnswer(captures, { days: 7 });
  expect(one.groups).toEqual([
    { group: "SALES-AG", groupName: "SALES-AG", captures: 2 },
    { group: "CRM-AG", groupName: "CRM-AG", captures: 1 },
  ]);
  expect([one.a?.group, one.b]).toEqual(["SALES-AG", null]);
  const two = fleetAnswer(captures, { a: "CRM-AG", b: "SALES-AG", days: 7 });
  expect(two.a?.columns.map(({ column }) => column)).toEqual([4]);
  expect(two.b?.columns.map(({ column }) => column)).toEqual([2, 6]);
});

const REPLICAS = [
  lane("localFlush", "SQL1", 2_000),
  lane("secondaryFlush", "SQL2", 2_100),
  lane("secondaryFlush", "SQL3", 2_900, true),
];
const lanesIn = (side: Fleet["a"]) => side?.lanes.map(({ stage, replica }) => `${stage} ${replica}`.trim());

test("two replicas of a group: each side has its own lanes, and what both share is shown once", () => {
  const captures = [
    capture({ day: "2026-11-02", lanes: REPLICAS }),
    capture({ day: "2026-11-03", lanes: REPLICAS }),
  ];
  const { a, b } = fleetAnswer(captures, { aReplica: "SQL2", bReplica: "SQL3", days: 7 });
  expect(a).toMatchObject({ group: "SALES-AG", replica: "SQL2", replicas: ["SQL2", "SQL3"] });
  expect(lanesIn(a)).toEqual(["commit", "localFlush SQL1", "secondaryFlush SQL2"]);
  expect(b).toMatchObject({ group: "SALES-AG", replica: "SQL3", replicas: ["SQL2", "SQL3"] });
  expect(lanesIn(b)).toEqual(["secondaryFlush SQL3"]);
  expect(b?.lanes[0]?.p95).toEqual([2_900, 2_900]);
  // The same replica is nothing else.
  expect(fleetAnswer(captures, { aReplica: "SQL2", bReplica: "SQL2", days: 7 }).b).toBeNull();
  expect(fleetAnswer(captures, { aReplica: "SQL2", days: 7 }).b).toBeNull();
});

test("a replica of another group has that group's commits and primary beside it", () => {
  const captures = [
    capture({ day: "2026-11-02", lanes: REPLICAS }),
    capture({ day: "2026-11-03", lanes: REPLICAS, group: "CRM-AG", name: "crm" }),
  ];
  const { b } = fleetAnswer(captures, { a: "SALES-AG", b: "CRM-AG", bReplica: "SQL3", days: 7 });
  expect(lanesIn(b)).toEqual(["commit", "localFlush SQL1", "secondaryFlush SQL3"]);
});

test("a tag leaves its captures, and two tags of a group are two sides on the same columns", () => {
  const captures = [
    capture({ day: "2026-11-01", tags: ["nightly"] }),
    capture({ day: "2026-11-02", tags: ["drill", "nightly"] }),
    capture({ day: "2026-11-05", tags: ["drill"] }),
    capture({ day: "2026-11-09" }),
    capture({ day: "2026-11-10", group: "CRM-AG", tags: ["other"] }),
  ];
  const columnsIn = (side: Fleet["a"]) => side?.columns.map(({ column }) => column);
  const nightly = fleetAnswer(captures, { a: "SALES-AG", tag: "nightly", days: 7 });
  expect(nightly.days.at(-1)).toBe("2026-11-02");
  expect(columnsIn(nightly.a)).toEqual([5, 6]);
  expect(nightly.b).toBeNull();
  // Tags of groups that are not shown are not choices.
  expect(nightly.tags).toEqual([
    { name: "drill", captures: 2 },
    { name: "nightly", captures: 2 },
  ]);
  const both = fleetAnswer(captures, { a: "SALES-AG", tag: "nightly", bTag: "drill", days: 7 });
  expect([columnsIn(both.a), columnsIn(both.b)]).toEqual([
    [2, 3],
    [3, 6],
  ]);
  expect(lanesIn(both.b)).toEqual(["commit"]);
  const groups = fleetAnswer(captures, { a: "SALES-AG", b: "CRM-AG", tag: "other", days: 7 });
  expect([columnsIn(groups.a), columnsIn(groups.b)]).toEqual([[], [6]]);
});

test("days begin by the clock that is asked for", () => {
  const captures = [
    capture({ day: "2026-11-01", time: "12:00", name: "noon" }),
    capture({ day: "2026-11-01", time: "22:00", name: "late" }),
  ];
  const columnsIn = (timeZone?: string) => {
    const { a, days } = fleetAnswer(captures, { days: 7, timeZone });
    return a?.columns.map(({ column, id, captures: count }) => [days[column], id, count]);
  };
  expect(columnsIn()).toEqual([["2026-11-01", "noon", 2]]);
  expect(columnsIn("Asia/Kolkata")).toEqual([
    ["2026-11-01", "noon", 1],
    ["2026-11-02", "late", 1],
  ]);
});

test("a group without a name of its own is called by its servers, with the newest day where that is not clear", () => {
  const idOf = (database: string): string => `database ${database} - 1f2e3d4c, 5a6b7c8d`;
  const captures = [
    capture({ day: "2016-03-03", group: idOf("814415b6"), groupName: "2 replicas" }),
    capture({ day: "2016-03-01", group: idOf("0c0ffee0"), groupName: "SQL1, SQL2" }),
    capture({ day: "2016-02-28", group: "Sales - SQL1, SQL2", groupName: "SQL1, SQL2" }),
    capture({ day: "2016-02-27", group: "Sales - SQL1, SQL2", groupName: "SQL1, SQL2" }),
  ];
  const { groups, a } = fleetAnswer(captures, { days: 7 });
  expect(groups.map(({ groupName }) => groupName)).toEqual([
    "2 replicas, 3 Mar 2016",
    "SQL1, SQL2, 1 Mar 2016",
    "SQL1, SQL2, 28 Feb 2016",
  ]);
  expect(a).toMatchObject({ group: idOf("814415b6"), groupName: "2 replicas, 3 Mar 2016" });
  // A link to a group whose captures are gone.
  expect(fleetAnswer(captures, { a: idOf("deadbeef"), days: 7 }).a?.groupName).toBe("2 replicas");
});

test("without a capture, or of a group that is not there, nothing is made up", () => {
  expect(fleetAnswer([], { days: 90 })).toEqual({
    groups: [],
    tags: [],
    unit: "night",
    days: [],
    a: null,
    b: null,
  });
  const { a, days } = fleetAnswer([capture({ day: "2026-11-01" })], { a: "GONE-AG", days: 90 });
  expect(a).toMatchObject({ group: "GONE-AG", captures: 0, columns: [], lanes: [] });
  expect(days).toEqual([]);
});
