import { expect, test } from "vitest";
import type { CaptureFile } from "@aglens/contract";
import { captureFile } from "../../../test/capture-file.ts";
import { droppedText } from "./replica-row-text.ts";

const NONE = { values: 0, bytes: 0 };

test.each<[string | null, readonly CaptureFile["dropped"][]]>([
  [null, [NONE, NONE]],
  [
    "Dropped on receipt: 1,204 values (statement texts, host and login names).",
    [
      { values: 1200, bytes: 0 },
      { values: 4, bytes: 0 },
    ],
  ],
  ["Dropped on receipt: 512\u2009B that hold no readable event.", [{ values: 0, bytes: 512 }]],
  [
    "Dropped on receipt: 2 values (statement texts, host and login names) and 512\u2009B that hold no readable event.",
    [{ values: 2, bytes: 512 }],
  ],
  ["With statement texts, host and login names: their uploader keeps them.", [NONE, null]],
  [
    "Received by an earlier version, which dropped no statement texts, host and login names.",
    [{ values: 5, bytes: 0 }, undefined],
  ],
])("%s", (words, dropped) => {
  const files = dropped.map((each, index) => {
    const { dropped: _, ...file } = captureFile({ id: String(index) });
    return each === undefined ? file : { ...file, dropped: each };
  });
  expect(droppedText(files)).toBe(words);
});
