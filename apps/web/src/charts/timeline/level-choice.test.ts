import type { BlockWindow } from "@aglens/contract";
import { expect, test } from "vitest";
import { chooseLevel, NO_LEVEL_CHOICE } from "./level-choice.ts";
import type { Buffer } from "./spans.ts";

/** A minute: 5 blocks in its first 10 s, 200 in each 10 s after that. */
function bufferOfAMinute(): Buffer {
  const time = Float64Array.from({ length: 1005 }, (_, i) =>
    i < 5 ? i * 2e6 : 10e6 + ((i - 5) / 1000) * 50e6,
  );
  return { blocks: { blocks: { time } } as BlockWindow, bins: null } as Buffer;
}

const WIDTH = 1000;
const at = (from: number) => ({ from, to: from + 10e6, width: WIDTH });
const RESTED = [0, 10e6] as const;

test("panning keeps the level until the view rests", () => {
  const buffer = bufferOfAMinute();
  const quiet = chooseLevel(NO_LEVEL_CHOICE, buffer, at(0), RESTED);
  expect(quiet.level).toBe(2);
  // About 40 blocks are more than 0.02 per pixel, and not three times as many.
  const panned = chooseLevel(quiet, buffer, at(1.85e6), RESTED);
  expect(panned).toBe(quiet);
  expect(chooseLevel(panned, buffer, at(1.85e6), [1.85e6, 11.85e6]).level).toBe(1);
});

test("single blocks that would be drawn over each other become a skyline at once", () => {
  const buffer = bufferOfAMinute();
  const quiet = chooseLevel(NO_LEVEL_CHOICE, buffer, at(0), RESTED);
  expect(chooseLevel(quiet, buffer, at(20e6), RESTED).level).toBe(1);
});

test("zooming and new blocks choose anew", () => {
  const buffer = bufferOfAMinute();
  const dense = chooseLevel(NO_LEVEL_CHOICE, buffer, at(20e6), RESTED);
  expect(dense.level).toBe(1);
  const zoomed = { from: 20e6, to: 20.5e6, width: WIDTH };
  expect(chooseLevel(dense, buffer, zoomed, RESTED).level).toBe(2);
  const emptied = { blocks: { blocks: { time: new Float64Array() } } as BlockWindow, bins: null } as Buffer;
  expect(chooseLevel(dense, emptied, at(20e6), RESTED).level).toBe(2);
});
