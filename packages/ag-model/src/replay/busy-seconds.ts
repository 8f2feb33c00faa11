/** Share of each second in which something was under way. */

const SECOND_US = 1_000_000;

/**
 * Share of each second covered by the union of intervals, 0 to 1; a second at the edge counts as far as it is covered.
 * @param start µs, ascending
 * @param end µs
 * @param duration length of the capture, µs: the number of seconds
 */
export function busySeconds(start: Float64Array, end: Float64Array, duration: number): Float64Array {
  const seconds = new Float64Array(Math.max(1, Math.ceil(duration / SECOND_US)));
  if (start.length === 0) return seconds;
  let until = -Infinity;
  for (let i = 0; i < start.length; i++) {
    addInterval(seconds, Math.max(start[i], until), end[i]);
    until = Math.max(until, end[i]);
  }
  return seconds.map((busy, second) => {
    const from = Math.max(second * SECOND_US, start[0]);
    const to = Math.min((second + 1) * SECOND_US, until);
    return to > from ? Math.min(1, busy / (to - from)) : 0;
  });
}

function addInterval(seconds: Float64Array, from: number, to: number): void {
  for (let at = Math.max(from, 0); at < to;) {
    const second = Math.floor(at / SECOND_US);
    if (second >= seconds.length) return;
    const next = Math.min(to, (second + 1) * SECOND_US);
    seconds[second] += next - at;
    at = next;
  }
}
