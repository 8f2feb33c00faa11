/** Builds the replication model of a capture: databases, blocks, joins, clocks, commits (ag-domain sections 2 to 4). */
import { largest, smallest } from "../numbers/index.ts";
import { collectBlocks, rowsOfEvents, type BlockRows } from "./blocks.ts";
import type { AckColumns } from "./ack-join.ts";
import { alignSecondary, type Alignment } from "./alignment.ts";
import { assembleBlocks, assembleEvents, assembleHop, noEvents } from "./assemble.ts";
import type { ClockBounds } from "./clock.ts";
import { collectCommits, gateOf, inferCommitModes, type CommitMode, type Commits } from "./commits.ts";
import { countBlocks } from "./counts.ts";
import { putCoveringAcks } from "./covering-acks.ts";
import { collectMarkers } from "./markers.ts";
import { ModelError } from "./model-error.ts";
import { notesOf } from "./notes.ts";
import {
  engineOf,
  hopAnchors,
  joinLocal,
  joinSends,
  localAnchors,
  typicalSteps,
  type HopAnchors,
  type LocalAnchors,
} from "./primary-joins.ts";
import type { ReplicaInput } from "./replica-input.ts";
import { databaseList, fileBases, filesOf, replicasOf } from "./replica-list.ts";
import { eventsInRole } from "./roles.ts";
import { joinSecondary } from "./secondary-joins.ts";
import { learnDatabases, prepareServer, type Server } from "./servers.ts";
import { givenName, refuseWrongRole, sortOut, type Sorted } from "./sort-out.ts";
import { SECONDARY_ANCHORS, type CaptureModel } from "./tables.ts";
import { microsecondsToTicks } from "./time.ts";
import { aheadAt } from "./utc-map.ts";
import type { Topology } from "./topology.ts";

export { ModelError } from "./model-error.ts";

/** What building a model is busy with: putting events to blocks, the clocks on one, the tables together. */
export type ModelPhase = "join" | "align" | "measure";

/** What carries over from one window to the next when a model is built again and again over a moving window of time. */
export interface Continuity {
  /** Bounds of a secondary's clock from blocks that departed before an instant of the primary's counter, in that order. */
  boundsBefore(secondary: string, instant: number): ClockBounds;
  /** Told the bounds of this window's blocks. */
  onBounds(secondary: string, bounds: ClockBounds): void;
  /** Told the reference server's counter at time 0, µs; NaN where the engine has none. */
  onOrigin(counter: number): void;
}

/** The events of all replicas put to blocks and commits; each secondary's instants are still on its own clock. */
interface Joined extends Sorted {
  /** The inputs cut to their role, the primary first; a server each. */
  readonly given: readonly ReplicaInput[];
  readonly servers: readonly Server[];
  /** 1 when the first server is the primary, else 0. */
  readonly first: 0 | 1;
  /** FILETIME of the servers' time 0. */
  readonly baseTicks: bigint;
  readonly databases: ReturnType<typeof learnDatabases>;
  readonly rows: BlockRows;
  /** Per server: the block row of each event; -1 for none. */
  readonly eventRows: readonly Int32Array[];
  readonly engine: CaptureModel["engine"];
  readonly local: LocalAnchors;
  /** Captured secondaries first, as in `ids.secondaries`. */
  readonly hops: readonly HopAnchors[];
  readonly commits: Commits;
}

/**
 * Builds the model of one primary and any number of secondaries; either side may be missing. Throws ModelError when the
 * captures contradict each other or hold no log blocks of an availability database.
 * @param onPhase called when a phase begins, with the number of log blocks known by then
 */
