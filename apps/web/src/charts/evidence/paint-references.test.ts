import { expect, test } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { boxOf } from "../../../test/scene.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintReferences, type Reference } from "./paint-references.ts";

const SCALE = { from: 0, to: 10e6, width: 1_000 };
const BOXES = [boxOf("localFlush", 0, 60), boxOf("hop0.secondaryFlush", 70, 60)];

const reference: Reference = {
  places: [{ figure: "secondaryFlush", secondary: 0, from: 2e6, to: 12e6 }],
  volume: "F:",
  p50: 10_000,
  p99: 100_000,
};

function drawn(level: 0 | 1 | 2, more: Partial<Reference> = {}): string[] {
  const { context, take } = drawLog();
  paintReferences(context, { boxes: BOXES, scale: SCALE, tokens: NAMED, level }, [{ ...reference, ...more }]);
  return take().map(inOneLine);
}

test("the median is a dashed line while its server has the lane, shaded up to p99, with its figures", () => {
  // In a lane of 60 px 10 ms is 30 px high, and 100 ms is 45 px high.
  expect(drawn(1)).toEqual([
    "fillRect 200 85 800 15 --ink 0.12",
    "stroke M 200 100.5 L 1000 100.5 --ink",
    "fillRect 770 70 230 15 --surface",
    'fillText "Diskspd on F: p50 10.0\u2009ms, p99 100\u2009ms" 774 81 --ink',
  ]);
});

test("a result without p99 has no shade, and bars of single blocks have no line", () => {
  expect(drawn(0, { p99: null })[0]).toBe("stroke M 200 100.5 L 1000 100.5 --ink");
  expect(drawn(2)).toEqual([]);
});
