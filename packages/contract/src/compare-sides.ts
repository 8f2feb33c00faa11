/** Two sides of a comparison, stage by stage: figures, change and its certainty, and histograms on the same bins. */
import type { Distribution, DistributionStage, Histogram, PercentileSpread } from "./shapes/distribution.ts";

/** Answers of the server for one side. */
export interface Side {
  readonly distribution: Distribution;
  readonly spread: PercentileSpread;
}

export type Percentile = "p50" | "p95" | "p99";

/** One stage on both sides, µs. */
export interface ComparedStage {
  readonly stage: DistributionStage;
  /** Histograms of A and B, on the bins of `ComparedSides.edges`. */
  readonly ranges: readonly [Histogram, Histogram];
  readonly a: number | null;
  readonly b: number | null;
  /** B / A - 1; null where one of them is not known. */
  readonly change: number | null;
  /** Confidence interval (95 %) of the change; null where too few values are known. */
  readonly between: readonly [number, number] | null;
  readonly verdict: "larger" | "smaller" | "alike" | "unknown";
}

export interface ComparedSides {
  readonly edges: readonly number[];
  readonly stages: readonly ComparedStage[];
}

/** Smaller changes also occur between the two halves of one quiet window (docs/contribute/design.md). */
const LEAST_CHANGE = 0.1;

/** Both sides by one percentile. Histograms have the logarithmic bins that every capture shares. */
export function compareSides(a: Side, b: Side, percentile: Percentile): ComparedSides {
  const edges = joinedEdges(a.distribution.edges, b.distribution.edges);
  const stages = a.distribution.rows.flatMap(({ stage, ranges: [own] }) => {
    const [other] = b.distribution.rows.find((row) => row.stage === stage)?.ranges ?? [];
    if (own === undefined || other === undefined) return [];
    const change = changeOf(own[percentile], other[percentile]);
    const between =
      change === null
        ? null
        : intervalOf(change, factorsOf(a, stage, percentile), factorsOf(b, stage, percentile));
    return [
      {
        stage,
        ranges: [
          onEdges(own, a.distribution.edges, edges),
          onEdges(other, b.distribution.edges, edges),
        ] as const,
        a: own[percentile],
        b: other[percentile],
        change,
        between,
        verdict: verdictOf(change, between),
      },
    ];
  });
  return { edges, stages };
}

function changeOf(a: number | null, b: number | null): number | null {
  return a === null || b === null || a <= 0 ? null : b / a - 1;
}

function factorsOf({ spread }: Side, stage: DistributionStage, percentile: Percentile): readonly number[] {
  return spread.rows.find((row) => row.stage === stage)?.[percentile] ?? [];
}

/** The middle 95 % of the change over the resampled percentiles of both sides (`PercentileSpread`). */
function intervalOf(
  change: number,
  ofA: readonly number[],
  ofB: readonly number[],
): readonly [number, number] | null {
  const draws = Math.min(ofA.length, ofB.length);
  if (draws === 0) return null;
  const changes = Array.from({ length: draws }, (_, draw) => {
    // Both sides are resampled with the same random numbers, so that pairing different draws makes them independent.
    const factor = (ofB[draw] ?? 1) / (ofA[(draw + Math.floor(draws / 2)) % draws] ?? 1);
    return (1 + change) * factor - 1;
  }).toSorted((x, y) => x - y);
  const at = (share: number): number => changes[Math.round(share * (draws - 1))] ?? change;
  return [at(0.025), at(0.975)];
}

function verdictOf(
  change: number | null,
  between: readonly [number, number] | null,
): ComparedStage["verdict"] {
  if (change === null) return "unknown";
  const isByChance = between === null || (between[0] <= 0 && between[1] >= 0);
  if (Math.abs(change) < LEAST_CHANGE || isByChance) return "alike";
  return change > 0 ? "larger" : "smaller";
}

/** All edges of both sides. The bins of one side are a part of the other side's bins, or follow them. */
function joinedEdges(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].toSorted((x, y) => x - y);
}

/** The histogram on more bins; values outside its own bins stay outside. */
function onEdges(histogram: Histogram, own: readonly number[], all: readonly number[]): Histogram {
  const first = all.indexOf(own[0] ?? 0);
  const counts = all.slice(1).map((_, bin) => histogram.counts[bin - first] ?? 0);
  return { ...histogram, counts };
}
