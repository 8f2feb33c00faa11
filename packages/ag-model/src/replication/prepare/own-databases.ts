/**
 * Finds the availability databases that one server's events name, and the database_id of each there
 * (docs/contribute/model/attribution.md 2.3).
 */
import { EventKind, type EventColumns, type RowsOfKinds } from "../../events/index.ts";
import { widened } from "../../numbers/index.ts";

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

/** Databases in one server's events, numbered in the order in which its events name them first. */
export interface OwnDatabases {
  /** group_database_id by number. */
  readonly guids: readonly string[];
  /** database_id by number; -1 when unknown. */
  readonly localIds: readonly number[];
  /** By shape of event: the database's number, NO_DATABASE or FOREIGN_DATABASE. */
  readonly ofShape: Int16Array;
}

/** How often events of one database_id were about blocks of each database. */
interface Votes {
  events: number;
  /** By database, in the order of their first votes. */
  readonly counts: Map<number, number>;
}

/** Results of an earlier pass over the same events. */
export interface KnownDatabases extends Pick<OwnDatabases, "guids"> {
  /** Number of the database by database_id: a restored database has had several ids. */
  readonly learned: ReadonlyMap<number, number>;
}

/** A part of one server's events while its databases are found. */
export interface VotingEvents {
  readonly columns: EventColumns;
  /** One event of each shape so far. */
  readonly examples: EventColumns;
  readonly rowsOf: RowsOfKinds;
  /** Number of each event's log_block_id (`event-ids.ts`), below `ids`. */
  readonly numberOf: Uint32Array;
  readonly ids: number;
}

/**
 * Finds a server's databases and their database_ids: an event with database_id and one with the GUID that name the same
 * block belong together (docs/contribute/model/attribution.md 2.3). Events arrive in one or several parts, with one list of texts.
 */
export class DatabaseFinder {
  readonly #guids: string[] = [];
  readonly #numberOf = new Map<string, number>();
  readonly #votes = new Map<number, Votes>();
  readonly #certain = new Map<number, number>();
  /** Result of an earlier pass over the same events. */
  readonly #known: KnownDatabases | undefined;
  #voter: number | undefined;
  /** By number of id: the database that is named with it; NO_DATABASE for none. */
  #named = new Int16Array();
  /** database_id of the events of each id that are still to vote for a database, 0 for none, and their number. */
  #waiting = new Int32Array();
  #waitingEvents = new Uint16Array();
  /** As `#named`, but for events before the one that votes. */
  #lastNamed = new Int16Array();

  /** @param known results of an earlier pass over the same events */
  constructor(known?: KnownDatabases) {
    this.#known = known;
    for (const guid of known?.guids ?? []) this.#number(guid);
  }

  add(events: VotingEvents): void {
    const byText = this.#numberTexts(events.examples);
    this.#makeRoom(events.ids);
    this.#name(events, byText);
    this.#vote(events, byText);
    this.#nameWithLocalId(events, byText);
  }

  /** The databases as the events so far show them. @param examples one event of each shape */
  databases(examples: EventColumns): OwnDatabases {
    const learned = this.#learned();
    const byText = this.#byText(examples);
    const { database, databaseId } = examples;
    return {
      guids: this.#guids,
      localIds: this.#guids.map((_, own) => [...learned].find(([, db]) => db === own)?.[0] ?? -1),
      ofShape: Int16Array.from(database, (text, i) => {
        if (text !== 0) return byText[text];
        return databaseId[i] < 0 ? NO_DATABASE : (learned.get(databaseId[i]) ?? FOREIGN_DATABASE);
      }),
    };
  }

  /** Results of the events so far, for a finder that reads the events again. */
  get known(): KnownDatabases {
    return { guids: this.#guids, learned: this.#learned() };
  }

  #learned(): ReadonlyMap<number, number> {
    return this.#known?.learned ?? mostVoted(this.#votes, this.#certain);
  }

