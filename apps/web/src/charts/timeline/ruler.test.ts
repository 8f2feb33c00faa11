import { expect, test } from "vitest";
import { boxOf, LANES, laneOf, sceneOf } from "../../../test/scene.ts";
import { binWindow, blockWindow } from "../../../test/window.ts";
import type { RulerEnd } from "@aglens/contract";
import { drawnAt, endText, lengthOf, type Measured, rulerEndAt, rulerEndOfBar } from "./ruler.ts";

/** Clocks of SQL2 and SQL3 with error bounds of 0.3 and 2 ms. */
const MEASURED: Measured = { lanes: LANES, uncertainty: [300, 2_000], shift: [0, 0] };
const RAW: Measured = { ...MEASURED, shift: [30_000, 0] };

/** 10 µs to the pixel; log writes of row 700 from 1,000 to 3,000 µs on SQL1, from 4,000 to 6,000 on SQL2. */
const scene = sceneOf({
  boxes: [boxOf("localFlush", 0, 40), boxOf("hop0.secondaryFlush", 50, 40)],
  window: blockWindow(
    [
      {
        localFlushStart: 1_000,
        localFlushEnd: 3_000,
        hops: [{ secondaryFlushStart: 4_000, secondaryFlushEnd: 6_000 }],
      },
    ],
    { firstRow: 700 },
  ),
});
const at = (x: number, y: number, isFree = false): RulerEnd => rulerEndAt(scene, MEASURED, x, y, isFree);

const localEnd: RulerEnd = { at: 3_000, edge: { side: "end", row: 700, lane: "localFlush" } };
const remoteEnd: RulerEnd = { at: 6_000, edge: { side: "end", row: 700, lane: "hop0.secondaryFlush" } };

test("an end snaps to the nearer edge of its own lane within 6 px, and not beyond", () => {
  expect(at(306, 20)).toEqual(localEnd);
  expect(at(95, 20).edge).toEqual({ side: "start", row: 700, lane: "localFlush" });
  expect(at(307, 20)).toEqual({ at: 3_070, edge: null });
  expect(at(597, 70)).toEqual(remoteEnd);
  // The other lane's edge is no edge here, and no edge is between lanes.
  expect(at(600, 20)).toEqual({ at: 6_000, edge: null });
  expect(at(300, 45)).toEqual({ at: 3_000, edge: null });
});

test("with Alt, and where bins are drawn, an end is free", () => {
  expect(at(302, 20, true)).toEqual({ at: 3_020, edge: null });
  const max = [1, 2, 3];
  const bins = sceneOf({
    boxes: [boxOf("localFlush", 0, 40)],
    window: binWindow({ localFlush: { max, p50: max } }),
    level: 0,
  });
  expect(rulerEndAt(bins, MEASURED, 300, 20, false).edge).toBeNull();
});

test("the keyboard takes an edge of the bar it is on", () => {
  expect(rulerEndOfBar(scene.buffer, laneOf("hop0.secondaryFlush"), 700, "end", MEASURED)).toEqual(remoteEnd);
  expect(rulerEndOfBar(scene.buffer, laneOf("hop1.secondaryFlush"), 700, "end", MEASURED)).toBeNull();
  expect(rulerEndOfBar(scene.buffer, laneOf("localFlush"), 701, "end", MEASURED)).toBeNull();
});

test("a length carries ± only between clocks, theirs added up", () => {
  expect(lengthOf([localEnd, remoteEnd], MEASURED)).toEqual({ us: 3_000, uncertaintyUs: 300 });
  const start: RulerEnd = { at: 4_000, edge: { side: "start", row: 700, lane: "hop0.secondaryFlush" } };
  expect(lengthOf([remoteEnd, start], MEASURED)).toEqual({ us: 2_000, uncertaintyUs: null });
  const third: RulerEnd = { at: 9_000, edge: { side: "end", row: 700, lane: "hop1.secondaryFlush" } };
  expect(lengthOf([remoteEnd, third], MEASURED).uncertaintyUs).toBe(2_300);
  // A place on the axis is on the primary's clock; the arrival of an acknowledgment too.
  expect(lengthOf([localEnd, { at: 5_000, edge: null }], MEASURED).uncertaintyUs).toBeNull();
  const ack: RulerEnd = { at: 8_000, edge: { side: "end", row: 700, lane: "hop0.wireBack" } };
  expect(lengthOf([localEnd, ack], MEASURED).uncertaintyUs).toBeNull();
  expect(
    lengthOf([localEnd, { ...ack, edge: { ...ack.edge!, side: "start" } }], MEASURED).uncertaintyUs,
  ).toBe(300);
});

test("with raw clocks an edge on a secondary is drawn elsewhere and measured as before", () => {
  expect(drawnAt(remoteEnd, RAW)).toBe(36_000);
  expect(drawnAt(localEnd, RAW)).toBe(3_000);
  expect(lengthOf([localEnd, remoteEnd], RAW).us).toBe(3_000);
});

test("an end is said in words, with its block where that is loaded", () => {
  const words = (end: RulerEnd): string | null => endText(end, LANES, scene.buffer, (lane) => lane.label);
  expect(words(remoteEnd)).toBe("end of log write, block …000");
  expect(words({ ...localEnd, edge: { ...localEnd.edge!, row: 9 } })).toBe("end of log write");
  expect(words({ at: 5, edge: null })).toBeNull();
});
