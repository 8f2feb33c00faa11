/** Names, figures and sentences of the Distribution screen. */
import type { Distribution, DistributionStage, Histogram } from "@aglens/contract";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { durationText, formatCount, formatPercent } from "../../ui/words.ts";
import { distributionStageName } from "../capture-view/stage-means.ts";

/** "21 commits", "1 block". */
export const countText = (id: DistributionStage, n: number): string => {
  const one = id === "commit" ? "commit" : "block";
  return `${formatCount(n)} ${n === 1 ? one : `${one}s`}`;
};

/** A range of durations: "5.01 ms to 5.50 ms". */
export const binLengthText = (least: number, limit: number): string =>
  `${least <= 0 ? "0" : durationText(least)} to ${durationText(limit)}`;

/** Figures under the name of a row: the number of values, and the median. */
export function rowFigures({ n, p50, max, missing }: Histogram): string {
  const middle = n === 0 ? texts.noValue : n === 1 ? durationText(max) : `p50 ${durationText(p50)}`;
  const without = missing > 0 ? texts.without(formatCount(missing)) : "";
  return `${n === 0 ? "" : `${formatCount(n)}, `}${middle}${without}`;
}

/** Text of a bin: "5.01 ms to 5.50 ms: 21 commits, 1.9 %, 43.0 % at or below". */
export function binText(
  id: DistributionStage,
  edges: readonly number[],
  range: Histogram,
  bin: number,
): string {
  const count = range.counts[bin] ?? 0;
  const below = range.under + range.counts.slice(0, bin + 1).reduce((sum, each) => sum + each, 0);
  const shareOf = (n: number): string => formatPercent(range.n === 0 ? null : n / range.n, 1);
  return texts.atOrBelowPart(
    binLengthText(edges[bin] ?? 0, edges[bin + 1] ?? 0),
    countText(id, count),
    shareOf(count),
    shareOf(below),
  );
}

/** A part of the values that is separate from the others. */
export interface Hump {
  /** The edges around its middle value, µs, as their geometric mean. */
  readonly at: number;
  readonly share: number;
}

/** Minimum number of values for a shape. */
const LEAST_SHAPE = 20;
/** A hump has at least the first share; a bin with less than the second share counts as empty, because of outliers. */
const LEAST_HUMP = 0.05;
const LEAST_BIN = 0.004;
/** Empty bins between two humps: a third of a decade, about a factor of two. */
const LEAST_GAP = 8;

/**
 * Concentrations of the values of a stage, from logarithmic bins; one hump for values in one place, none for too few
 * values.
 */
export function humpsOf(edges: readonly number[], { n, counts }: Histogram): Hump[] {
  if (n < LEAST_SHAPE) return [];
  const groups: number[][] = [];
  for (const [bin, count] of counts.entries()) {
    if (count <= Math.max(1, LEAST_BIN * n)) continue;
    const group = groups.at(-1);
    if (group !== undefined && bin - group.at(-1)! <= LEAST_GAP) group.push(bin);
    else groups.push([bin]);
  }
  const humps = groups.map((bins) => {
    const total = bins.reduce((sum, bin) => sum + counts[bin]!, 0);
    let passed = 0;
    const middle = bins.find((bin) => (passed += counts[bin]!) * 2 >= total)!;
    return { at: Math.sqrt(edges[middle]! * edges[middle + 1]!), share: total / n };
  });
  return humps.filter(({ share }) => share >= LEAST_HUMP);
}

/** Sentences on the shape of the rows, one for each stage that has several humps. */
export function shapeSentences({ rows, edges, scale }: Distribution, names: ReplicaNames): string[] {
  if (scale !== "log") return [];
  return rows.flatMap(({ stage, ranges: [range] }) => {
    const humps = range === undefined ? [] : humpsOf(edges, range);
    if (humps.length < 2) return [];
    const places = humps.map(({ at, share }) => `${roughly(at)} (${formatPercent(share)})`);
    return [
      texts.hasHumpsNearAnd(
        distributionStageName(stage, names),
        humps.length,
        places.slice(0, -1).join(", "),
        places.at(-1),
      ),
    ];
  });
}

/** Two digits: a bin is a tenth wide. */
const roughly = (us: number): string => durationText(Number(us.toPrecision(2)));
