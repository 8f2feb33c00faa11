import { describe, expect, test } from "vitest";
import { captureFile } from "../../../../test/capture-file.ts";
import { captureOf } from "../../../../test/capture.ts";
import type { PartsState, Upload } from "./draft-types.ts";
import { shortName } from "../short-name.ts";
import { unfinishedText } from "./unfinished-uploads.tsx";
import {
  keptUntil,
  rowText,
  stateOfUpload,
  sumsOfRows,
  uploadHeadline,
  uploadLeadText,
  uploadRows,
} from "./upload-text.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 20, 41);
const parts = (some: Partial<PartsState> = {}): PartsState => ({
  kept: 0,
  breaks: [],
  waiting: null,
  keptUntilMs: null,
  otherThan: null,
  reading: null,
  ...some,
});
const upload = (some: Partial<Upload> = {}): Upload => ({
  key: 1,
  name: "c.xel",
  size: 272e6,
  sent: 166.9e6,
  problem: null,
  parts: parts({ kept: 150e6, breaks: [150e6] }),
  ...some,
});
const kept = {
  id: "u1",
  captureId: "c1",
  name: "d.xel",
  path: "d.xel",
  size: 100e6,
  received: 40e6,
  head: null,
  begun: "2026-11-21T20:36:12Z",
  lastReceived: "2026-11-21T20:38:47Z",
  expires: "2026-11-22T20:38:47Z",
  files: null,
};
const whole = captureFile({ id: "a", name: "a.xel", size: 341e6, events: 2_810_000 });
const waiting = (untilMs: number) => ({ sentence: "The connection to the server broke.", untilMs });

test("the rows are what is whole, what is sent, and what has to be chosen; their bytes are the sums", () => {
  const rows = uploadRows({
    capture: captureOf({ files: [whole] }),
    uploads: [upload()],
    kept: [kept],
    readings: new Map(),
  });
  expect(rows.map(({ name, kept, sent, breaks }) => [name, kept, sent, breaks])).toEqual([
    ["a.xel", 341e6, 341e6, []],
    ["c.xel", 150e6, 166.9e6, [150e6]],
    ["d.xel", 40e6, 40e6, [40e6]],
  ]);
  expect(sumsOfRows(rows)).toEqual({ size: 713e6, kept: 531e6, sent: 547.9e6 });
  expect(rows.map(rowText)).toEqual(["complete, 2,810,000 events", "on its way", "to be chosen"]);
});

test("a file that is sent from here keeps its place when it is whole, and is one row as soon as it is", () => {
  const second = captureFile({ id: "b", name: "b.xel" });
  const reading = { read: null, isLater: true, key: 2 };
  const rows = uploadRows({
    capture: captureOf({ files: [second, whole] }),
    uploads: [1, 2, 3].map((key) => upload({ key, name: `${"-abc".charAt(key)}-sent.xel` })),
    kept: [],
    readings: new Map([["b", reading]]),
  });
  expect(rows.map(({ key, name }) => [key, name])).toEqual([
    ["a", "a.xel"],
    ["1", "a-sent.xel"],
    ["2", "b.xel"],
    ["3", "c-sent.xel"],
  ]);
});

test("a file that was chosen in the place of another is one row", () => {
  const other = upload({ name: "d.xel", problem: "Another file.", parts: parts({ otherThan: kept }) });
  const rows = uploadRows({ capture: null, uploads: [other], kept: [kept], readings: new Map() });
  expect(rows.map(rowText)).toEqual(["not sent"]);
});

test("what is kept is kept until the first of its ends", () => {
  const end = Date.parse(kept.expires);
  expect(keptUntil({ uploads: [upload()], kept: [] })).toBeNull();
  expect(keptUntil({ uploads: [upload({ parts: parts({ keptUntilMs: end - 1 }) })], kept: [kept] })).toBe(
    end - 1,
  );
  expect(keptUntil({ uploads: [upload({ parts: parts({ keptUntilMs: end + 1 }) })], kept: [kept] })).toBe(
    end,
  );
});

test("a long name keeps its end, which differs", () => {
  expect(shortName("a".repeat(32))).toBe("a".repeat(32));
  expect(shortName("AlwaysOn_Data_Movement_0_134078124690831.xel")).toBe("AlwaysOn_Data_Mov…8124690831.xel");
});

describe("the state", () => {
  const stateOf = (
    uploads: readonly Upload[],
    isPaused = false,
    keptUploads: readonly (typeof kept)[] = [],
  ) => stateOfUpload({ uploads, isPaused, kept: keptUploads });

  test("is sending until it was interrupted, then going on", () => {
    expect(stateOf([upload({ parts: parts() })]).is).toBe("sending");
    expect(stateOf([upload()]).is).toBe("goes-on");
    expect(stateOf([upload()], true).is).toBe("paused");
  });

  test("is waiting when every file in parts waits, until the first is tried again", () => {
    const waits = (ms: number) => upload({ parts: parts({ waiting: waiting(NOW_MS + ms) }) });
    expect(stateOf([waits(8000), waits(2000)])).toEqual({ is: "waiting", ...waiting(NOW_MS + 2000) });
    expect(stateOf([waits(8000), upload()]).is).toBe("goes-on");
  });

  test("is a wish for files when only the server has some, and stopped when it has none", () => {
    expect(stateOf([], false, [kept]).is).toBe("choose");
    expect(stateOf([upload({ problem: "The disk is full." })]).is).toBe("stopped");
  });
});

test("headlines say how far it is, and what it waits for", () => {
  const sums = { size: 613e6, kept: 491e6, sent: 507.9e6 };
  const headline = (
    is: "sending" | "goes-on" | "paused" | "choose" | "stopped",
    rate: number | null = null,
  ) => uploadHeadline({ is }, sums, rate, NOW_MS).replaceAll(/[\u00a0\u2009]/gu, " ");
  // 105.1 MB at 11.6 MB/s.
  expect(headline("goes-on", 11.6e6)).toBe("Upload resumes at 82 %, about 9 s left");
  expect(headline("sending")).toBe("Sending the files, 82 %");
  expect(headline("paused")).toBe("Upload is paused at 82 %");
  expect(headline("choose")).toBe("Choose the same files, 491 MB are kept");
  expect(headline("stopped")).toBe("Upload stopped at 82 %");
  const waits = (ms: number) =>
    uploadHeadline({ is: "waiting", ...waiting(NOW_MS + ms) }, sums, null, NOW_MS).replaceAll("\u2009", " ");
  expect(waits(7_001)).toBe("Interrupted at 82 %, trying again in 8 s");
  expect(waits(0)).toBe("Interrupted at 82 %, trying again now");
  expect(uploadLeadText({ is: "waiting", ...waiting(NOW_MS) }, sums)).toBe(
    "The connection to the server broke. What the server has is not sent again.",
  );
});

test("all bytes that are there are a hundred percent, one less is not", () => {
  const share = (sent: number) => uploadHeadline({ is: "paused" }, { size: 1e6, kept: 0, sent }, null, 0);
  expect(share(1e6)).toMatch(/100\s%$/u);
  expect(share(1e6 - 1)).toMatch(/99\s%$/u);
});

test("what the server keeps of some files of one capture", () => {
  expect(unfinishedText([kept]).replaceAll("\u2009", " ")).toBe(
    "d.xel is not complete yet: the server keeps 40.0 MB of 100 MB.",
  );
  expect(unfinishedText([kept, kept]).replaceAll("\u2009", " ")).toBe(
    "2 files are not complete yet: the server keeps 80.0 MB of 200 MB.",
  );
});
