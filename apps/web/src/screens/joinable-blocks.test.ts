import { expect, test } from "vitest";
import { summaryOf } from "../../test/summary.ts";
import { joinableBlocks } from "./joinable-blocks.ts";

const blocks = { ...summaryOf().blocks, total: 9_145, onBoth: 4_378, primaryOnly: 821, secondaryOnly: 3_946 };

test("blocks of one side count only in time that the other side's files cover", () => {
  const common = { primaryOnly: 2, secondaryOnly: 1, withoutAcknowledgement: 0 };
  expect(joinableBlocks({ blocks: { ...blocks, common } })).toBe(4_381);
});

test("of an earlier version's capture all blocks count", () => {
  expect(joinableBlocks({ blocks })).toBe(9_145);
});
