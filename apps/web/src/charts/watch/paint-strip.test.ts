import { describe, expect, test } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintStrip, type StripPicture } from "./paint-strip.ts";
import type { StripMark } from "./strip.ts";

/** 100 s on 100 px; 10 ms are at 58 px, 100 ms at 16 px. */
const SCALE = { from: 0, to: 100_000, width: 100, height: 100 };

const PICTURE: StripPicture = {
  polls: {
    from: 0,
    width: 50_000,
    delay: [10, null],
    longest: [100, null],
    usualLow: [1, 1],
    usualHigh: [10, 10],
    polled: [1, 0],
  },
  marks: [],
  limitMs: 10,
  now: 100_000,
};

function drawn(change: Partial<StripPicture> = {}): string[] {
  const { context, take } = drawLog();
  paintStrip(context, NAMED, SCALE, { ...PICTURE, ...change });
  return take().map(inOneLine);
}

const mark = (kind: StripMark["kind"], id: string = kind): StripMark => ({
  id,
  at: 50_000,
  kind,
  place: "network",
});

describe("the polls", () => {
  test("the usual is a band, the longest poll a stroke with a cap over the limit, the mean a line", () => {
    const calls = drawn();
    expect(calls).toContain("fillRect 0 58 50 42 --wait-soft");
    expect(calls).toContain("fillRect 24.5 16 1 42 --wait");
    expect(calls).toContain("fillRect 0 14.5 50 3 --c-bad");
    expect(calls).toContain("stroke M 0 58 L 50 58 --ink-2");
  });

  test("without a limit there is no dashed line and no cap", () => {
    expect(drawn()).toContain("stroke M 0 58.5 L 100 58.5 --ink-2");
    const without = drawn({ limitMs: null });
    expect(without.filter((call) => call.includes("58.5") || call.includes("--c-bad"))).toEqual([]);
  });

  test("time without polls is hatched and has no usual; before they are loaded nothing is missing", () => {
    expect(drawn().filter((call) => call.includes("--hatch"))).toHaveLength(1);
    expect(drawn().filter((call) => call.includes("--wait-soft"))).toHaveLength(1);
    expect(drawn({ polls: null }).some((call) => call.includes("--hatch"))).toBe(false);
  });
});

describe("marks", () => {
  test("a recording is a square in the color of its place, a running one a crimson dot, a refused one an outline", () => {
    expect(drawn({ marks: [mark("recorded")] })).toContain("fillRect 46 0 8 9 --n-out");
    expect(drawn({ marks: [mark("recording")] })).toContain("fill A 50 4.5 4 --c-bad");
    expect(drawn({ marks: [mark("refused")] })).toContain("strokeRect 46.5 0.5 7 8 --ink-3");
  });

  test("the stem is at its time, also where the box has moved; the selected one has a frame", () => {
    const near = { ...mark("recorded", "first"), at: 47_000 };
    const calls = drawn({ marks: [near, mark("recorded")], selected: "first" });
    // At 47 px, with a line to the box at 41 px.
    expect(calls).toContain("fillRect 47 9 1 91 --n-out");
    expect(calls).toContain("fillRect 41 9 6 1 --n-out");
    expect(calls).toContain("fillRect 37 0 8 9 --n-out");
    expect(calls).toContain("strokeRect 35.5 0.5 11 10 --select");
  });
});