  /** Where databases share block ids, the id alone does not show whose block an event names. */
  get #isShared(): boolean {
    return this.#guids.length > 1;
  }

  #byText({ texts }: EventColumns): Int16Array {
    return Int16Array.from(texts, (text) => this.#numberOf.get(text) ?? NO_DATABASE);
  }

  /** Numbers the databases that events name, in the order of their first event. */
  #numberTexts(examples: EventColumns): Int16Array {
    for (const text of examples.database) {
      if (text !== 0) this.#number(examples.texts[text]);
    }
    return this.#byText(examples);
  }

  #number(guid: string): void {
    if (!this.#numberOf.has(guid)) this.#numberOf.set(guid, this.#guids.push(guid) - 1);
  }

  /** Keeps the last database that is named with each id. */
  #name({ columns: { database }, rowsOf, numberOf }: VotingEvents, byText: Int16Array): void {
    const named = this.#named;
    const lists = this.#isShared
      ? [rowsOf.ofAny(NAMES_DATABASE)]
      : NAMES_DATABASE.map((each) => rowsOf.of(each));
    for (const events of lists)
      for (let k = 0; k < events.length; k++) {
        const number = numberOf[events[k]];
        if (database[events[k]] === 0) continue;
        named[number] = byText[database[events[k]]];
        if (this.#waitingEvents[number] > 0) this.#voteLate(number);
      }
  }

  /** Votes of earlier parts, whose block was not named with a database yet. */
  #voteLate(number: number): void {
    const votes = this.#votesOf(this.#waiting[number]);
    const db = this.#named[number];
    votes.counts.set(db, (votes.counts.get(db) ?? 0) + this.#waitingEvents[number]);
    this.#waitingEvents[number] = 0;
  }

  /** Each event of the voting kind, such as a log write, votes for the database whose block it names. */
  #vote({ columns, rowsOf, numberOf }: VotingEvents, byText: Int16Array): void {
    const { kind, databaseId, database } = columns;
    this.#voter ??= VOTERS.find((each) => rowsOf.has(each));
    const voter = this.#voter;
    if (voter === undefined) return;
    const isShared = this.#isShared;
    const named = this.#named;
    const lastNamed = this.#lastNamed;
    // Where databases share block ids, the last one named before the flush is the one: a secondary receives, then flushes.
    const events = isShared ? rowsOf.ofAny([...NAMES_DATABASE, voter]) : rowsOf.of(voter);
    for (let k = 0; k < events.length; k++) {
      const i = events[k];
      const number = numberOf[i];
      if (kind[i] !== voter) {
        if (database[i] > 0) lastNamed[number] = byText[database[i]];
        continue;
      }
      if (databaseId[i] < 0 || database[i] > 0) continue;
      const last = isShared ? lastNamed[number] : NO_DATABASE;
      this.#voteFor(databaseId[i], last >= 0 ? last : named[number], number);
    }
  }

  /** @param db NO_DATABASE for an event whose block no other event has named yet */
  #voteFor(local: number, db: number, number: number): void {
    const votes = this.#votesOf(local);
    votes.events++;
    if (db >= 0) votes.counts.set(db, (votes.counts.get(db) ?? 0) + 1);
    else {
      // If two databases write blocks of one id, only one is of the group: the first one waits for its name.
      if (this.#waitingEvents[number] === 0) this.#waiting[number] = local;
      if (this.#waiting[number] === local) this.#waitingEvents[number]++;
    }
  }

  #votesOf(local: number): Votes {
    let own = this.#votes.get(local);
    if (own === undefined) this.#votes.set(local, (own = { events: 0, counts: new Map() }));
    return own;
  }

  #makeRoom(ids: number): void {
    const room = this.#named.length;
    if (room >= ids) return;
    const wider = Math.max(ids, room + (room >> 1));
    this.#named = widened(this.#named, new Int16Array(wider).fill(NO_DATABASE));
    this.#lastNamed = widened(this.#lastNamed, new Int16Array(wider).fill(NO_DATABASE));
    this.#waiting = widened(this.#waiting, new Int32Array(wider));
    this.#waitingEvents = widened(this.#waitingEvents, new Uint16Array(wider));
  }

  /** Events that carry both database_id and group_database_id (hadr_db_commit_mgr_harden) leave no doubt; the last one counts. */
  #nameWithLocalId({ columns, rowsOf }: VotingEvents, byText: Int16Array): void {
    const { databaseId, database } = columns;
    let [local, text] = [-1, 0];
    for (const i of rowsOf.of(EventKind.commitManagerHarden)) {
      if (databaseId[i] < 0 || database[i] === 0) continue;
      if (databaseId[i] === local && database[i] === text) continue;
      [local, text] = [databaseId[i], database[i]];
      this.#certain.set(local, byText[text]);
    }
  }
}

/** Under this share of a database_id's events, common blocks are chance: another database's log has the same ids. */
const LEAST_SHARE = 0.2;

/** The database with most common blocks for each database_id, each database assigned once; `certain` ones are first. */
function mostVoted(
  votes: ReadonlyMap<number, Votes>,
  certain: ReadonlyMap<number, number>,
): Map<number, number> {
  const all = [...votes].flatMap(([local, { events, counts }]) =>
    [...counts].map(([db, n]) => ({ local, db, n, share: n / events })),
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
