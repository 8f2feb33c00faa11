/** Durations of answers in the last minutes, and numbers of refused and failed requests within a day. */
import { createHistogram } from "node:perf_hooks";
import type { RecordableHistogram } from "node:perf_hooks";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Minutes whose figures are kept, for the line of the last hour. */
export const MINUTES = 60;
/** Minutes that the present p95 is of. */
const PRESENT = 5;
const HOURS = 24;
const US_PER_MS = 1_000;
const P95 = 95;

/** Facts about an answer for counters and the log. */
export interface CountedAnswer {
  readonly method: string;
  /** The route's pattern, such as /api/v1/captures/:id: ids open captures and links, and a query has names of files. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Sent, with headers, as they were on the wire. */
  readonly bytes: number;
}

interface Hour {
  requests: number;
  refused: number;
}

export class RequestFigures {
  readonly #now: () => number;
  readonly #begun: number;
  readonly #minutes = new Map<number, RecordableHistogram>();
  readonly #hours = new Map<number, Hour>();

  /** @param now ms since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.#begun = now();
  }

  /** Counts an answer of the API; streams and uploads last as long as their clients, so they are no answer times. */
  answered({ route, method, status, ms }: CountedAnswer, isStream: boolean): void {
    if (!route.startsWith("/api/")) return;
    const now = this.#now();
    const hour = entry(this.#hours, Math.floor(now / HOUR_MS), HOURS, () => ({ requests: 0, refused: 0 }));
    hour.requests += 1;
    if (status >= 400) hour.refused += 1;
    if (isStream || method !== "GET") return;
    entry(this.#minutes, Math.floor(now / MINUTE_MS), MINUTES, () => createHistogram()).record(
      Math.max(1, Math.round(ms * US_PER_MS)),
    );
  }

  /** p95 of GET answers, ms, of the last five minutes and of each minute of the last hour, oldest first; null without one. */
  answerMs(): { readonly p95: number | null; readonly minutes: readonly (number | null)[] } {
    const now = Math.floor(this.#now() / MINUTE_MS);
    const present = createHistogram();
    for (let minute = now - PRESENT + 1; minute <= now; minute++) {
      const of = this.#minutes.get(minute);
      if (of !== undefined) present.add(of);
    }
    return {
      p95: p95Of(present),
      minutes: Array.from({ length: MINUTES }, (_, i) => p95Of(this.#minutes.get(now - MINUTES + 1 + i))),
    };
  }

  /** Requests of the last 24 hours that were answered by 4xx or 5xx, and all of them; `hours` since the start, at most 24. */
  refusals(): { readonly refused: number; readonly requests: number; readonly hours: number } {
    const now = this.#now();
    const hours = [...this.#hours].filter(([hour]) => hour > Math.floor(now / HOUR_MS) - HOURS);
    return {
      refused: hours.reduce((sum, [, { refused }]) => sum + refused, 0),
      requests: hours.reduce((sum, [, { requests }]) => sum + requests, 0),
      hours: Math.min(HOURS, (now - this.#begun) / HOUR_MS),
    };
  }
}

function p95Of(histogram: RecordableHistogram | undefined): number | null {
  return histogram === undefined || histogram.count === 0 ? null : histogram.percentile(P95) / US_PER_MS;
}

/** The entry of a key, created if it does not exist; the oldest are forgotten. */
function entry<Value>(map: Map<number, Value>, key: number, most: number, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  for (const old of map.keys()) if (old <= key - most) map.delete(old);
  return made;
}
