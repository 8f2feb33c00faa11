/**
 * Shows frequent values only as often as a person can read them: the first at once, then the newest after each
 * interval.
 * @param everyMs time between two shown values
 */
export function paced<Value>(show: (value: Value) => void, everyMs: number): (value: Value) => void {
  let shownMs = Number.NEGATIVE_INFINITY;
  let waiting: { value: Value } | null = null;
  const showNow = (value: Value): void => {
    shownMs = performance.now();
    show(value);
  };
  return (value) => {
    if (waiting !== null) {
      waiting.value = value;
      return;
    }
    const leftMs = shownMs + everyMs - performance.now();
    if (leftMs <= 0) return showNow(value);
    const newest = { value };
    waiting = newest;
    setTimeout(() => {
      waiting = null;
      showNow(newest.value);
    }, leftMs);
  };
}
