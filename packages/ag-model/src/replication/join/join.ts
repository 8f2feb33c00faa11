/** Joins the events of all servers to log blocks and commits (docs/contribute/model/joins.md 3). */
import { joinArrivals } from "./ack-arrivals.ts";
import type { AckColumns } from "../prepare/acknowledgments.ts";
import { nameAckSends } from "./ack-databases.ts";
import { hopAnchors, localAnchors, type HopAnchors, type LocalAnchors } from "../shapes/anchor-columns.ts";
import { collectBlocks, rowsOfEvents, rowsOfOwnBlocks, type BlockRows, type RowsOfOwn } from "./blocks.ts";
import { joinCaptures } from "./capture-joins.ts";
import { lackingEvents, rolesOf } from "./lacking-events.ts";
import { collectCommits, NO_COMMITS, type Commits } from "./commits.ts";
import { putCoveringAcks } from "./covering-acks.ts";
import { learnDatabases, type LearnedDatabases } from "./databases.ts";
import { engineOf, typicalSteps, type Engine } from "./engine.ts";
import { hasFileWrites } from "./flushes.ts";
import { findGroups, type LearnedGroups } from "./groups.ts";
import { joinLocal } from "./local-joins.ts";
import { buffersOfEvents } from "../prepare/memory.ts";
import { markedEvents, type MarkedEvents } from "./markers.ts";
import { noBlocks } from "../shapes/model-error.ts";
import { phaseEvents } from "./phase-events.ts";
import { findPhases, type EventsOnBlocks, type Phases } from "./phases.ts";
import { joinSecondary, type SecondaryAcks } from "./secondary-joins.ts";
import type { ModelInput } from "../prepare/server-input.ts";
import { prepareServer, type Server } from "../prepare/server.ts";
import { replicaOfSlot, slotOfReplica } from "../shapes/slots.ts";
import { findReplicas, replicaByText, sideOf, type KnownReplica } from "./replica-ids.ts";

/** The events of all servers with their blocks and commits; each server's instants are still on its own counter. */
export interface Joined extends Phases {
  readonly replicas: readonly KnownReplica[];
  /** The servers with events, in the order of their replicas. */
  readonly servers: readonly Server[];
  /** Replica of each server. */
  readonly replicaOf: readonly number[];
  /** FILETIME of the servers' time 0. */
  readonly baseTicks: bigint;
  readonly databases: LearnedDatabases;
  readonly groups: LearnedGroups;
  readonly rows: BlockRows;
  /** Per server: the block row of each single event; -1 for none. */
  readonly eventRows: readonly Int32Array[];
  /** Per server: the block rows of its own blocks. */
  readonly ownRows: readonly RowsOfOwn[];
  readonly engine: Engine;
  /** Per server: names of the events that its session, or its version, does not have. */
  readonly lacking: readonly (readonly string[])[];
  readonly local: LocalAnchors;
  /** By slot (`slots.ts`). */
  readonly hops: readonly HopAnchors[];
  /** Per server: the commits that waited there. */
  readonly commits: readonly Commits[];
  /** Per server: the events that become markers. */
  readonly marked: readonly MarkedEvents[];
}

/**
 * Joins the events of all servers to databases, blocks, roles and commits.
 * @param onBlocks called with the number of log blocks as soon as it is known
 * @throws ModelError without a log block of an availability database
 */
