import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { percentile } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { linearEdges, LOG_EDGES, logBins } from "./distribution-bins.ts";
import { distributionOf, prepareDistributions, type DistributionOptions } from "./distribution.ts";
import { scopedModel } from "./scope.ts";
import { modelOf } from "../../test/model.ts";

const MS = 1_000;
const whole = (model: CaptureModel) => ({ from: 0, to: model.duration });
const ask = (model: CaptureModel, options: Partial<DistributionOptions> = {}) =>
  distributionOf(model, {
    ...whole(model),
    other: null,
    secondary: 0,
    scale: "log",
    stage: "localFlush",
    scope: { database: null, phase: null },
    ...options,
  });
const rowOf = (answer: ReturnType<typeof ask>, stage: string, range = 0) =>
  answer.rows.find((row) => row.stage === stage)!.ranges[range];
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** The bins with values: [lower edge, upper edge, count]. */
const filled = (edges: readonly number[], counts: readonly number[]) =>
  counts.flatMap((n, i) => (n > 0 ? [[edges[i], edges[i + 1], n]] : []));

// Six blocks a second apart, with these log writes of the primary.
const WRITES_MS = [2, 10, 10.001, 20, 50, 51];
const six = modelOf(
  WRITES_MS.map((ms, i) => ({ at: i * 1e6, localFlush: ms * MS })),
  { duration: 6e6 },
);

describe("a histogram", () => {
  test("has every value in the bin whose edges hold it, on edges that include the round figures", () => {
    const answer = ask(six);
    expect(answer.edges[0]).toBe(10);
    expect(answer.edges.at(-1)).toBe(1e6);
    expect(answer.edges).toContain(10_000);
    expect(answer.edges).toHaveLength(126);
    // 10 ms and 10.001 ms share the bin that begins at 10 ms; 2 ms, 20 ms and 50 ms lie in bins by hand: 10^(k/25).
    const row = rowOf(answer, "localFlush");
    expect(row).toMatchObject({ n: 6, missing: 0, under: 0, over: 0, max: 51 * MS });
    expect(sum(row.counts)).toBe(6);
    expect(
      filled(answer.edges, row.counts).map(([low, high, n]) => [Math.round(low), Math.round(high), n]),
    ).toEqual([
      [1_905, 2_089, 1],
      [10_000, 10_965, 2],
      [19_055, 20_893, 1],
      [47_863, 52_481, 2],
    ]);
  });

  test("on the linear scale ends over the longest value of the chosen stage, and says what is beyond", () => {
    const answer = ask(six, { scale: "linear" });
    // 51 ms over 124 bins would be 0.41 ms: the next round width is 0.5 ms.
    expect(answer.edges[1]).toBe(500);
    expect(answer.edges.at(-1)).toBe(51_500);
    expect(filled(answer.edges, rowOf(answer, "localFlush").counts)).toEqual([
      [2_000, 2_500, 1],
      [10_000, 10_500, 2],
      [20_000, 20_500, 1],
      [50_000, 50_500, 1],
      [51_000, 51_500, 1],
    ]);
    const short = rowOf(ask(six, { scale: "linear", stage: "send" }), "localFlush");
    expect([short.over, sum(short.counts)]).toEqual([6, 0]);
  });

  test("puts log writes into classes whose limits belong to the better one", () => {
    expect(rowOf(ask(six), "localFlush").classes).toEqual({ good: 2, reasonable: 2, busy: 1, bad: 1 });
    expect(rowOf(ask(six), "send").classes).toBeNull();
  });

  test("begins at 1 µs where more than a hundredth of a stage is under 10 µs", () => {
    const withShort = (n: number) =>
      ask(
        modelOf(
          Array.from({ length: 200 }, (_, i) => ({ at: i * 1e5, hops: [{ ackReceive: i < n ? 4 : 90 }] })),
        ),
      );
    expect(withShort(2).edges[0]).toBe(10);
    expect(rowOf(withShort(2), "ackReceive").under).toBe(2);
    expect(withShort(3).edges[0]).toBe(1);
    expect(rowOf(withShort(3), "ackReceive").under).toBe(0);
  });

  test("continues after 1 s by whole powers of ten", () => {
    expect(ask(modelOf([{ at: 0, localFlush: 999_999 }])).edges.at(-1)).toBe(1e7);
    // The commit waits for its log write and wakes up later, so a write a little shorter keeps all under 1 s.
    expect(ask(modelOf([{ at: 0, localFlush: 900_000 }])).edges.at(-1)).toBe(1e6);
  });
});

