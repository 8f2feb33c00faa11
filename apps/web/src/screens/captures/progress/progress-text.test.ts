import { expect, test } from "vitest";
import type { Capture, Progress } from "@aglens/contract";
import type { ExpectedTime } from "./expected-time.ts";
import { analysesText, progressHeadline, shareText, waitingReason, waitingText } from "./progress-text.ts";

const files = [
  { kind: "xel", role: "primary" },
  { kind: "xel", role: "secondary" },
  { kind: "xel", role: "ignored" },
  { kind: "topology", role: "primary" },
] as Capture["files"];
const progress = (changes: Partial<Progress>): Progress => ({
  phase: "decode",
  bytesDone: 0,
  bytesTotal: 1000,
  events: 0,
  blocks: 0,
  files: [],
  ...changes,
});

const time = (changes: Partial<ExpectedTime>): ExpectedTime => ({
  share: 0.5,
  leftS: 1,
  overS: 0,
  spreadS: null,
  isRough: false,
  phases: [],
  ...changes,
});

test("an analysis that waits shows its place, and why", () => {
  const waiting = progress({ phase: "waiting", waiting: { place: 2, reason: "2 analyses run." } });
  expect(progressHeadline({ files }, waiting, null)).toBe("Waiting, place 2 of those that wait");
  expect(waitingReason(waiting)).toBe("2 analyses run. ");
  const next = progress({ phase: "waiting", waiting: { place: 1, reason: "One runs." } });
  expect(waitingText(next)).toBe("Waiting, next to begin");
});

test("others at the same time are counted", () => {
  const words = (running: number, waiting: number) =>
    analysesText(progress({ analyses: { running, waiting } }));
  expect(words(2, 0)).toBe("2 analyses run on this server");
  expect(words(1, 1)).toBe("1 analysis runs on this server, 1 waits");
  expect(words(2, 3)).toBe("2 analyses run on this server, 3 wait");
  expect(analysesText(progress({}))).toBeNull();
});

test("one that runs shows how far it is", () => {
  expect(waitingText(progress({}))).toBeNull();
  expect(waitingReason(null)).toBe("");
  expect(progressHeadline({ files }, null, null)).toBe("Reading 2 files");
  expect(progressHeadline({ files }, progress({ bytesDone: 555 }), time({ leftS: 4.4 }))).toBe(
    "Reading 2 files, about 4\u2009s left",
  );
  expect(progressHeadline({ files }, progress({ phase: "join" }), time({ leftS: 17 }))).toBe(
    "Joining log blocks, about 17\u2009s left",
  );
});

test("a phase that is longer than expected says so instead of a rest that stays at one second", () => {
  const words = (overS: number): string =>
    progressHeadline({ files }, progress({ phase: "store" }), time({ leftS: 0, overS }));
  expect(words(3)).toBe("Storing the tables, about 1\u2009s left");
  expect(words(3.1)).toBe("Storing the tables, longer than expected, 3\u2009s over");
  expect(words(12)).toBe("Storing the tables, longer than expected, 12\u2009s over");
});

test("the share of the work is never said without what the rest rests on", () => {
  expect(shareText(null, "server")).toBe("");
  expect(shareText(time({ share: 0.699 }), "browser")).toBe(
    "69\u2009% of the work by time. The rest is estimated from this browser's own pace on earlier captures. ",
  );
  expect(shareText(time({ share: 0.699, spreadS: 4.7 }), "server")).toBe(
    "69\u2009% of the work by time. The rest is estimated from this server's own pace on earlier captures, ±5\u2009s. ",
  );
  expect(shareText(time({ spreadS: 0.9 }), "server")).not.toContain("±");
  expect(shareText(time({ share: 0, isRough: true }), "server")).toMatch(
    /^0\u2009% of the work .* a rough estimate: this server/u,
  );
});
