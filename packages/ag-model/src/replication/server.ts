/** One replica's events prepared for the joins: their instants and the availability database of each. */
import { fireTime, RowsOfKinds, type EventColumns, type EventShapes } from "../events/index.ts";
import type { UniqueIds } from "./ascending-ids.ts";
import { wordsOf } from "./event-ids.ts";
import type { GiveBack } from "./memory.ts";
import type { OwnBlocks } from "./own-blocks.ts";
import { NO_DATABASE, type OwnDatabases } from "./own-databases.ts";
import { addFires, collectInstants, type OwnInstants } from "./own-instants.ts";
import { firesOf, prepareEvents, type PreparedEvents } from "./prepared-events.ts";
import { ticksAsMicroseconds } from "./time.ts";
import { utcMap, type UtcMap } from "./utc-map.ts";

export interface Server {
  /** As `ServerInput.giveBack`. */
  readonly giveBack: GiveBack | undefined;
  readonly columns: EventColumns;
  readonly prepared: PreparedEvents;
  /** Its events by kind. */
  readonly rowsOf: RowsOfKinds;
  readonly shapes: EventShapes;
  /** Each log_block_id that its events name, ascending. */
  readonly ids: UniqueIds;
  readonly databases: OwnDatabases;
  readonly blocks: OwnBlocks;
  readonly instants: OwnInstants;
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
  /** By event: index of the availability database, NO_DATABASE or FOREIGN_DATABASE. */
  readonly database: Int16Array;
  /** The same by own block. */
  readonly databaseOfBlock: Int16Array;
}

/** Completes one replica's prepared events; `database` and `databaseOfBlock` are filled by `learnDatabases`. */
export function prepareServer(
  columns: EventColumns,
  baseTicks: bigint,
  prepared: PreparedEvents = prepareEvents(columns),
  giveBack?: GiveBack,
): Server {
  const publish = ticksAsMicroseconds(columns.ticks, baseTicks);
  const withoutCounter = columns.start.every((at) => Number.isNaN(at));
  const { kinds, shapes, ids, databases, blocks } = prepared;
  const start = withoutCounter ? startsByPublish(columns, publish) : columns.start;
  const { fire, late } = withoutCounter ? firesOf(columns, start) : prepared;
  // A model built before from the same events has put instants there.
  for (const i of late) fire[i] = Number.NaN;
  const utc = utcMap(publish, fire);
  placeByPublish(fire, late, publish, utc);
  const timed = { columns, shapes, blocks, start, fire };
  const instants = withoutCounter ? collectInstants(timed) : prepared.instants;
  addFires(instants, timed, late);
  return {
    giveBack,
    columns,
    prepared,
    rowsOf: new RowsOfKinds(kinds),
    shapes,
    ids,
    databases,
    blocks,
    instants,
    words: wordsOf(columns.blockId),
    publish,
    start,
    fire,
    utc,
    withoutCounter,
    database: new Int16Array(columns.length).fill(NO_DATABASE),
    databaseOfBlock: new Int16Array(blocks.length).fill(NO_DATABASE),
  };
}

/** An event is published when what it reports ends: without start_timestamp it began its duration earlier. */
const startsByPublish = ({ kind, processing }: EventColumns, publish: Float64Array): Float64Array =>
  publish.map((at, i) => at - (fireTime(kind[i], 0, processing[i]) || 0));

/** Events without start_timestamp get their place from the publish time; events come in publish order. */
function placeByPublish(
  fire: Float64Array,
  late: Uint32Array,
  publish: Float64Array,
  { at, ahead }: UtcMap,
): void {
  if (at.length === 0) return;
  let bin = 0;
  for (const i of late) {
    while (bin + 1 < at.length && publish[i] - ahead[bin] > (at[bin] + at[bin + 1]) / 2) bin++;
    fire[i] = publish[i] - ahead[bin];
  }
}
