import { type CaptureFile, type CaptureGroup, NewCapture } from "@aglens/contract";
import { describe, expect, test } from "vitest";
import { captureNameOf, noProgress, replacementOf } from "./capture-rules.ts";
import { NOTHING } from "./recognised.ts";

const file = (changes: Partial<CaptureFile>): CaptureFile => ({
  ...NOTHING,
  id: "f",
  name: "a.xel",
  folder: null,
  path: "",
  sha256: "",
  size: 1,
  kind: "xel",
  detectedRole: "primary",
  given: {},
  role: "ignored",
  replica: "",
  ...changes,
});

describe("a file in the place of another", () => {
  const old = file({ id: "old", name: "old.xel", given: { replica: "SQL1" } });

  test("keeps what the user said of the other", () => {
    expect(replacementOf(old, [file({ id: "new" })])).toEqual(
      file({ id: "new", given: { replica: "SQL1" } }),
    );
  });

  test.each([
    [
      "of the other side",
      [file({ detectedRole: "secondary", evidence: "it applies blocks" })],
      "it applies blocks",
    ],
    ["that is unreadable", [file({ kind: "unreadable", message: "It is cut off." })], "It is cut off."],
    ["of another kind", [file({ kind: "topology" })], "a.xel is not an event file."],
    ["among others", [file({}), file({})], "The zip holds 2 files."],
    ["from an empty zip", [], "The zip holds 0 files."],
  ])("is refused %s", (_, files, reason) => {
    expect(() => replacementOf(old, files)).toThrow(reason);
    expect(() => replacementOf(old, files)).toThrow("old.xel stays as it was.");
  });
});

describe("the name of a capture", () => {
  const group = (name: string): CaptureGroup => ({ name }) as CaptureGroup;

  test("is that of its newest group until somebody names it", () => {
    const groups = [group("SQL1, SQL2"), group("SQL3")];
    expect(captureNameOf({ name: "Capture", isUnnamed: true }, groups)).toBe("SQL1, SQL2");
    expect(captureNameOf({ name: "Mine", isUnnamed: false }, groups)).toBe("Mine");
    expect(captureNameOf({ name: "Capture", isUnnamed: true }, [])).toBe("Capture");
  });

  test("is as long as a name that a user may give", () => {
    const found = captureNameOf({ name: "Capture", isUnnamed: true }, [group("x".repeat(300))]);
    expect(NewCapture.safeParse({ name: found }).success).toBe(true);
    expect(NewCapture.safeParse({ name: `${found}x` }).success).toBe(false);
  });
});

test("an analysis that has read nothing yet has all bytes before it", () => {
  expect(noProgress([file({ id: "a", size: 700 }), file({ id: "b", size: 50 })])).toEqual({
    phase: "decode",
    bytesDone: 0,
    bytesTotal: 750,
    events: 0,
    blocks: 0,
    files: [
      { id: "a", bytesDone: 0, events: 0, at: null },
      { id: "b", bytesDone: 0, events: 0, at: null },
    ],
  });
});
