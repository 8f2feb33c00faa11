import { expect, test } from "vitest";
import { sourceOf } from "../../../test/open-capture.tsx";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { blocksOf } from "./panes/selected-rows.ts";

test("several blocks are one question, also where it is one block, and none asks nothing", async () => {
  const source = sourceOf({ sequence: (row) => ({ ...SLOW_BLOCK, row }) });
  const { signal } = new AbortController();
  expect((await blocksOf(source, [7, 3])?.ask(signal))?.map(({ row }) => row)).toEqual([7, 3]);
  expect(blocksOf(source, [7])?.key).not.toBe(source.sequence(7).key);
  expect(blocksOf(source, [])).toBeNull();
});
