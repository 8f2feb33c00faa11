/** µs since midnight UTC of a run's time 0, which is an ISO 8601 instant; 0 when it is none. */
export function originDayOf(origin: string): number {
  const ms = Date.parse(origin);
  return Number.isNaN(ms) ? 0 : (ms % 86_400_000) * 1000;
}
