import { expect, test } from "vitest";
import { blockFilterText, parseBlockFilter, type BlockFilter } from "./block-filter.ts";

const both = (text: string, filter: BlockFilter): void => {
  expect(blockFilterText(filter)).toBe(text);
  expect(parseBlockFilter(text)).toEqual(filter);
};

test("a stretch of durations is written as an address has it, and read back", () => {
  const comparison = { sign: "..", amount: 9_549.92586, limit: 10_000 } as const;
  both("secondaryFlush@2=9549.92586..10000", [
    { kind: "duration", stage: "secondaryFlush", secondary: 1, comparison },
  ]);
  const commit = { sign: "..", amount: 0, limit: 0.5 } as const;
  both("commit=0..0.5", [{ kind: "duration", stage: "commit", secondary: null, comparison: commit }]);
});

test("every condition is, several with commas between", () => {
  both("secondaryFlush@1>50000,gate@1", [
    { kind: "duration", stage: "secondaryFlush", secondary: 0, comparison: { sign: ">", amount: 50_000 } },
    { kind: "gate", secondary: 0 },
  ]);
  both("networkRoundTrip<=20000,logWrite>1,size>=512,gate=local", [
    {
      kind: "duration",
      stage: "networkRoundTrip",
      secondary: null,
      comparison: { sign: "<=", amount: 20_000 },
    },
    { kind: "duration", stage: "logWrite", secondary: null, comparison: { sign: ">", amount: 1 } },
    { kind: "size", comparison: { sign: ">=", amount: 512 } },
    { kind: "gate", secondary: null },
  ]);
  both("lsn=00000022:00000167..00000022:000001f7,db=3,class=bad,class@0=busy", [
    { kind: "lsn", first: "00000022:00000167", last: "00000022:000001f7" },
    { kind: "database", database: 3 },
    { kind: "class", writeClass: "bad", replica: null },
    { kind: "class", writeClass: "busy", replica: 0 },
  ]);
  both("session=57|61,app=0,statement=3", [
    { kind: "client", column: "session", values: [57, 61] },
    { kind: "client", column: "application", values: [0] },
    { kind: "client", column: "statement", values: [3] },
  ]);
});

test("a slot of a stage that all secondaries share is left out, and one LSN is a stretch of one", () => {
  expect(blockFilterText(parseBlockFilter("localFlush@1=5000..8000")!)).toBe("localFlush=5000..8000");
  expect(blockFilterText(parseBlockFilter("lsn=00000022:00000167")!)).toBe(
    "lsn=00000022:00000167..00000022:00000167",
  );
});

test("any other text is not a filter", () => {
  const texts = [
    "",
    "commit",
    "commit=5..5",
    "session=",
    "session=57|",
    "session@1=57",
    "app=70000",
    "app=x",
    "commit=6..5",
    "nothing@1=1..2",
    "nothing>5",
    "send@99=1..2",
    "send@0>1",
    "send@1=1..1e3",
    "send@1=..2",
    "commit>",
    "commit>5,",
    "size@1>5",
    "gate",
    "gate=2",
    "gate@1=local",
    "lsn=22:167",
    "lsn=00000022:00000167..00000022:00000168..00000022:00000169",
    "db=x",
    "class=worst",
    Array.from({ length: 13 }, () => "commit>5").join(","),
  ];
  expect(texts.map(parseBlockFilter)).toEqual(texts.map(() => null));
});