describe("percentiles", () => {
  const writes = (n: number) =>
    rowOf(
      ask(modelOf(Array.from({ length: n }, (_, i) => ({ at: i * 1e5, localFlush: (i + 1) * 100 })))),
      "localFlush",
    );

  test("are shown only of enough values, and one value once", () => {
    expect(writes(1)).toMatchObject({ n: 1, p50: null, p95: null, p99: null, max: 100 });
    expect(writes(2)).toMatchObject({ p50: 150, p95: null, max: 200 });
    expect(writes(19)).toMatchObject({ p95: null, p99: null });
    // 0.95 * 19 = 18.05: five hundredths on from the 19th to the 20th value.
    expect(writes(20).p95).toBeCloseTo(1_905, 6);
    expect(writes(99)).toMatchObject({ p99: null });
    expect(writes(100).p99).toBeCloseTo(9_901, 6);
  });

  test("of no value are not there, and the blocks without one are counted", () => {
    const model = modelOf([{ at: 0 }, { at: 1e6 }]);
    model.hops[0].received.fill(Number.NaN);
    expect(rowOf(ask(model), "secondaryAppend")).toMatchObject({ n: 0, missing: 2, p50: null, max: null });
    expect(sum(ask(model, { stage: "secondaryAppend" }).heat.counts)).toBe(0);
  });
});

test("a second range lies on the same bins", () => {
  const answer = ask(six, { from: 0, to: 2.5e6, other: { from: 2.5e6, to: 6e6 } });
  const [first, second] = [rowOf(answer, "localFlush"), rowOf(answer, "localFlush", 1)];
  expect([first.n, second.n]).toEqual([3, 3]);
  expect(first.counts.map((n, i) => n + second.counts[i])).toEqual(rowOf(ask(six), "localFlush").counts);
  expect(ask(six, { scale: "linear", from: 0, to: 1e6, other: { from: 5e6, to: 6e6 } }).edges.at(-1)).toBe(
    51_500,
  );
});

describe("a stage by time", () => {
  test("counts each block where it began, in the bin of its duration", () => {
    const { heat } = ask(six);
    const width = heat.edges.length - 1;
    expect([heat.from, heat.bins, heat.binUs]).toEqual([0, 160, 6e6 / 160]);
    const found = heat.counts.flatMap((n, i) =>
      n === 0 ? [] : [[Math.floor(i / width), heat.edges[i % width], heat.edges[(i % width) + 1], n]],
    );
    expect(found).toHaveLength(6);
    for (const [i, [at, low, high, n]] of found.entries()) {
      expect(n).toBe(1);
      // Its bin of time contains the block's begin, i seconds.
      expect(at).toBe(Math.floor(six.blocks.time[i] / heat.binUs));
      expect(low <= WRITES_MS[i] * MS && WRITES_MS[i] * MS < high).toBe(true);
    }
  });

  test("puts what began before the range into its first bin", () => {
    const long = modelOf([{ at: 0, localFlush: 3e6 }], { duration: 4e6 });
    const { heat } = ask(long, { from: 1e6, to: 2e6 });
    expect(heat.counts.indexOf(1)).toBeLessThan(heat.edges.length - 1);
    expect(sum(heat.counts)).toBe(1);
  });
});

