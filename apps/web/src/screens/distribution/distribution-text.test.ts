import type { Summary } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { countsOf, distributionOf, histogramOf } from "../../../test/distribution.ts";
import { summaryOf } from "../../../test/summary.ts";
import { columnTotal, medianRow, rowAt } from "./cells.ts";
import { comparableRanges } from "./comparable-ranges.ts";
import { sameRange } from "../capture-view/shown-range.ts";
import { binText, countText, humpsOf, rowFigures, shapeSentences } from "./distribution-text.ts";
import { expectedLimit, distributionStageName } from "../capture-view/stage-means.ts";

const NAMES = { primary: "SQL1", secondary: "SQL2" };
const { edges } = distributionOf();
const plain = (text: string): string => text.replaceAll("\u2009", " ");

describe("names", () => {
  it("say what a stage is and whose", () => {
    expect(
      (["commit", "localFlush", "secondaryFlush", "acknowledge"] as const).map((id) =>
        distributionStageName(id, NAMES),
      ),
    ).toEqual(["Commit", "SQL1 log write", "SQL2 log write", "Acknowledge"]);
  });

  it("of a row say how many values there are, and how many blocks have none", () => {
    expect(plain(rowFigures(histogramOf()))).toBe("100, p50 600 µs");
    expect(plain(rowFigures(histogramOf({ n: 1, p50: null, max: 900, missing: 3 })))).toBe(
      "1, 900 µs, 3 without",
    );
    expect(rowFigures(histogramOf({ n: 0, p50: null, missing: 1_200 }))).toBe("no value, 1,200 without");
  });

  it("count commits and blocks", () => {
    expect([countText("commit", 1), countText("localFlush", 1_100)]).toEqual(["1 commit", "1,100 blocks"]);
  });

  it("log writes have classes in the place of a limit", () => {
    expect([expectedLimit("localFlush"), expectedLimit("commit"), expectedLimit("networkRoundTrip")]).toEqual(
      [Number.NaN, 10_000, 2_000],
    );
  });
});

it("a bin says its edges, its count, its share and what is at or below", () => {
  expect(plain(binText("commit", edges, histogramOf({ under: 0 }), 44))).toBe(
    "575 µs to 631 µs: 80 commits, 80.0 %, 80.0 % at or below",
  );
});

describe("humps", () => {
  const humps = (filled: Readonly<Record<number, number>>) => {
    const counts = countsOf(filled);
    return humpsOf(edges, histogramOf({ counts, n: counts.reduce((sum, count) => sum + count, 0) }));
  };
  it("are apart when a factor of two lies between them", () => {
    expect(humps({ 40: 50, 48: 50 })).toHaveLength(1);
    expect(humps({ 40: 50, 49: 50 })).toHaveLength(2);
  });
  it("hold at least a twentieth of the values; single outliers between them are none", () => {
    expect(humps({ 40: 95, 60: 5 })).toHaveLength(2);
    expect(humps({ 40: 96, 60: 4 })).toHaveLength(1);
    expect(humps({ 40: 80, 47: 1, 54: 1, 61: 18 })).toHaveLength(2);
  });
  it("of fewer than 20 values are not looked for", () => {
    expect([humps({ 40: 10, 60: 9 }).length, humps({ 40: 10, 60: 10 }).length]).toEqual([0, 2]);
  });
  it("are named at their middles with their shares", () => {
    expect(shapeSentences(distributionOf(), NAMES).map(plain)).toContain(
      "Network round trip has 2 humps: near 600 µs (80 %) and 150 ms (20 %).",
    );
    expect(shapeSentences(distributionOf({ scale: "linear" }), NAMES)).toEqual([]);
    expect(shapeSentences(distributionOf({}, { counts: countsOf({ 44: 100 }) }), NAMES)).toEqual([]);
  });
});

describe("cells", () => {
  // Two columns of three rows.
  const counts = [1, 2, 1, 0, 0, 0];
  it("have a total and the row of the median", () => {
    expect([columnTotal(counts, 0, 3), columnTotal(counts, 1, 3)]).toEqual([4, 0]);
    expect([medianRow(counts, 0, 3), medianRow(counts, 1, 3)]).toEqual([1.5, null]);
  });
  it("place a duration among logarithmic rows", () => {
    expect(rowAt([10, 100, 1_000], 100)).toBeCloseTo(1, 9);
  });
});

describe("ranges to lay over the one in view", () => {
  const episode = { secondary: 0, label: "Slow network", from: 4e6, to: 6e6 };
  const summary = { ...summaryOf(), verdict: { episodes: [episode] } } as unknown as Summary;
  const ranges = (shown: readonly [number, number], secondary = 0) =>
    comparableRanges(summary, secondary, shown).map(({ range }) => range);
  it("are the whole, the same time before and the episodes of the secondary, without the one in view", () => {
    expect(ranges([3e6, 5e6])).toEqual([
      [0, 10e6],
      [1e6, 3e6],
      [4e6, 6e6],
    ]);
    expect(ranges([4e6, 6e6])).toEqual([
      [0, 10e6],
      [2e6, 4e6],
    ]);
    expect(ranges([0, 10e6])).toEqual([[4e6, 6e6]]);
    expect(ranges([1e6, 4e6], 1)).toEqual([
      [0, 10e6],
      [0, 1e6],
    ]);
  });
  it("have the time that all files cover where that is less than the capture", () => {
    const [primary, secondary] = summary.replicas;
    const replicas = [
      { ...primary, to: 8e6 },
      { ...secondary, from: 2e6 },
    ];
    const labels = (shown: readonly [number, number]) =>
      comparableRanges({ ...summary, replicas }, 0, shown).map(({ label, range }) => [label, ...range]);
    expect(labels([0, 10e6])[0]).toEqual(["the common time", 2e6, 8e6]);
    expect(labels([2e6, 8e6])[0]).toEqual(["the whole capture", 0, 10e6]);
  });
  it("are the same to a µs", () => {
    expect([sameRange([0, 1], [0, 1.5]), sameRange([0, 1], [0, 2]), sameRange(null, null)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
