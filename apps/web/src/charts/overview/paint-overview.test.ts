import type { Episode } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { groundOf, overviewOf, stageSumsOf } from "../../../test/overview.ts";
import { NAMED, themeTokens } from "../../../test/tokens.ts";
import { forcedTokens } from "../timeline/forced-colors.ts";
import { paintGround } from "./ground.ts";
import { latencyScale, paintLatency, type Latencies } from "./paint-latency.ts";
import { paintRates, rateTop } from "./paint-rates.ts";
import { paintShares } from "./paint-shares.ts";

/** Ten seconds on 1,000 px: 100 px per second. */
const SCALE = { from: 0, to: 10_000_000, width: 1_000 };
const SECOND = 1_000_000;

function drawn(paint: (context: CanvasRenderingContext2D) => void): Drawn[] {
  const { context, take } = drawLog();
  paint(context);
  return take();
}

const lines = (calls: readonly Drawn[]): string[] => calls.map(inOneLine);
const episode = (from: number, to: number): Episode => ({ from, to }) as Episode;

describe("the ground of a chart", () => {
  const ground = groundOf({
    ticks: [0, 5.004 * SECOND],
    idle: [[-SECOND, 2 * SECOND]],
    uncovered: [[9 * SECOND, 99 * SECOND, 1]],
    episodes: [episode(3 * SECOND, 4 * SECOND)],
  });

  it("has grid lines on whole pixels, tinted episodes, plain idle and hatched missing stretches, cut to the plot", () => {
    const calls = drawn((context) =>
      paintGround({ context, tokens: NAMED, scale: SCALE, height: 50 }, ground, true),
    );
    expect(lines(calls.slice(0, 4))).toEqual([
      "fillRect 0 0 1 50 --grid",
      "fillRect 500 0 1 50 --grid",
      "fillRect 300 0 100 50 --bad-tint",
      "fillRect 0 0 200 50 --idle",
    ]);
    expect(calls[4]).toMatchObject({ call: "stroke", color: "--hatch", clip: ["R 900 0 100 50"] });
    expect(calls).toHaveLength(5);
  });

  it("is tinted only where it is asked for, and empty out of view", () => {
    expect(
      lines(
        drawn((context) => paintGround({ context, tokens: NAMED, scale: SCALE, height: 50 }, ground, false)),
      ),
    ).not.toContainEqual(expect.stringContaining("--bad-tint"));
    const away = groundOf({ idle: [[11 * SECOND, 12 * SECOND]], episodes: [episode(-2, -1)] });
    expect(
      drawn((context) => paintGround({ context, tokens: NAMED, scale: SCALE, height: 50 }, away, true)),
    ).toEqual([]);
  });
});

describe("latencies", () => {
  /** 1 ms at the foot, 1 s at the top: 100 px per decade. */
  const plot: Latencies = {
    ground: groundOf(),
    bins: [],
    dots: { at: new Float64Array(), value: new Float64Array() },
    domain: [1_000, 1_000_000],
  };
  const paint = (more: Partial<Latencies>): Drawn[] =>
    drawn((context) =>
      paintLatency({ context, tokens: NAMED, scale: SCALE, height: 300 }, { ...plot, ...more }),
    ).filter(({ color }) => color !== "--grid");

  it("stand on a logarithmic scale whose ends hold what is beyond them", () => {
    const y = latencyScale([1_000, 1_000_000], 300);
    expect([1_000, 10_000, 100_000, 1_000_000].map((us) => Number(y(us).toFixed(6)))).toEqual([
      300, 200, 100, 0,
    ]);
    expect([500, 9_000_000].map(y)).toEqual([300, 0]);
  });

  it("have a grid line for each round duration", () => {
    const grid = drawn((context) =>
      paintLatency({ context, tokens: NAMED, scale: SCALE, height: 300 }, plot),
    );
    expect(lines(grid)).toContain("fillRect 0 200 1000 1 --grid");
    expect(grid).toHaveLength(10);
  });

  it("are bands from p50 to p95 to p99 with lines at p95 and p50, a pixel free beside the next bin", () => {
    const bin = { from: SECOND, to: 2 * SECOND, n: 20, p50: 10_000, p95: 100_000, p99: 1_000_000, max: 2e6 };
    expect(lines(paint({ bins: [bin] }))).toEqual([
      "fillRect 100 100 99 100 --wait 0.42",
      "fillRect 100 0 99 100 --wait 0.22",
      "fillRect 100 99.5 99 1 --ink-3",
      "fillRect 100 199 99 2 --ink",
    ]);
  });

  it("have no band where a bin has too few for percentiles, and a stroke where it is narrow", () => {
    const few = { from: SECOND, to: 2 * SECOND, n: 3, p50: null, p95: null, p99: null, max: 9_000 };
    expect(paint({ bins: [few] })).toEqual([]);
    const narrow = { ...few, to: SECOND + 10_000, p50: 10_000, p95: 10_000, p99: 10_000 };
    expect(paint({ bins: [narrow] }).every(({ at }) => at[2] === 1)).toBe(true);
  });

  it("are dots that are in view and take time; few of them are larger", () => {
    const at = Float64Array.of(-3 * SECOND, SECOND, 2 * SECOND, 3 * SECOND, 11 * SECOND);
    const value = Float64Array.of(10_000, 10_000, 0, Number.NaN, 10_000);
    expect(lines(paint({ dots: { at, value } }))).toEqual(["fill A 100 200 2.5 --ink-3 0.8"]);
    const many = (n: number): string[] =>
      lines(
        paint({
          dots: { at: new Float64Array(n).fill(SECOND), value: new Float64Array(n).fill(10_000) },
        }),
      );
    expect(new Set(many(100))).toEqual(new Set(["fill A 100 200 2.5 --ink-3 0.8"]));
    expect(new Set(many(101))).toEqual(new Set(["fillRect 98.85 198.85 2.3 2.3 --ink-3 0.55"]));
  });

  it("have a bracket over each episode", () => {
    const [bracket] = paint({ ground: groundOf({ episodes: [episode(2 * SECOND, 4 * SECOND)] }) }).filter(
      ({ call }) => call === "stroke",
    );
    expect(bracket).toMatchObject({
      path: "M 200 6 L 200 0.75 L 400 0.75 L 400 6",
      color: "--bad-ink",
      lineWidth: 1.5,
    });
  });
});

