import { describe, expect, it } from "vitest";
import { createDice } from "../../test/dice.ts";
import { excessesOf } from "./excess.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

/** 700 µs, and 30 % of the quiet part. */
const LIMIT = DEFAULT_SETTINGS.handlingExcess;

/** `perSecond` values a second for `seconds`, each drawn by `valueAt` its second. */
function series(seconds: number, perSecond: number, valueAt: (second: number, row: number) => number) {
  const n = seconds * perSecond;
  const time = Float64Array.from({ length: n }, (_, row) => (row * 1_000_000) / perSecond);
  return { time, values: time.map((us, row) => valueAt(us / 1_000_000, row)) };
}

const found = ({ time, values }: { time: Float64Array; values: Float64Array }, limit = LIMIT) =>
  excessesOf(time, values, limit, DEFAULT_SETTINGS).map(({ rows: [first, end], meanUs }) => ({
    from: time[first] / 1_000_000,
    to: time[end - 1] / 1_000_000,
    meanUs,
  }));

describe("a stretch above its quiet part", () => {
  it("is found to the row, also an effect of 1 ms over 30 s", () => {
    const slow = series(60, 50, (s) => (s >= 20 && s < 50 ? 3_000 : 2_000));
    expect(found(slow)).toEqual([{ from: 20, to: 49.98, meanUs: 1_000 }]);
  });

  it("has its rows, their mean above the quiet level, and how many of them are slow", () => {
    // Every fourth row of the period is a quiet one.
    const { time, values } = series(60, 20, (s, row) => (s >= 20 && s < 30 && row % 4 !== 3 ? 5_000 : 1_000));
    expect(excessesOf(time, values, LIMIT, DEFAULT_SETTINGS)).toEqual([
      { rows: [400, 599], meanUs: (4_000 * 150) / 199, slowRows: 150 },
    ]);
  });

  it("counts nothing above the 95th percentile of its rows for more than that", () => {
    const { time, values } = series(60, 20, (s, row) =>
      s < 20 || s >= 30 ? 1_000 : row === 500 ? 9e9 : 5_000,
    );
    expect(excessesOf(time, values, LIMIT, DEFAULT_SETTINGS)).toEqual([
      { rows: [400, 600], meanUs: 4_000, slowRows: 200 },
    ]);
  });

  it("is found each time that it happens, up to two hundred times", () => {
    const often = (times: number) =>
      found(series(10 * times, 20, (s) => (s % 10 >= 8 ? 5_000 : 1_000))).map(({ from, to }) => [from, to]);
    expect(often(12)).toEqual(Array.from({ length: 12 }, (_, i) => [10 * i + 8, 10 * i + 9.95]));
    expect([often(200).length, often(210).length]).toEqual([200, 200]);
  });

  it("is the largest before and behind the largest, and never two of which one more row would make one", () => {
    // Five quiet rows cost 3.3: less than the eight slow ones after them, and more than three.
    const at = (...lengths: readonly number[]) => {
      const slow = lengths.flatMap((n, i) => Array.from({ length: n }, () => i % 2 === 0));
      const shown = series(60, 20, (_, row) => ((slow[row - 300] ?? false) ? 5_000 : 1_000));
      return excessesOf(shown.time, shown.values, LIMIT, DEFAULT_SETTINGS).map(({ rows }) => [...rows]);
    };
    expect(at(8, 5, 8)).toEqual([[300, 321]]);
    expect(at(3, 5, 8)).toEqual([[308, 316]]);
    expect(at(8, 5, 3)).toEqual([[300, 308]]);
    expect(at(8, 13, 7, 2, 3)).toEqual([
      [300, 308],
      [321, 333],
    ]);
  });

  it("is found in sixteen rows, which make two bins, and in no fewer", () => {
    const half = (rows: number) => found(series(1, rows, (s) => (s >= 0.5 ? 90_000 : 1))).length;
    expect([half(15), half(16)]).toEqual([0, 1]);
  });

  it("is found where it lasts three quarters of the capture", () => {
    const slow = series(60, 20, (s) => (s >= 15 ? 9_000 : 600));
    expect(found(slow)).toEqual([{ from: 15, to: 59.95, meanUs: 8_400 }]);
  });

  it("is told from quiet parts of hardly a second, between slow ones of a second", () => {
    // The first 0.95 of every two seconds are quiet: nearly all of one second, and less than half of the two.
    const slow = series(20, 100, (_, row) => (row % 200 < 95 ? 1_000 : 9_000));
    // 105 slow rows in each of ten times two seconds, from the first of them on.
    expect(found(slow)).toEqual([{ from: 0.95, to: 19.99, meanUs: (8_000 * 1_050) / 1_905 }]);
  });

  it("is found more than once", () => {
    const slow = series(60, 20, (s) => ((s >= 5 && s < 10) || (s >= 40 && s < 50) ? 5_000 : 1_000));
    expect(found(slow).map(({ from, to }) => [from, to])).toEqual([
      [5, 9.95],
      [40, 49.95],
    ]);
  });

  it("has to reach the limit: by µs, and by share of the quiet part", () => {
    const by = (us: number, quiet: number, limit = LIMIT) =>
      found(
        series(60, 20, (s) => (s >= 20 && s < 40 ? quiet + us : quiet)),
        limit,
      ).length;
    expect([by(699, 1_000), by(701, 1_000)]).toEqual([0, 1]);
    expect([by(2_999, 10_000), by(3_001, 10_000)]).toEqual([0, 1]);
    // The limits for log writes are 1 ms and 40 %.
    const { writeExcess } = DEFAULT_SETTINGS;
    expect([by(999, 1_000, writeExcess), by(1_001, 1_000, writeExcess)]).toEqual([0, 1]);
    expect([by(3_999, 10_000, writeExcess), by(4_001, 10_000, writeExcess)]).toEqual([0, 1]);
  });

  it("is made by a share of slow rows that is over two in five, and six rows beyond it", () => {
    // Slow rows evenly spread over ten seconds of 20 rows each.
    const spread = (every: number) =>
      found(series(60, 20, (s, row) => (s >= 20 && s < 30 && row % every === 0 ? 9_000 : 1_000))).length;
    expect([spread(3), spread(2)]).toEqual([0, 1]);
    const rows = (n: number) =>
      found(series(60, 20, (_, row) => (row >= 400 && row < 400 + n ? 9_000 : 1_000))).length;
    expect([rows(5), rows(6)]).toEqual([0, 1]);
  });

  it("is not made by an outlier", () => {
    const one = series(60, 20, (_, row) => (row === 600 ? 900_000 : 1_000));
    expect(found(one)).toEqual([]);
  });

  it("is not made by chance, where values vary as much as the limit", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = createDice(seed);
      // Exponential with a mean of the limit: one in three is over it.
      const noise = series(60, 50, () => 1_000 - 700 * Math.log(1 - random()));
      expect(found(noise), `seed ${seed}`).toEqual([]);
    }
  });

  it("leaves rows without a value out", () => {
    const holes = series(60, 20, (s, row) =>
      row % 4 === 0 ? Number.NaN : s >= 20 && s < 40 ? 5_000 : 1_000,
    );
    expect(found(holes).map(({ from, to }) => [from, to])).toEqual([[20.05, 39.95]]);
  });

  it("needs something to compare with", () => {
    expect(found(series(60, 20, () => Number.NaN))).toEqual([]);
    expect(found(series(0, 20, () => 1))).toEqual([]);
    expect(found(series(1, 8, (s) => (s > 0.5 ? 90_000 : 1)))).toEqual([]);
  });
});