test("log writes are counted by size, with the median of each size and those of unknown size", () => {
  const model = modelOf([1, 3, 9, 5, 7].map((ms, i) => ({ at: i * 1e6, localFlush: ms * MS })));
  model.blocks.size.set([512, 512, 512, 61_440, Number.NaN]);
  const { sizes } = ask(model);
  const at = (size: number): number =>
    sizes!.sizeEdges.findIndex((edge, i) => edge <= size && size < sizes!.sizeEdges[i + 1]);
  expect([sizes!.writes[at(512)], sizes!.p50[at(512)]]).toEqual([3, 3 * MS]);
  expect([sizes!.writes[at(61_440)], sizes!.p50[at(61_440)]]).toEqual([1, 5 * MS]);
  expect(sizes!.unknown).toBe(1);
  expect(sum(sizes!.counts)).toBe(4);
  const width = sizes!.edges.length - 1;
  expect(sum(sizes!.counts.slice(at(512) * width, (at(512) + 1) * width))).toBe(3);
  expect(ask(model, { stage: "send" }).sizes).toBeNull();
});

describe("one database alone", () => {
  const [first, second] = [0, 1].map((database) => ({ database, phase: null }));
  const two = (specs: Parameters<typeof modelOf>[0]): CaptureModel => {
    const model = modelOf(specs);
    const [first] = model.databases;
    for (const row of model.blocks.database.keys()) model.blocks.database[row] = row % 2;
    for (const row of model.commits.database.keys())
      model.commits.database[row] = model.blocks.database[model.commits.block[row]];
    return { ...model, databases: [first, { ...first, id: "other", name: "Other" }] };
  };

  test("has the percentiles of its own values, as sorting them gives", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 300 }),
        (list) => {
          const model = two(list.map((us, i) => ({ at: i * 1e6, localFlush: us })));
          const own = list.filter((_, i) => i % 2 === 1).toSorted((a, b) => a - b);
          const row = rowOf(ask(model, { scope: second }), "localFlush");
          expect(row.n).toBe(own.length);
          if (own.length > 1) expect(row.p50).toBeCloseTo(percentile(own, 50), 3);
          if (own.length >= 20) expect(row.p95).toBeCloseTo(percentile(own, 95), 3);
          if (own.length >= 100) expect(row.p99).toBeCloseTo(percentile(own, 99), 3);
          expect(row.max ?? 0).toBeCloseTo(own.at(-1) ?? 0, 3);
          const classes = row.classes!;
          expect(classes.good).toBe(own.filter((us) => us <= 10_000).length);
          expect(sum(Object.values(classes))).toBe(own.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("and the other add up to all", () => {
    const model = two(Array.from({ length: 40 }, (_, i) => ({ at: i * 1e6, localFlush: 100 * (i + 1) })));
    for (const scale of ["log", "linear"] as const) {
      const all = ask(model, { scale });
      const [one, other] = [first, second].map((scope) => ask(model, { scale, scope }));
      expect(sum(rowOf(one, "localFlush").counts)).toBe(20);
      expect(sum(one.heat.counts) + sum(other.heat.counts)).toBe(sum(all.heat.counts));
      expect(sum(rowOf(other, "localFlush").counts)).toBe(20);
    }
  });

  test("is answered as its rows are as a capture of their own, to the bit", () => {
    // Durations of up to 5 s, 50 ms apart: some begin long before a range and reach into it.
    const flushes = fc.oneof(
      fc.double({ min: 0.1, max: 5e6, noNaN: true }),
      fc.constantFrom(10_000, 20_000, 50_000),
    );
    fc.assert(
      fc.property(
        fc.array(flushes, { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.constantFrom("log", "linear"),
        fc.constantFrom("commit", "localFlush", "send"),
        (list, share, scale, stage) => {
          const model = two(list.map((us, i) => ({ at: i * 50_000, localFlush: us })));
          const range = { from: share * model.duration, to: model.duration };
          const options = { ...range, other: whole(model), scale, stage } as const;
          const own = scopedModel(model, second).model;
          expect(ask(model, { ...options, scope: second })).toEqual(ask(own, options));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the bins of a long capture", () => {
  // Over 8,192 rows percentiles and counts come from ranked columns.
  const values = Array.from({ length: 9_000 }, (_, i) => 50 + ((i * 7_919) % 9_001) * 7);
  const long = modelOf(values.map((us, i) => ({ at: 1_000 * i, localFlush: us })));

  test("are made one at each step, and answer as before", () => {
    const before = ask(long, { scale: "linear" });
    expect([...prepareDistributions(long)].length).toBe(9);
    const row = rowOf(ask(long, { scale: "linear" }), "localFlush");
    expect(row).toEqual(rowOf(before, "localFlush"));
    const { edges } = before;
    expect(row.counts).toEqual(
      edges.slice(1).map((edge, i) => values.filter((us) => us >= edges[i] && us < edge).length),
    );
    expect(row.classes!.good).toBe(values.filter((us) => us <= 10_000).length);
  });
});

test("the bin of a value is the one whose edges hold it, at every edge and beside it", () => {
  const next = (value: number, by: 1 | -1): number => value * (1 + by * Number.EPSILON);
  for (const [i, edge] of LOG_EDGES.entries()) {
    const codes = logBins(Float64Array.of(next(edge, -1), edge, next(edge, 1)));
    // 0 is no value and 1 is under the first edge.
    expect([...codes]).toEqual([1 + i, 2 + i, 2 + i]);
  }
  expect([...logBins(Float64Array.of(Number.NaN, -5, 0, 0.5, 1e15))]).toEqual([
    0,
    1,
    1,
    1,
    1 + LOG_EDGES.length,
  ]);
});

test("linear bins are at most 125, of a round width, and hold the longest value", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (longest) => {
      const edges = linearEdges(longest);
      expect(edges.length).toBeLessThanOrEqual(126);
      expect(edges.at(-1)!).toBeGreaterThan(longest);
      expect(Number((edges[1] / 10 ** Math.floor(Math.log10(edges[1]))).toPrecision(6))).toBeOneOf([1, 2, 5]);
    }),
  );
});

describe("parts of log writes", () => {
  // Three log writes of 2, 10 and 40 ms on the secondary; the last one's parts are unknown.
  const three = modelOf(
    [2, 10, 40].map((ms, i) => ({ at: i * 1e6, hops: [{ flush: ms * MS }] })),
    { duration: 3e6 },
  );
  const split: CaptureModel = {
    ...three,
    hops: three.hops.map((hop) => ({
      ...hop,
      writeQueue: Float64Array.of(500, 1_000, Number.NaN),
      writeCompletion: Float64Array.of(100, 200, Number.NaN),
    })),
  };

  test("follow the log write that has them", () => {
    const stages = ask(split).rows.map(({ stage }) => stage);
    const at = stages.indexOf("secondaryFlush");
    expect(stages.slice(at + 1, at + 4)).toEqual([
      "secondaryQueue",
      "secondaryDevice",
      "secondaryCompletion",
    ]);
    expect(stages).not.toContain("localQueue");
  });

  test("have the device as the rest, and sums over the writes whose parts are known", () => {
    const answer = ask(split);
    // 2,000 - 500 - 100 and 10,000 - 1,000 - 200 µs.
    expect(rowOf(answer, "secondaryDevice")).toMatchObject({ n: 2, missing: 1, max: 8_800 });
    expect(answer.splits).toEqual([
      {
        stage: "secondaryFlush",
        writes: 3,
        split: 2,
        sums: { queue: 1_500, device: 1_400 + 8_800, completion: 300 },
      },
    ]);
  });

  test("are no rows where no file write is recorded, and without a value on request", () => {
    expect(ask(three).splits).toEqual([]);
    expect(ask(three).rows.map(({ stage }) => stage)).toEqual(ask(six).rows.map(({ stage }) => stage));
    expect(rowOf(ask(three, { stage: "secondaryDevice" }), "secondaryDevice")).toMatchObject({
      n: 0,
      missing: 3,
    });
  });

  test("change no stage and no sum", () => {
    const without = ask(three).rows;
    expect(ask(split).rows.filter(({ stage }) => without.some((row) => row.stage === stage))).toEqual(
      without,
    );
  });
});
