import { describe, expect, it } from "vitest";
import { BASE_TICKS, eventColumns, type EventSpec } from "../../test/events.ts";
import { blockId } from "../../test/paths.ts";
import { DatabasesOfParts, joinedRolePeriods, type RolePeriod } from "./role-periods.ts";

const VLF = 0x22;
const secondsOf = (ticks: bigint): number => Number(ticks - BASE_TICKS) / 1e7;
const shown = ({ role, fromTicks, toTicks, blocks }: RolePeriod) =>
  [role, secondsOf(fromTicks), secondsOf(toTicks), blocks] as const;

/** An event a second, the first at 1 s: "p12" is one that only a primary has, of block 12, "s12" one of a secondary. */
const eventsOf = (story: string): EventSpec[] =>
  story.split(" ").map((word, i) => ({
    kind: word.startsWith("p") ? "capture" : "apply",
    database: "db-sales",
    at: (i + 1) * 1_000_000,
    took: 0,
    block: blockId(VLF, Number(word.slice(1))),
  }));

function evidenceOf(parts: readonly (readonly EventSpec[])[]) {
  const databases = new DatabasesOfParts();
  for (const part of parts) databases.add(eventColumns(part));
  return databases.evidence();
}

const eventRunsOf = (story: string) => evidenceOf([eventsOf(story)])[0].stretches.map(shown);

describe("a server's role for a database", () => {
  it("reaches from its first to its last event, and changes with the third block of the other role", () => {
    expect(eventRunsOf("p1 p2 p3 p4 s5 s6 s7")).toEqual([
      ["primary", 1, 4, 4],
      ["secondary", 5, 7, 3],
    ]);
    expect(eventRunsOf("p1 p2 p3 p4 s5 s6")).toEqual([["primary", 1, 4, 4]]);
  });

  it("is that of the first event, of however few blocks", () => {
    expect(eventRunsOf("s1 p2 p3 p4")).toEqual([
      ["secondary", 1, 1, 1],
      ["primary", 2, 4, 3],
    ]);
  });

  it("is not changed by blocks of the other role that do not follow each other", () => {
    expect(eventRunsOf("p1 p2 p3 s4 p5 s6 p7 s8 p9")).toEqual([["primary", 1, 9, 6]]);
  });

  it("is not changed by many events of two blocks", () => {
    expect(eventRunsOf("p1 p1 p2 p2 s3 s3 s3 s4 s4")).toEqual([["primary", 1, 4, 2]]);
  });

  it("is changed by blocks at one place in three VLFs, or at three places in one", () => {
    const received = [1, 2, 3].map((vlf, i): EventSpec => ({
      kind: "apply",
      database: "db-sales",
      at: (i + 2) * 1_000_000,
      took: 0,
      block: blockId(vlf, 16),
    }));
    expect(evidenceOf([[...eventsOf("p16"), ...received]])[0].stretches.map(shown)).toEqual([
      ["primary", 1, 1, 1],
      ["secondary", 2, 4, 3],
    ]);
    expect(eventRunsOf("p1 s2 s3 s4")[1]).toEqual(["secondary", 2, 4, 3]);
  });

  it("is the same where a part ends between the events that show it", () => {
    const all = eventsOf("p1 p2 p3 s4 s5 s6 s7 p8 p9 p10");
    const whole = evidenceOf([all]);
    expect(whole[0].stretches.map(shown)).toEqual([
      ["primary", 1, 3, 3],
      ["secondary", 4, 7, 4],
      ["primary", 8, 10, 3],
    ]);
    for (let end = 1; end < all.length; end++)
      expect(evidenceOf([all.slice(0, end), all.slice(end)]), `cut after ${end}`).toEqual(whole);
  });
});

describe("the databases of a file", () => {
  it("are in the order of their ids, each with its own events and roles", () => {
    const events = eventsOf("p1 s1 p2 p3 s2 s3").map((event): EventSpec =>
      event.kind === "apply" ? { ...event, database: "db-archive" } : event,
    );
    const found = evidenceOf([events]);
    expect(
      found.map(({ id, primaryEvents, secondaryEvents }) => [id, primaryEvents, secondaryEvents]),
    ).toEqual([
      ["db-archive", 0, 3],
      ["db-sales", 3, 0],
    ]);
    expect(found.map(({ stretches: periods }) => periods.map(shown))).toEqual([
      [["secondary", 2, 6, 3]],
      [["primary", 1, 4, 3]],
    ]);
  });

  it("are not shown by events that a server of either role has, nor by those without a database", () => {
    const of = { database: "db-sales", at: 1_000_000, took: 0, block: blockId(VLF, 1) } as const;
    expect(evidenceOf([[{ ...of, kind: "flushStart" }]])[0]).toMatchObject({
      primaryEvents: 0,
      secondaryEvents: 0,
      stretches: [],
    });
    const { database: _, ...nameless } = of;
    expect(evidenceOf([[{ ...nameless, kind: "capture" }]])).toEqual([]);
  });
});

describe("the roles of a server's files together", () => {
  const period = (role: RolePeriod["role"], from: number, to: number, blocks: number): RolePeriod => ({
    role,
    fromTicks: BASE_TICKS + BigInt(from * 1e7),
    toTicks: BASE_TICKS + BigInt(to * 1e7),
    blocks,
  });

  it("are in the order of time; one role that goes on is one stretch, up to the last of its ends", () => {
    const files = [
      [period("secondary", 50, 60, 7)],
      [period("primary", 10, 40, 5), period("primary", 20, 30, 4)],
    ];
    expect(joinedRolePeriods(files).map(shown)).toEqual([
      ["primary", 10, 40, 9],
      ["secondary", 50, 60, 7],
    ]);
  });

  it("are without one of fewer than three blocks, and what it parted is one again", () => {
    const [before, short, after] = [
      period("primary", 10, 20, 3),
      period("secondary", 21, 22, 2),
      period("primary", 30, 40, 8),
    ];
    expect(joinedRolePeriods([[before, short, after]]).map(shown)).toEqual([["primary", 10, 40, 11]]);
    expect(joinedRolePeriods([[before, { ...short, blocks: 3 }]]).map(shown)).toEqual([
      ["primary", 10, 20, 3],
      ["secondary", 21, 22, 3],
    ]);
    expect(joinedRolePeriods([[short]]).map(shown)).toEqual([["secondary", 21, 22, 2]]);
  });
});
