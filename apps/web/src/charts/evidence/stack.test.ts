import { expect, test } from "vitest";
import { evidenceAnswer, happenedEvent, leaseFailover } from "../../../test/evidence.ts";
import { happenedLanes } from "./happened-lanes.ts";
import { type MetricLane } from "./metric-lanes.ts";
import { stackEvidence } from "./stack.ts";

const SECOND = 1e6;
const OPTIONS = { showsAll: false, room: 800, head: 0 };
const lanes = happenedLanes(leaseFailover());

test("bands are one line, ticks have a row for each of up to two texts", () => {
  const { boxes, height, foldTop } = stackEvidence(lanes, [0, 60 * SECOND], OPTIONS);
  expect(boxes.map(({ lane, top, height: own, rows }) => [lane.key, top, own, rows])).toEqual([
    ["role SQL1", 26, 18, 0],
    ["role SQL2", 50, 18, 0],
    ["lease", 74, 20, 1],
    ["ddl", 100, 20, 1],
    ["connectivity", 126, 20, 1],
  ]);
  expect([height, foldTop]).toEqual([152, null]);
});

test("kinds without an event in view are one row, until it is opened", () => {
  const range = [30 * SECOND, 60 * SECOND] as const;
  const folded = stackEvidence(lanes, range, OPTIONS);
  expect(folded.boxes.map(({ lane }) => lane.key)).toEqual(["role SQL1", "role SQL2"]);
  expect([folded.quiet, folded.folded, folded.foldTop]).toEqual([3, 0, 74]);
  const open = stackEvidence(lanes, range, { ...OPTIONS, showsAll: true });
  expect(open.boxes).toHaveLength(5);
  expect(open.quiet).toBe(3);
});

test("a duration that ends after the view is in it", () => {
  const events = [happenedEvent({ from: 0, at: 100 * SECOND })];
  const [lane] = happenedLanes(evidenceAnswer({ events }));
  expect(stackEvidence([lane], [10 * SECOND, 20 * SECOND], OPTIONS).quiet).toBe(0);
});

const metric = (i: number): MetricLane => ({
  key: `metric ${i}`,
  name: "",
  note: "",
  metric: i,
  unit: "ms",
  isTotal: false,
  color: "--wait",
});
const metrics = Array.from({ length: 30 }, (_, i) => metric(i));

test("lanes are thin where they are more than eight kinds, or too high, and folded beyond sixteen", () => {
  const heights = (count: number, room: number) =>
    stackEvidence(metrics.slice(0, count), [0, 1], { ...OPTIONS, room }).boxes.map(({ height }) => height);
  expect(new Set(heights(8, 800))).toEqual(new Set([32]));
  expect(new Set(heights(9, 800))).toEqual(new Set([18]));
  expect(new Set(heights(8, 300))).toEqual(new Set([18]));
  const { boxes, folded, quiet } = stackEvidence(metrics, [0, 1], OPTIONS);
  expect([boxes.length, folded, quiet]).toEqual([16, 14, 0]);
});
