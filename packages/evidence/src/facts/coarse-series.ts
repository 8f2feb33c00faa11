import type { EvidenceSeries } from "../shapes.ts";

/**
 * A series with one value for each `size` samples, at the time of the last one. A missing delta makes that of its
 * group unknown; a mean is of the values that are there.
 */
export function coarseSeries<S extends EvidenceSeries>(
  series: S,
  size: number,
  combine: "mean" | "total",
): S {
  const length = Math.ceil(series.values.length / size);
  const values = new Float64Array(length);
  const atUs = new Float64Array(length);
  for (let group = 0; group < length; group++) {
    const until = Math.min((group + 1) * size, series.values.length);
    const own = series.values.subarray(group * size, until);
    const known = series.form === "delta" ? own : own.filter((value) => !Number.isNaN(value));
    const sum = known.reduce((a, b) => a + b, 0);
    values[group] = combine === "total" && known.length > 0 ? sum : sum / known.length;
    atUs[group] = series.atUs[until - 1] ?? Number.NaN;
  }
  return { ...series, atUs, values };
}
