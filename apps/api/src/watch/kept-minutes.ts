/** Polls of a watch as minutes: kept for 90 days in a row per hour, with the usual of weekday and hour. */
import {
  hourOf,
  minuteAt,
  packHour,
  seriesOf,
  unpackHour,
  usualAt,
  usualOf,
  withPoint,
} from "@aglens/ag-model/watch";
import type { SeriesColumns, Usual, UsualDelay, WatchMinute, WatchPoint } from "@aglens/ag-model/watch";
import type { WatchStore } from "./watch-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_DAYS = 90;
/** Days of the usual. */
const USUAL_DAYS = 28;

/** Key of an hour's row: "2026-11-24T02". */
const keyOf = (at: number): string => new Date(at).toISOString().slice(0, 13);

/** Kept minutes of a watch from one time to another, ms since 1970. */
export async function minutesBetween(
  store: WatchStore,
  watch: string,
  from: number,
  to: number,
): Promise<WatchMinute[]> {
  const rows = await store.rows("hour", { watch, from: keyOf(from), before: keyOf(to + HOUR_MS) });
  return rows.flatMap(({ record }) => unpackHour(record));
}

/** Columns that a client asks for, ms since 1970. */
export interface SeriesRange {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
}

/** Polls of a watch in columns, as they are stored: of a watch that this server doesn't run. */
export async function storedSeries(
  store: WatchStore,
  watch: string,
  range: SeriesRange,
  now: number,
): Promise<SeriesColumns> {
  const [minutes, usual] = await Promise.all([
    keptMinutes(store, watch, range, now),
    storedUsual(store, watch, now),
  ]);
  return seriesOf(minutes, range.from, range.to, range.bins, usual);
}

const keptMinutes = (store: WatchStore, watch: string, { from, to }: SeriesRange, now: number) =>
  minutesBetween(store, watch, Math.max(from, now - KEPT_DAYS * DAY_MS), Math.min(to, now));

export async function storedUsual(store: WatchStore, watch: string, now: number): Promise<Usual | null> {
  return usualOf(await minutesBetween(store, watch, now - USUAL_DAYS * DAY_MS, now), now);
}

export class KeptMinutes {
  readonly #store: WatchStore;
  readonly #watch: string;
  /** Minutes of the hours that may still change. */
  readonly #minutes = new Map<number, WatchMinute>();
  /** Begins of hours with minutes that aren't stored. */
  readonly #unsaved = new Set<number>();
  #usual: Usual | null = null;
  #usualHour = Number.NEGATIVE_INFINITY;

  constructor(store: WatchStore, watch: string) {
    this.#store = store;
    this.#watch = watch;
  }

  /** Continues the current hour of an earlier process. */
  async open(now: number): Promise<void> {
    const minutes = await minutesBetween(this.#store, this.#watch, hourOf(now), now);
    for (const minute of minutes) this.#minutes.set(minute.at, minute);
    await this.#refreshUsual(now);
  }

  add(point: WatchPoint): void {
    const at = minuteAt(point);
    this.#minutes.set(at, withPoint(this.#minutes.get(at) ?? null, point));
    this.#unsaved.add(hourOf(at));
  }

  usualAt(at: number): UsualDelay | null {
    return usualAt(this.#usual, at);
  }

  async series(range: SeriesRange, now: number): Promise<SeriesColumns> {
    const stored = await keptMinutes(this.#store, this.#watch, range, now);
    const minutes = new Map(stored.map((minute) => [minute.at, minute]));
    for (const [at, minute] of this.#minutes) minutes.set(at, minute);
    return seriesOf([...minutes.values()], range.from, range.to, range.bins, this.#usual);
  }

  /** Stores what is new; once an hour it also deletes the oldest rows, also of episodes, and learns the usual. */
  async save(now: number): Promise<void> {
    const hours = [...this.#unsaved];
    const rows = hours.map((hour) => ({
      watch: this.#watch,
      key: keyOf(hour),
      record: packHour([...this.#minutes.values()].filter(({ at }) => hourOf(at) === hour)),
    }));
    this.#unsaved.clear();
    try {
      if (rows.length > 0) await this.#store.save("hour", rows);
    } catch (error) {
      for (const hour of hours) this.#unsaved.add(hour);
      throw error;
    }
    for (const at of this.#minutes.keys())
      if (hourOf(at) < hourOf(now) - HOUR_MS && !this.#unsaved.has(hourOf(at))) this.#minutes.delete(at);
    if (hourOf(now) === this.#usualHour) return;
    const tooOld = { watch: this.#watch, before: keyOf(now - KEPT_DAYS * DAY_MS) };
    await Promise.all([this.#store.remove("hour", tooOld), this.#store.remove("episode", tooOld)]);
    await this.#refreshUsual(now);
  }

  async #refreshUsual(now: number): Promise<void> {
    this.#usual = await storedUsual(this.#store, this.#watch, now);
    this.#usualHour = hourOf(now);
  }
}
