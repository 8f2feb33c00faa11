import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, DATABASE, hopEvents, localEvents } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import { LOCAL_ANCHORS, Obtained, obtainedIn, type LocalAnchor } from "../shapes/tables.ts";

const BLOCK = blockId(0x22, 0x40);
const ids = { block: BLOCK, local: 6 } as const;
const commit = (at: number, end: number): EventSpec => ({ ...ids, kind: "commit", at, took: end - at });
const group = (at: number): EventSpec => ({ ...ids, kind: "groupCommit", at, took: 1 });
const harden = (at: number): EventSpec => ({
  ...ids,
  kind: "commitManagerHarden",
  database: DATABASE,
  published: at,
  took: 3_000,
});

const base = [
  ...hopEvents({ block: BLOCK, at: 1_000 }),
  ...localEvents({ block: BLOCK, at: 1_000, commits: [] }),
];
/** The capture modes that only the engine before 2016 has. */
const oldEngine: EventSpec = {
  kind: "capture",
  mode: 3,
  took: 0,
  at: 1_070,
  block: BLOCK,
  database: DATABASE,
  partner: "secondary-id",
};

/** Begin and end of the block's commits, µs after its first event, and how they were obtained. */
function commitsOf(events: readonly EventSpec[], more: readonly EventSpec[] = []) {
  const { blocks, hops } = buildModel([
    { role: "primary", columns: eventColumns([...base, ...events, ...more]) },
  ]);
  const zero = hops[0].sendStart[0] - 1_060;
  const how = (name: LocalAnchor): Obtained => obtainedIn(blocks.obtained[0], LOCAL_ANCHORS.indexOf(name));
  return [blocks.commitStart[0] - zero, how("commitStart"), blocks.commitEnd[0] - zero, how("commitEnd")];
}

const { missing, measured, derived, fallback } = Obtained;

describe("the commits of a block", () => {
  it("last from the first one's start to the last one's end", () => {
    expect(commitsOf([commit(900, 5_000), commit(950, 5_004), commit(920, 5_002)])).toEqual([
      900,
      measured,
      5_004,
      measured,
    ]);
  });

  it("begin with the group commit where that shows that the first commit's event was lost", () => {
    // A group commit begins within 5 µs of its commit.
    expect(commitsOf([commit(905, 5_000), group(900), group(960)])).toEqual([905, measured, 5_000, measured]);
    expect(commitsOf([commit(906, 5_000), group(900), group(960)])).toEqual([900, fallback, 5_000, measured]);
  });

  it("begin with the group commit in a session without the events of commits", () => {
    expect(commitsOf([group(900), group(960)])).toEqual([900, fallback, Number.NaN, missing]);
  });

  it("are unknown where only group commits are there though the session has commits: they came after the end", () => {
    const elsewhere = { ...commit(90_000, 95_000), block: blockId(0x22, 0x44) };
    expect(commitsOf([group(900), group(960)], [elsewhere])).toEqual([
      Number.NaN,
      missing,
      Number.NaN,
      missing,
    ]);
  });

  it.each([
    ["two from 2016 on", [], 2],
    ["one before 2016", [oldEngine], 1],
  ] as const)("are doubtful where the group commits do not add up: %s", (_, more, each) => {
    const groups = (count: number): EventSpec[] => Array.from({ length: count }, (_g, i) => group(901 + i));
    const both = [commit(900, 5_000), commit(950, 5_001)];
    expect(commitsOf([...both, ...groups(2 * each)], more).filter((_v, i) => i % 2)).toEqual([
      measured,
      measured,
    ]);
    expect(commitsOf([...both, ...groups(2 * each - 1)], more).filter((_v, i) => i % 2)).toEqual([
      derived,
      derived,
    ]);
  });

  it("are doubtful where the commit manager's events do not add up", () => {
    const both = [commit(900, 5_000), commit(950, 5_001)];
    expect(commitsOf([...both, harden(4_990), harden(4_991)])).toEqual([900, measured, 5_001, measured]);
    expect(commitsOf([...both, harden(4_990)])).toEqual([900, derived, 5_001, derived]);
  });

  it("are not doubtful in a session that has neither companion", () => {
    expect(commitsOf([commit(900, 5_000)])).toEqual([900, measured, 5_000, measured]);
  });
});
