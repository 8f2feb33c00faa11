import { expect, test } from "vitest";
import type { Capture, CaptureFile, Gap } from "@aglens/contract";
import { captureFile } from "../../../test/capture-file.ts";
import { damagedFiles, effectText, lossOf, lostText, whereaboutsOf } from "./damage.ts";

const plain = (words: string): string => words.replaceAll(/[\u2009\u00a0\u202f]/gu, " ");
const at = (seconds: string): string => `2026-11-20T10:00:${seconds}.0000000Z`;

function file(change: Partial<CaptureFile>): CaptureFile {
  return captureFile({ id: "a", size: 1_100, from: at("00"), to: at("10"), ...change });
}

const gap: Gap = { code: "bad-event", offset: 1_000, bytes: 100, message: "Cut.", after: null };
const cut = file({ gaps: [{ ...gap, before: { name: "log_flush_start", at: at("10") } }] });
const next = file({ id: "b", name: "b.xel", from: at("15"), to: at("40") });
const other = file({ id: "c", role: "secondary", replica: "SQL2", from: at("00"), to: at("20") });

function capture(files: readonly CaptureFile[]): Capture {
  return {
    id: "capture",
    name: "Capture",
    created: at("00"),
    expires: null,
    state: "ready",
    files: [...files],
    groups: [],
    unused: [],
    progress: null,
    problem: null,
    verdict: null,
    severity: null,
    place: null,
  };
}

test("a gap at the end of a rollover lasts to the next one's first event", () => {
  const all = capture([next, cut, other]);
  const loss = lossOf(all, cut, cut.gaps[0]);
  // 1,000 readable bytes contain 10 events, so 100 lost bytes contained about one; 5 s of 20 s in common.
  expect(loss).toEqual({
    from: "10:00:10.0",
    to: "10:00:15.0",
    events: 1,
    us: 5_000_000,
    share: 0.25,
    atMostUs: null,
  });
  expect(plain(lostText("SQL1", loss, 100))).toBe(
    "SQL1 from 10:00:10.0 to 10:00:15.0 (5.00 s), about 1 event",
  );
  expect(effectText("primary", loss)).toContain(
    "25\u2009% of the time in common, have no commit and no send",
  );
  expect(whereaboutsOf(all, cut)).toBe("SQL1, primary, rollover 1 of 2");
  expect(damagedFiles(all).map(({ id }) => id)).toEqual(["a"]);
});

test("without a next file the loss is at most as long as the other files go on", () => {
  const loss = lossOf(capture([cut, other]), cut, cut.gaps[0]);
  // SQL2's file ends at 10:00:20.
  expect(loss).toMatchObject({ from: "10:00:10.0", to: null, us: null, share: null, atMostUs: 10_000_000 });
  expect(plain(lostText("SQL1", loss, 100))).toBe(
    "SQL1 after 10:00:10.0: the other files continue for 10.0 s, about 1 event",
  );
  expect(plain(effectText("primary", loss))).toBe(
    "Blocks of up to 10.0 s at the end have no commit and no send. The verdict rests on the time before.",
  );
});

test("without a next file, and where no other file goes on, it is not known how long the loss was", () => {
  const all = capture([cut, { ...other, to: at("10") }]);
  const loss = lossOf(all, cut, cut.gaps[0]);
  expect(loss).toMatchObject({ from: "10:00:10.0", to: null, us: null, share: null, atMostUs: null });
  expect(lostText("SQL1", loss, 100)).toContain("SQL1 after 10:00:10.0");
  expect(effectText("secondary", loss)).toBe(
    "Blocks of the lost time have no log write and no acknowledgment on this replica.",
  );
});

test("a loss outside the time in common has no effect", () => {
  const all = capture([cut, next, file({ ...other, from: at("20"), to: at("30") })]);
  expect(effectText("primary", lossOf(all, cut, cut.gaps[0]))).toContain("None");
});
