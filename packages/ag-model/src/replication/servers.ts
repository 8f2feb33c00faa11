/** One replica's events prepared for the joins: fire times and the availability database of each. */
import { EventKind, fireTime, type EventColumns } from "../events/index.ts";
import { BlockMap } from "./block-map.ts";
import { ticksToMicroseconds } from "./time.ts";
import { utcMap, type UtcMap } from "./utc-map.ts";

export interface Server {
  readonly columns: EventColumns;
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
  /** Index of the availability database; -1 when the event does not tell, -2 for another database. */
  readonly database: Int16Array;
}

export const UNTOLD = -1;
export const FOREIGN = -2;

/** Prepares one replica's events; `databases` is filled by `learnDatabases`. */
export function prepareServer(columns: EventColumns, baseTicks: bigint): Server {
  const { length, blockId } = columns;
  const publish = Float64Array.from(columns.ticks, (t) => ticksToMicroseconds(t - baseTicks));
  const withoutCounter = !columns.start.some((s) => !Number.isNaN(s));
  const start = withoutCounter ? startsByPublish(columns, publish) : columns.start;
  const fire = new Float64Array(length);
  for (let i = 0; i < length; i++) fire[i] = fireTime(columns.kind[i], start[i], columns.processing[i]);
  const utc = utcMap(publish, fire);
  placeByPublish(fire, publish, utc);
  return {
    columns,
    words: new Uint32Array(blockId.buffer, blockId.byteOffset, length * 2),
    publish,
    start,
    fire,
    utc,
    withoutCounter,
    database: new Int16Array(length).fill(UNTOLD),
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

/** Events that carry both the block and group_database_id. */
const NAMES_DATABASE: readonly number[] = [
  EventKind.capture,
  EventKind.transportReceive,
  EventKind.apply,
  EventKind.vlfHeader,
];

/** Events with database_id and block, the best to learn from first; sessions may lack some. */
const VOTERS: readonly number[] = [
  EventKind.flushStart,
  EventKind.flushComplete,
  EventKind.pushedToLogPool,
  EventKind.commit,
];

export interface LearnedDatabases {
  /** group_database_id by database index. */
  readonly ids: readonly string[];
  /** database_id per database index and server; -1 when unknown. */
  readonly localIds: readonly (readonly number[])[];
}

/**
 * Finds the availability databases and each server's database_id of them: an event with database_id and one with the GUID
 * that name the same block belong together (ag-domain 2.2). Fills each server's `database` column.
 */
export function learnDatabases(servers: readonly Server[]): LearnedDatabases {
  const ids: string[] = [];
  const indexOf = new Map<string, number>();
  for (const { columns } of servers) {
    const used = new Set(columns.database);
    for (const t of used) {
      const text = columns.texts[t];
      if (t > 0 && !indexOf.has(text)) indexOf.set(text, ids.push(text) - 1);
    }
  }
  const perServer = servers.map((server) => learnLocalIds(server, indexOf));
  return {
    ids,
    localIds: ids.map((_, d) => perServer.map((m) => [...m].find(([, db]) => db === d)?.[0] ?? -1)),
  };
}

function learnLocalIds(server: Server, indexOf: ReadonlyMap<string, number>): Map<number, number> {
  const { columns, words, database } = server;
  const byText = columns.texts.map((text) => indexOf.get(text) ?? UNTOLD);
  const named = new BlockMap<number>();
  for (let i = 0; i < columns.length; i++) {
    if (columns.database[i] === 0) continue;
    database[i] = byText[columns.database[i]];
    if (NAMES_DATABASE.includes(columns.kind[i])) named.set(words[2 * i + 1], words[2 * i], database[i]);
  }
  const voter = VOTERS.find((kind) => columns.kind.includes(kind));
  const votes = new Map<number, Map<number, number>>();
  const totals = new Map<number, number>();
  // Where databases share block ids, the last one named before the flush is the one: a secondary receives, then flushes.
  const lastNamed = new BlockMap<number>();
  for (let i = 0; i < columns.length; i++) {
    const [high, low] = [words[2 * i + 1], words[2 * i]];
    if (NAMES_DATABASE.includes(columns.kind[i])) lastNamed.set(high, low, database[i]);
    const local = columns.databaseId[i];
    if (local < 0 || columns.database[i] > 0 || columns.kind[i] !== voter) continue;
    totals.set(local, (totals.get(local) ?? 0) + 1);
    const db = lastNamed.get(high, low) ?? named.get(high, low);
    if (db === undefined) continue;
    const of = votes.get(local) ?? new Map<number, number>();
    votes.set(local, of.set(db, (of.get(db) ?? 0) + 1));
  }
  const learned = mostVoted(votes, totals, namedWithLocalId(columns, database));
  for (let i = 0; i < columns.length; i++) {
    if (columns.databaseId[i] >= 0 && columns.database[i] === 0)
      database[i] = learned.get(columns.databaseId[i]) ?? FOREIGN;
  }
  nameAckSends(server);
  return learned;
}

/** Events that carry both database_id and group_database_id (hadr_db_commit_mgr_harden) leave no doubt. */
function namedWithLocalId(columns: EventColumns, database: Int16Array): Map<number, number> {
  const told = new Map<number, number>();
  for (let i = 0; i < columns.length; i++)
    if (columns.databaseId[i] >= 0 && columns.database[i] > 0) told.set(columns.databaseId[i], database[i]);
  return told;
}

/** hadr_lsn_send_complete comes within 200 µs of the acknowledgement it sends (ag-domain 2.2); a busy processor takes longer. */
const ACK_SEND_US = 1_000;

/**
 * hadr_lsn_send_complete names no database: it belongs to the last hadr_send_harden_lsn_message of the same block just
 * before it. Where that was lost it stays without one.
 */
function nameAckSends({ columns, words, database, start }: Server): void {
  const built = new BlockMap<number>();
  for (let i = 0; i < columns.length; i++) {
    const [high, low] = [words[2 * i + 1], words[2 * i]];
    if (columns.kind[i] === EventKind.sendHarden) {
      built.set(high, low, i);
    } else if (columns.kind[i] === EventKind.ackSendComplete) {
      const before = built.get(high, low);
      const isIts = before !== undefined && start[i] - start[before] <= ACK_SEND_US;
      database[i] = isIts ? database[before] : UNTOLD;
    }
  }
}

/** The database with most common blocks for each database_id, each database given once; chance hits stay out. */
function mostVoted(
  votes: Map<number, Map<number, number>>,
  totals: Map<number, number>,
  told: ReadonlyMap<number, number>,
): Map<number, number> {
  const all = [...votes].flatMap(([local, of]) => [...of].map(([db, n]) => ({ local, db, n })));
  all.sort((x, y) => y.n - x.n);
  const learned = new Map(told);
  const taken = new Set(told.values());
  for (const { local, db, n } of all) {
    if (learned.has(local) || taken.has(db) || n < 0.2 * totals.get(local)!) continue;
    learned.set(local, db);
    taken.add(db);
  }
  return learned;
}
