/** The events of one server written by hand, for tests that define each event. */
import { emptyColumns, EventKind, fireTime, type EventColumns } from "../src/events/index.ts";

/** One event; a value that is not set is absent. */
export interface EventSpec {
  readonly kind: keyof typeof EventKind;
  /** start_timestamp, µs of the server's counter; absent for kinds without it. */
  readonly at?: number;
  /** processing_time, total_processing_time or duration, µs. */
  readonly took?: number;
  /** Publish time, µs; default the instant it fired. */
  readonly published?: number;
  readonly block?: bigint;
  readonly mode?: number;
  /** Bytes. */
  readonly size?: number;
  /** database_id of that server. */
  readonly local?: number;
  /** group_database_id. */
  readonly database?: string;
  readonly self?: string;
  readonly partner?: string;
  readonly group?: string;
  readonly action?: string;
}

/** FILETIME ticks of the instant at which the counters of hand-written events are 0. */
export const BASE_TICKS = 131_000_000_000_000_000n;

/**
 * Columns of the events as a file of one server has them, in order of publish time.
 * @param utcAheadUs how far the server's UTC clock is ahead of `BASE_TICKS` plus its counter, µs
 */
export function eventColumns(events: readonly EventSpec[], utcAheadUs = 0): EventColumns {
  const publishOf = ({ kind, at = Number.NaN, took = Number.NaN, published }: EventSpec): number =>
    published ?? fireTime(EventKind[kind], at, took);
  const ordered = events.toSorted((a, b) => publishOf(a) - publishOf(b));
  const columns = emptyColumns(ordered.length);
  const textNumber = (text = ""): number => {
    const known = columns.texts.indexOf(text);
    return known >= 0 ? known : columns.texts.push(text) - 1;
  };
  for (const [i, event] of ordered.entries()) {
    columns.kind[i] = EventKind[event.kind];
    columns.ticks[i] = BASE_TICKS + BigInt(Math.round((publishOf(event) + utcAheadUs) * 10));
    columns.start[i] = event.at ?? Number.NaN;
    columns.processing[i] = event.took ?? Number.NaN;
    columns.blockId[i] = event.block ?? 0n;
    columns.mode[i] = event.mode ?? 0;
    columns.size[i] = event.size ?? Number.NaN;
    columns.databaseId[i] = event.local ?? -1;
    columns.database[i] = textNumber(event.database);
    columns.self[i] = textNumber(event.self);
    columns.partner[i] = textNumber(event.partner);
    columns.group[i] = textNumber(event.group);
    columns.action[i] = textNumber(event.action);
    columns.offset[i] = 1_000 + 100 * i;
  }
  columns.files.push({ name: "by-hand.xel", size: 1_000_000, events: ordered.length, gaps: [] });
  return columns;
}
