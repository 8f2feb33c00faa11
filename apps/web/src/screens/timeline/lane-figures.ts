/** Percentiles of lanes that join several stages: no sum of percentiles is a percentile, so they come from the blocks. */
import type { Lane } from "../../charts/timeline/lanes.ts";
import { lowerBound } from "../../charts/timeline/layout.ts";
import type { Buffer } from "../../charts/timeline/spans.ts";

/** Nearest-rank percentile of ascending values; NaN of none. */
function rank(ascending: Float64Array, p: number): number {
  return ascending.length === 0 ? Number.NaN : ascending[Math.max(0, Math.ceil(p * ascending.length) - 1)];
}

/** p50 and p95 (µs) of the blocks that touch [from, to), for lanes without a stage of their own. */
export function combinedFigures(
  buffer: Buffer | null,
  lanes: readonly Lane[],
  from: number,
  to: number,
): Map<string, { p50: number; p95: number }> {
  const figures = new Map<string, { p50: number; p95: number }>();
  if (!buffer?.blocks) return figures;
  for (const lane of lanes) {
    const spans = buffer.spans.get(lane.key);
    if (!spans || lane.shape === "commits" || lane.stages.length === 1) continue;
    const first = lowerBound(spans.reach, from);
    const last = lowerBound(spans.time, to);
    const values = new Float64Array(last - first);
    let n = 0;
    for (let i = first; i < last; i++) {
      const value = spans.end[i] - spans.start[i];
      if (!Number.isNaN(value)) values[n++] = value;
    }
    const ascending = values.subarray(0, n).sort();
    figures.set(lane.key, { p50: rank(ascending, 0.5), p95: rank(ascending, 0.95) });
  }
  return figures;
}
