import { describe, expect, it } from "vitest";
import { clampRange, createViewport, panBy, zoomAt } from "./viewport.ts";

describe("viewport", () => {
  it("zooms with the instant under the pointer staying in place", () => {
    expect(zoomAt([0, 1000], 250, 0.5, 10_000)).toEqual([125, 625]);
    expect(zoomAt([0, 1000], 500, 100, 10_000)).toEqual([0, 10_000]);
  });

  it("stays inside the capture and keeps its span", () => {
    expect(clampRange([-50, 50], 1000)).toEqual([0, 100]);
    expect(panBy([800, 1000], 0.5, 1000)).toEqual([800, 1000]);
    expect(clampRange([10, 11], 1000)).toEqual([10, 30]);
  });

  it("reports only real moves to listeners", () => {
    const viewport = createViewport([0, 1000], 1000);
    let moves = 0;
    viewport.subscribe(() => moves++);
    viewport.set([0, 5000]);
    viewport.set([100, 200]);
    expect(moves).toBe(1);
  });
});
