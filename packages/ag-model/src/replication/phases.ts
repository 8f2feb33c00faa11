/**
 * Who was the primary of each block, and the phases that follow from it (docs/model.md 2.2).
 *
 * Log block ids ascend through failovers, since the new primary goes on in the log it received. So each database is read in
 * the order of its blocks: events that only one side has show the primary of theirs, and a run of blocks of one primary is
 * a phase. Databases of one availability group move together and share their phases.
 */
import { EventKind } from "../events/index.ts";
import type { BlockRows } from "./blocks.ts";
import { ModelError } from "./model-error.ts";
import type { Server } from "./server.ts";
import { replicaByText, type KnownReplica } from "./who-is-who.ts";

/** Fewer blocks than this are no phase: stray events of a role do not make a failover. */
const LEAST_BLOCKS = 3;

/** More blocks than this, or half of all, with the primary's events of two servers are no failover but one server's files given as two. */
const MOST_DISPUTED = 10;

const NOBODY = -1;

/** A stretch in which one replica was the primary of some databases of one group. */
export interface BlockPhase {
  readonly primary: number;
  readonly databases: readonly number[];
  readonly group: number;
}

export interface Phases {
  /** In the order of their first blocks. */
  readonly phases: readonly BlockPhase[];
  /** By block row. */
  readonly phaseOf: Uint16Array;
  /** Replica that was the primary, by block row. */
  readonly primaryOf: Uint8Array;
}

/** Events that a server only has of blocks of which it is the primary. */
const ON_PRIMARY: readonly number[] = [EventKind.capture, EventKind.commit, EventKind.receiveHarden];
/** Events of a secondary that name the primary as their partner. */
const NAMES_PRIMARY: readonly number[] = [
  EventKind.transportReceive,
  EventKind.sendHarden,
  EventKind.decompression,
];

/**
 * Finds the primary of each block.
 * @param replicaOf replica of each server
 * @param eventRows per server: the block row of each event
 * @param groupOf availability group by database
 * @param fallback primary where no event shows one
 * @throws ModelError when two servers have a primary's events of the same blocks
 */
export function findPhases(
  servers: readonly Server[],
  replicaOf: readonly number[],
  eventRows: readonly Int32Array[],
  rows: BlockRows,
  replicas: readonly KnownReplica[],
  groupOf: readonly number[],
  fallback: number,
): Phases {
  const shown = shownPrimaries(servers, replicaOf, eventRows, rows.length, replicas);
  const runs = rows.inOrder.map((order) => runsOf(order, shown, fallback));
  const since = firstSeen(servers, eventRows, rows.length);
  return phasesOf(rows, runs, groupOf, since);
}

/** The primary that events show for each block; NOBODY where none does. */
function shownPrimaries(
  servers: readonly Server[],
  replicaOf: readonly number[],
  eventRows: readonly Int32Array[],
  length: number,
  replicas: readonly KnownReplica[],
): Int16Array {
  const shown = new Int16Array(length).fill(NOBODY);
  const disputed = new Set<number>();
  for (const [s, { columns, rowsOf }] of servers.entries()) {
    const partner = replicaByText(columns.texts, replicas);
    for (const kind of ON_PRIMARY) {
      for (const i of rowsOf.of(kind)) {
        const row = eventRows[s][i];
        if (row < 0) continue;
        const isOther = shown[row] !== NOBODY && shown[row] !== replicaOf[s];
        if (isOther && kind === EventKind.capture) disputed.add(row);
        if (shown[row] === NOBODY) shown[row] = replicaOf[s];
      }
    }
    for (const i of rowsOf.ofAny(NAMES_PRIMARY)) {
      const row = eventRows[s][i];
      if (row < 0 || shown[row] !== NOBODY) continue;
      const primary = partner[columns.partner[i]];
      if (primary !== replicaOf[s]) shown[row] = primary;
    }
  }
  if (disputed.size > Math.min(MOST_DISPUTED, length / 2)) refuseTwoPrimaries(disputed.size);
  return shown;
}

