/** The availability databases that one server's events name, and which database_id each has there (docs/model.md 2.3). */
import { EventKind, RowsOfKinds, type EventColumns, type EventShapes } from "../events/index.ts";
import type { NumberedIds } from "./event-ids.ts";

/** The event names no database. */
export const NO_DATABASE = -1;
/** The event is of a database outside the availability group. */
export const FOREIGN_DATABASE = -2;

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

/** What one server's events show of the databases; these are numbered in the order in which its events name them first. */
export interface OwnDatabases {
  /** group_database_id by number. */
  readonly guids: readonly string[];
  /** database_id by number; -1 when unknown. */
  readonly localIds: readonly number[];
  /** By shape of event: the database's number, NO_DATABASE or FOREIGN_DATABASE. */
  readonly ofShape: Int16Array;
}

/** One server's events while its databases are found. */
interface OwnEvents {
  readonly columns: EventColumns;
  readonly rowsOf: RowsOfKinds;
  readonly shapes: EventShapes;
  readonly ids: NumberedIds;
}

/**
 * Finds a server's databases and their database_ids: an event with database_id and one with the GUID that name the same block belong together
 * (docs/model.md 2.3).
 */
export function findOwnDatabases(events: OwnEvents): OwnDatabases {
  const { columns, shapes } = events;
  const guids: string[] = [];
  const numberOf = new Map<string, number>();
  for (const i of shapes.first) {
    const guid = columns.texts[columns.database[i]];
    if (columns.database[i] > 0 && !numberOf.has(guid)) numberOf.set(guid, guids.push(guid) - 1);
  }
  const byText = Int16Array.from(columns.texts, (text) => numberOf.get(text) ?? NO_DATABASE);
  const learned = mostVoted(votesOf(events, byText, guids.length), namedWithLocalId(events, byText));
  const ofShape = Int16Array.from(shapes.first, (i) => {
    if (columns.database[i] !== 0) return byText[columns.database[i]];
    return columns.databaseId[i] < 0 ? NO_DATABASE : (learned.get(columns.databaseId[i]) ?? FOREIGN_DATABASE);
  });
  return {
    guids,
    localIds: guids.map((_, own) => [...learned].find(([, database]) => database === own)?.[0] ?? -1),
    ofShape,
  };
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
function votesOf(
  { columns, rowsOf, ids }: OwnEvents,
  byText: Int16Array,
  databases: number,
): Map<number, Votes> {
  const { kind, databaseId, database } = columns;
  const voter = VOTERS.find((each) => rowsOf.has(each)) ?? VOTERS[0];
  const isShared = databases > 1;
  const named = namedDatabases(rowsOf, columns, ids, byText, isShared);
  const votes = new Map<number, Votes>();
  // Where databases share block ids, the last one named before the flush is the one: a secondary receives, then flushes.
  const lastNamed = new Int16Array(isShared ? ids.high.length : 0).fill(NO_DATABASE);
  const events = isShared ? rowsOf.ofAny([...NAMES_DATABASE, voter]) : rowsOf.of(voter);
  for (let k = 0; k < events.length; k++) {
    const i = events[k];
    const number = ids.numberOf[i];
    if (kind[i] !== voter) {
      if (database[i] > 0) lastNamed[number] = byText[database[i]];
      continue;
    }
    if (databaseId[i] < 0 || database[i] > 0) continue;
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
function namedDatabases(
  rowsOf: RowsOfKinds,
  { database }: EventColumns,
  ids: NumberedIds,
  byText: Int16Array,
  isShared: boolean,
): Int16Array {
  const named = new Int16Array(ids.high.length).fill(NO_DATABASE);
  for (const events of isShared
    ? [rowsOf.ofAny(NAMES_DATABASE)]
    : NAMES_DATABASE.map((each) => rowsOf.of(each)))
    for (let k = 0; k < events.length; k++)
      if (database[events[k]] > 0) named[ids.numberOf[events[k]]] = byText[database[events[k]]];
  return named;
}

/** Events that carry both database_id and group_database_id (hadr_db_commit_mgr_harden) leave no doubt; the last one counts. */
function namedWithLocalId({ columns, shapes }: OwnEvents, byText: Int16Array): Map<number, number> {
  const { kind, databaseId, database } = columns;
  const naming = [...shapes.first.keys()].filter((shape) => {
    const i = shapes.first[shape];
    return kind[i] === EventKind.commitManagerHarden && databaseId[i] >= 0 && database[i] > 0;
  });
  // In the order in which they come first, each with the database that it is named with last.
  const named = new Map(naming.map((shape) => [databaseId[shapes.first[shape]], NO_DATABASE]));
  for (const shape of naming.toSorted((x, y) => shapes.last[x] - shapes.last[y]))
    named.set(databaseId[shapes.first[shape]], byText[database[shapes.first[shape]]]);
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
