import { describe, expect, it } from "vitest";
import { LANES, laneOf } from "../../../test/scene.ts";
import { HEAD_PX, isTall, places, stackLanes, tallWith, type LaneBox } from "./heights.ts";
import type { Level } from "./layout.ts";

/** The primary's and SQL2's lanes: five tall ones and four thin ones. */
const NINE = LANES.filter(({ secondary, key }) => secondary < 1 || key === "hop0.send");

const tops = (boxes: readonly LaneBox[]): number[] => boxes.map(({ top }) => top);
const heightsOf = (boxes: readonly LaneBox[], tall: boolean): number[] =>
  boxes.filter((box) => box.tall === tall).map(({ height }) => height);

describe("a stack of lanes", () => {
  it("has 4 px between lanes, 10 above a place and 4 at the end", () => {
    const two = [laneOf("localFlush"), laneOf("hop0.send")];
    const { boxes, height } = stackLanes(two, { localFlush: false }, 1, 0);
    expect(tops(boxes)).toEqual([4, 28]);
    expect(height).toBe(52);
    const apart = stackLanes([laneOf("hop0.send"), laneOf("hop0.secondaryAppend")], {}, 1, 0);
    expect(tops(apart.boxes)).toEqual([4, 34]);
  });

  it("has the room of what released the commits once, under the last lane of commits", () => {
    const commits = laneOf("commit");
    const write = laneOf("localFlush");
    const lanes = [commits, { ...commits, key: "commit:1" }, write];
    const gaps = (under: number): number[] => {
      const { boxes } = stackLanes(lanes, {}, 1, 640, { underCommits: under });
      return boxes.slice(1).map(({ top }, i) => top - boxes[i].top - boxes[i].height);
    };
    expect(gaps(30).map((gap, i) => gap - gaps(0)[i])).toEqual([0, 30]);
  });

  it("has thin lanes of one height per level, wherever they are", () => {
    const thin = (level: Level): number[] => heightsOf(stackLanes(NINE, {}, level, 640).boxes, false);
    expect(([0, 1, 2, 3] as const).map((level) => new Set(thin(level)))).toEqual([
      new Set([18]),
      new Set([20]),
      new Set([24]),
      new Set([34]),
    ]);
  });

  it("shares what thin lanes leave among tall ones, down to whole pixels", () => {
    for (const available of [500, 640, 813]) {
      const { boxes, height } = stackLanes(NINE, {}, 1, available);
      expect(height).toBeLessThanOrEqual(available);
      expect(height).toBeGreaterThan(available - 5);
      expect(new Set(heightsOf(boxes, true)).size).toBe(1);
      expect(heightsOf(boxes, true).every(Number.isInteger)).toBe(true);
    }
  });

  it("never makes a lane lower or higher than is good for its level", () => {
    const tallest = (level: Level, available: number): Map<string, number> =>
      new Map(
        stackLanes(NINE, {}, level, available)
          .boxes.filter(({ tall }) => tall)
          .map(({ lane, height }) => [lane.figure, height]),
      );
    expect([tallest(0, 0).get("localFlush"), tallest(0, 9_000).get("localFlush")]).toEqual([36, 220]);
    expect([tallest(1, 0).get("localFlush"), tallest(1, 9_000).get("localFlush")]).toEqual([36, 280]);
    for (const level of [2, 3] as const) {
      expect([tallest(level, 0).get("localFlush"), tallest(level, 9_000).get("localFlush")]).toEqual([
        30, 68,
      ]);
      // The name of its place is above its own name.
      expect([tallest(level, 0).get("commit"), tallest(level, 9_000).get("commit")]).toEqual([34, 92]);
      expect([tallest(level, 0).get("wireOut"), tallest(level, 9_000).get("wireOut")]).toEqual([44, 280]);
      expect([tallest(level, 0).get("wireBack"), tallest(level, 9_000).get("wireBack")]).toEqual([44, 280]);
    }
  });

  it("leaves to the slopes what log writes do not take", () => {
    const { boxes, height } = stackLanes(NINE, {}, 2, 780);
    const of = (figure: string): number => boxes.find(({ lane }) => lane.figure === figure)!.height;
    expect([of("localFlush"), of("secondaryFlush")]).toEqual([68, 68]);
    expect(of("wireOut")).toBeGreaterThan(100);
    expect(Math.abs(height - 780)).toBeLessThan(8);
  });

  it("shares in proportion to what lanes wish while none is at its limit", () => {
    const { boxes } = stackLanes(NINE, {}, 2, 560);
    const of = (figure: string): number => boxes.find(({ lane }) => lane.figure === figure)!.height;
    expect(of("wireOut") / of("commit")).toBeCloseTo(100 / 56, 1);
    expect(of("commit") / of("localFlush")).toBeCloseTo(56 / 48, 1);
  });

  it("takes the user's choice before the lane's own", () => {
    expect(isTall(laneOf("commit"), {})).toBe(true);
    expect(isTall(laneOf("commit"), { commit: false })).toBe(false);
    expect(isTall(laneOf("hop0.send"), { "hop0.send": true })).toBe(true);
    const { boxes } = stackLanes(NINE, { commit: false, "hop0.acknowledge": true }, 1, 640);
    expect(boxes[0]).toMatchObject({ tall: false, height: 20 });
    expect(boxes.find(({ lane }) => lane.figure === "acknowledge")?.tall).toBe(true);
  });

  it("of no lanes is its edge", () => {
    expect(stackLanes([], {}, 1, 640)).toEqual({ boxes: [], height: 4 });
  });
});

