/** Finds the commit that each event of the commit manager reports on (docs/contribute/model/joins.md 3.4). */
import { EventKind } from "../../events/index.ts";
import { allRows, gatherFloat64, keepRows, sortRows } from "../../numbers/index.ts";
import { isOnlyPair, pairInTime, type Waits } from "./pair-in-time.ts";
import { publishAt, type Server } from "../prepare/server.ts";

/** Commits that wait for the report of their commit manager. */
interface Waiting {
  /** The single event of each. */
  readonly events: Uint32Array;
  /** Block row of each, -1 for none. */
  readonly block: Int32Array;
  readonly database: Uint16Array;
  /** Is filled, µs. */
  readonly timeToCommit: Float64Array;
  /** Is filled with the single event of each report, where it is not empty. */
  readonly report: Int32Array;
}

/**
 * Pairs hadr_db_commit_mgr_harden with the commit whose wait encloses its own: per database, and per block where the event names its
 * block.
 * @param rowOf also receives the rows of the commit manager's events
 * @returns how many of the commit manager's events belong to no commit
 */
export function pairWithCommitManager(
  server: Server,
  rowOf: Int32Array,
  { events, block, database: databaseOf, timeToCommit, report: reportOf }: Waiting,
): number {
  const { columns, rowsOf, database } = server;
  const all = rowsOf.of(EventKind.commitManagerHarden);
  const reports = keepRows(all, (i) => database[i] >= 0);
  if (reports.length === 0) return 0;
  const byBlock = all.some((i) => rowOf[i] >= 0);
  const reported = published(server, reports, (k) => (byBlock ? rowOf[reports[k]] : database[reports[k]]));
  const commits = published(server, events, (c) => (byBlock ? block : databaseOf)[c]);
  let paired = 0;
  forEachPair(reported, commits, (own, commit) => {
    const report = reports[own];
    timeToCommit[commit] = columns.processing[report];
    rowOf[report] = block[commit];
    if (reportOf.length > 0) reportOf[commit] = report;
    paired++;
  });
  return reports.length - paired;
}

/** Calls `found` with the places of each report and its commit. */
function forEachPair(
  reported: Published,
  commits: Published,
  found: (own: number, commit: number) => void,
): void {
  forEqualKeys(reported, commits, (from, to, commitFrom, commitTo) => {
    const [own, commit] = [reported.order[from], commits.order[commitFrom]];
    if (to - from === 1 && commitTo - commitFrom === 1) {
      const apart = reported.at[own] - commits.at[commit];
      if (isOnlyPair(apart, reported.lasted[own] - commits.lasted[commit])) found(own, commit);
      return;
    }
    const [owns, waiting] = [reported.order.subarray(from, to), commits.order.subarray(commitFrom, commitTo)];
    const partners = pairInTime(waitsOf(reported, owns), waitsOf(commits, waiting));
    for (const [k, place] of partners.entries()) if (place >= 0) found(owns[k], waiting[place]);
  });
}

/** Events by key, those of one key as they were published. */
interface Published {
  /** Places in the list of events. */
  readonly order: Uint32Array;
  /** By place in the list; negative for none. */
  readonly keys: Float64Array;
  /** By place in the list, µs after the servers' common base. */
  readonly at: Float64Array;
  /** Their durations, µs. */
  readonly lasted: Float64Array;
}

const waitsOf = ({ at, lasted }: Published, places: Uint32Array): Waits => ({
  ends: gatherFloat64(at, places),
  lasted: gatherFloat64(lasted, places),
});

function published(server: Server, events: Uint32Array, keyOf: (place: number) => number): Published {
  // Single events are numbered in the order of publication, which orders those of one tick.
  const places = sortRows(allRows(events.length), new Float64Array(events));
  const keys = new Float64Array(events.length);
  const at = new Float64Array(events.length);
  const lasted = new Float64Array(events.length);
  // `Float64Array.from` with a function takes many times as long: 0.1 s for 300,000 commits.
  for (let place = 0; place < events.length; place++) {
    keys[place] = keyOf(place);
    at[place] = publishAt(server, events[place]);
    lasted[place] = server.columns.processing[events[place]];
  }
  return { order: sortRows(sortRows(places, at), keys), keys, at, lasted };
}

/** Calls `found` with the parts of both orders for each key that both lists have. */
function forEqualKeys(
  a: Published,
  b: Published,
  found: (from: number, to: number, otherFrom: number, otherTo: number) => void,
): void {
  let [i, k] = [0, 0];
  while (i < a.order.length && k < b.order.length) {
    const [ownKey, otherKey] = [a.keys[a.order[i]], b.keys[b.order[k]]];
    const [ownEnd, otherEnd] = [endOfKey(a, i), endOfKey(b, k)];
    if (ownKey === otherKey && ownKey >= 0) found(i, ownEnd, k, otherEnd);
    if (ownKey <= otherKey) i = ownEnd;
    if (otherKey <= ownKey) k = otherEnd;
  }
}

function endOfKey({ order, keys }: Published, from: number): number {
  let end = from + 1;
  while (end < order.length && keys[order[end]] === keys[order[from]]) end++;
  return end;
}
