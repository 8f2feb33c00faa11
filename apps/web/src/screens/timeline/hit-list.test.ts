import { expect, test } from "vitest";
import { blockFilterText, parseBlockFilter } from "@aglens/contract";
import { lowerThreshold, rowsInView } from "./hit-list.ts";

test("of a long list the rows in view are drawn, with some before and after", () => {
  expect(rowsInView(1_000, 0, 240, 24)).toEqual([0, 18]);
  expect(rowsInView(1_000, 2_400, 240, 24)).toEqual([92, 118]);
  expect(rowsInView(1_000, 23_760, 240, 24)).toEqual([982, 1_000]);
  expect(rowsInView(5, 0, 240, 24)).toEqual([0, 5]);
});

const lower = (where: string, largest: (number | null)[], blocks: number[]) => {
  const found = lowerThreshold(parseBlockFilter(where)!, {
    conditions: largest.map((us, i) => ({ blocks: blocks[i], share: null, largest: us })),
  });
  return found && [blockFilterText(found.where), found.us, found.largest];
};

test("a filter above every value offers a round one under the largest", () => {
  expect(lower("secondaryFlush@1>900000", [524_000], [0])).toEqual([
    "secondaryFlush@1>500000",
    500_000,
    524_000,
  ]);
  expect(lower("commit>=900000,gate@1", [100_000, null], [0, 5])).toEqual([
    "commit>50000,gate@1",
    50_000,
    100_000,
  ]);
  expect(lower("gate@1,send@1>5", [null, 2.5], [5, 0])).toEqual(["gate@1,send@1>2", 2, 2.5]);
});

test("nothing is offered where a condition has blocks, is no lower limit, or no value is known", () => {
  expect(lower("secondaryFlush@1>5,gate@1", [524_000, null], [20, 0])).toBeNull();
  expect(lower("secondaryFlush@1<5", [524_000], [0])).toBeNull();
  expect(lower("secondaryFlush@1>5", [null], [0])).toBeNull();
});
