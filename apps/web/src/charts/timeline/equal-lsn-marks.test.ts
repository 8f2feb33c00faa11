import { formatLsn } from "@aglens/ag-model/replication";
import { expect, test } from "vitest";
import { blockWindow } from "../../../test/window.ts";
import { equalBlocks, equalBlocksInView, equalMarks } from "./equal-lsn-marks.ts";

const ID = (0x17bn << 32n) | 0x31n;
const LSN = "0000017b:00000031";

/** Blocks of two databases at 1, 2, 3 and 6 ms; the second and the last have one LSN, and so have two of one database. */
const window = (() => {
  const given = blockWindow(
    [1_000, 2_000, 3_000, 6_000].map((at) => ({ localFlushStart: at, localFlushEnd: at + 100 })),
    { firstRow: 40 },
  );
  const blocks = {
    ...given.blocks,
    database: Uint16Array.of(0, 0, 0, 1),
    blockId: BigUint64Array.of(7n, ID, 7n, ID),
  };
  return { ...given, blocks };
})();

test("an LSN is equal where blocks of two databases have it", () => {
  expect(equalBlocks(window)).toEqual([
    { row: 41, database: 0, lsn: LSN, time: 2_000 },
    { row: 43, database: 1, lsn: LSN, time: 6_000 },
  ]);
});

test("it counts where it is in view twice, or belongs to the selected block", () => {
  const equal = equalBlocks(window);
  const rows = (from: number, to: number, selected: string | null = null): number[] =>
    equalBlocksInView(equal, [from, to], selected).map(({ row }) => row);
  expect(rows(0, 10_000)).toEqual([41, 43]);
  expect(rows(0, 6_000)).toEqual([]);
  expect(rows(0, 6_000, LSN)).toEqual([41]);
  expect(rows(0, 6_000, "00000000:00000007")).toEqual([]);
});

test("the last of both is named behind its mark, the other before it, where there is room", () => {
  const nameOf = (database: number): string => ["Sales1", "Sales2"][database] ?? "";
  const named = (width: number) =>
    equalMarks(equalBlocks(window), [0, 10_000], width, null, nameOf).map(({ x, name, isNameBefore }) => [
      x,
      name,
      isNameBefore,
    ]);
  expect(named(1_000)).toEqual([
    [200, `${LSN} Sales1`, true],
    [600, `${LSN} Sales2`, false],
  ]);
  // 24 letters of 6.6 px and 8 px next to the mark are more than 120 px.
  expect(named(600).map(([, name]) => name)).toEqual([null, `${LSN} Sales2`]);
});

test("where names would lie over each other the selected block's stay", () => {
  const at = (row: number, database: number, lsn: string, time: number) => ({ row, database, lsn, time });
  const other = "00000017:00000009";
  const blocks = [at(1, 0, other, 4_990), at(2, 0, LSN, 5_000), at(3, 1, LSN, 5_010), at(4, 1, other, 5_020)];
  const named = (selected: string | null) =>
    equalMarks(blocks, [0, 10_000], 1_000, selected, () => "S").flatMap(({ name, row }) =>
      name === null ? [] : [row],
    );
  expect(named(LSN)).toEqual([2, 3]);
  expect(named(null)).toEqual([1, 3]);
});

test("of more than 120 blocks only the selected one's are marked", () => {
  const many = Array.from({ length: 61 }, (_, i) => formatLsn(BigInt(i))).flatMap((lsn, i) =>
    [0, 1].map((database) => ({ row: 2 * i + database, database, lsn, time: 100 * i + database })),
  );
  const rows = (blocks: typeof many, selected: string | null) =>
    equalMarks(blocks, [0, 10_000], 1_000, selected, () => "S").map(({ row }) => row);
  expect(rows(many.slice(2), null)).toHaveLength(120);
  expect(rows(many, null)).toEqual([]);
  expect(rows(many, "00000000:00000007")).toEqual([14, 15]);
});
