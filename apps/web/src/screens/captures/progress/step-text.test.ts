import { expect, test } from "vitest";
import type { Progress } from "@aglens/contract";
import type { ExpectedPhase } from "./expected-time.ts";
import { countText, timeText } from "./step-text.ts";

const progress: Progress = {
  phase: "join",
  bytesDone: 341e6,
  bytesTotal: 613e6,
  events: 8_010_000,
  blocks: 0,
  files: [],
};
const joined = { ...progress, blocks: 307_686 };

test("each step counts its own unit, once it is known", () => {
  expect(countText("decode", "now", progress)).toBe("341\u2009MB of 613\u2009MB");
  expect(countText("join", "later", progress)).toBe("");
  expect(countText("join", "now", progress)).toBe("8,010,000 events");
  expect(countText("join", "done", joined)).toBe("307,686 log blocks");
  expect(countText("measure", "later", progress)).toBe("");
  expect(countText("measure", "later", joined)).toBe("307,686 log blocks");
  expect(countText("store", "now", joined)).toBe("");
  expect(countText("decode", "later", null)).toBe("");
});

test("a step that is over shows its time and pace, one that runs what is left, one to come what is expected", () => {
  const words = (phase: Partial<ExpectedPhase>): string =>
    timeText({ phase: "join", seconds: 16, share: 1, state: "done", isSeen: true, ...phase }, progress);
  expect(words({})).toBe("16.0\u2009s, 500,625 events/s");
  expect(words({ phase: "decode", seconds: 10 })).toBe("10.0\u2009s, 61.3\u2009MB/s");
  expect(words({ phase: "roles", seconds: 0.05 })).toBe("50.0\u2009ms");
  expect(words({ isSeen: false })).toBe("");
  expect(words({ state: "now", seconds: 20, share: 0.6 })).toBe("12.0\u2009s, about 8\u2009s left");
  expect(words({ state: "now", seconds: 20 })).toBe("20.0\u2009s, longer than expected");
  expect(words({ state: "later", share: 0, seconds: 6.2 })).toBe("about 6\u2009s");
  expect(words({ state: "later", share: 0, seconds: 0.4 })).toBe("under 1\u2009s");
  expect(words({ state: "done", share: 1, seconds: 0, isSeen: true })).toBe("under 1\u2009ms");
});
