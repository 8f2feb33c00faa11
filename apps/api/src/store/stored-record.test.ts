import { describe, expect, test } from "vitest";
import type { CaptureRecord } from "./catalogue.ts";
import { captureIn, captureText } from "./stored-record.ts";

/** What records of earlier versions have in common. */
const CAPTURE = {
  id: "a",
  name: "Night",
  created: "2026-11-01T00:00:00.000Z",
  expires: null,
  files: [],
  owner: { id: "token:Ann", name: "Ann" },
};
const NOT_ANALYSED = { state: "receiving", problem: null, verdict: null, severity: null, place: null };
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
    const stored = { ...CAPTURE, ...NOT_ANALYSED, ...flags };
    const record = captureIn(JSON.stringify(stored));
    expect(record.life).toEqual(life);
    expect(JSON.parse(captureText(record))).toEqual(stored);
  });

  test("whose figures were being deleted when the process ended is one that is being deleted", () => {
    const stored = { ...CAPTURE, ...NOT_ANALYSED, deleted: SINCE, isLeaving: true, ended: ENDED };
    expect(captureIn(JSON.stringify(stored)).life).toEqual({
      is: "leaving",
      since: SINCE,
      because: "deleted",
    });
  });
});
