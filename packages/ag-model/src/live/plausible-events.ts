import { medianOf } from "../numbers/index.ts";
import { fireTime, type EventColumns } from "../events/index.ts";
import { ticksToMicroseconds } from "../replication/clocks/time.ts";

/** UTC differs from the counter by milliseconds, and an administrator may set it; a larger difference is damage, µs. */
const MOST_APART_US = 5_000_000;
/** Events of one step are published within seconds of each other. */
const MOST_SPREAD_US = 600_000_000;
/** No duration that an event reports is this long, µs. */
const LONGEST_US = 3_600_000_000;
/** This many events are enough to show how far UTC is from the counter. */
const ENOUGH = 20;

/**
 * Accepts only events whose times can be true. One event with a time in another century, due to damage, would move the
 * complete picture there.
 */
export class PlausibleEvents {
  /** Publish minus fire time, µs from a fixed instant; NaN before the first events. */
  #ahead = Number.NaN;
  #baseTicks: bigint | undefined;

  filter(columns: EventColumns): EventColumns {
    const { kind, start, processing, ticks, length } = columns;
    this.#baseTicks ??= ticks[length >> 1];
    const base = this.#baseTicks;
    const publish = Float64Array.from(ticks, (t) => ticksToMicroseconds(t - base));
    const ahead = publish.map((at, i) => at - fireTime(kind[i], start[i], processing[i]));
    const usual = medianOf(ahead);
    if (Number.isNaN(this.#ahead) || (length >= ENOUGH && !Number.isNaN(usual))) this.#ahead = usual;
    const middle = medianOf(publish);
    const isPlausible = (i: number): boolean =>
      Math.abs(publish[i] - middle) < MOST_SPREAD_US &&
      !(Math.abs(ahead[i] - this.#ahead) > MOST_APART_US) &&
      !(Math.abs(processing[i]) > LONGEST_US);
    const rows = Uint32Array.from({ length }, (_, i) => i).filter(isPlausible);
    return rows.length === length ? columns : rowsOf(columns, rows);
  }
}

function rowsOf(columns: EventColumns, rows: Uint32Array): EventColumns {
  const picked = Object.entries(columns).map(([name, column]) => {
    if (typeof column === "number" || Array.isArray(column)) return [name, column] as const;
    const from = column as Float64Array;
    const to = from.slice(0, rows.length);
    for (let i = 0; i < rows.length; i++) to[i] = from[rows[i]];
    return [name, to] as const;
  });
  return { ...(Object.fromEntries(picked) as unknown as EventColumns), length: rows.length };
}