export function buildModel(
  inputs: readonly ReplicaInput[],
  topology?: Topology,
  onPhase: (phase: ModelPhase, blocks: number) => void = () => {},
  continuity?: Continuity,
): CaptureModel {
  onPhase("join", 0);
  for (const input of inputs) refuseWrongRole(input);
  const inRole = inputs.map((input) => ({ input, ...eventsInRole(input.columns, input.role) }));
  const sorted = sortOut(inRole.map(({ input, columns }) => ({ ...input, columns })));
  const joined = join(sorted, (blocks) => onPhase("join", blocks));
  onPhase("align", joined.rows.length);
  const alignments = align(joined, continuity);
  onPhase("measure", joined.rows.length);
  const model = measure(joined, alignments, topology, continuity);
  const changed = inRole.filter((each) => each.changed).map(({ input }) => roleChangeNote(input));
  return { ...model, notes: [...changed, ...notesOf(model, joined.servers, joined.first === 1)] };
}

/** @param onBlocks told the number of log blocks as soon as it is known */
function join(sorted: Sorted, onBlocks: (blocks: number) => void): Joined {
  const { primary, secondaries, ids } = sorted;
  const given = primary ? [primary, ...secondaries] : secondaries;
  const first = primary ? 1 : 0;
  const baseTicks = given.map((i) => i.columns.ticks[0] ?? 0n).reduce((a, b) => (b < a ? b : a));
  const servers = given.map((i) => prepareServer(i.columns, baseTicks));
  const databases = learnDatabases(servers);
  const rows = collectBlocks(servers, databases.ids.length);
  if (rows.length === 0)
    throw new ModelError(
      "model.noBlocks",
      "The files hold no log blocks of an availability database: capture the data movement session again.",
    );
  onBlocks(rows.length);
  const eventRows = servers.map((s) => rowsOfEvents(s, rows));
  const p = primary ? servers[0] : undefined;
  const captured = servers.slice(first);
  const engine = engineOf(p ?? servers[0]);
  const local = localAnchors(rows.length);
  const hops = ids.secondaries.map(() => hopAnchors(rows.length));
  const arrivals = p ? joinPrimary(p, eventRows[0], rows, local, hops, ids.secondaries, engine) : [];
  const departures = captured.map((server, s) =>
    joinSecondary(server, eventRows[s + first], rows, hops[s], typicalSteps(engine)),
  );
  const commits = p ? collectCommits(p, eventRows[0]) : noCommits();
  for (const [s, hop] of hops.entries()) {
    const there = p ? { server: p, acks: arrivals[s] } : undefined;
    const here = s < captured.length ? { server: captured[s], acks: departures[s] } : undefined;
    putCoveringAcks(hop, there, here, commits);
  }
  return {
    ...sorted,
    given,
    servers,
    first,
    baseTicks,
    databases,
    rows,
    eventRows,
    engine,
    local,
    hops,
    commits,
  };
}

/** Finds each captured secondary's clock and moves its instants to the primary's. */
function align(
  { servers, first, rows, hops, ids }: Joined,
  continuity: Continuity | undefined,
): readonly Alignment[] {
  const alignments = servers.slice(first).map((server, s) =>
    alignSecondary(s, servers[0], server, hops[s], rows, {
      before: (instant) => continuity?.boundsBefore(ids.secondaries[s], instant),
      onBounds: (bounds) => continuity?.onBounds(ids.secondaries[s], bounds),
    }),
  );
  for (const [s, alignment] of alignments.entries()) moveToPrimary(hops[s], alignment);
  return alignments;
}

