import { describe, expect, it } from "vitest";
import { Secondaries } from "./secondaries.ts";
import { SettledBlocks } from "./settled-blocks.ts";

describe("the secondaries of a run", () => {
  it("are known by the attached replica or by the id, whichever is there", () => {
    const secondaries = new Secondaries();
    expect(secondaries.indexOf("a", 1)).toBe(0);
    expect(secondaries.indexOf("b", -1)).toBe(1);
    expect([secondaries.indexOf("a", -1), secondaries.indexOf("", 1), secondaries.indexOf("b", -1)]).toEqual([
      0, 0, 1,
    ]);
    expect(secondaries.indexOf("", -1)).toBe(2);
    expect(secondaries.indexOf("", -1)).toBe(3);
    expect(secondaries.count).toBe(3);
  });

  it("learn their id and their replica", () => {
    const secondaries = new Secondaries();
    secondaries.indexOf("", 0);
    secondaries.indexOf("a", 0);
    secondaries.indexOf("other", 0);
    secondaries.indexOf("b", -1);
    secondaries.indexOf("b", 2);
    expect(secondaries.present).toEqual([
      { id: "a", replica: 0, number: 0 },
      { id: "b", replica: 2, number: 1 },
    ]);
  });

  it("keep their numbers when the roles change, and give none away again", () => {
    const secondaries = new Secondaries();
    secondaries.indexOf("", 0);
    secondaries.indexOf("a", 0);
    secondaries.indexOf("b", 1);
    secondaries.restart();
    expect(secondaries.present).toEqual([]);
    expect(["b", "c", "a"].map((id) => secondaries.present[secondaries.indexOf(id, -1)].number)).toEqual([
      1, 2, 0,
    ]);
    expect(secondaries.count).toBe(3);
  });
});

describe("settled blocks", () => {
  it("are known by database and id for half a minute at least, and not for longer than twice that", () => {
    const settled = new SettledBlocks();
    settled.add(0, 5n, 100, 1_000_000);
    settled.add(1, 5n, 101, 30_000_000);
    expect([
      settled.numberOf(0, 5n),
      settled.numberOf(1, 5n),
      settled.numberOf(0, 6n),
      settled.numberOf(2, 5n),
    ]).toEqual([100, 101, -1, -1]);
    settled.add(0, 6n, 102, 30_000_001);
    expect([settled.numberOf(0, 5n), settled.numberOf(0, 6n)]).toEqual([100, 102]);
    settled.add(0, 7n, 103, 60_000_001);
    expect(settled.numberOf(0, 5n)).toBe(100);
    settled.add(0, 8n, 104, 60_000_002);
    expect([5n, 6n, 7n, 8n].map((id) => settled.numberOf(0, id))).toEqual([-1, 102, 103, 104]);
  });
});