function refuseTwoPrimaries(blocks: number): never {
  throw new ModelError(
    "model.twoPrimaries",
    `Two servers' files have the primary's events of the same ${blocks} log blocks: give files of one server together, and each availability group's capture alone.`,
  );
}

/** Blocks of one primary, in the order of their ids. */
interface Run {
  readonly primary: number;
  readonly rows: number[];
  /** Blocks whose events show the primary. */
  shown: number;
}

function runsOf(order: Uint32Array, shown: Int16Array, fallback: number): Run[] {
  let runs: Run[] = [];
  for (const row of order) {
    const last = runs.at(-1);
    if (shown[row] === NOBODY || shown[row] === last?.primary) {
      if (last === undefined) runs.push({ primary: NOBODY, rows: [row], shown: 0 });
      else last.rows.push(row);
      if (last !== undefined && shown[row] !== NOBODY) last.shown++;
    } else if (last?.primary === NOBODY) {
      runs[runs.length - 1] = { primary: shown[row], rows: [...last.rows, row], shown: 1 };
    } else {
      runs.push({ primary: shown[row], rows: [row], shown: 1 });
    }
  }
  if (runs.some(({ shown: blocks }) => blocks >= LEAST_BLOCKS)) runs = withoutStrays(runs);
  return runs.map((run) => (run.primary === NOBODY ? { ...run, primary: fallback } : run));
}

/** Runs of too few blocks belong to the run before them, at the beginning to the one behind. */
function withoutStrays(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  let early: number[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    const isStray = run.shown < LEAST_BLOCKS;
    if (last === undefined) {
      if (isStray) early = early.concat(run.rows);
      else kept.push({ ...run, rows: early.concat(run.rows) });
    } else if (isStray || last.primary === run.primary) {
      for (const row of run.rows) last.rows.push(row);
    } else {
      kept.push({ ...run, rows: [...run.rows] });
    }
  }
  return kept;
}

/** Publish time of the first event of each block, µs after the servers' common base. */
function firstSeen(
  servers: readonly Server[],
  eventRows: readonly Int32Array[],
  length: number,
): Float64Array {
  const since = new Float64Array(length).fill(Infinity);
  for (const [s, { publish }] of servers.entries()) {
    for (let i = 0; i < publish.length; i++) {
      const row = eventRows[s][i];
      if (row >= 0 && publish[i] < since[row]) since[row] = publish[i];
    }
  }
  return since;
}

/** Databases of a group that had the same primaries one after the other share their phases. */
function phasesOf(
  rows: BlockRows,
  runs: readonly (readonly Run[])[],
  groupOf: readonly number[],
  since: Float64Array,
): Phases {
  const together = Map.groupBy(
    runs.keys(),
    (database) => `${groupOf[database]}: ${runs[database].map(({ primary }) => primary).join(" ")}`,
  );
  const found = [...together.values()].flatMap((databases) =>
    runs[databases[0]].map((first, k) => ({
      phase: { primary: first.primary, databases, group: groupOf[databases[0]] },
      rows: databases.flatMap((database) => runs[database][k].rows),
      from: databases.reduce((least, d) => Math.min(least, earliest(runs[d][k].rows, since)), Infinity),
    })),
  );
  found.sort((a, b) => a.from - b.from || a.phase.databases[0] - b.phase.databases[0]);
  const phaseOf = new Uint16Array(rows.length);
  const primaryOf = new Uint8Array(rows.length);
  for (const [index, each] of found.entries()) {
    for (const row of each.rows) {
      phaseOf[row] = index;
      primaryOf[row] = each.phase.primary;
    }
  }
  return { phases: found.map(({ phase }) => phase), phaseOf, primaryOf };
}

const earliest = (rows: readonly number[], since: Float64Array): number =>
  rows.reduce((least, row) => Math.min(least, since[row]), Infinity);
