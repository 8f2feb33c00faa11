import { describe, expect, test } from "vitest";
import { replicaNamed } from "../../test/replicas.ts";
import { captureLanes, visibleLanes } from "./lanes.ts";
import { droppedLane, movedLane, withPinned } from "./pinned-lanes.ts";

const all = captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]);
const keys = (lanes: readonly { readonly key: string }[]): string[] => lanes.map(({ key }) => key);

describe("pinned lanes", () => {
  test("stand above the others in their own order, tall and headed", () => {
    const lanes = withPinned(all, all, ["hop0.secondaryAppend", "localFlush"]);
    expect(keys(lanes).slice(0, 3)).toEqual(["hop0.secondaryAppend", "localFlush", "commit"]);
    expect(keys(lanes).toSorted()).toEqual(keys(all).toSorted());
    const [append, flush] = lanes;
    expect([append?.tall, append?.pinned, append?.heading]).toEqual([
      true,
      true,
      all.find(({ key }) => key === "hop0.secondaryFlush")?.heading,
    ]);
    expect(flush?.heading).toBe("SQL1, primary");
    // Each lane is from another place, and the others start again below them.
    expect(lanes.slice(0, 3).map(({ opensPlace }) => opensPlace)).toEqual([true, true, true]);
  });

  test("leave their heading to the next lane of their place", () => {
    const [, next] = withPinned(all, all, ["commit"]);
    expect([next?.key, next?.heading, next?.opensPlace]).toEqual(["localFlush", "SQL1, primary", true]);
  });

  test("stay while their group is folded", () => {
    const folded = visibleLanes(all, [1]);
    expect(keys(folded)).not.toContain("hop0.secondaryFlush");
    expect(keys(withPinned(folded, all, ["hop0.secondaryFlush"]))[0]).toBe("hop0.secondaryFlush");
  });

  test("that the capture does not have change nothing", () => {
    expect(withPinned(all, all, ["hop7.wireOut"])).toEqual(all);
  });
});

test("a press up pins a lane below the other pinned ones, then moves it up", () => {
  expect(movedLane(["a"], "b", -1)).toEqual(["a", "b"]);
  expect(movedLane(["a", "b"], "b", -1)).toEqual(["b", "a"]);
  expect(movedLane(["b", "a"], "b", -1)).toEqual(["b", "a"]);
});

test("a press down moves a pinned lane down, and lets the last one go", () => {
  expect(movedLane(["a", "b", "c"], "a", 1)).toEqual(["b", "a", "c"]);
  expect(movedLane(["a", "b"], "b", 1)).toEqual(["a"]);
  expect(movedLane(["a"], "b", 1)).toEqual(["a"]);
});

test("a lane that is dropped among the pinned ones is pinned there, and let go below them", () => {
  expect(droppedLane([], "c", 0)).toEqual(["c"]);
  expect(droppedLane([], "c", 1)).toEqual([]);
  expect(droppedLane(["a", "b"], "c", 1)).toEqual(["a", "c", "b"]);
  expect(droppedLane(["a", "b"], "c", 2)).toEqual(["a", "b", "c"]);
  expect(droppedLane(["a", "b"], "b", 0)).toEqual(["b", "a"]);
  expect(droppedLane(["a", "b"], "a", 4)).toEqual(["b"]);
});
