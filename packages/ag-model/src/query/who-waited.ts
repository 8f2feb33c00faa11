/** Commits by their session, application or statement: how long they waited, and in which places. */
import { commitLatencies, commitsInRange, WAIT_PLACES, waitParts } from "../columns/index.ts";
import { percentilesOf } from "../numbers/index.ts";
import { primaryOfBlock } from "../replication/shapes/slots.ts";
import { recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { clientsWithin, filteredBlocks, filteredCommits, type BlockFilter } from "./block-filter.ts";

/** Columns of clients that commits are grouped by. */
export const CLIENT_GROUPS = ["session", "application", "statement"] as const;
export type ClientGroup = (typeof CLIENT_GROUPS)[number];

export interface WhoWaitedOptions {
  readonly by: ClientGroup;
  /** µs */
  readonly from: number;
  readonly to: number;
  /** Conditions about clients only mark rows: a filter of one row would otherwise hide the others. */
  readonly filter?: BlockFilter | null;
}

/** Fewer commits have no p95. */
const LEAST_FOR_P95 = 20;
/** Rows beyond these are one: a capture may have thousands of sessions. */
const MOST_ROWS = 200;
/** Applications beyond these are named by their number, as a summary has no name of theirs. */
export const MOST_NAMES = 1_000;
/** Room for the ids of sessions of one server. */
const SESSIONS = 65_536;

/** Commits of a range by one column of their clients, the longest sum of waits first. */
export function whoWaited(model: CaptureModel, { by, from, to, filter = null }: WhoWaitedOptions) {
  const blocksOnly = filter?.filter(({ kind }) => kind !== "client") ?? [];
  const inRange = commitsInRange(model, from, to);
  const rows =
    blocksOnly.length === 0 ? inRange : filteredCommits(model, filteredBlocks(model, blocksOnly), inRange);
  const groups = groupsOf(model, by, rows);
  const order = groups.rowsOf
    .keys()
    .toArray()
    .toSorted((a, b) => groups.waited[b] - groups.waited[a]);
  const shown = order.slice(0, MOST_ROWS);
  const rest = order.slice(MOST_ROWS);
  const all = figuresOf(model, groups, order);
  return {
    by,
    recorded: recordedClients(model),
    rows: shown.map((group) => ({
      ...clientOf(model, by, groups.keys[group]),
      ...figuresOf(model, groups, [group]),
    })),
    /** Groups beyond the rows; null without any. */
    others: rest.length === 0 ? null : { groups: rest.length, ...figuresOf(model, groups, rest) },
    all,
    /** How many applications commits of the range have; null where they are not recorded. */
    applications: model.commits.application === undefined ? null : countOf(model.commits.application, rows),
    matched: matchedOf(model, filter, rows),
  };
}

/** Whether a column of clients is recorded, was dropped when the files were received, or isn't in the files. */
export type Recorded = "recorded" | "dropped" | "absent";

/** Which columns of clients the commits have. */
export function recordedClients({
  commits,
  clients,
}: CaptureModel): Record<"sessions" | "applications" | "statements", Recorded> {
  const text = (name: "application" | "statement"): Recorded =>
    commits[name] !== undefined ? "recorded" : clients?.dropped.includes(name) ? "dropped" : "absent";
  return {
    sessions: commits.session === undefined ? "absent" : "recorded",
    applications: text("application"),
    statements: text("statement"),
  };
}

interface Groups {
  /** Value of each group: of sessions with the replica whose session it is. */
  readonly keys: readonly number[];
  /** Rows of commits by group. */
  readonly rowsOf: readonly (readonly number[])[];
  /** Sums by group, µs. */
  readonly waited: Float64Array;
  /** Sums by group and place, µs. */
  readonly places: Float64Array;
}

function groupsOf(model: CaptureModel, by: ClientGroup, rows: Uint32Array): Groups {
  const column = model.commits[by];
  if (column === undefined)
    return { keys: [], rowsOf: [], waited: new Float64Array(), places: new Float64Array() };
  const latencies = commitLatencies(model);
  const numbers = new Map<number, number>();
  const rowsOf: number[][] = [];
  for (const row of rows) {
    if (Number.isNaN(latencies[row])) continue;
    const key = by === "session" ? sessionKey(model, row) : column[row];
    let group = numbers.get(key);
    if (group === undefined) numbers.set(key, (group = rowsOf.push([]) - 1));
    rowsOf[group].push(row);
  }
  const waited = new Float64Array(rowsOf.length);
  const places = new Float64Array(rowsOf.length * WAIT_PLACES.length);
  const addParts = waitParts(model);
  for (const [group, own] of rowsOf.entries())
    for (const row of own) {
      waited[group] += latencies[row];
      addParts(row, places, group * WAIT_PLACES.length);
    }
  return { keys: [...numbers.keys()], rowsOf, waited, places };
}

/** A session of the server that was the primary: two servers may have sessions of one id. 0 for no session. */
function sessionKey({ commits, blocks, phases }: CaptureModel, row: number): number {
  const session = commits.session?.[row] ?? 0;
  const block = commits.block[row];
  const database = commits.database[row];
  const primary =
    block >= 0
      ? primaryOfBlock({ blocks, phases }, block)
      : (phases.find(({ databases }) => databases.includes(database))?.primary ?? 0);
  return session === 0 ? 0 : session + SESSIONS * primary;
}

function clientOf(model: CaptureModel, by: ClientGroup, key: number) {
  const { applications, statements } = model.clients ?? {};
  return {
    /** Id of the session, or number of the application or statement; 0 for commits without one. */
    value: by === "session" ? key % SESSIONS : key,
    application: by === "application" && key > 0 && key < MOST_NAMES ? (applications?.[key] ?? null) : null,
    /** Removed from what a link shows. */
    statement: by === "statement" && key > 0 ? (statements?.[key] ?? null) : null,
    /** Replica of a session; null where it does not matter. */
    replica: by === "session" && key > 0 ? Math.floor(key / SESSIONS) : null,
  };
}

/** Figures of some groups together. */
function figuresOf(model: CaptureModel, { rowsOf, waited, places }: Groups, groups: readonly number[]) {
  const rows = groups.flatMap((group) => rowsOf[group]);
  const latencies = commitLatencies(model);
  const [p50, p95] = percentilesOf(
    Float64Array.from(rows, (row) => latencies[row]),
    [50, 95],
  );
  const sum = (values: Float64Array, at: (group: number) => number): number =>
    groups.reduce((total, group) => total + values[at(group)], 0);
  const sessions = new Set<number>();
  if (model.commits.session !== undefined) for (const row of rows) sessions.add(sessionKey(model, row));
  sessions.delete(0);
  return {
    commits: rows.length,
    /** Null where sessions are not recorded. */
    sessions: model.commits.session === undefined ? null : sessions.size,
    waitedUs: sum(waited, (group) => group),
    p50Us: rows.length === 0 ? null : p50,
    p95Us: rows.length < LEAST_FOR_P95 ? null : p95,
    places: recordOf(WAIT_PLACES, (_, place) => sum(places, (group) => group * WAIT_PLACES.length + place)),
  };
}

function countOf(column: Uint16Array, rows: Uint32Array): number {
  const found = new Set<number>();
  for (const row of rows) found.add(column[row]);
  found.delete(0);
  return found.size;
}

/** How many of the commits meet the filter's conditions about clients themselves; null without such a condition. */
function matchedOf(model: CaptureModel, filter: BlockFilter | null, rows: Uint32Array): number | null {
  const conditions = filter?.filter((condition) => condition.kind === "client") ?? [];
  if (conditions.length === 0) return null;
  const masks = conditions.map((condition) => clientsWithin(model, condition));
  return rows.reduce((count, row) => count + (masks.every((mask) => mask[row] === 1) ? 1 : 0), 0);
}
