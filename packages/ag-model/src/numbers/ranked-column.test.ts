import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RankedColumn, rowSetOf, rowsInRun, type RowRun } from "./ranked-column.ts";
import { allRows } from "./ascending-rows.ts";
import { rankedRows } from "./ranked-rows.ts";
import { gatherFloat64 } from "./gather.ts";
import { countsBelow, figuresOfRuns, medianOf, statisticsOf } from "./statistics.ts";

const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -40, max: 400 }) },
  { weight: 2, arbitrary: fc.double({ min: -5_000, max: 1e9, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, 0, -0, 0.3, -0.3, 1, 2 ** 60, -(2 ** 60)) },
);

/** The values of a run, one by one. */
const pickedBy = (values: Float64Array, { before, first, end }: RowRun): Float64Array =>
  Float64Array.from(
    [...before, ...values.keys().filter((row) => row >= first && row < end)],
    (row) => values[row],
  );

/** 0 for -0, which it equals: it does not matter which of them is the median. */
const positiveZeros = (figures: object): object =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value === 0 ? 0 : value]));

function expectSame(values: Float64Array, run: RowRun): void {
  const expected = statisticsOf(pickedBy(values, run));
  const { mean, ...found } = new RankedColumn(values).statistics(run);
  expect(positiveZeros(found)).toEqual(positiveZeros({ ...expected, mean: undefined }));
  const scale = Math.max(1, ...pickedBy(values, run).map((each) => Math.abs(each) || 0));
  if (Number.isNaN(expected.mean)) expect(mean).toBeNaN();
  else expect(Math.abs(mean - expected.mean) / scale).toBeLessThan(1e-9);
}

it("any rows have the figures of their values", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 600 }), fc.infiniteStream(fc.boolean()), (list, chosen) => {
      const values = Float64Array.from(list);
      const rows = Uint32Array.from(values.keys().filter(() => chosen.next().value === true));
      const found = new RankedColumn(values).statisticsAmong(rowSetOf(values.length, rows));
      const expected = statisticsOf(Float64Array.from(rows, (row) => values[row]));
      expect(positiveZeros(found)).toEqual(positiveZeros(expected));
    }),
  );
});

it("the middle value is that of all, and each value has its share of those up to it", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 600 }), (list) => {
      const ranked = new RankedColumn(Float64Array.from(list));
      expect(ranked.median + 0).toBe(medianOf(Float64Array.from(list)) + 0);
      const known = list.filter((each) => !Number.isNaN(each));
      for (const each of known.slice(0, 20))
        expect(ranked.percentUpTo(each)).toBe(
          (known.filter((other) => other <= each).length / known.length) * 100,
        );
    }),
  );
});

it("runs of any rows have the largest and middle values that putting them in order gives", () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 600 }),
      fc.infiniteStream(fc.boolean()),
      fc.array(fc.nat(90), { maxLength: 12 }),
      (list, chosen, lengths) => {
        const values = Float64Array.from(list);
        const rows = Uint32Array.from(values.keys().filter(() => chosen.next().value === true));
        const runs = Float64Array.of(0, ...lengths).map((_, i) =>
          Math.min(rows.length, sum(lengths.slice(0, i))),
        );
        const found = new RankedColumn(values).figuresOfRuns(rowSetOf(values.length, rows), runs);
        const expected = figuresOfRuns(gatherFloat64(values, rows), runs);
        // 0 for -0, which it equals.
        for (const name of ["max", "p50"] as const)
          expect([...found[name]].map((each) => each + 0)).toEqual(
            [...expected[name]].map((each) => each + 0),
          );
      },
    ),
  );
});

const sum = (values: readonly number[]): number => values.reduce((before, each) => before + each, 0);

/** Limits on, just under and between values. */
const limit = fc.oneof(
  value.filter((each) => !Number.isNaN(each)),
  fc.integer({ min: -50, max: 450 }),
);

it("the values of a run under each limit are counted", () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 400 }),
      fc.nat(400),
      fc.uniqueArray(fc.nat(400), { maxLength: 5 }),
      fc.array(limit, { maxLength: 12 }),
      (list, from, some, limits) => {
        const values = Float64Array.from(list);
        const first = Math.min(from, values.length);
        const before = Uint32Array.from(some.filter((row) => row < first).toSorted((x, y) => x - y));
        const run = { before, first, end: values.length };
        const ascending = Float64Array.from(limits).sort();
        const picked = pickedBy(values, run);
        const expected = Array.from(ascending, (each) => picked.filter((one) => one < each).length);
        expect([...new RankedColumn(values).countsBelow(run, ascending)]).toEqual(expected);
        expect([...countsBelow(picked, ascending)]).toEqual(expected);
      },
    ),
  );
});

describe("statistics of a run of a column", () => {
  it("are those of its values, sorted", () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 700 }),
        fc.nat(700),
        fc.nat(700),
        fc.uniqueArray(fc.nat(700), { maxLength: 5 }),
        (list, a, b, some) => {
          const values = Float64Array.from(list);
          const [first, end] = [a, b].map((row) => Math.min(row, values.length)).toSorted((x, y) => x - y);
          const before = Uint32Array.from(some.filter((row) => row < first).toSorted((x, y) => x - y));
          expectSame(values, { before, first, end });
        },
      ),
    );
  });
  it("are those of a long run, its ends inside the tiles of the sums", () => {
    const values = Float64Array.from({ length: 5_000 }, (_, row) => ((row * 7_919) % 1_009) - 3);
    expectSame(values, { before: Uint32Array.of(3, 90), first: 100, end: 4_999 });
  });
  it("has its largest and smallest values in its extreme rows, and of equal ones the first", () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 300 }),
        fc.nat(300),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (list, from, count, isLargest) => {
          const values = Float64Array.from(list);
          const first = Math.min(from, values.length);
          const run = { before: allRows(Math.min(first, 3)), first, end: values.length };
          const rows = Uint32Array.of(...run.before, ...allRows(values.length).subarray(first));
          const order = isLargest ? "descending" : "ascending";
          const found = new RankedColumn(values).extremeRows(run, count, isLargest ? "largest" : "smallest");
          expect(found).toHaveLength(Math.min(count, rows.length));
          expect(rankedRows(values, found, count, order)).toEqual(rankedRows(values, rows, count, order));
        },
      ),
    );
  });
  it("are none where nothing is known", () => {
    const none = { before: new Uint32Array(), first: 0, end: 2 };
    expect(new RankedColumn(Float64Array.of(Number.NaN, Number.NaN)).statistics(none).n).toBe(0);
    expect(rowsInRun({ before: Uint32Array.of(1), first: 4, end: 9 })).toBe(6);
  });
});
