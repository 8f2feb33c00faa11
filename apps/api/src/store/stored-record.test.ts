import { describe, expect, test } from "vitest";
import type { CaptureRecord } from "./catalog.ts";
import { captureIn, captureText } from "./stored-record.ts";

/** Common fields of records of earlier versions. */
const CAPTURE = {
  id: "a",
  name: "Night",
  created: "2026-11-01T00:00:00.000Z",
  expires: null,
  files: [],
  owner: { id: "token:Ann", name: "Ann" },
};
const NOT_ANALYZED = { state: "receiving", problem: null, verdict: null, severity: null, place: null };
const SINCE = "2026-11-22T08:00:00.000Z";
const ENDED = { group: "SALES-AG", from: "2026-11-03T02:00:00.0000000Z" };

describe("a record as an earlier version stored it", () => {
  test.each<[object, CaptureRecord["life"]]>([
    [{}, { is: "listed" }],
    [{ deleted: SINCE }, { is: "trashed", since: SINCE, because: "deleted" }],
    [
      { deleted: SINCE, isOver: true },
      { is: "trashed", since: SINCE, because: "expired" },
    ],
    [
      { deleted: SINCE, isLeaving: true },
      { is: "leaving", since: SINCE, because: "deleted" },
    ],
    [
      { deleted: SINCE, isLeaving: true, isOver: true },
      { is: "leaving", since: SINCE, because: "expired" },
    ],
    [
      { deleted: SINCE, isLeaving: true, isOver: true, ended: ENDED },
      { is: "ended", since: SINCE, ...ENDED },
    ],
  ])("%j is in its place of its life, and is stored as it was", (flags, life) => {
    const stored = { ...CAPTURE, ...NOT_ANALYZED, ...flags };
    const record = captureIn(JSON.stringify(stored));
    expect(record.life).toEqual(life);
    expect(JSON.parse(captureText(record))).toEqual(stored);
  });

  const found = { problem: null, verdict: "Commits wait.", severity: "slow", place: "network" } as const;
  const problem = { type: "t", title: "T", status: 500, detail: "D.", code: "analysis-failed" };
  const stored = { format: 7, files: { "summary.json": { bytes: 2, sha256: "ab" } } };
  const digest = { durationUs: 60e6, p95Us: 5_000, glyph: "" };
  const verdict = { verdict: "Commits wait.", severity: "slow", place: "network" } as const;
  test.each<[object, CaptureRecord["analysis"]]>([
    [NOT_ANALYZED, { is: "none" }],
    [
      { ...NOT_ANALYZED, analyseAgain: true },
      { is: "again", cutOff: 0 },
    ],
    [
      { ...NOT_ANALYZED, analyseAgain: true, cutOff: 1 },
      { is: "again", cutOff: 1 },
    ],
    [
      { ...NOT_ANALYZED, state: "analysing" },
      { is: "running", cutOff: 0 },
    ],
    [
      { ...NOT_ANALYZED, state: "analysing", cutOff: 1 },
      { is: "running", cutOff: 1 },
    ],
    [
      { ...NOT_ANALYZED, state: "failed", problem },
      { is: "failed", problem },
    ],
    [
      { ...found, state: "ready", stored, digest },
      { is: "ready", ...verdict, stored, digest },
    ],
    [
      { ...found, state: "ready", stored, digest: null },
      { is: "ready", ...verdict, stored, digest: null },
    ],
    // A record from before lists had figures, and before tables had checksums.
    [
      { ...found, state: "ready", stored },
      { is: "ready", ...verdict, stored },
    ],
    [
      { ...found, state: "ready" },
      { is: "ready", ...verdict },
    ],
    // The rest of an expired capture.
    [
      { ...found, state: "ready", digest, deleted: SINCE, isLeaving: true, isOver: true, ended: ENDED },
      { is: "ready", ...verdict, digest },
    ],
  ])("%j has its analysis, and is stored as it was", (fields, analysis) => {
    const text = JSON.stringify({ ...CAPTURE, ...fields });
    const record = captureIn(text);
    expect(record.analysis).toEqual(analysis);
    expect(JSON.parse(captureText(record))).toEqual(JSON.parse(text));
  });

  test("that counts how often an analysis was cut off which nobody does again forgets that", () => {
    const cancelled = captureIn(JSON.stringify({ ...CAPTURE, ...NOT_ANALYZED, cutOff: 1 }));
    expect(JSON.parse(captureText(cancelled))).toEqual({ ...CAPTURE, ...NOT_ANALYZED });
  });

  test("that came without its event files lacks them, also where no file says so", () => {
    const file = {
      id: "f",
      kind: "xel",
      path: "",
      sha256: "ab",
      databaseNames: {},
      groupNames: [],
      identity: null,
      given: {},
    };
    const text = (...files: readonly object[]) =>
      JSON.stringify({ ...CAPTURE, ...NOT_ANALYZED, withoutFiles: true, files });
    const stored = { ...CAPTURE, ...NOT_ANALYZED, withoutFiles: true, files: [{ ...file, isMissing: true }] };
    expect(JSON.parse(captureText(captureIn(text(file))))).toEqual(stored);
    // Some of the files have arrived since.
    const some = text({ ...file, isMissing: false }, { ...file, id: "g", isMissing: true });
    expect(JSON.parse(captureText(captureIn(some)))).toEqual(JSON.parse(some));
    // Evidence came with a capture without its event files.
    const others = text({ ...file, isMissing: true }, { ...file, id: "g", kind: "evidence" });
    expect(JSON.parse(captureText(captureIn(others)))).toEqual(JSON.parse(others));
  });

  test("whose figures were being deleted when the process ended is one that is being deleted", () => {
    const stored = { ...CAPTURE, ...NOT_ANALYZED, deleted: SINCE, isLeaving: true, ended: ENDED };
    expect(captureIn(JSON.stringify(stored)).life).toEqual({
      is: "leaving",
      since: SINCE,
      because: "deleted",
    });
  });
});
