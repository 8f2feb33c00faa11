/**
 * Finds the primary of each block, and the phases that follow from it (docs/contribute/model/attribution.md 2.2).
 *
 * Log block ids ascend through failovers, since the new primary continues the log that it received. So each database is
 * read in the order of its blocks: events that only one side has show the primary of their blocks, and a run of blocks
 * of one primary is a phase. Databases of one availability group move together and share their phases.
 */
import { EventKind } from "../../events/index.ts";
import { keepEarlier } from "../shapes/anchor-columns.ts";
import type { BlockRows, RowsOfOwn } from "./blocks.ts";
import { ModelError } from "../shapes/model-error.ts";
import { instantsOf, OnPrimary } from "../prepare/own-instants.ts";
import { publishAt, type Server } from "../prepare/server.ts";
import { TICKS_PER_US } from "../clocks/time.ts";
import { replicaByText, type KnownReplica } from "./replica-ids.ts";

/** Fewer blocks than this are no phase: stray events of a role do not make a failover. */
const LEAST_BLOCKS = 3;

/**
 * If two servers have the primary's events of more blocks than this, or of half of all, that is no failover: the files
 * of one server were assigned to two.
 */
const MOST_DISPUTED = 10;

const NOBODY = -1;

/** A period in which one replica was the primary of some databases of one group. */
export interface BlockPhase {
  readonly primary: number;
  readonly databases: readonly number[];
  readonly group: number;
  /** By slot: how often the availability mode of its replica had changed before (`mode-phases.ts`); absent where none changes. */
  readonly eras?: readonly number[];
}

export interface Phases {
  /** In the order of their first blocks. */
  readonly phases: readonly BlockPhase[];
  /** By block row. */
  readonly phaseOf: Uint16Array;
  /** Replica that was the primary, by block row. */
  readonly primaryOf: Uint8Array;
}

/** The events of all servers with their blocks. Each server is the replica of its index. */
export interface EventsOnBlocks {
  readonly servers: readonly Server[];
  /** Per server: the block row of each single event. */
  readonly eventRows: readonly Int32Array[];
  /** Per server: the block rows of its own blocks. */
  readonly ownRows: readonly RowsOfOwn[];
  readonly rows: BlockRows;
}

/**
 * Finds the primary of each block.
 * @param groupOf availability group by database
 * @param fallback primary where no event shows one
 * @throws ModelError when two servers have a primary's events of the same blocks
 */
export function findPhases(
  events: EventsOnBlocks,
  replicas: readonly KnownReplica[],
  groupOf: readonly number[],
  fallback: number,
): Phases {
  const { servers, eventRows, ownRows, rows } = events;
  const shown = shownPrimaries(events, replicas);
  const runs = rows.inOrder.map((order) => runsOf(order, shown, fallback));
  const all = runs.flat();
  // A single run needs no order.
  const since = all.length === 1 ? [0] : firstSeen(servers, eventRows, ownRows, rows.length, all);
  return phasesOf(rows.length, runs, groupOf, new Map(all.map((run, index) => [run, since[index]])));
}

/**
 * Finds the primary that events show for each block; -1 without such an event. The primary's own events come first,
 * then the partner that a secondary's events name: a block's receive, and where that was lost the acknowledgment of its
 * end.
 */
