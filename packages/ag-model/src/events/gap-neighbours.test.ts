import fc from "fast-check";
import { expect, test } from "vitest";
import { gapNeighbors } from "./gap-neighbours.ts";

test("the neighbors are by place in the file, whatever the order of time", () => {
  // In the file: 100, 200, gap 250..300, 300, 400, gap 450..500 at the end.
  const offsets = [400, 100, 300, 200];
  const gaps = [
    { offset: 450, bytes: 50 },
    { offset: 250, bytes: 50 },
  ];
  expect(gapNeighbors(gaps, offsets)).toEqual([
    { before: 0, after: -1 },
    { before: 3, after: 2 },
  ]);
});

test("a gap at the beginning, one right behind another, and a file without events", () => {
  const gaps = [
    { offset: 0, bytes: 100 },
    { offset: 100, bytes: 0 },
    { offset: 100, bytes: 50 },
  ];
  expect(gapNeighbors(gaps, [100, 150])).toEqual([
    { before: -1, after: 0 },
    { before: -1, after: 0 },
    { before: -1, after: 1 },
  ]);
  expect(gapNeighbors(gaps, [])).toEqual(gaps.map(() => ({ before: -1, after: -1 })));
  expect(gapNeighbors([], [1, 2])).toEqual([]);
});

test("is what a look at every event for every gap finds", () => {
  const place = fc.nat({ max: 60 });
  const gap = fc.record({ offset: place, bytes: fc.nat({ max: 20 }) });
  fc.assert(
    fc.property(fc.array(gap), fc.uniqueArray(place), (gaps, offsets) => {
      const expected = gaps.map(({ offset, bytes }) => ({
        before: offsets.indexOf(Math.max(...offsets.filter((at) => at < offset))),
        after: offsets.indexOf(Math.min(...offsets.filter((at) => at >= offset + bytes))),
      }));
      expect(gapNeighbors(gaps, offsets)).toEqual(expected);
    }),
  );
});

test("looks at each event a few times, however many gaps there are", () => {
  const rows = 2_000;
  let reads = 0;
  const offsets = new Proxy(
    Array.from({ length: rows }, (_, row) => row * 100),
    {
      get: (target, key) => {
        if (key !== "length") reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    },
  );
  const gaps = Array.from({ length: 500 }, (_, index) => ({ offset: index * 400 + 50, bytes: 20 }));
  const neighbors = gapNeighbors(gaps, offsets);
  expect(neighbors[100]).toEqual({ before: 400, after: 401 });
  expect(reads).toBeLessThan(4 * rows);
});