describe("shares", () => {
  const overview = overviewOf({
    stageSums: stageSumsOf({
      secondaryFlush: [0, 6_000, 500],
      wireOut: [0, 2_000, 500],
      send: [0, 2_000, 0],
    }),
  });
  const paint = (more: Parameters<typeof overviewOf>[0], ground = groundOf(), tokens = NAMED): Drawn[] =>
    drawn((context) =>
      paintShares({ context, tokens, scale: SCALE, height: 100 }, { ...overview, ...more }, ground),
    );

  it("fill the columns of bins that have blocks, from the secondary's disk up", () => {
    const columns = paint({}).filter(({ at, call }) => call === "fillRect" && at[3] > 0);
    expect(lines(columns)).toEqual([
      "fillRect 100 40 99.5 60 --s-disk",
      "fillRect 100 20 99.5 20 --n-out",
      "fillRect 100 0 99.5 20 --p-work",
      "fillRect 200 50 99.5 50 --s-disk",
      "fillRect 200 0 99.5 50 --n-out",
    ]);
  });

  it("stay away from what a file does not cover, and from idle stretches", () => {
    const calls = paint(
      { uncovered: [[1.5 * SECOND, 2 * SECOND, 1]] },
      groundOf({ idle: [[2.5 * SECOND, 4 * SECOND]] }),
    );
    const filled = calls.filter(({ at, call }) => call === "fillRect" && at[3] > 0);
    expect(lines(filled)).toEqual([
      "fillRect 250 0 150 100 --idle",
      "fillRect 200 50 99.5 50 --s-disk",
      "fillRect 200 0 99.5 50 --n-out",
      "fillRect 250 0 150 100 --idle",
    ]);
  });

  it("have a line at a half", () => {
    expect(paint({}).at(-1)).toMatchObject({
      call: "stroke",
      path: "M 0 50 L 1000 50",
      color: "--surface",
      alpha: 0.7,
      dash: "2 3",
    });
  });

  it("are patterns where colors are forced: dots for the network, diagonals for the secondary, none on the primary", () => {
    const calls = paint({}, groundOf(), forcedTokens(themeTokens("light")));
    const clips = new Set(
      calls.filter(({ clip }) => clip.length > 0).map(({ call, clip }) => `${call} in ${clip[0]}`),
    );
    expect(clips).toEqual(
      new Set([
        "stroke in R 100 40 99.5 60 R 100 40 99.5 0 R 200 50 99.5 50 R 200 50 99.5 0",
        "fillRect in R 100 20 99.5 20 R 100 20 99.5 0 R 200 0 99.5 50 R 200 0 99.5 0",
      ]),
    );
  });
});

describe("log blocks per second", () => {
  const blocks = [0, 50, 1, 0, 0, 0, 0, 0, 0, 100];

  it("are bars on a base line, with a visible stroke for a single block", () => {
    const overview = overviewOf({ blocks });
    const calls = drawn((context) =>
      paintRates({ context, tokens: NAMED, scale: SCALE, height: 40 }, overview, groundOf(), 100),
    );
    expect(lines(calls)).toEqual([
      "fillRect 0 39 1000 1 --line",
      "fillRect 100 20 99 20 --wait",
      "fillRect 200 38.5 99 1.5 --wait",
      "fillRect 900 0 99 40 --wait",
    ]);
  });

  it("keep narrow bars whole", () => {
    const narrow = overviewOf({ blocks, binUs: 20_000 });
    const calls = drawn((context) =>
      paintRates({ context, tokens: NAMED, scale: SCALE, height: 40 }, narrow, groundOf(), 5_000),
    );
    expect(lines(calls)[1]).toBe("fillRect 2 20 2 20 --wait");
  });

  it("reach to a round number that holds them", () => {
    expect(rateTop(overviewOf({ blocks }))).toBe(100);
    expect(rateTop(overviewOf({ blocks: [101] }))).toBeGreaterThanOrEqual(101);
    expect(rateTop(overviewOf({ blocks: [3], binUs: 100_000 }))).toBeGreaterThanOrEqual(30);
    expect(rateTop(overviewOf({ blocks: [0, 0] }))).toBe(1);
  });
});

it("both themes draw the same shapes in their own colors", () => {
  const overview = overviewOf({ blocks: [4], stageSums: stageSumsOf({ secondaryFlush: [1], wireOut: [1] }) });
  const colors = (theme: "light" | "dark"): string[] => {
    const tokens = themeTokens(theme);
    const calls = drawn((context) => {
      paintShares({ context, tokens, scale: SCALE, height: 40 }, overview, groundOf());
      paintRates({ context, tokens, scale: SCALE, height: 40 }, overview, groundOf(), 4);
    });
    return calls.map(({ color }) => color);
  };
  expect(colors("light")).toContain("#0a7a68");
  expect(colors("dark")).toContain("#2fc7aa");
  expect(colors("light")).toHaveLength(colors("dark").length);
  expect(colors("light").filter((color) => !/^#[0-9a-f]{6}$/u.test(color))).toEqual([]);
});
