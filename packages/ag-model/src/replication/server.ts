/** One replica's events prepared for the joins: fire times and the availability database of each. */
import { fireTime, RowsOfKinds, type EventColumns } from "../events/index.ts";
import { wordsOf, type EventIds } from "./event-ids.ts";
import { prepareEvents, type PreparedEvents } from "./prepared-events.ts";
import { ticksAsMicroseconds } from "./time.ts";
import { utcMap, type UtcMap } from "./utc-map.ts";

export interface Server {
  readonly columns: EventColumns;
  /** Its events by kind. */
  readonly rowsOf: RowsOfKinds;
  readonly ids: EventIds;
  /** Low and high words of log_block_id at 2 i and 2 i + 1. */
  readonly words: Uint32Array;
  /** Publish time, µs after `baseTicks`. */
  readonly publish: Float64Array;
  /** start_timestamp, or the publish time where the engine has none. */
  readonly start: Float64Array;
  /** µs of this server's counter; from publish time through the UTC map where an event has no start_timestamp. */
  readonly fire: Float64Array;
  readonly utc: UtcMap;
  /** True when the engine writes no start_timestamp (before KB3173156). */
  readonly withoutCounter: boolean;
  /** Index of the availability database, NO_DATABASE or FOREIGN_DATABASE. */
  readonly database: Int16Array;
}

/** The event names no database. */
export const NO_DATABASE = -1;
/** The event is of a database outside the availability group. */
export const FOREIGN_DATABASE = -2;

/** Prepares one replica's events; `databases` is filled by `learnDatabases`. */
export function prepareServer(
  columns: EventColumns,
  baseTicks: bigint,
  prepared: PreparedEvents = prepareEvents(columns),
): Server {
  const { length } = columns;
  const publish = ticksAsMicroseconds(columns.ticks, baseTicks);
  const withoutCounter = columns.start.every((at) => Number.isNaN(at));
  const start = withoutCounter ? startsByPublish(columns, publish) : columns.start;
  const fire = new Float64Array(length);
  for (let i = 0; i < length; i++) fire[i] = fireTime(columns.kind[i], start[i], columns.processing[i]);
  const utc = utcMap(publish, fire);
  placeByPublish(fire, publish, utc);
  return {
    columns,
    rowsOf: new RowsOfKinds(prepared.kinds),
    ids: prepared.ids,
    words: wordsOf(columns.blockId),
    publish,
    start,
    fire,
    utc,
    withoutCounter,
    database: new Int16Array(length).fill(NO_DATABASE),
  };
}

/** An event is published when what it reports ends: without start_timestamp it began its duration earlier. */
const startsByPublish = ({ kind, processing }: EventColumns, publish: Float64Array): Float64Array =>
  publish.map((at, i) => at - (fireTime(kind[i], 0, processing[i]) || 0));

/** Events without start_timestamp get their place from the publish time; events come in publish order. */
function placeByPublish(fire: Float64Array, publish: Float64Array, { at, ahead }: UtcMap): void {
  if (at.length === 0) return;
  let bin = 0;
  for (let i = 0; i < fire.length; i++) {
    if (!Number.isNaN(fire[i])) continue;
    while (bin + 1 < at.length && publish[i] - ahead[bin] > (at[bin] + at[bin + 1]) / 2) bin++;
    fire[i] = publish[i] - ahead[bin];
  }
}
