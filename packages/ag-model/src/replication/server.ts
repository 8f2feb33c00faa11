/** One replica's prepared events with their instants and the availability database of each. */
import { fireTime, RowsOfKinds, ticksAfter, type EventColumns, type EventFile } from "../events/index.ts";
import { unknownColumn } from "./anchor-columns.ts";
import type { UniqueIds } from "./ascending-ids.ts";
import { wordsOf } from "./event-ids.ts";
import type { EventPlaces } from "./event-places.ts";
import type { GiveBack } from "./memory.ts";
import type { OwnBlocks } from "./own-blocks.ts";
import { NO_DATABASE, type OwnDatabases } from "./own-databases.ts";
import {
  addFires,
  collectInstants,
  noInstants,
  roomForInstants,
  type OwnInstants,
  type TimedEvents,
} from "./own-instants.ts";
import { firesOf, type PreparedEvents } from "./prepared-events.ts";
import type { SingleColumns } from "./single-events.ts";
import { MicrosecondsAfter, TICKS_PER_US } from "./time.ts";
import { utcMap, type UtcMap } from "./utc-map.ts";
import { UtcSampler, type UtcSample } from "./utc-sample.ts";

/** Columns and instants are of its single events (`single-events.ts`), by their numbers. */
export interface Server {
  /** As `ServerInput.giveBack`. */
  readonly giveBack: GiveBack | undefined;
  readonly prepared: PreparedEvents;
  readonly columns: SingleColumns;
  /** Single events by kind. */
  readonly rowsOf: RowsOfKinds;
  readonly shapeOf: Uint32Array;
  /** Number of each one's own block; -1 for none. */
  readonly blockOf: Int32Array;
  readonly files: readonly EventFile[];
  /** One event of each shape. */
  readonly examples: EventColumns;
  /** Each log_block_id that its events name, ascending. */
  readonly ids: UniqueIds;
  readonly databases: OwnDatabases;
  readonly blocks: OwnBlocks;
  readonly instants: OwnInstants;
  readonly places: EventPlaces;
  /** Low and high words of log_block_id at 2 i and 2 i + 1. */
  readonly words: Uint32Array;
  /** Publish times, µs after `baseTicks`. */
  readonly publish: MicrosecondsAfter;
  /** start_timestamp, or the publish time where the engine has none. */
  readonly start: Float64Array;
  /** µs of this server's counter; from publish time through the UTC map where an event has no start_timestamp. */
  readonly fire: Float64Array;
  /** What all its events show of UTC, in µs after `baseTicks`. */
  readonly sample: UtcSample;
  readonly utc: UtcMap;
  /** Ticks from `baseTicks` to the instant from which `OwnInstants.published` counts. */
  readonly firstPublished: number;
  /** True when the engine writes no start_timestamp (before KB3173156). */
  readonly withoutCounter: boolean;
  /** Index of the availability database, NO_DATABASE or FOREIGN_DATABASE. */
  readonly database: Int16Array;
  /** The same by own block. */
  readonly databaseOfBlock: Int16Array;
}

/** Completes one replica's prepared events; `database` and `databaseOfBlock` are filled by `learnDatabases`. */
export function prepareServer(prepared: PreparedEvents, baseTicks: bigint, giveBack?: GiveBack): Server {
  const { single, blocks, examples, ids, databases, places, withoutCounter } = prepared;
  const { columns, shapeOf, blockOf, late } = single;
  const publish = new MicrosecondsAfter(columns.ticks, baseTicks);
  const start = withoutCounter ? startsByPublish(columns, publish) : columns.start;
  const fire = withoutCounter ? firesOf(columns, start) : single.fire;
  // A model built before from the same events has put instants there.
  if (!withoutCounter) for (const i of late) fire[i] = Number.NaN;
  const firstPublished = Number(prepared.firstTicks - baseTicks);
  const sample = sampleAfter(firstPublished, withoutCounter ? sampleOf(prepared, fire) : prepared.utc);
  const utc = utcMap(sample);
  if (!withoutCounter) placeByPublish(fire, late, publish, utc);
  const timed = { columns, blockOf, start, fire };
  const instants = withoutCounter ? collectedAnew(prepared, timed) : prepared.instants;
  if (!withoutCounter) addFires(instants, timed, late);
  return {
    giveBack,
    prepared,
    columns,
    rowsOf: new RowsOfKinds(single.kinds),
    shapeOf,
    blockOf,
    files: prepared.files,
    examples,
    ids,
    databases,
    blocks,
    instants,
    places,
    words: wordsOf(columns.blockId),
    publish,
    start,
    fire,
    sample,
    utc,
    firstPublished,
    withoutCounter,
    database: new Int16Array(columns.length).fill(NO_DATABASE),
    databaseOfBlock: new Int16Array(blocks.length).fill(NO_DATABASE),
  };
}

/** A sample in µs after `baseTicks`. @param firstPublished ticks from there to the server's first event */
const sampleAfter = (firstPublished: number, { fire, events, ahead }: UtcSample): UtcSample => ({
  fire,
  events,
  ahead: ahead.map((us) => us + firstPublished / TICKS_PER_US),
});

/** The sample of a server whose events are all single. */
function sampleOf({ single, firstTicks }: PreparedEvents, fire: Float64Array): UtcSample {
  const sampler = new UtcSampler();
  sampler.add(fire, ticksAfter(single.columns.ticks, firstTicks));
  return sampler.sample();
}

/** What the events of an engine without a counter show, by the instants at which they were published. */
function collectedAnew(prepared: PreparedEvents, timed: TimedEvents): OwnInstants {
  const { examples, blocks, firstTicks } = prepared;
  const { columns, shapeOf } = prepared.single;
  const instants = roomForInstants(noInstants(), blocks.length, examples);
  const singleStart = timed.start;
  const isSingle = new Uint8Array(singleStart.length).fill(1);
  const published = ticksAfter(columns.ticks, firstTicks);
  // Single events have no sizes, which do not depend on when events fired.
  const size = unknownColumn(singleStart.length);
  const events = { ...timed, columns: { ...columns, size }, shapeOf, examples };
  collectInstants({ ...events, isSingle, firstSingle: 0, singleStart, published }, instants);
  const { captured, uncompressed } = prepared.instants;
  return { ...instants, captured, uncompressed };
}

/** An event is published when what it reports ends: without start_timestamp it began its duration earlier. */
function startsByPublish(
  { kind, processing, length }: SingleColumns,
  publish: MicrosecondsAfter,
): Float64Array {
  const starts = new Float64Array(length);
  for (let i = 0; i < length; i++) starts[i] = publish.at(i) - (fireTime(kind[i], 0, processing[i]) || 0);
  return starts;
}

/** Events without start_timestamp get their place from the publish time; events come in publish order. */
function placeByPublish(
  fire: Float64Array,
  late: Uint32Array,
  publish: MicrosecondsAfter,
  { at, ahead }: UtcMap,
): void {
  if (at.length === 0) return;
  let bin = 0;
  for (const i of late) {
    const published = publish.at(i);
    while (bin + 1 < at.length && published - ahead[bin] > (at[bin] + at[bin + 1]) / 2) bin++;
    fire[i] = published - ahead[bin];
  }
}
