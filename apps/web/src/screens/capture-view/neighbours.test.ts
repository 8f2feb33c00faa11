import { expect, test } from "vitest";
import type { Sequence, SlowBlocks } from "@aglens/contract";
import { sourceOf } from "../../../test/open-capture.tsx";
import { joint, neighborsOf } from "./found-blocks.ts";

/** A block of 1,024 bytes, that is of two units of block ids. */
const block = (blockId: bigint, database = 0): Sequence =>
  ({ blockId: String(blockId), size: 1_024, database }) as Sequence;

test.each([
  ["no hole where a block ends where the next one begins", block(10n), block(12n), "gapless"],
  ["a hole where ids are missing", block(10n), block(13n), "hole"],
  ["nothing where another VLF begins", block(10n), block((1n << 32n) + 16n), "unknown"],
  ["nothing of blocks of two databases", block(10n), block(12n, 1), "unknown"],
  ["nothing where ids go back", block(10n), block(4n), "unknown"],
  ["nothing before the first block", null, block(4n), "unknown"],
])("ids show %s", (_, previous, next, expected) => {
  expect(joint({ previous, next })).toBe(expected);
});

/** Blocks that begin at these instants; as the model does it, past the last one the last one is found. */
async function rowsBeside(times: readonly number[], from: number, to: number) {
  const source = sourceOf({
    findAt: (instant) => {
      const at = times.findIndex((time) => time >= instant);
      const row = at === -1 ? times.length - 1 : at;
      return { rows: times.length === 0 ? [] : [{ row, time: times[row] }] } as unknown as SlowBlocks;
    },
    sequence: (row) => ({ row }) as Sequence,
  });
  const { previous, next } = await neighborsOf(source, { from, to }).ask(new AbortController().signal);
  return [previous?.row ?? null, next?.row ?? null];
}

test("the blocks beside a range are the last one before it and the first one from its end on", async () => {
  const times = [10, 20, 30];
  expect(await rowsBeside(times, 12, 18)).toEqual([0, 1]);
  expect(await rowsBeside(times, 0, 5)).toEqual([null, 0]);
  expect(await rowsBeside(times, 40, 50)).toEqual([2, null]);
  expect(await rowsBeside([], 40, 50)).toEqual([null, null]);
});
