/**
 * Commits, the release of each of them, and the secondaries that they wait for (docs/contribute/model/joins.md 3.4, docs/contribute/model/stages.md 4.4 and
 * 4.5).
 */
import { ClientTexts, EventKind, type ClientColumns } from "../../events/index.ts";
import {
  firstAtOrAfter,
  gatherFloat64,
  gatherInt16,
  gatherInt32,
  keepRows,
  sortRows,
} from "../../numbers/index.ts";
import type { HopAnchors, LocalAnchors } from "../shapes/anchor-columns.ts";
import { pairWithCommitManager } from "./commit-manager.ts";
import { fireAt, type Server } from "../prepare/server.ts";
import type { CommitMode } from "../shapes/tables.ts";

export interface Commits {
  readonly length: number;
  /** Block row under construction, -1 when the block is not in the capture. */
  readonly block: Int32Array;
  readonly database: Uint16Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly timeToCommit: Float64Array;
  /** Clients; absent where no event names one. */
  readonly clients?: ClientColumns;
  /** Number of the commit manager's events that belong to no commit. */
  readonly managerAlone: number;
}

/** The commits of a capture without the primary's file. */
export const NO_COMMITS: Commits = {
  length: 0,
  block: new Int32Array(0),
  database: new Uint16Array(0),
  start: new Float64Array(0),
  end: new Float64Array(0),
  timeToCommit: new Float64Array(0),
  managerAlone: 0,
};

/** A primary's commits in the availability databases, ordered by start. `rowOf` also receives rows for the commit manager's events. */
export function collectCommits(server: Server, rowOf: Int32Array, isOwn: (row: number) => boolean): Commits {
  const { rowsOf, start, database } = server;
  const events = keepRows(
    rowsOf.of(EventKind.commit),
    (i) => database[i] >= 0 && (rowOf[i] < 0 || isOwn(rowOf[i])),
  );
  sortRows(events, start);
  const end = new Float64Array(events.length);
  for (let c = 0; c < end.length; c++) end[c] = fireAt(server, events[c]);
  const commits = {
    length: events.length,
    block: gatherInt32(rowOf, events),
    database: new Uint16Array(gatherInt16(database, events)),
    start: gatherFloat64(start, events),
    end,
    timeToCommit: new Float64Array(events.length).fill(Number.NaN),
  };
  const report = new Int32Array(server.clients === undefined ? 0 : events.length).fill(-1);
  const managerAlone = pairWithCommitManager(server, rowOf, { ...commits, events, report });
  return { ...commits, ...clientsOf(server, events, report), managerAlone };
}

/**
 * Client of each commit by the actions of its own event, and what those lack by the actions of the commit manager's
 * report on it.
 */
function clientsOf(
  { clients }: Server,
  events: Uint32Array,
  reports: Int32Array,
): { readonly clients?: ClientColumns } {
  if (clients === undefined) return {};
  const rowOf = (event: number): number => {
    const row = firstAtOrAfter(clients.event, event);
    return clients.event[row] === event ? row : -1;
  };
  const [own, reported] = [Int32Array.from(events, rowOf), Int32Array.from(reports, rowOf)];
  const pick = (column: Uint16Array): Uint16Array =>
    Uint16Array.from(own, (row, c) => column[row] || column[reported[c]] || 0);
  const { session, application, statement, texts } = clients;
  const picked = {
    session: pick(session),
    application: pick(application),
    statement: pick(statement),
    texts,
  };
  return { clients: picked };
}

/** Clients of several servers' commits; undefined where no commit has any. @param places server and commit of each */
export function pickClients(
  perServer: readonly Commits[],
  places: readonly (readonly [server: number, commit: number])[],
): ClientColumns | undefined {
  if (perServer.every(({ clients }) => clients === undefined)) return undefined;
  const joined = new ClientTexts();
  const renumber = perServer.map(({ clients }) => joined.renumber(clients?.texts ?? []));
  const text = (name: "application" | "statement"): Uint16Array =>
    Uint16Array.from(places, ([s, c]) => renumber[s][perServer[s].clients?.[name][c] ?? 0] ?? 0);
  const session = Uint16Array.from(places, ([s, c]) => perServer[s].clients?.session[c] ?? 0);
  return { session, application: text("application"), statement: text("statement"), texts: joined.texts };
}

