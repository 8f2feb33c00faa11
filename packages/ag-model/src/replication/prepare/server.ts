/** One replica's prepared events with their instants and the availability database of each. */
import { fireTime, RowsOfKinds, type EventColumns, type EventFile } from "../../events/index.ts";
import { allRows, firstAtOrAfter, PackedColumn } from "../../numbers/index.ts";
import { unknownColumn } from "../shapes/anchor-columns.ts";
import type { UniqueIds } from "./ascending-ids.ts";
import { InstantsOfParts, withFires } from "./collect-instants.ts";
import type { EventPlaces } from "./event-places.ts";
import type { GiveBack } from "./memory.ts";
import type { OwnBlocks } from "./own-blocks.ts";
import { NO_DATABASE, type OwnDatabases } from "./own-databases.ts";
import type { OwnInstants } from "./own-instants.ts";
import { firesOf, type PreparedEvents } from "./prepared-events.ts";
import type { SingleClients, SingleColumns, SingleEvents } from "./single-events.ts";
import { microsecondsOfTicks, TICKS_PER_US } from "../clocks/time.ts";
import { aheadByUtc, utcMap, type UtcMap } from "../clocks/utc-map.ts";
import { UtcSampler, type UtcSample } from "../clocks/utc-sample.ts";

/** Columns and instants are of its single events (`single-events.ts`), by their numbers. */
export interface Server {
  /** As `ServerInput.giveBack`. */
  readonly giveBack: GiveBack | undefined;
  readonly prepared: PreparedEvents;
  readonly columns: SingleColumns;
  /** Single events by kind. */
  readonly rowsOf: RowsOfKinds;
  readonly shapeOf: SingleEvents["shapeOf"];
  /** Number of each one's own block; -1 for none. */
  readonly blockOf: Int32Array;
  /** As `SingleEvents`. */
  readonly action: PackedColumn;
  readonly published: PackedColumn;
  /** As `SingleEvents`. */
  readonly clients: SingleClients | undefined;
  readonly files: readonly EventFile[];
  /** One event of each shape. */
  readonly examples: EventColumns;
  /** Each log_block_id that its events name, ascending. */
  readonly ids: UniqueIds;
  readonly databases: OwnDatabases;
  readonly blocks: OwnBlocks;
  readonly instants: OwnInstants;
  readonly places: EventPlaces;
  /** start_timestamp, or the publish time for an engine without it. */
  readonly start: Float64Array;
  /** Events without start_timestamp, and when these fired: µs of this server's counter, from publish time through the UTC map. */
  readonly late: Uint32Array;
  readonly lateFire: Float64Array;
  /** UTC against the counter, sampled over all events of the server, in µs after `baseTicks`. */
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
  const published = new PackedColumn(single.published);
  const firstPublished = Number(prepared.firstTicks - baseTicks);
  const start = withoutCounter ? startsByPublish(columns, published, firstPublished) : columns.start;
  const anew = withoutCounter ? collectedAnew(prepared, start, valuesOf(published)) : undefined;
  const sample = sampleAfter(firstPublished, anew?.sample ?? prepared.utc);
  const utc = utcMap(sample);
  const lateFire = anew?.fire ?? placeByPublish(late, published, firstPublished, utc);
  const instants =
    anew?.instants ?? withFires(prepared.instants, { examples, shapeOf, blockOf }, late, lateFire);
  return {
    giveBack,
    prepared,
    columns,
    rowsOf: new RowsOfKinds(single.kinds),
    shapeOf,
    blockOf,
    action: new PackedColumn(single.action),
    published,
    clients: single.clients,
    files: prepared.files,
    examples,
    ids,
    databases,
    blocks,
    instants,
    places,
    start,
    late,
    lateFire,
    sample,
    utc,
    firstPublished,
    withoutCounter,
    database: new Int16Array(columns.length).fill(NO_DATABASE),
    databaseOfBlock: new Int16Array(blocks.length).fill(NO_DATABASE),
  };
}

/** When a single event was published, µs after the servers' common base. */
export const publishAt = ({ published, firstPublished }: Server, event: number): number =>
  microsecondsOfTicks(firstPublished + published.at(event));

/** When a single event fired, µs of its server's counter. */
export function fireAt(server: Server, event: number): number {
  const { columns, start } = server;
  const fire = fireTime(columns.kind[event], start[event], columns.processing[event]);
  return Number.isNaN(fire) ? server.lateFire[firstAtOrAfter(server.late, event)] : fire;
}

/** Place of a single event's log_block_id in the server's ids; -1 for an event of a foreign database. */
export function idOf({ blocks, blockOf }: Server, event: number): number {
  const block = blockOf[event];
  return block < 0 ? -1 : blocks.id[block];
}

/** A sample in µs after `baseTicks`. @param firstPublished ticks from there to the server's first event */
const sampleAfter = (firstPublished: number, { fire, events, ahead }: UtcSample): UtcSample => ({
  fire,
  events,
  ahead: ahead.map((us) => us + firstPublished / TICKS_PER_US),
});

/** Collects the instants of an engine without a counter by publish time; all its events are single. */
function collectedAnew(
  prepared: PreparedEvents,
  start: Float64Array,
  published: Float64Array,
): { readonly instants: OwnInstants; readonly sample: UtcSample; readonly fire: Float64Array } {
  const { examples, blocks } = prepared;
  const { columns, shapeOf, blockOf } = prepared.single;
  const instants = new InstantsOfParts();
  const fire = firesOf(columns, start);
  const events = {
    columns: { processing: Float64Array.from(columns.processing), size: unknownColumn(start.length) },
    shapeOf: Uint32Array.from(shapeOf),
    examples,
    blockOf,
    start,
    fire,
    singleOf: Int32Array.from(allRows(start.length)),
    singleStart: start,
    published,
  };
  instants.add(events, blocks.length);
  const sampler = new UtcSampler();
  sampler.add(fire, published);
  const found = withSizes(instants.finish(events), prepared.instants);
  return { instants: found, sample: sampler.sample(), fire };
}

/** Single events have no sizes, which do not depend on when events fired. */
const withSizes = ({ partners, parts }: OwnInstants, known: OwnInstants): OwnInstants => ({
  partners,
  parts: parts.map((part, index) => {
    const { captured, uncompressed } = known.parts[index].own;
    return { ...part, own: { ...part.own, captured, uncompressed } };
  }),
});

function valuesOf(column: PackedColumn): Float64Array {
  const values = new Float64Array(column.length);
  column.read(0, values);
  return values;
}

/** An event is published at the end of its duration: without start_timestamp it began that much earlier. */
const startsByPublish = (
  { kind, processing }: SingleColumns,
  published: PackedColumn,
  firstPublished: number,
): Float64Array =>
  valuesOf(published).map(
    (ticks, i) => microsecondsOfTicks(firstPublished + ticks) - (fireTime(kind[i], 0, processing[i]) || 0),
  );

/** Events without start_timestamp get their place from the publish time. */
function placeByPublish(
  late: Uint32Array,
  published: PackedColumn,
  firstPublished: number,
  utc: UtcMap,
): Float64Array {
  const aheadOf = aheadByUtc(utc);
  return Float64Array.from(late, (event) => {
    const publish = microsecondsOfTicks(firstPublished + published.at(event));
    return publish - aheadOf(publish);
  });
}
