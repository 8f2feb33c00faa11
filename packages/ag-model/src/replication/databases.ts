/** Availability databases, and which database_id each has on each server (docs/model.md 2.3). */
import { EventKind } from "../events/index.ts";
import { FOREIGN_DATABASE, NO_DATABASE, type Server } from "./server.ts";

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
 * that name the same block belong together (docs/model.md 2.3). Fills each server's `database` column.
 */
export function learnDatabases(servers: readonly Server[]): LearnedDatabases {
  const ids: string[] = [];
  const indexOf = new Map<string, number>();
  for (const { columns } of servers) {
    // In the order of the events, which does not depend on how they were split into files.
    for (const t of inFirstOrder(columns.database, columns.texts.length)) {
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

/** Each number once, in the order in which they come first. @param count numbers are below it */
function inFirstOrder(numbers: Uint16Array, count: number): number[] {
  const seen = new Uint8Array(count);
  const order: number[] = [];
  for (let i = 0; i < numbers.length && order.length < count; i++) {
    if (seen[numbers[i]] === 1) continue;
    seen[numbers[i]] = 1;
    order.push(numbers[i]);
  }
  return order;
}

function learnLocalIds(server: Server, indexOf: ReadonlyMap<string, number>): Map<number, number> {
  const { columns, database } = server;
  const byText = Int16Array.from(columns.texts, (text) => indexOf.get(text) ?? NO_DATABASE);
  for (let i = 0; i < columns.length; i++)
    if (columns.database[i] !== 0) database[i] = byText[columns.database[i]];
  const learned = mostVoted(votesOf(server, indexOf.size), namedWithLocalId(server));
  let local = -1;
  let own = NO_DATABASE;
  for (let i = 0; i < columns.length; i++) {
    if (columns.databaseId[i] < 0 || columns.database[i] !== 0) continue;
    if (columns.databaseId[i] !== local) {
      local = columns.databaseId[i];
      own = learned.get(local) ?? FOREIGN_DATABASE;
    }
    database[i] = own;
  }
  return learned;
}

/** How often events of one database_id were about blocks of each database. */
interface Votes {
  events: number;
  /** By database. */
  readonly counts: Uint32Array;
  /** The databases with a vote, in the order of their first ones. */
  readonly databases: number[];
}

/**
 * Votes by database_id: each log write, say, votes for the database whose block it writes.
 * @param databases where there are several, they may have blocks of one id
 */
function votesOf(server: Server, databases: number): Map<number, Votes> {
  const { columns, rowsOf, ids, database } = server;
  const { kind, databaseId } = columns;
  const voter = VOTERS.find((each) => rowsOf.has(each)) ?? VOTERS[0];
  const isShared = databases > 1;
  const named = namedDatabases(server, isShared);
  const votes = new Map<number, Votes>();
  // Where databases share block ids, the last one named before the flush is the one: a secondary receives, then flushes.
  const lastNamed = new Int16Array(isShared ? ids.high.length : 0).fill(NO_DATABASE);
  const events = isShared ? rowsOf.ofAny([...NAMES_DATABASE, voter]) : rowsOf.of(voter);
  for (let k = 0; k < events.length; k++) {
    const i = events[k];
    const number = ids.numberOf[i];
    if (kind[i] !== voter) {
      if (database[i] >= 0) lastNamed[number] = database[i];
      continue;
    }
    if (databaseId[i] < 0 || columns.database[i] > 0) continue;
    vote(
      votes,
      databaseId[i],
      isShared && lastNamed[number] >= 0 ? lastNamed[number] : named[number],
      databases,
    );
  }
  return votes;
}

/** @param db NO_DATABASE for an event whose block no other event names */
function vote(votes: Map<number, Votes>, local: number, db: number, databases: number): void {
  let own = votes.get(local);
  if (own === undefined)
    votes.set(local, (own = { events: 0, counts: new Uint32Array(databases), databases: [] }));
  own.events++;
  if (db >= 0 && own.counts[db]++ === 0) own.databases.push(db);
}

/** The database that is named with each id, of several the last; NO_DATABASE for none. */
function namedDatabases({ columns, rowsOf, ids, database }: Server, isShared: boolean): Int16Array {
  const named = new Int16Array(ids.high.length).fill(NO_DATABASE);
  for (const events of isShared
    ? [rowsOf.ofAny(NAMES_DATABASE)]
    : NAMES_DATABASE.map((each) => rowsOf.of(each)))
    for (let k = 0; k < events.length; k++)
      if (columns.database[events[k]] > 0) named[ids.numberOf[events[k]]] = database[events[k]];
  return named;
}

/** Events that carry both database_id and group_database_id (hadr_db_commit_mgr_harden) leave no doubt. */
function namedWithLocalId({ columns, rowsOf, database }: Server): Map<number, number> {
  const named = new Map<number, number>();
  for (const i of rowsOf.of(EventKind.commitManagerHarden))
    if (columns.databaseId[i] >= 0 && columns.database[i] > 0) named.set(columns.databaseId[i], database[i]);
  return named;
}

/** Under this share of a database_id's events, common blocks are chance: another database's log happens to have their ids. */
const LEAST_SHARE = 0.2;

/** The database with most common blocks for each database_id, each database given once; `certain` ones come first. */
function mostVoted(
  votes: ReadonlyMap<number, Votes>,
  certain: ReadonlyMap<number, number>,
): Map<number, number> {
  const all = [...votes].flatMap(([local, { events, counts, databases }]) =>
    databases.map((db) => ({ local, db, n: counts[db], share: counts[db] / events })),
  );
  all.sort((x, y) => y.n - x.n);
  const learned = new Map(certain);
  const taken = new Set(certain.values());
  for (const { local, db, share } of all) {
    if (learned.has(local) || taken.has(db) || share < LEAST_SHARE) continue;
    learned.set(local, db);
    taken.add(db);
  }
  return learned;
}
