import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { histogramsTable } from "./histograms.ts";
import { columnReader } from "./table.ts";

type Row = Record<string, unknown>;

function histogram(model: ReturnType<typeof modelOf>, table: string, stage: string): Row[] {
  const histograms = histogramsTable(model);
  return Array.from({ length: histograms.length }, (_, row) =>
    Object.fromEntries(histograms.columns.map(({ name }) => [name, columnReader(histograms, name)(row)])),
  ).filter((row) => row["rows_of"] === table && row["stage"] === stage);
}

/** The capture begins at 2016-05-06T02:16:55Z; log writes of the secondary, one a second. */
const withWrites = (...writes: number[]) =>
  modelOf(writes.map((flush, i) => ({ at: i * 1e6, hops: [{ flush }] })));

/** 2016-05-06T02:00:00Z, µs since 1970. */
const TWO = 1_462_500_000_000_000n;

test("a bucket ends where the next begins, 64 of them double a duration, and an end belongs to the bucket before", () => {
  const rows = histogram(withWrites(1_024, 1_025, 2_048, 2_049, 1_024, 1), "hops", "log_write");
  const ends = rows.map((row) => [row["over_us"], row["up_to_us"], row["count"]]);
  const step = 2 ** (1 / 64);
  expect(ends).toEqual([
    [0, 1, 1],
    [expect.closeTo(1_024 / step, 6), 1_024, 2],
    [1_024, expect.closeTo(1_024 * step, 6), 1],
    [expect.closeTo(2_048 / step, 6), 2_048, 1],
    [2_048, expect.closeTo(2_048 * step, 6), 1],
  ]);
  expect(rows.map((row) => [row["utc"], row["replica"]])).toEqual(rows.map(() => [TWO, "SQL2"]));
});

test("every duration lies in its bucket, whatever it is", () => {
  for (const us of [0.4, 1, 1.5, 3, 7.25, 99, 1_000, 12_345.678, 50_000, 1e6, 3.3e9]) {
    const [row] = histogram(withWrites(us), "hops", "log_write");
    // The difference of two instants of the model has their last digits.
    const measured = us + 1e-6;
    expect(Number(row?.["over_us"]), String(us)).toBeLessThan(measured);
    expect(Number(row?.["up_to_us"]), String(us)).toBeGreaterThanOrEqual(us - 1e-6);
    if (us > 2)
      expect(Number(row?.["up_to_us"]) / Number(row?.["over_us"])).toBeLessThan(2 ** (1 / 64) + 1e-9);
  }
});

test("50 ms is a limit of its own: counts of what is slower are exact", () => {
  const rows = histogram(withWrites(49_990, 49_999, 50_001, 50_010, 50_400), "hops", "log_write");
  const slower = rows.filter(({ over_us: over }) => Number(over) >= 50_000);
  expect(slower.map(({ count }) => count)).toEqual([3]);
  // 2^(999/64) is 49,991 µs: longer durations up to 50 ms have a small bucket of their own.
  expect(rows.map(({ count }) => count)).toEqual([1, 1, 3]);
});

test("what takes no time or less has a bucket without a beginning; what is not known counts in none", () => {
  const model = withWrites(1_000, 1_000, 1_000);
  model.hops[0].secondaryFlushEnd[0] = model.hops[0].secondaryFlushStart[0] ?? 0;
  model.hops[0].secondaryFlushEnd[1] = Number.NaN;
  const rows = histogram(model, "hops", "log_write");
  expect(rows.map((row) => [row["over_us"], row["up_to_us"], row["count"]])).toEqual([
    [null, 0, 1],
    [expect.closeTo(1_024 / 2 ** (3 / 64), 6), expect.closeTo(1_024 / 2 ** (2 / 64), 6), 1],
  ]);
});

test("what is at no known time is in no hour", () => {
  const model = withWrites(1_024, 1_024);
  model.blocks.time[1] = Number.NaN;
  expect(histogram(model, "hops", "log_write").map(({ count }) => count)).toEqual([1]);
});

test("hours are those of UTC, also where a capture begins in the middle of one", () => {
  const model = modelOf([0, 2_584, 2_586, 7_000].map((s) => ({ at: s * 1e6, hops: [{ flush: 1_024 }] })));
  // 02:16:55, 02:59:59 and then 03:00:01, 04:13:35.
  expect(histogram(model, "hops", "log_write").map((row) => [row["utc"], row["count"]])).toEqual([
    [TWO, 2],
    [TWO + 3_600_000_000n, 1],
    [TWO + 7_200_000_000n, 1],
  ]);
});

test("each server and table has its own, commits one for all; counts add up to what is known", () => {
  const model = modelOf(
    Array.from({ length: 40 }, (_, i) => ({
      at: i * 1e6,
      localFlush: 300 + 37 * i,
      hops: [{ flush: 500 + 91 * i }, { wireOut: 200 + 13 * i }],
    })),
    { secondaries: 2 },
  );
  const sums = (table: string, stage: string) => {
    const counts = new Map<unknown, number>();
    for (const { replica, count } of histogram(model, table, stage))
      counts.set(replica, (counts.get(replica) ?? 0) + Number(count));
    return [...counts];
  };
  const names = model.replicas.map(({ name }) => name);
  expect(sums("blocks", "log_write")).toEqual([[names[0], 40]]);
  expect(sums("hops", "log_write")).toEqual([
    [names[1], 40],
    [names[2], 40],
  ]);
  expect(sums("commits", "latency")).toEqual([[null, 40]]);
});

test("a capture without a block has none", () => {
  expect(histogramsTable(modelOf([])).length).toBe(0);
});