function shownPrimaries(
  { servers, eventRows, ownRows, rows: { length } }: EventsOnBlocks,
  replicas: readonly KnownReplica[],
): Int16Array {
  const shown = new Int16Array(length).fill(NOBODY);
  const disputed = new Set<number>();
  for (const [own, { columns, shapeOf, examples, rowsOf, instants }] of servers.entries()) {
    const { byStart, byEnd } = ownRows[own];
    const show = (row: number, isCapture: boolean): void => {
      if (row < 0 || shown[row] === own) return;
      if (shown[row] === NOBODY) shown[row] = own;
      else if (isCapture) disputed.add(row);
    };
    for (const { from, length: blocks, onPrimary } of instantsOf(instants, ["onPrimary"]))
      for (let k = 0; k < blocks; k++) {
        const kinds = onPrimary[k];
        if (kinds === 0) continue;
        if ((kinds & OnPrimary.capture) !== 0) show(byStart[from + k], true);
        if ((kinds & OnPrimary.commit) !== 0) show(byStart[from + k], false);
        if ((kinds & OnPrimary.receiveHarden) !== 0) show(byEnd[from + k], false);
      }
    const replicaOfText = replicaByText(columns.texts, replicas);
    const showPartner = (row: number, text: number): void => {
      const primary = replicaOfText[text];
      if (row >= 0 && shown[row] === NOBODY && primary !== own && text !== 0) shown[row] = primary;
    };
    for (const named of instantsOf(instants, ["primary"]))
      for (let k = 0; k < named.length; k++) showPartner(byStart[named.from + k], named.primary[k]);
    const acks = rowsOf.of(EventKind.sendHarden);
    for (let k = 0; k < acks.length; k++)
      showPartner(eventRows[own][acks[k]], examples.partner[shapeOf[acks[k]]]);
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
  /** First row, and the end: the rows of a database follow each other. */
  readonly first: number;
  readonly end: number;
  /** Blocks whose events show the primary. */
  readonly shown: number;
}

function runsOf(order: Uint32Array, shown: Int16Array, fallback: number): Run[] {
  let runs = shownRuns(order, shown);
  if (runs.some(({ shown: blocks }) => blocks >= LEAST_BLOCKS)) runs = withoutStrays(runs);
  return runs.map((run) => (run.primary === NOBODY ? { ...run, primary: fallback } : run));
}

/** Blocks whose events show no primary belong to the run before them, at the beginning to the run after them. */
function shownRuns(order: Uint32Array, shown: Int16Array): Run[] {
  const runs: Run[] = [];
  let primary = NOBODY;
  let first = order[0];
  let count = 0;
  for (let k = 0; k < order.length; k++) {
    const own = shown[order[k]];
    if (own === NOBODY) continue;
    if (own !== primary && primary !== NOBODY) {
      runs.push({ primary, first, end: order[k], shown: count });
      first = order[k];
      count = 0;
    }
    primary = own;
    count++;
  }
  if (order.length > 0) runs.push({ primary, first, end: order[0] + order.length, shown: count });
  return runs;
}

/** Runs of too few blocks belong to the run before them, at the beginning to the run after them. */
function withoutStrays(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    const isStray = run.shown < LEAST_BLOCKS;
    if (last === undefined) {
      if (!isStray) kept.push({ ...run, first: runs[0].first });
    } else if (isStray || last.primary === run.primary) {
      kept[kept.length - 1] = { ...last, end: run.end };
    } else kept.push(run);
  }
  return kept;
}

/** Publish time of the first event of each run's blocks, µs after the servers' common base; Infinity for none. */
function firstSeen(
  servers: readonly Server[],
  eventRows: readonly Int32Array[],
  ownRows: readonly RowsOfOwn[],
  length: number,
  runs: readonly Run[],
): Float64Array {
  const runOf = new Int32Array(length);
  for (const [index, { first, end }] of runs.entries()) runOf.fill(index, first, end);
  const since = new Float64Array(runs.length).fill(Infinity);
  for (const [s, server] of servers.entries()) {
    const { instants, firstPublished } = server;
    const { byStart } = ownRows[s];
    for (const { from, length: blocks, published } of instantsOf(instants, ["published"]))
      for (let k = 0; k < blocks; k++)
        if (byStart[from + k] >= 0)
          keepEarlier(since, runOf[byStart[from + k]], (firstPublished + published[k]) / TICKS_PER_US);
    const rowOf = eventRows[s];
    for (let event = 0; event < rowOf.length; event++)
      if (rowOf[event] >= 0) keepEarlier(since, runOf[rowOf[event]], publishAt(server, event));
  }
  return since;
}

/** Databases of a group that had the same primaries one after the other share their phases. @param since by run */
function phasesOf(
  length: number,
  runs: readonly (readonly Run[])[],
  groupOf: readonly number[],
  since: ReadonlyMap<Run, number>,
): Phases {
  const together = Map.groupBy(
    runs.keys(),
    (database) => `${groupOf[database]}: ${runs[database].map(({ primary }) => primary).join(" ")}`,
  );
  const found = [...together.values()].flatMap((databases) =>
    runs[databases[0]].map(({ primary }, k) => {
      const own = databases.map((database) => runs[database][k]);
      return {
        phase: { primary, databases, group: groupOf[databases[0]] },
        runs: own,
        from: Math.min(...own.map((run) => since.get(run)!)),
      };
    }),
  );
  // Those that begin together stay in the order of their databases.
  found.sort((a, b) => a.from - b.from);
  const phaseOf = new Uint16Array(length);
  const primaryOf = new Uint8Array(length);
  for (const [index, each] of found.entries()) {
    for (const { first, end } of each.runs) {
      phaseOf.fill(index, first, end);
      primaryOf.fill(each.phase.primary, first, end);
    }
  }
  return { phases: found.map(({ phase }) => phase), phaseOf, primaryOf };
}
