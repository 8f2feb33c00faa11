/** Builds the replication model of a capture: databases, blocks, joins, clocks, commits (ag-domain sections 2 to 4). */
import { recognise, type EventColumns } from "../events/index.ts";
import { collectBlocks, rowsOfEvents, type BlockRows } from "./blocks.ts";
import type { AckColumns } from "./ack-join.ts";
import { alignSecondary, type Alignment } from "./alignment.ts";
import { aheadAt, type ClockBounds } from "./clock.ts";
import { collectCommits, gateOf, inferCommitModes, type CommitMode, type Commits } from "./commits.ts";
import { collectMarkers } from "./markers.ts";
import {
  engineOf,
  hopAnchors,
  joinLocal,
  joinSends,
  localAnchors,
  typicalSteps,
  type HopAnchors,
} from "./primary-joins.ts";
import { putCoveringAcks } from "./covering-acks.ts";
import { contradictedRole, eventsInRole } from "./roles.ts";
import { joinSecondary, SECONDARY_ANCHORS } from "./secondary-joins.ts";
import { learnDatabases, prepareServer, type Server } from "./servers.ts";
import { assembleBlocks, assembleEvents, assembleHop, noEvents } from "./assemble.ts";
import { notesOf } from "./notes.ts";
import {
  NO_COUNTS,
  type AvailabilityDatabase,
  type CaptureModel,
  type Replica,
  type Role,
  type SourceFile,
} from "./tables.ts";
import { microsecondsToTicks } from "./time.ts";
import type { Topology } from "./topology.ts";

/** One replica's capture. */
export interface ReplicaInput {
  readonly role: Role;
  readonly columns: EventColumns;
  /** Name to show; the topology's or a generic one when absent. */
  readonly name?: string;
  /** availability_replica_id for when no event of these tells it. */
  readonly id?: string;
}

export type ModelErrorCode =
  | "model.noCapture"
  | "model.twoPrimaries"
  | "model.duplicateReplica"
  | "model.wrongRole"
  | "model.noBlocks";

