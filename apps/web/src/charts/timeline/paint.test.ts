import { expect, it } from "vitest";
import { captureLanes } from "../../lanes/lanes.ts";
import { replicaNamed } from "../../../test/replicas.ts";
import { isClear, slopeLabel } from "./paint-blocks.ts";
import { marksOf, placeLabel } from "./paint-events.ts";
import { cutOf } from "./paint-patterns.ts";

const lanes = captureLanes([
  replicaNamed("SQL1"),
  replicaNamed("SQL2"),
  replicaNamed("SQL3", { commitMode: "async" }),
]);
const lane = (key: string) => lanes.find((l) => l.key === key)!;

it("names the events at both ends of a log write and none for the network", () => {
  expect(marksOf(lane("localFlush")).map(([, event]) => event)).toEqual([
    "log_flush_start",
    "log_flush_complete",
  ]);
  expect(marksOf(lane("hop1.acknowledge"))).toHaveLength(3);
  expect(marksOf(lane("hop0.wireOut"))).toEqual([]);
});

it("names no event where a send begins: none fires there", () => {
  expect(marksOf(lane("hop0.send"))).toEqual([
    ["start", "send begins"],
    ["departed", "hadr_capture_log_block"],
    ["end", "hadr_log_block_send_complete"],
  ]);
});

it("writes a slope's figure on what is in view of it", () => {
  // Of a slope from -300 to 500 px the part from 0 to 500 is seen; its middle is 550 / 800 of the way down.
  expect(slopeLabel({ x0: -300, x1: 500, y0: 100, y1: 180 }, 800)).toEqual({ x: 258, y: 155, visible: 500 });
  expect(slopeLabel({ x0: 100, x1: 120, y0: 100, y1: 180 }, 800)).toEqual({ x: 126, y: 140, visible: 20 });
  expect(slopeLabel({ x0: 900, x1: 1000, y0: 100, y1: 180 }, 800)).toBeNull();
});

it("writes no figure of a slope over another", () => {
  expect(isClear([{ x: 100, y: 50 }], { x: 130, y: 52 })).toBe(false);
  expect(isClear([{ x: 100, y: 50 }], { x: 130, y: 70 })).toBe(true);
  expect(isClear([{ x: 100, y: 50 }], { x: 160, y: 50 })).toBe(true);
});

it("puts an event's name right of its tick, else left, else in the next row", () => {
  expect(placeLabel([[]], 100, 50, 800)).toEqual({ left: 104, row: 0 });
  expect(placeLabel([[[120, 130]]], 100, 50, 800)).toEqual({ left: 46, row: 0 });
  expect(placeLabel([[[60, 130]], []], 100, 50, 800)).toEqual({ left: 104, row: 1 });
  expect(placeLabel([[]], 100, 50, 800, "left")).toEqual({ left: 46, row: 0 });
  // At the right edge of the plot only the left side is free.
  expect(placeLabel([[]], 790, 50, 800)).toEqual({ left: 736, row: 0 });
  expect(placeLabel([[[0, 800]]], 100, 50, 800)).toBeNull();
});

it("cuts bars of an asynchronous secondary, and those of each place where colours are forced", () => {
  expect(cutOf(lane("hop0.secondaryFlush"), false)).toBeNull();
  expect(cutOf(lane("hop1.secondaryFlush"), false)).toBe("diagonal");
  expect(cutOf(lane("hop1.ackReceive"), false)).toBeNull();
  expect(cutOf(lane("localFlush"), true)).toBeNull();
  expect(cutOf(lane("hop0.wireOut"), true)).toBe("dots");
  expect(cutOf(lane("hop0.secondaryFlush"), true)).toBe("diagonal");
});