export function joinEvents(given: readonly ModelInput[], onBlocks: (blocks: number) => void): Joined {
  const found = findReplicas(given);
  const inputs = found.flatMap(({ input }) => (input === undefined ? [] : [input]));
  for (const { columns, giveBack } of given) giveBack?.(buffersOfEvents({ columns }));
  // Any event near the others is a base: microseconds after the year 1601 would exceed the precision of a double.
  const baseTicks = inputs.find(({ prepared }) => prepared.length > 0)?.prepared.firstTicks ?? 0n;
  const servers = inputs.map(({ prepared, giveBack }) => prepareServer(prepared, baseTicks, giveBack));
  const databases = learnDatabases(servers);
  const groups = findGroups(servers, databases);
  const rows = collectBlocks(servers, databases.ids.length);
  if (rows.length === 0) throw noBlocks();
  onBlocks(rows.length);
  for (const server of servers) nameAckSends(server, rows);
  const ownRows = servers.map((s) => rowsOfOwnBlocks(s, rows));
  const eventRows = servers.map((server, s) => rowsOfEvents(server, rows, ownRows[s]));
  const { replicas, phases } = placeReplicas(found, { servers, eventRows, ownRows, rows }, groups);
  const captured = replicas.flatMap(({ input }, replica) =>
    input === undefined ? [] : [{ input, replica }],
  );
  const order = captured.map(({ input }) => inputs.indexOf(input));
  return joinBlocks({
    ...phases,
    replicas,
    servers: order.map((s) => servers[s]),
    replicaOf: captured.map(({ replica }) => replica),
    baseTicks,
    databases: { ...databases, localIds: databases.localIds.map((ids) => order.map((s) => ids[s])) },
    groups,
    rows: { ...rows, seen: order.map((s) => rows.seen[s]) },
    eventRows: order.map((s) => eventRows[s]),
    ownRows: order.map((s) => ownRows[s]),
  });
}

type Placed = Omit<Joined, "engine" | "lacking" | "local" | "hops" | "commits" | "marked">;

/** The replicas in their order, the reference first, and the phases by that order. */
function placeReplicas(
  found: readonly KnownReplica[],
  events: EventsOnBlocks,
  { groupOf }: LearnedGroups,
): { readonly replicas: KnownReplica[]; readonly phases: Phases } {
  const withPrimary = hasPrimary(found) ? found : [...found, { ids: [], input: undefined }];
  const fallback = fallbackPrimary(withPrimary);
  const phases = findPhases(events, withPrimary, groupOf, fallback);
  const first = firstPrimary(phases, withPrimary);
  const order = [first, ...withPrimary.keys().filter((replica) => replica !== first)];
  const placeOf = Uint8Array.from(withPrimary, (_, replica) => order.indexOf(replica));
  return {
    replicas: order.map((replica) => withPrimary[replica]),
    phases: {
      phaseOf: phases.phaseOf,
      primaryOf: phases.primaryOf.map((replica) => placeOf[replica]),
      phases: phases.phases.map((phase) => ({ ...phase, primary: placeOf[phase.primary] })),
    },
  };
}

/** True when a replica may be a primary: by its own events, or because its files are missing. */
const hasPrimary = (replicas: readonly KnownReplica[]): boolean =>
  replicas.some(({ input }) => input === undefined || sideOf(input) !== "secondary");

/** Primary of blocks whose events show no primary. */
function fallbackPrimary(replicas: readonly KnownReplica[]): number {
  const bySide = replicas.findIndex(({ input }) => input !== undefined && sideOf(input) === "primary");
  if (bySide >= 0) return bySide;
  const withoutFile = replicas.findIndex(({ input }) => input === undefined);
  return Math.max(0, withoutFile);
}

/**
 * The primary whose counter is the capture's clock: among the phases in which a database begins, the one with a file
 * and most blocks.
 */
function firstPrimary({ phases, phaseOf }: Phases, replicas: readonly KnownReplica[]): number {
  const blocks = new Uint32Array(phases.length);
  for (let row = 0; row < phaseOf.length; row++) blocks[phaseOf[row]]++;
  const begun = new Set<number>();
  const openers = phases
    .map((phase, index) => ({ ...phase, index }))
    .filter(({ databases }) => {
      const opens = databases.some((d) => !begun.has(d));
      for (const d of databases) begun.add(d);
      return opens;
    });
  const captured = openers.filter(({ primary }) => replicas[primary].input !== undefined);
  const candidates = captured.length > 0 ? captured : openers;
  return candidates.reduce((a, b) => (blocks[b.index] > blocks[a.index] ? b : a)).primary;
}

