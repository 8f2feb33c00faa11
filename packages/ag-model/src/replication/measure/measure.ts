/** The model's tables from joined and aligned instants: what released commits, rows by time, times since the first event. */
import { gatherInt32, largest, smallest } from "../../numbers/index.ts";
import type { Aligned } from "../alignment/align.ts";
import { assembleBlocks, assembleHop, TableOrder, type AssembledBlocks } from "./assemble.ts";
import { startsVlf, type BlockRows } from "../join/blocks.ts";
import { gateOf, type Commits } from "../join/commits.ts";
import { commitModesOf } from "./commit-modes.ts";
import { countBlocks } from "./counts.ts";
import { NO_EVENTS, noIndex, type EventIndex } from "../shapes/event-runs.ts";
import { SpanFinder } from "../event-index/span-finder.ts";
import { giveBackEvents, giveBackSingle } from "./give-back.ts";
import type { Joined } from "../join/join.ts";
import { listEvents } from "../event-index/list-events.ts";
import { collectMarkers } from "../join/markers.ts";
import type { ModelWants } from "./model-wants.ts";
import { PAUSE_US, serverPauses } from "../prepare/pauses.ts";
import { extentOf, movedEvents, moverOf } from "../event-index/moved-events.ts";
import { phaseBorders } from "../shapes/phase-borders.ts";
import { databaseList, fileBases, filesOf, replicasOf } from "./replica-list.ts";
import type { CaptureModel, CommitMode, Phase } from "../shapes/tables.ts";
import { microsecondsToTicks } from "../clocks/time.ts";
import type { Topology } from "../shapes/topology.ts";
import { noBlocks } from "../shapes/model-error.ts";
import { aheadAt, type UtcMap } from "../clocks/utc-map.ts";

/** What released the commits, which needs no clock but the primary's own. */
export interface Gates {
  /** Per phase and slot. */
  readonly modes: readonly (readonly (CommitMode | null)[])[];
  /** Per server and commit. */
  readonly gates: readonly Uint8Array[];
}

/** Finds what released each commit, by instants of one server's own counter. */
export function findGates(joined: Joined, topology: Topology | undefined): Gates {
  const { commits, local, hops, phaseOf } = joined;
  const modes = commitModesOf(joined, topology);
  const waitedFor = modesOfGates(joined, modes);
  const gates = commits.map(({ length, block, end }) => {
    const own = new Uint8Array(length);
    for (let c = 0; c < length; c++)
      own[c] = gateOf(block[c], end[c], local, hops, waitedFor[phaseOf[Math.max(0, block[c])]]);
    return own;
  });
  return { modes, gates };
}

/**
 * The modes by which gates are found. A replica of which a phase has no acknowledgement at all may have released any commit, so that
 * gates are as unknown as where an acknowledgement of a synchronous one is missing.
 */
function modesOfGates({ hops, phaseOf }: Joined, modes: Gates["modes"]): Gates["modes"] {
  if (!modes.some((own) => own.includes("undetermined"))) return modes;
  return modes.map((own, phase) =>
    own.map((mode, slot) => {
      if (mode !== "undetermined") return mode;
      const { ackProcessed } = hops[slot].at;
      return ackProcessed.some((us, row) => phaseOf[row] === phase && !Number.isNaN(us)) ? mode : "sync";
    }),
  );
}

/** The tables, in time since the first event of all. @throws ModelError where of no block any instant is known */
export function measureTables(
  joined: Joined,
  aligned: Aligned,
  { modes, gates: gatesOf }: Gates,
  topology: Topology | undefined,
  { eventIndex = true, continuity }: ModelWants,
): Omit<CaptureModel, "warnings"> {
  const { servers, rows, hops } = joined;
  // A verdict on one phase of several asks where its own events are.
  const isListed = eventIndex || joined.phases.length > 1;
  const spans = isListed ? [] : servers.map(({ files }) => new SpanFinder(files.length, PAUSE_US));
  const extents = aligned.events.map((events, s) =>
    extentOf(movedEvents(events), isListed ? undefined : (stretch) => spans[s].add(stretch)),
  );
  const { commits, gates } = inOrder(aligned.commits, gatesOf);
  const assembled = assembleBlocks(joined, aligned.blockUncertainty, commits, gates, vlfStarts(rows));
  if (assembled.order.length === 0) throw noBlocks();
  const start = smallest([assembled.first, ...extents.map(({ first }) => first)]);
  const reference = servers[aligned.reference];
  continuity?.onOrigin(reference.withoutCounter ? Number.NaN : start);
  const origin = joined.baseTicks + originAfter(start, reference.utc);
  const markedFires = firesOfMarked(joined, aligned);
  const clocks = aligned.fits(start);
  giveBackSingle(joined);
  const bases = fileBases(joined);
  const toList = {
    servers: aligned.events.map((events, s) => ({
      replica: joined.replicaOf[s],
      fileBase: bases[s],
      events,
      extent: extents[s],
    })),
    rowOfBlock: assembled.newRow,
    start,
  };
  // A moving window has no file to read an event again from.
  const events = continuity
    ? NO_EVENTS
    : isListed
      ? listEvents(toList, (server) => giveBackEvents(joined, server))
      : unlistedEvents(joined, spans, start);
  const counts = countBlocks(joined, modes, assembled, extents);
  const inTableOrder = new TableOrder(assembled.order);
  const blocks = assembled.shifted(start, inTableOrder);
  const phases = phaseList(joined, blocks, modes);
  const measured = {
    origin,
    duration: largest([assembled.last, ...extents.map(({ last }) => last)]) - start,
    replicas: replicasOf(joined, aligned, phases, { extents, start }, topology),
    databases: databaseList(joined, topology),
    phases,
    files: filesOf(joined),
    blocks,
    hops: hops.map((hop, slot) =>
      assembleHop(hop, aligned.uncertainty[slot], assembled.order, inTableOrder, start),
    ),
    commits: commitTable(commits, gates, assembled, start),
    events,
    clocks,
    engine: joined.engine,
    source: "files" as const,
    counts,
  };
  const changes = { phases, clocks, pauses: serverPauses(measured) };
  return {
    ...measured,
    markers: collectMarkers(joined.marked, markedFires, joined.replicaOf, start, changes),
  };
}

