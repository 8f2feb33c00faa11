import { describe, expect, it } from "vitest";
import type { CaptureFile } from "@aglens/contract";
import { captureFile } from "../../../test/capture-file.ts";
import { byReplica } from "./replica-files.ts";
import { UTC } from "../../ui/zone.ts";
import { begunText, fileOf, isNamed, needsLook, rangeText, rolloverText } from "./files-text.ts";

function file(from: string | null, to: string | null, change: Partial<CaptureFile> = {}): CaptureFile {
  const iso = (clock: string | null): string | null => (clock === null ? null : `2016-05-06T${clock}00000Z`);
  return captureFile({
    id: from ?? "none",
    name: `${from}.xel`,
    from: iso(from),
    to: iso(to),
    ...change,
  });
}

const first = file("02:16:55.81", "02:18:07.30");
const second = file("02:18:07.35", "02:18:52.12");
const later = file("02:19:02.12", "02:20:00.00");
const other = file("02:16:55.80", "02:18:28.20", {
  detectedRole: "secondary",
  role: "secondary",
  replica: "SQL2",
});

describe("a replica's files in one line", () => {
  it("says whether rollover files follow each other, in whatever order they came", () => {
    expect(rolloverText(byReplica([second, first])[0])).toBe("2 files");
    expect(rolloverText(byReplica([later, second, first])[0])).toBe(
      "3 files, up to 10.0\u2009s between them",
    );
  });

  it("gives the time from the first event to the last, and says when there is none", () => {
    expect(rangeText([first, second], UTC)).toBe("02:16:55.8 to 02:18:52.1 UTC");
    expect(rangeText([file(null, null)], UTC)).toBe("no event with a time");
  });

  it("numbers files as they follow each other", () => {
    const [replica] = byReplica([second, first]);
    expect(replica.files.map((one) => fileOf(replica, one))).toEqual(["File 1 of 2", "File 2 of 2"]);
  });
});

describe("what roles rest on", () => {
  it("asks for a look where the events do not show the role", () => {
    expect(needsLook(byReplica([first, other]))).toBe(false);
    const unknown = { ...other, detectedRole: "unknown" as const };
    expect(needsLook(byReplica([first, unknown]))).toBe(false);
    expect(needsLook(byReplica([first, { ...unknown, given: { role: "secondary" as const } }]))).toBe(true);
  });
});

describe("a capture's name and day", () => {
  it("begins with the earliest file that takes part", () => {
    const files = [
      second,
      first,
      { ...later, from: "2015-01-01T00:00:00.0000000Z", role: "ignored" as const },
    ];
    expect(begunText({ files })).toBe("2016-05-06");
    expect(begunText({ files }, 16)).toBe("2016-05-06 02:16 UTC");
    expect(begunText({ files: [] })).toBe("");
  });

  it("does not say a role twice", () => {
    expect(isNamed({ name: "Secondary", role: "secondary" })).toBe(false);
    expect(isNamed({ name: "SQL2", role: "secondary" })).toBe(true);
  });
});
