/** Which commit each event of the commit manager reports on (docs/model.md 3.4). */
import { EventKind } from "../../events/index.ts";
import { allRows, gatherFloat64, keepRows, sortRows } from "../../numbers/index.ts";
import { pairInTime, type Waits } from "./pair-in-time.ts";
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
  { events, block, database: databaseOf, timeToCommit }: Waiting,
): number {
  const { columns, rowsOf, database } = server;
  const all = rowsOf.of(EventKind.commitManagerHarden);
  const reports = keepRows(all, (i) => database[i] >= 0);
  if (reports.length === 0) return 0;
  const byBlock = all.some((i) => rowOf[i] >= 0);
  const reported = published(server, reports, (k) => (byBlock ? rowOf[reports[k]] : database[reports[k]]));
  const commits = published(server, events, (c) => (byBlock ? block : databaseOf)[c]);
  let paired = 0;
  for (const [own, waiting] of withEqualKeys(reported, commits)) {
    const partners = pairInTime(waitsOf(reported, own), waitsOf(commits, waiting));
    for (const [k, place] of partners.entries()) {
      if (place < 0) continue;
      const report = reports[own[k]];
      const commit = waiting[place];
      timeToCommit[commit] = columns.processing[report];
      rowOf[report] = block[commit];
      paired++;
    }
  }
  return reports.length - paired;
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
  // Single events are numbered as they were published, which puts those of one tick in order.
  const places = sortRows(allRows(events.length), Float64Array.from(events));
  const keys = Float64Array.from(events, (_, place) => keyOf(place));
  const at = Float64Array.from(events, (event) => publishAt(server, event));
  const lasted = Float64Array.from(events, (event) => server.columns.processing[event]);
  return { order: sortRows(sortRows(places, at), keys), keys, at, lasted };
}

/** The places of events of each key that both lists have. */
function* withEqualKeys(a: Published, b: Published): Generator<readonly [Uint32Array, Uint32Array]> {
  let [i, k] = [0, 0];
  while (i < a.order.length && k < b.order.length) {
    const [ownKey, otherKey] = [a.keys[a.order[i]], b.keys[b.order[k]]];
    const [ownEnd, otherEnd] = [endOfKey(a, i), endOfKey(b, k)];
    if (ownKey === otherKey && ownKey >= 0)
      yield [a.order.subarray(i, ownEnd), b.order.subarray(k, otherEnd)];
    if (ownKey <= otherKey) i = ownEnd;
    if (otherKey <= ownKey) k = otherEnd;
  }
}

function endOfKey({ order, keys }: Published, from: number): number {
  let end = from + 1;
  while (end < order.length && keys[order[end]] === keys[order[from]]) end++;
  return end;
}