/** Ticks from the servers' time 0 to the capture's; 0 where no event of the reference shows its UTC. */
function originAfter(start: number, utc: UtcMap): bigint {
  const at = start + aheadAt(utc, start);
  return Number.isFinite(at) ? microsecondsToTicks(at) : 0n;
}

/** What the verdict asks of events that nobody lists; gives back what they were kept in. @param spans by server @param start µs */
function unlistedEvents(joined: Joined, spans: readonly SpanFinder[], start: number): EventIndex {
  for (const server of spans.keys()) giveBackEvents(joined, server);
  const serverOf = (replica: number): SpanFinder | undefined => spans[joined.replicaOf.indexOf(replica)];
  return noIndex({
    files: spans.flatMap((server) => server.files(start)),
    silences: joined.replicas.map((_, replica) => serverOf(replica)?.silences(start) ?? []),
  });
}

/** By server: when its marked events fired, µs of the reference's counter. */
const firesOfMarked = ({ marked, eventRows }: Joined, { events: all }: Aligned): Float64Array[] =>
  marked.map(({ events, fire }, s) => {
    const moved = fire.slice();
    moverOf(all[s].move)(moved, gatherInt32(eventRows[s], events));
    return moved;
  });

/** All servers' commits by start. */
function inOrder(
  perServer: readonly Commits[],
  gatesOf: readonly Uint8Array[],
): { commits: Commits; gates: Uint8Array } {
  const used = perServer.flatMap((commits, s) =>
    commits.length > 0 ? [{ commits, gates: gatesOf[s] }] : [],
  );
  if (used.length === 1) return used[0];
  const places = used.flatMap(({ commits }, u) =>
    Array.from({ length: commits.length }, (_, c) => [u, c] as const),
  );
  places.sort(([u, c], [v, d]) => used[u].commits.start[c] - used[v].commits.start[d] || u - v || c - d);
  const pick = (name: "start" | "end" | "timeToCommit"): Float64Array =>
    Float64Array.from(places, ([u, c]) => used[u].commits[name][c]);
  return {
    commits: {
      length: places.length,
      block: Int32Array.from(places, ([u, c]) => used[u].commits.block[c]),
      database: Uint16Array.from(places, ([u, c]) => used[u].commits.database[c]),
      start: pick("start"),
      end: pick("end"),
      timeToCommit: pick("timeToCommit"),
      managerAlone: used.reduce((sum, { commits }) => sum + commits.managerAlone, 0),
    },
    gates: Uint8Array.from(places, ([u, c]) => used[u].gates[c]),
  };
}

function phaseList(
  { phases }: Joined,
  blocks: Pick<CaptureModel["blocks"], "length" | "phase" | "time" | "timeEnd">,
  modes: Gates["modes"],
): Phase[] {
  const from = phases.map(() => Infinity);
  const to = phases.map(() => -Infinity);
  for (let row = 0; row < blocks.length; row++) {
    const phase = blocks.phase[row];
    from[phase] = Math.min(from[phase], blocks.time[row]);
    to[phase] = Math.max(to[phase], blocks.timeEnd[row]);
  }
  // None of its blocks may have a known time.
  for (const phase of phases.keys())
    if (from[phase] > to[phase]) from[phase] = to[phase] = to[phase - 1] ?? 0;
  const all = phases.map(({ databases, primary }, phase) => ({
    databases,
    primary,
    from: from[phase],
    to: to[phase],
    commitModes: modes[phase],
  }));
  // The last blocks before a change of mode are under way while the next ones are written.
  for (const { kind, before, after } of phaseBorders(all))
    if (kind === "modeChange") all[before].to = Math.min(all[before].to, all[after].from);
  return all;
}

function vlfStarts(rows: BlockRows): Uint8Array {
  const starts = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) if (startsVlf(rows, row)) starts[row] = 1;
  return starts;
}

function commitTable(
  commits: Commits,
  gate: Uint8Array,
  { newRow }: AssembledBlocks,
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
