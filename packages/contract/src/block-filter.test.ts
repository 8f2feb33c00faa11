import { expect, test } from "vitest";
import { blockFilterText, parseBlockFilter } from "./block-filter.ts";

test("a filter is written as an address has it, and read back", () => {
  const write = { stage: "secondaryFlush", secondary: 1, least: 9_549.92586021, limit: 10_000 } as const;
  expect(blockFilterText(write)).toBe("secondaryFlush@2=9549.92586..10000");
  expect(parseBlockFilter("secondaryFlush@2=9549.92586..10000")).toEqual({ ...write, least: 9_549.92586 });
  const commit = { stage: "commit", secondary: 0, least: 0, limit: 0.5 } as const;
  expect(blockFilterText(commit)).toBe("commit=0..0.5");
  expect(parseBlockFilter(blockFilterText(commit))).toEqual(commit);
});

test("any other text is not a filter", () => {
  const texts = [
    "",
    "commit",
    "commit=5..5",
    "commit=6..5",
    "nothing@1=1..2",
    "send@99=1..2",
    "send@1=1..1e3",
    "send@1=..2",
  ];
  expect(texts.map(parseBlockFilter)).toEqual(texts.map(() => null));
});
