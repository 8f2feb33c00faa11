import { expect, test } from "vitest";
import { placeLegLabels, placeRoundTrip } from "./leg-labels.ts";

const place = (out: [number, number], back: [number, number]) =>
  placeLegLabels({ from: out[0], to: out[1] }, { from: back[0], to: back[1] }, 152, 1400);

test("over the middle of a flat slope, beside a steep one", () => {
  expect(place([160, 760], [800, 1390])).toEqual({
    out: { x: 468, y: 234, anchor: "start" },
    back: { x: 1087, y: 234, anchor: "end" },
  });
  expect(place([160, 200], [1350, 1390])).toEqual({
    out: { x: 214, y: 254, anchor: "start" },
    back: { x: 1336, y: 254, anchor: "end" },
  });
});

test("two steep slopes beside each other keep their labels apart", () => {
  const { out, back } = place([160, 200], [360, 400]);
  expect(out).toEqual({ x: 214, y: 254, anchor: "start" });
  expect(back).toEqual({ x: 414, y: 254, anchor: "start" });
});

test("two steep slopes at one end have their labels on the other side of both, one under the other", () => {
  expect(place([160, 200], [260, 300])).toEqual({
    out: { x: 314, y: 228, anchor: "start" },
    back: { x: 314, y: 259, anchor: "start" },
  });
  const { out, back } = place([1300, 1320], [1350, 1390]);
  expect(out).toEqual({ x: 1286, y: 228, anchor: "end" });
  expect(back).toEqual({ x: 1286, y: 259, anchor: "end" });
});

test("the round trip stands between the feet, above the lines, or outside", () => {
  const at = (out: [number, number], back: [number, number]) =>
    placeRoundTrip({ from: out[0], to: out[1] }, { from: back[0], to: back[1] }, 152, 1400);
  expect(at([160, 300], [1260, 1390])).toEqual({ x: 780, y: 292, anchor: "middle" });
  // The text ends 55 px right of the rising line's foot, where that is 300 − 90 · 55 / 590 = 291.61 high.
  expect(at([160, 760], [800, 1390]).y).toBeCloseTo(285.61, 2);
  expect(at([160, 180], [200, 220])).toEqual({ x: 234, y: 292, anchor: "start" });
});
