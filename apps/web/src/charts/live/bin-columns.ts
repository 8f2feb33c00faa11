/** Bins of a running picture as one column per pixel. */

/** µs per column of pixels; NaN for an empty column. */
export interface PixelColumns {
  readonly p50: Float64Array;
  readonly max: Float64Array;
}

/** A pause this short is the rhythm of commits and no idle time, µs. */
const BRIDGED_US = 150_000;

/**
 * Bins as `width` columns of `usPerPx` µs; the first one begins at `firstColumn * usPerPx`. A column has the median of
 * the bin at its middle and the largest maximum of all bins that touch it, so that no outlier vanishes. The median
 * continues over a pause between two log blocks: a gap in every lane would look like a loss.
 */
export function pixelColumns(
  bins: { readonly width: number; readonly firstBin: number; readonly length: number },
  { p50, max }: { readonly p50: Float64Array | undefined; readonly max: Float64Array | undefined },
  firstColumn: number,
  width: number,
  usPerPx: number,
): PixelColumns {
  const columns = {
    p50: new Float64Array(width).fill(Number.NaN),
    max: new Float64Array(width).fill(Number.NaN),
  };
  if (!p50 || !max) return columns;
  const binAt = (us: number): number => Math.floor(us / bins.width) - bins.firstBin;
  for (let x = 0; x < width; x++) {
    const from = (firstColumn + x) * usPerPx;
    const middle = binAt(from + usPerPx / 2);
    if (middle >= 0 && middle < bins.length) columns.p50[x] = p50[middle];
    const last = Math.min(bins.length - 1, binAt(from + usPerPx - 1e-6));
    for (let i = Math.max(0, binAt(from)); i <= last; i++) {
      if (max[i] > columns.max[x] || Number.isNaN(columns.max[x])) columns.max[x] = max[i];
      if (Number.isNaN(columns.p50[x])) columns.p50[x] = p50[i];
    }
  }
  bridge(columns, Math.floor(BRIDGED_US / usPerPx));
  return columns;
}

/** Continues the median over at most `most` empty columns between two known ones. */
function bridge({ p50, max }: PixelColumns, most: number): void {
  let known = -1;
  for (let x = 0; x < p50.length; x++) {
    if (Number.isNaN(p50[x])) continue;
    if (known >= 0 && x - known - 1 <= most) {
      p50.fill(p50[known], known + 1, x);
      max.fill(p50[known], known + 1, x);
    }
    known = x;
  }
}
