import { expect, test } from "vitest";
import { replicaSummary, summaryOf } from "../../../test/summary.ts";
import { blockWindow, commitWindow } from "../../../test/window.ts";
import { buildBuffer } from "../../charts/timeline/spans.ts";
import { captureLanes, type Lane } from "../../lanes/lanes.ts";
import { blockCopies, decimalLsn, filterLike, headOf, type MenuBar, timeCopies } from "./menu-target.ts";

const summary = summaryOf();
const lanes = captureLanes(
  [
    replicaSummary({ name: "SQL1", role: "primary" }),
    replicaSummary({ id: "2", ids: ["2"], name: "SQL2" }),
  ].map((replica) => ({ ...replica, leastRoundTripUs: 500, uncertaintyUs: 300 })),
);
const laneOf = (key: string): Lane => lanes.find((lane) => lane.key === key)!;
const window = blockWindow(
  [
    {
      commitStart: 1_000_000,
      localFlushStart: 1_000_100,
      localFlushEnd: 1_007_340,
      commitEnd: 1_440_000,
      gate: 2,
    },
  ],
  { to: 10_000_000, firstRow: 7, secondaries: 1 },
);
const withId = {
  ...window,
  blocks: { ...window.blocks, blockId: BigUint64Array.of((0x22n << 32n) | 0x1f7n) },
};
const buffer = buildBuffer(withId, commitWindow([]), lanes, [0]);
const bar = (key: string, start: number, end: number): MenuBar => ({
  lane: laneOf(key),
  position: 0,
  row: 7,
  start,
  end,
});
const textOf = (label: string): string =>
  blockCopies(summary, buffer, bar("localFlush", 1_000_100, 1_007_340), 0).find((c) => c.label === label)!
    .text;

test("an instant is copied as UTC with its date, and as an offset, to the microsecond", () => {
  expect(timeCopies(summary, 8_992_262)).toEqual([
    { label: "UTC", text: "2016-05-06 02:17:03.992262" },
    { label: "Offset", text: "+8.992262 s" },
  ]);
});

test("an LSN is copied in both spellings", () => {
  expect(decimalLsn("00000022:000001f7")).toBe("34:503");
  const hex = textOf("LSN, hex");
  expect(hex).toMatch(/^00000022:/u);
  expect(textOf("LSN, decimal")).toBe(decimalLsn(hex));
});

test("a row has a head for each of its stages, in µs; what is not known stays empty", () => {
  const [heads = [], values = []] = textOf("Row, with all stages")
    .split("\n")
    .map((line) => line.split("\t"));
  expect(heads).toHaveLength(values.length);
  const value = (head: string): string | undefined => values[heads.indexOf(head)];
  expect(value("UTC")).toBe("2016-05-06 02:16:56.000000");
  expect(value("Offset µs")).toBe("1000000");
  expect(value("Log write, SQL1 µs")).toBe("7240");
  expect(value("Log write, SQL2 µs")).toBe("");
  expect(value("Released by")).toBe("SQL2's ack");
});

test("the head names the bar, its length, and for a commit what released it", () => {
  expect(headOf(summary, buffer, bar("commit", 1_000_000, 1_440_000))).toMatchObject({
    what: "Commit",
    more: "440\u2009ms from 02:16:56.000000, released by SQL2's ack",
  });
  expect(headOf(summary, buffer, bar("localFlush", 1_000_100, 1_007_340)).more).toBe(
    "7.24\u2009ms from 02:16:56.000100",
  );
});

test("blocks like it took at least its first digit; a bar that takes no time has none", () => {
  expect(filterLike(summary, bar("localFlush", 0, 7_240))).toMatchObject({
    where: [{ stage: "localFlush", secondary: null, comparison: { sign: ">=", amount: 7_000 } }],
    words: "SQL1 log write from 7.00\u2009ms on",
  });
  expect(filterLike(summary, bar("commit", 0, 440_000))?.where).toMatchObject([
    { stage: "commit", comparison: { sign: ">=", amount: 400_000 } },
  ]);
  expect(filterLike(summary, bar("localFlush", 5, 5))).toBeNull();
});