/** Fills the anchors of all blocks, server by server and phase by phase. */
function joinBlocks(placed: Placed): Joined {
  const { servers, replicaOf, replicas, rows, eventRows, ownRows, primaryOf } = placed;
  const reference = Math.max(0, replicaOf.indexOf(placed.phases[0].primary));
  const engine = engineOf(servers[reference]);
  const splitRows = servers.some(hasFileWrites) ? rows.length : 0;
  const local = localAnchors(rows.length, splitRows);
  const hops = Array.from({ length: Math.max(0, replicas.length - 1) }, () =>
    hopAnchors(rows.length, splitRows),
  );
  const commits = servers.map((server, s) => {
    const replica = replicaOf[s];
    const isOwn = (row: number): boolean => primaryOf[row] === replica;
    if (!primaryOf.includes(replica)) return NO_COMMITS;
    const isAlone = placed.phases.every(({ primary }) => primary === replica);
    const ofPrimary = isAlone ? ownRows[s].byStart : rowsWhere(ownRows[s].byStart, isOwn);
    joinLocal(server, ofPrimary, rows, local, engine);
    const own = { eventRows: eventRows[s], rowOf: ofPrimary, slotOfText: slotOfText(placed, s), isOwn };
    joinCaptures(server, own, rows, hops, engine);
    return collectCommits(server, eventRows[s], isOwn);
  });
  const lacking = servers.map((server, s) => lackingEvents(server, rolesOf(placed.phases, replicaOf[s])));
  const joined = { ...placed, engine, lacking, local, hops, commits, marked: servers.map(markedEvents) };
  for (const phase of placed.phases.keys())
    for (const slot of hops.keys()) joinAcknowledgments(joined, phase, slot);
  return joined;
}

/** Slot of each text of the partner column, for blocks whose primary is this server; -1 for none. */
function slotOfText({ servers, replicaOf, replicas }: Placed, s: number): Int16Array {
  const own = replicaOf[s];
  return replicaByText(servers[s].examples.texts, replicas).map((replica) =>
    replica < 0 || replica === own ? -1 : slotOfReplica(own, replica),
  );
}

/** Texts of a server's partner column that lead to a slot. */
function partnersOf(placed: Placed, s: number, slot: number): number[] {
  const slots = slotOfText(placed, s);
  return placed.servers[s].instants.partners.filter((text) => slots[text] === slot);
}

/** The rows that are `wanted`; the others are -1. */
function rowsWhere(rows: Int32Array, wanted: (row: number) => boolean): Int32Array {
  const kept = rows.slice();
  for (let i = 0; i < kept.length; i++) if (kept[i] >= 0 && !wanted(kept[i])) kept[i] = -1;
  return kept;
}

/** A secondary's side of the blocks of a phase, the acknowledgments that arrived, and those that cover several blocks. */
function joinAcknowledgments(joined: Joined, phase: number, slot: number): void {
  const { phases, servers, replicaOf, rows, eventRows, ownRows, hops, commits, engine } = joined;
  const { primary } = phases[phase];
  const p = replicaOf.indexOf(primary);
  const s = replicaOf.indexOf(replicaOfSlot(primary, slot));
  const inPhase = (row: number): boolean => joined.phaseOf[row] === phase;
  const hop = hops[slot];
  const arrivals: AckColumns | undefined =
    p < 0
      ? undefined
      : joinArrivals(
          servers[p],
          rows,
          hop,
          partnersOf(joined, p, slot),
          phaseEvents(joined, phase, servers[p], eventRows[p]),
        );
  const departures: SecondaryAcks | undefined =
    s < 0
      ? undefined
      : joinSecondary(
          servers[s],
          {
            rowOf: phases.length === 1 ? ownRows[s].byStart : rowsWhere(ownRows[s].byStart, inPhase),
            rows,
            phase: phaseEvents(joined, phase, servers[s], eventRows[s]),
          },
          hop,
          typicalSteps(engine),
        );
  putCoveringAcks(
    hop,
    inPhase,
    arrivals && { server: servers[p], acks: arrivals },
    departures && { server: servers[s], acks: departures },
    p < 0 ? NO_COMMITS : commits[p],
  );
}
