import { expect, test } from "vitest";
import type { Capture, Progress } from "@aglens/contract";
import { progressHeadline, waitingReason, waitingWords } from "./progress-words.ts";

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

test("an analysis that waits shows its place, and why", () => {
  const waiting = progress({ phase: "waiting", waiting: { place: 2, reason: "2 analyses run." } });
  expect(progressHeadline({ files }, waiting, null)).toBe("Waiting, place 2 of those that wait");
  expect(waitingReason(waiting)).toBe("2 analyses run. ");
  const next = progress({ phase: "waiting", waiting: { place: 1, reason: "One runs." } });
  expect(waitingWords(next)).toBe("Waiting, next to begin");
});

test("one that runs shows how far it is", () => {
  expect(waitingWords(progress({}))).toBeNull();
  expect(waitingReason(null)).toBe("");
  expect(progressHeadline({ files }, null, null)).toBe("Reading 2 files");
  expect(progressHeadline({ files }, progress({ bytesDone: 555 }), null)).toBe(
    "Reading 2 files, 55\u2009% done",
  );
  expect(progressHeadline({ files }, progress({ bytesDone: 1000, phase: "join" }), 10)).toBe(
    "All 2 files are read, joining log blocks",
  );
});
