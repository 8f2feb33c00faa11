import type { Distribution, DistributionStage, Histogram } from "@aglens/contract";

/** 10 µs to 1 s in 25 bins per decade. */
const EDGES = Array.from({ length: 126 }, (_, i) => Number((10 ** (1 + i / 25)).toPrecision(12)));

/** Bins of a histogram by the number of the bin. */
export const countsOf = (filled: Readonly<Record<number, number>>): number[] =>
  EDGES.slice(1).map((_, bin) => filled[bin] ?? 0);

export const histogramOf = (more: Partial<Histogram> = {}): Histogram => ({
  n: 100,
  missing: 0,
  p50: 600,
  p95: 158_000,
  p99: 166_000,
  max: 206_000,
  under: 0,
  over: 0,
  counts: countsOf({ 44: 80, 104: 20 }),
  classes: null,
  ...more,
});

const CLASSES = { good: 70, reasonable: 20, busy: 8, bad: 2 };
const STAGES = ["commit", "networkRoundTrip", "secondaryFlush", "localFlush"] as const;

/** Four stages with a hump at 600 µs and one at 150 ms. */
export function distributionOf(
  more: Partial<Distribution> = {},
  range: Partial<Histogram> = {},
): Distribution {
  const row = (stage: DistributionStage) => ({
    stage,
    ranges: [histogramOf({ ...(stage.endsWith("Flush") ? { classes: CLASSES } : {}), ...range })],
  });
  return {
    from: 0,
    to: 10_000_000,
    other: null,
    secondary: 0,
    scale: "log",
    stage: "commit",
    edges: EDGES,
    rows: STAGES.map(row),
    heat: { from: 0, binUs: 5_000_000, bins: 2, edges: [100, 1_000, 10_000], counts: [3, 1, 0, 0] },
    sizes: null,
    splits: [],
    ...more,
  };
}
