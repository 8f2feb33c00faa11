import { expect, test } from "vitest";
import { failoverOf, replicaSummary, summaryOf } from "../../../../test/summary.ts";
import { blockWindow, commitWindow } from "../../../../test/window.ts";
import { buildBuffer } from "../../../charts/timeline/spans.ts";
import { captureLanes, type Lane } from "../../../lanes/lanes.ts";
import { blockCopies, filterLike, headOf, type MenuBar, timeCopies } from "./menu-target.ts";

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
/** The window's blocks have these positions in VLF 0x22. */
const bufferOf = (given: typeof window, offsets: readonly bigint[]) =>
  buildBuffer(
    {
      ...given,
      blocks: { ...given.blocks, blockId: BigUint64Array.from(offsets, (offset) => (0x22n << 32n) | offset) },
    },
    commitWindow([]),
    lanes,
    [0],
  );
const buffer = bufferOf(window, [0x1f7n]);
const bar = (key: string, start: number, end: number): MenuBar => ({
  lane: laneOf(key),
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
  expect(textOf("LSN, hex")).toBe("00000022:000001f7");
  expect(textOf("LSN, decimal")).toBe("34:503");
});

test("a row has a head for each of its stages, in µs; what is not known stays empty", () => {
  const [heads = [], values = []] = textOf("Row, with all stages")
    .split("\n")
    .map((line) => line.split("\t"));
  expect(heads).toHaveLength(values.length);
  const value = (head: string): string | undefined => values[heads.indexOf(head)];
  expect(value("UTC")).toBe("2016-05-06 02:16:56.000000");
  expect(value("Offset µs")).toBe("1000000");
  expect(value("SQL1 log write µs")).toBe("7240");
  expect(value("SQL2 log write µs")).toBe("");
  expect(value("Released by")).toBe("SQL2's ack");
});

test("the head names the bar, its length, and for a commit what released it", () => {
  expect(headOf(summary, buffer, bar("commit", 1_000_000, 1_440_000))).toMatchObject({
    what: "Commit",
    more: "440\u2009ms from 02:16:56.000000, released by SQL2's ack",
  });
  expect(headOf(summary, buffer, bar("localFlush", 1_000_100, 1_007_340))?.more).toBe(
    "7.24\u2009ms from 02:16:56.000100",
  );
});

test("what was loaded while the menu is open moves no LSN: the block is found by its row, or there is none", () => {
  const log = bar("localFlush", 1_000_100, 1_007_340);
  const blocks = [{ commitStart: 900_000 }, { commitStart: 1_000_000, gate: 2 }];
  const wider = bufferOf(blockWindow(blocks, { to: 10_000_000, firstRow: 6, secondaries: 1 }), [
    0x1f6n,
    0x1f7n,
  ]);
  expect(blockCopies(summary, wider, log, 0)[0]?.text).toBe("00000022:000001f7");
  expect(headOf(summary, wider, log)?.lsn).toBe("00000022:000001f7");
  const without = bufferOf(blockWindow(blocks, { to: 10_000_000, firstRow: 8, secondaries: 1 }), [
    0x1f8n,
    0x1f9n,
  ]);
  expect(blockCopies(summary, without, log, 0)).toEqual([]);
  expect(headOf(summary, without, log)).toBeNull();
});

test("after a change of roles a block's servers are those of its own phase", () => {
  const moved = failoverOf();
  const late = { commitStart: 7_000_000, localFlushStart: 7_000_100, localFlushEnd: 7_007_340, gate: 2 };
  const given = blockWindow([late], { to: 10_000_000, firstRow: 7, secondaries: 1 });
  given.blocks.phase[0] = 1;
  const after = bufferOf(given, [0x1f7n]);
  expect(headOf(moved, after, bar("commit", 7_000_000, 7_440_000))?.more).toMatch(
    /, released by SQL1's ack$/u,
  );
  expect(headOf(moved, after, bar("localFlush", 7_000_100, 7_007_340))?.what).toBe("SQL2 log write");
  const row = blockCopies(moved, after, bar("commit", 7_000_000, 7_440_000), 0).at(-1)?.text ?? "";
  expect(row).toContain("\tSQL1's ack\t");
  expect(row).toContain("\tSQL2 log write µs\t");
  // Blocks of the first phase have the servers that they had then.
  expect(headOf(moved, buffer, bar("commit", 1_000_000, 1_440_000))?.more).toMatch(
    /, released by SQL2's ack$/u,
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