describe("names over the lanes", () => {
  const { boxes, height } = stackLanes(NINE, {}, 1, 640, { head: HEAD_PX });

  it("have a line of their own above each lane, thin ones too, behind which no bar is", () => {
    let bottom = 0;
    for (const { top, height: own, head } of boxes) {
      expect(top - bottom).toBeGreaterThanOrEqual(HEAD_PX);
      expect(head).toBe(HEAD_PX);
      bottom = top + own;
    }
    expect(height).toBeLessThanOrEqual(640);
  });

  it("belong to the run of their place", () => {
    expect(places(boxes)[0].top).toBe(boxes[0].top - HEAD_PX);
  });
});

describe("places along the edge", () => {
  it("are runs of lanes that nothing parts", () => {
    const { boxes } = stackLanes(NINE, {}, 1, 640);
    const runs = places(boxes);
    expect(runs.map(({ place }) => place)).toEqual(["primary", "network", "secondary", "network", "primary"]);
    expect(runs[0]).toEqual({ place: "primary", top: 4, bottom: boxes[2].top + boxes[2].height });
    expect(runs[2].bottom).toBe(boxes[6].top + boxes[6].height);
  });

  it("begin anew with another replica's group, though the place is the same", () => {
    const two = stackLanes([laneOf("hop0.ackReceive"), laneOf("hop1.send")], {}, 1, 640).boxes;
    expect(places(two)).toHaveLength(2);
  });
});

describe("isolated lanes", () => {
  const isolated = ["hop0.secondaryFlush"];

  it("and the commits are tall, two shares of the height to one, and the stack is as high as its room", () => {
    const { boxes, height } = stackLanes(NINE, tallWith(NINE, isolated), 1, 640, { isolated });
    const tall = boxes.filter((box) => box.tall);
    expect(tall.map(({ lane }) => lane.key)).toEqual(["commit", "hop0.secondaryFlush"]);
    expect(Math.abs(tall[1].height - 2 * tall[0].height)).toBeLessThanOrEqual(2);
    expect(640 - height).toBeLessThan(2);
    expect(new Set(boxes.filter((box) => !box.tall).map((box) => box.height))).toEqual(new Set([20]));
  });
});

it("room under the commits moves what is below them, and the tall lanes share what is left", () => {
  const plain = stackLanes(NINE, {}, 1, 640);
  const { boxes, height } = stackLanes(NINE, {}, 1, 640, { underCommits: 35 });
  expect(height).toBeLessThanOrEqual(640);
  const [commits, next] = boxes;
  expect(
    next.top -
      commits.top -
      commits.height -
      (plain.boxes[1].top - plain.boxes[0].top - plain.boxes[0].height),
  ).toBe(35);
});