/** The captures given do not make a model; the message is a sentence a DBA can act on. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

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
  const { primary, secondaries, ids } = sortOut(inRole.map(({ input, columns }) => ({ ...input, columns })));
  const given = primary ? [primary, ...secondaries] : secondaries;
  const baseTicks = given.map((i) => i.columns.ticks[0] ?? 0n).reduce((a, b) => (b < a ? b : a));
  const servers = given.map((i) => prepareServer(i.columns, baseTicks));
  const databases = learnDatabases(servers);
  const rows = collectBlocks(servers, databases.ids.length);
  if (rows.length === 0)
    throw new ModelError(
      "model.noBlocks",
      "The files hold no log blocks of an availability database: capture the data movement session again.",
    );
  onPhase("join", rows.length);
  const eventRows = servers.map((s) => rowsOfEvents(s, rows));
  const p = primary ? servers[0] : undefined;
  const captured = primary ? servers.slice(1) : servers;
  const engine = engineOf(p ?? servers[0]);
  const local = localAnchors(rows.length);
  const hops = ids.secondaries.map(() => hopAnchors(rows.length));
  const first = primary ? 1 : 0;
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
  onPhase("align", rows.length);
  const reference = p ?? servers[0];
  const alignments = captured.map((server, s) =>
    alignSecondary(s, reference, server, hops[s], rows, {
      before: (instant) => continuity?.boundsBefore(ids.secondaries[s], instant),
      onBounds: (bounds) => continuity?.onBounds(ids.secondaries[s], bounds),
    }),
  );
  for (const [s, alignment] of alignments.entries()) moveToPrimary(hops[s], alignment);
  onPhase("measure", rows.length);
  const modes = commitModes(commits, local, hops, ids.secondaries, topology);
  const gates = Uint8Array.from({ length: commits.length }, (_, c) =>
    gateOf(commits.block[c], commits.end[c], local, hops, modes),
  );

  const fires = servers.map((s, i) => (i < first ? s.fire : s.fire.map(alignments[i - first].toPrimary)));
  const assembled = assembleBlocks(rows, local, hops, commits, gates, vlfStarts(rows));
  const start = Math.min(assembled.first, ...fires.map(least));
  continuity?.onOrigin(reference.withoutCounter ? Number.NaN : start);
  const blocks = assembled.shifted(start);
  const fileBase = fileBases(given);
  // A moving window has no file to read an event again from.
  const events = continuity
    ? noEvents(rows.length)
    : assembleEvents(servers, eventRows, fires, assembled.newRow, fileBase, start);
  const replicas = replicasOf(given, primary, ids, modes, fires, start, topology);
  const replicaOfServer = given.map((_, i) => i + (primary ? 0 : 1));
  const model = {
    origin: baseTicks + microsecondsToTicks(start + aheadAt(reference.utc, start)),
    duration: Math.max(...fires.map(most), assembled.last) - start,
    replicas,
    databases: databaseList(databases, given.length, replicas.length, first, topology),
    files: given.flatMap((input, i) => filesOf(input, replicaOfServer[i])),
    blocks: { ...blocks, eventStart: events.eventStart },
    hops: hops.map((hop) => assembleHop(hop, assembled.order, start)),
    commits: commitTable(commits, gates, assembled.newRow, start),
    markers: collectMarkers(servers, fires, replicaOfServer, start),
    events: events.index,
    clocks: alignments.map((a) => a.fit(start)),
    engine,
    counts: counts(rows, primary !== undefined, local, hops, captured.length, modes, assembled.commits),
  } satisfies Omit<CaptureModel, "notes">;
  const changed = inRole.filter((each) => each.changed).map(({ input }) => roleChangeNote(input));
  return { ...model, notes: [...changed, ...notesOf(model, servers, primary !== undefined)] };
}

const givenName = ({ name, role }: ReplicaInput): string => name ?? `The ${role} given`;

function refuseWrongRole(input: ReplicaInput): void {
  const told = contradictedRole(input.columns, input.role);
  if (told === null) return;
  throw new ModelError(
    "model.wrongRole",
    `${givenName(input)} is analysed as the ${input.role}, but its files hold events of a ${told} only: change its role.`,
  );
}

const roleChangeNote = (input: ReplicaInput): string =>
  `${givenName(input)} changed its role during the capture: only the time in which it was the ${input.role} is analysed.`;

/** The primary's side of all blocks; returns the acknowledgements that arrived, per hop. */
function joinPrimary(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  local: ReturnType<typeof localAnchors>,
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

interface Sorted {
  readonly primary: ReplicaInput | undefined;
  /** Secondaries with a file, in the order of `ids.secondaries`, which lists those without a file after them. */
  readonly secondaries: readonly ReplicaInput[];
  readonly ids: { readonly primary: string; readonly secondaries: readonly string[] };
}

function sortOut(inputs: readonly ReplicaInput[]): Sorted {
  const primaries = inputs.filter((i) => i.role === "primary");
  const secondaries = inputs.filter((i) => i.role === "secondary");
  if (inputs.length === 0) throw new ModelError("model.noCapture", "There is no file to analyse.");
  if (primaries.length > 1) {
    throw new ModelError(
      "model.twoPrimaries",
      "The files name more than one primary: analyse each availability group's capture alone.",
    );
  }
  const primary = primaries[0];
  const told = primary ? recognise(primary.columns) : undefined;
  const own = secondaries.map((s) => recognise(s.columns));
  const known = own.map((r, s) => r.replicaId ?? secondaries[s].id ?? "");
  if (new Set(known.filter((id) => id !== "")).size < known.filter((id) => id !== "").length) {
    throw new ModelError(
      "model.duplicateReplica",
      "Two secondaries have the same replica id: give the files of one replica together.",
    );
  }
  const partners = (told?.partnerIds ?? []).filter((id) => id !== told?.replicaId);
  // One secondary that does not name itself is the only partner nobody else claims.
  const unclaimed = partners.filter((id) => !known.includes(id));
  const named = known.map((id) => (id === "" && unclaimed.length > 0 ? unclaimed.shift()! : id));
  return {
    primary,
    secondaries,
    ids: {
      primary: told?.replicaId ?? primary?.id ?? own[0]?.partnerIds[0] ?? "",
      secondaries: [...named, ...partners.filter((id) => !named.includes(id))],
    },
  };
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
  local: ReturnType<typeof localAnchors>,
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

/** Least value; NaN is left out, Infinity for none. */
export function least(values: Float64Array): number {
  let m = Infinity;
  for (const v of values) if (v < m) m = v;
  return m;
}

/** Largest value; NaN is left out, -Infinity for none. */
export function most(values: Float64Array): number {
  let m = -Infinity;
  for (const v of values) if (v > m) m = v;
  return m;
}

function fileBases(given: readonly ReplicaInput[]): number[] {
  let at = 0;
  return given.map(({ columns }) => (at += columns.files.length) - columns.files.length);
}

const filesOf = ({ columns }: ReplicaInput, replica: number): SourceFile[] =>
  columns.files.map(({ name, size, events, gaps }) => ({ name, size, events, gaps, replica }));

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

function replicasOf(
  given: readonly ReplicaInput[],
  primary: ReplicaInput | undefined,
  ids: Sorted["ids"],
  modes: readonly CommitMode[],
  fires: readonly Float64Array[],
  start: number,
  topology: Topology | undefined,
): Replica[] {
  const replica = (
    id: string,
    role: Role,
    server: number,
    fallback: string,
    commitMode: CommitMode,
  ): Replica => {
    const input = given[server];
    return {
      id,
      name: input?.name ?? (topology?.replicas.get(id)?.name || fallback),
      role,
      hasCapture: input !== undefined,
      commitMode,
      events: input?.columns.length ?? 0,
      from: input ? least(fires[server]) - start : Number.NaN,
      to: input ? most(fires[server]) - start : Number.NaN,
    };
  };
  const first = primary ? 1 : 0;
  return [
    replica(ids.primary, "primary", primary ? 0 : -1, "Primary", "sync"),
    ...ids.secondaries.map((id, s) => {
      const fallback = ids.secondaries.length === 1 ? "Secondary" : `Secondary ${s + 1}`;
      return replica(id, "secondary", s + first, fallback, modes[s]);
    }),
  ];
}

function databaseList(
  { ids, localIds }: ReturnType<typeof learnDatabases>,
  servers: number,
  replicas: number,
  first: number,
  topology: Topology | undefined,
): AvailabilityDatabase[] {
  return ids.map((id, d) => ({
    id,
    name: topology?.databases.get(id) ?? (ids.length === 1 ? "Database" : `Database ${d + 1}`),
    localIds: Array.from({ length: replicas }, (_, r) => {
      const server = r - (1 - first);
      return server >= 0 && server < servers ? localIds[d][server] : -1;
    }),
  }));
}

function counts(
  rows: BlockRows,
  hasPrimary: boolean,
  local: ReturnType<typeof localAnchors>,
  hops: readonly HopAnchors[],
  captured: number,
  modes: readonly CommitMode[],
  commits: Uint16Array,
): CaptureModel["counts"] {
  const c = { ...NO_COUNTS };
  const first = hasPrimary ? 1 : 0;
  const present = (value: number): boolean => !Number.isNaN(value);
  for (let row = 0; row < rows.length; row++) {
    const onPrimary = hasPrimary && rows.seen[0][row] === 1;
    const onSecondary = rows.seen.slice(first).some((seen) => seen[row] === 1);
    if (onPrimary) c.primary++;
    if (onSecondary) c.secondary++;
    if (onPrimary && onSecondary) c.onBoth++;
    if (onPrimary && !onSecondary) c.primaryOnly++;
    if (!onPrimary && onSecondary) c.secondaryOnly++;
    if (onPrimary && commits[row] > 0) c.withCommit++;
    if (!onPrimary) continue;
    if (
      hops.some(
        (hop, s) =>
          modes[s] !== "async" && present(hop.at.departed[row]) && !present(hop.at.ackProcessed[row]),
      )
    ) {
      c.withoutAcknowledgement++;
    }
    const whole = hops.slice(0, captured).every(({ at }) => hopIsWhole(at, row));
    if (captured > 0 && whole && present(local.at.localFlushEnd[row])) c.completeEndToEnd++;
  }
  return c;
}

function hopIsWhole(at: HopAnchors["at"], row: number): boolean {
  return !Object.values(at).some((column) => Number.isNaN(column[row]));
}
