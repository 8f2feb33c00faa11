import { expect, test } from "vitest";
import { runningMaximum } from "@aglens/ag-model/numbers";
import { rankSentence } from "../../../charts/timeline/buffered.ts";
import { lengthText } from "./block-tip.tsx";

const start = Float64Array.of(0, 10, 20, 30);
const end = Float64Array.of(5, 19, Number.NaN, 37);
const spans = { start, end, time: start, reach: runningMaximum(end), block: Int32Array.of(0, 1, 2, 3) };

test("a rank counts the known bars, and is given for whole captures only", () => {
  expect(rankSentence(spans, 7, true)).toBe("Rank 2 of 3");
  expect(rankSentence(spans, 7, false)).toBeNull();
});

test("what a raw clock turns around is no duration", () => {
  expect(lengthText(8_020)).toBe("8.02\u2009ms");
  expect(lengthText(-26_700)).toBe("arrives 26.7\u2009ms before it leaves");
});
