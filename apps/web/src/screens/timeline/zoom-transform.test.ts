import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { rangeOf, transformOf, wheelPan, wheelZoom } from "./zoom-transform.ts";

test("the whole capture is the identity, a tenth of it is ten times as large and shifted by what lies before it", () => {
  expect(transformOf([0, 1_000], 1_000, 500)).toMatchObject({ k: 1, x: 0 });
  expect(transformOf([200, 300], 1_000, 500)).toMatchObject({ k: 10, x: -1_000 });
});

test("a range comes back from its transform, from microseconds to a day", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 86_400_000_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 10, max: 4_000 }),
      (duration, start, length, width) => {
        const span = Math.max(20, length * duration);
        const from = start * (duration - span);
        const [a, b] = rangeOf(transformOf([from, from + span], duration, width), duration, width);
        // A thousandth of a microsecond is far less than a pixel.
        expect(Math.abs(a - from)).toBeLessThan(1e-3);
        expect(Math.abs(b - from - span)).toBeLessThan(1e-3);
      },
    ),
  );
});

describe("the wheel", () => {
  const wheel = (more: Partial<WheelEvent>) => ({
    deltaX: 0,
    deltaY: 0,
    deltaMode: 0,
    shiftKey: false,
    ...more,
  });

  it("zooms in upwards and out downwards, by as much", () => {
    expect(wheelZoom(wheel({ deltaY: -100 }))).toBeCloseTo(Math.exp(0.35), 9);
    expect(wheelZoom(wheel({ deltaY: 100 })) * wheelZoom(wheel({ deltaY: -100 }))).toBeCloseTo(1, 9);
  });

  it("zooms by at most half as much again in one step, also where a step counts lines", () => {
    expect(wheelZoom(wheel({ deltaY: -900 }))).toBe(wheelZoom(wheel({ deltaY: -120 })));
    expect(wheelZoom(wheel({ deltaY: -3, deltaMode: 1 }))).toBe(wheelZoom(wheel({ deltaY: -48 })));
    expect(wheelZoom(wheel({ deltaY: -900 }))).toBeCloseTo(1.522, 3);
  });

  it("pans sideways, with Shift, and where nothing scrolls; else the lanes scroll", () => {
    expect(wheelPan(wheel({ deltaX: 30, deltaY: 10 }), true)).toBe(30);
    expect(wheelPan(wheel({ deltaX: 10, deltaY: 30 }), true)).toBe(0);
    expect(wheelPan(wheel({ deltaX: 30, deltaY: 30 }), true)).toBe(0);
    expect(wheelPan(wheel({ deltaY: 30, shiftKey: true }), true)).toBe(30);
    expect(wheelPan(wheel({ deltaY: 30 }), false)).toBe(30);
    expect(wheelPan(wheel({ deltaY: 2, deltaMode: 1 }), false)).toBe(32);
    expect(wheelPan(wheel({}), false)).toBe(0);
  });
});
