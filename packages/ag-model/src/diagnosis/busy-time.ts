/** How long, µs, something was busy between two instants. */
export type BusyTime = (from: number, to: number) => number;

/**
 * Time in which at least one of the intervals [starts[i], ends[i]) runs, as a function of two instants. Intervals with an
 * unknown end are left out. Asking costs two binary searches.
 */
export function busyTimeOf(starts: ArrayLike<number>, ends: ArrayLike<number>): BusyTime {
  const order = byStart(starts, ends);
  const begin = new Float64Array(order.length);
  const end = new Float64Array(order.length);
  /** Busy time before the interval of the same place. */
  const before = new Float64Array(order.length);
  let n = 0;
  for (const i of order) {
    if (n > 0 && starts[i] <= end[n - 1]) {
      end[n - 1] = Math.max(end[n - 1], ends[i]);
      continue;
    }
    begin[n] = starts[i];
    end[n] = ends[i];
    if (n > 0) before[n] = before[n - 1] + end[n - 1] - begin[n - 1];
    n++;
  }
  const until = (at: number): number => {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (begin[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : before[low - 1] + Math.min(at, end[low - 1]) - begin[low - 1];
  };
  return (from, to) => (to > from ? until(to) - until(from) : 0);
}

/** Places of the intervals that have both ends, by their starts. Those of one thread nearly always come in order. */
function byStart(starts: ArrayLike<number>, ends: ArrayLike<number>): Uint32Array {
  const places = new Uint32Array(starts.length);
  let n = 0;
  let isInOrder = true;
  for (let i = 0; i < places.length; i++) {
    if (!(ends[i] > starts[i])) continue;
    if (n > 0 && starts[places[n - 1]] > starts[i]) isInOrder = false;
    places[n++] = i;
  }
  const order = places.subarray(0, n);
  return isInOrder ? order : order.sort((a, b) => starts[a] - starts[b]);
}