/** The tables, in time since the first event of all. */
function measure(
  joined: Joined,
  alignments: readonly Alignment[],
  topology: Topology | undefined,
  continuity: Continuity | undefined,
): Omit<CaptureModel, "notes"> {
  const { given, servers, first, primary, ids, rows, eventRows, local, hops, commits } = joined;
  const modes = commitModes(commits, local, hops, ids.secondaries, topology);
  const gates = Uint8Array.from({ length: commits.length }, (_, c) =>
    gateOf(commits.block[c], commits.end[c], local, hops, modes),
  );
  const fires = servers.map((s, i) => (i < first ? s.fire : s.fire.map(alignments[i - first].toPrimary)));
  const assembled = assembleBlocks(rows, local, hops, commits, gates, vlfStarts(rows));
  const start = smallest([assembled.first, ...fires.map((fire) => smallest(fire))]);
  const [reference] = servers;
  continuity?.onOrigin(reference.withoutCounter ? Number.NaN : start);
  // A moving window has no file to read an event again from.
  const events = continuity
    ? noEvents(rows.length)
    : assembleEvents(servers, eventRows, fires, assembled.newRow, fileBases(given), start);
  const replicas = replicasOf(given, primary, ids, modes, fires, start, topology);
  const replicaOfServer = given.map((_, i) => i + 1 - first);
  const captured = servers.length - first;
  return {
    origin: joined.baseTicks + microsecondsToTicks(start + aheadAt(reference.utc, start)),
    duration: largest([assembled.last, ...fires.map((fire) => largest(fire))]) - start,
    replicas,
    databases: databaseList(joined.databases, given.length, replicas.length, first, topology),
    files: given.flatMap((input, i) => filesOf(input, replicaOfServer[i])),
    blocks: { ...assembled.shifted(start), eventStart: events.eventStart },
    hops: hops.map((hop) => assembleHop(hop, assembled.order, start)),
    commits: commitTable(commits, gates, assembled.newRow, start),
    markers: collectMarkers(servers, fires, replicaOfServer, start),
    events: events.index,
    clocks: alignments.map((a) => a.fit(start)),
    engine: joined.engine,
    counts: countBlocks(rows, first === 1, local, hops, captured, modes, assembled.commits),
  };
}

const roleChangeNote = (input: ReplicaInput): string =>
  `${givenName(input)} changed its role during the capture: only the time in which it was the ${input.role} is analysed.`;

/** The primary's side of all blocks; returns the acknowledgements that arrived, per hop. */
function joinPrimary(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  secondaries: readonly string[],
  engine: CaptureModel["engine"],
): AckColumns[] {
  joinLocal(server, rowOf, local, engine);
  const hopOfText = Int16Array.from(server.columns.texts, (text) =>
    text === "" ? -1 : secondaries.indexOf(text),
  );
  return joinSends(server, rowOf, rows, hops, hopOfText, engine);
}

/**
 * Moves a secondary's instants to the primary's clock, each block as a whole by its receive: what lies between them on
 * the secondary stays as its own counter measured it.
 */
function moveToPrimary(hop: HopAnchors, { toPrimary }: Alignment): void {
  const columns = SECONDARY_ANCHORS.map((name) => hop.at[name]);
  for (let row = 0; row < hop.obtained.length; row++) {
    const first = columns.find((column) => !Number.isNaN(column[row]));
    if (first === undefined) continue;
    const shift = toPrimary(first[row]) - first[row];
    for (const column of columns) column[row] += shift;
  }
}

function commitModes(
  commits: Commits,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  ids: readonly string[],
  topology: Topology | undefined,
): CommitMode[] {
  return inferCommitModes(commits, local, hops).map(
    (mode, s) => topology?.replicas.get(ids[s])?.commitMode ?? mode,
  );
}

/** The first block of a VLF is at offset 16 (ag-domain 2.1). */
const vlfStarts = ({ low }: BlockRows): Uint8Array =>
  Uint8Array.from(low, (offset) => (offset === 16 ? 1 : 0));

const noCommits = (): Commits => ({
  length: 0,
  block: new Int32Array(0),
  database: new Uint16Array(0),
  start: new Float64Array(0),
  end: new Float64Array(0),
  timeToCommit: new Float64Array(0),
});

function commitTable(
  commits: Commits,
  gate: Uint8Array,
  newRow: Int32Array,
  start: number,
): CaptureModel["commits"] {
  return {
    length: commits.length,
    block: commits.block.map((row) => (row < 0 ? -1 : newRow[row])),
    database: commits.database,
    start: commits.start.map((t) => t - start),
    end: commits.end.map((t) => t - start),
    gate,
    timeToCommit: commits.timeToCommit,
  };
}
