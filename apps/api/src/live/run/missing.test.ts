import { describe, expect, test } from "vitest";
import { missingOf } from "./missing.ts";

const BEGINNING = "of its beginning: the limit of one run was reached.";

describe("what the capture of a run lacks", () => {
  test("is nothing where all was written", () => {
    expect(missingOf({ droppedBytes: 0, lostBytes: 0 }, false)).toEqual([]);
  });
  test("is its beginning where the limit was reached, in whole megabytes", () => {
    expect(missingOf({ droppedBytes: 1, lostBytes: 0 }, false)).toEqual([
      `The capture lacks 1 MB ${BEGINNING}`,
    ]);
    expect(missingOf({ droppedBytes: 1_234_000_001, lostBytes: 0 }, false)).toEqual([
      `The capture lacks 1,235 MB ${BEGINNING}`,
    ]);
  });
  test("is what a slow disk did not take, which is not its beginning", () => {
    expect(missingOf({ droppedBytes: 0, lostBytes: 2_000_000 }, false)).toEqual([
      "2 MB of event buffers were lost: they came faster than the disk took them. The capture has gaps there.",
    ]);
  });
  test("is all from where a full disk took no more", () => {
    expect(missingOf({ droppedBytes: 3, lostBytes: 2_000_000 }, true)).toEqual([
      "The disk took no more event buffers at some time: the capture ends there.",
      `The capture lacks 1 MB ${BEGINNING}`,
    ]);
  });
});