/**
 * If more than this share of commits end before a replica's acknowledgment, commits do not wait for that replica
 * (docs/contribute/model/stages.md 4.5).
 */
const ASYNC_SHARE = 0.05;
const RELEVANT_SHARE = 0.05;

/** Counts of commits that show whether commits wait for one secondary. */
export interface ModeEvidence {
  /**
   * Commits that ended before their block was sent to it; they do not show whether commits wait while it is connected.
   */
  unsent: number;
  /** Other commits whose block it acknowledged. */
  known: number;
  /** Number of the known commits that ended before the acknowledgment. */
  before: number;
  /** Number of the known commits whose last wait was this acknowledgment. */
  last: number;
}

/**
 * Counts commits that show whether commits wait for each secondary.
 * @param evidence of the replica that a slot of a block leads to
 */
export function countModeEvidence(
  commits: Commits,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  evidence: (row: number, slot: number) => ModeEvidence,
): void {
  for (let c = 0; c < commits.length; c++) {
    const row = commits.block[c];
    if (row < 0) continue;
    let lastHop = -1;
    let latest = local.at.localFlushEnd[row];
    for (let s = 0; s < hops.length; s++) {
      const acknowledged = hops[s].at.ackProcessed[row];
      if (Number.isNaN(acknowledged)) continue;
      const own = evidence(row, s);
      if (hops[s].at.departed[row] > commits.end[c]) {
        own.unsent++;
        continue;
      }
      own.known++;
      if (commits.end[c] < acknowledged) own.before++;
      else if (!(latest >= acknowledged)) {
        latest = acknowledged;
        lastHop = s;
      }
    }
    if (lastHop >= 0) evidence(row, lastHop).last++;
  }
}

/** Whether commits wait for a secondary, by the evidence of commits. */
export function modeOf({ unsent, known, before, last }: ModeEvidence): CommitMode {
  if (known + unsent === 0) return "undetermined";
  // A replica whose blocks are always sent after their commits end is asynchronous, and not one that was away for a
  // while.
  if (known < RELEVANT_SHARE * (known + unsent)) return "async";
  if (before > ASYNC_SHARE * known) return "async";
  return last > RELEVANT_SHARE * known ? "sync" : "undetermined";
}

/**
 * If the end of the local flush is missing, an acknowledgment this close before the commit's end released it: there is
 * hardly time for the flush in between (docs/contribute/model/stages.md 4.4: wake-up p50 37 and 50 µs).
 */
const WAKE_UP_US = 200;

/**
 * Finds the release of a commit (gate of BlockTable): the later of the local flush and the last acknowledgment of the
 * replicas that commits wait for. `Gate.unknown` when the block is not in the capture or the known instants do not show
 * the release.
 */
export function gateOf(
  row: number,
  end: number,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  modes: readonly (CommitMode | null)[],
): number {
  if (row < 0) return 0;
  let latest = -Infinity;
  let gate = 0;
  const flushed = local.at.localFlushEnd[row];
  if (flushed <= end) {
    latest = flushed;
    gate = 1;
  }
  let isWithoutOne = false;
  for (let s = 0; s < hops.length; s++) {
    const acknowledged = hops[s].at.ackProcessed[row];
    if (modes[s] === "async" || modes[s] === null) continue;
    if (modes[s] === "sync" && (acknowledged > end || isUnsent(hops[s], row, end))) {
      isWithoutOne = true;
      continue;
    }
    if (Number.isNaN(acknowledged) && modes[s] === "sync") return 0;
    if (acknowledged > latest && acknowledged <= end) {
      latest = acknowledged;
      gate = 2 + s;
    }
  }
  // Else it may have waited for an unknown instant.
  if ((Number.isNaN(flushed) || isWithoutOne) && end - latest > WAKE_UP_US) return 0;
  return gate;
}

/**
 * True for a block that was sent to a replica only after its commit had ended, or whose way no server has an event of:
 * it was perhaps never sent.
 */
const isUnsent = ({ at, obtained }: HopAnchors, row: number, end: number): boolean =>
  at.departed[row] > end || obtained[row] === 0;
