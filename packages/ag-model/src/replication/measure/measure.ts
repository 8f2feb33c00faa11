/**
 * The model's tables from joined and aligned instants: releases of commits, rows by time, times since the first event.
 */
import { gatherInt32, largest, smallest } from "../../numbers/index.ts";
import type { Aligned } from "../alignment/align.ts";
import {
  blockTable,
  commitsPerBlock,
  hopTable,
  orderBlocks,
  TableOrder,
  type BlockOrder,
} from "./assemble.ts";
import type { Commits } from "../join/commits.ts";
import { clientTables } from "./client-tables.ts";
import { countBlocks } from "./counts.ts";
import { NO_EVENTS, noIndex, type EventIndex } from "../shapes/event-runs.ts";
import { SpanFinder } from "../event-index/span-finder.ts";
import { commitsInOrder, type Gates } from "./gates.ts";
import { giveBackEvents, giveBackSingle } from "./give-back.ts";
import type { Joined } from "../join/join.ts";
import { listEvents } from "../event-index/list-events.ts";
import { countedLosses } from "./counted-losses.ts";
import { collectMarkers } from "../join/markers.ts";
import type { ModelWants } from "./model-wants.ts";
import { PAUSE_US, serverPauses } from "../prepare/pauses.ts";
import { extentOf, movedEvents, moverOf } from "../event-index/moved-events.ts";
import { phaseBorders } from "../shapes/phase-borders.ts";
import { databaseList, fileBases, filesOf, replicasOf } from "./replica-list.ts";
import type { CaptureModel, Phase } from "../shapes/tables.ts";
import { microsecondsToTicks } from "../clocks/time.ts";
import type { Topology } from "../shapes/topology.ts";
import { noBlocks } from "../shapes/model-error.ts";
import { aheadAt, type UtcMap } from "../clocks/utc-map.ts";

/** The tables, in time since the first event of all. @throws ModelError if no instant of any block is known */
export function measureTables(
  joined: Joined,
  aligned: Aligned,
  { modes, gates: gatesOf }: Gates,
  topology: Topology | undefined,
  { eventIndex = true, continuity }: ModelWants,
): Omit<CaptureModel, "warnings"> {
  const { servers, rows, hops } = joined;
  // A verdict on one phase of several needs the index of its own events.
  const isListed = eventIndex || joined.phases.length > 1;
  const spans = isListed ? [] : servers.map(({ files }) => new SpanFinder(files.length, PAUSE_US));
  const extents = aligned.events.map((events, s) =>
    extentOf(movedEvents(events), isListed ? undefined : (period) => spans[s].add(period)),
  );
  const { commits, gates } = commitsInOrder(aligned.commits, gatesOf);
  const ordered = orderBlocks(joined);
  if (ordered.order.length === 0) throw noBlocks();
  const start = smallest([ordered.first, ...extents.map(({ first }) => first)]);
  const reference = servers[aligned.reference];
  continuity?.onOrigin(reference.withoutCounter ? Number.NaN : start);
  const origin = joined.baseTicks + originAfter(start, reference.utc);
  const duration = largest([ordered.last, ...extents.map(({ last }) => last)]) - start;
  const bases = fileBases(joined);
  const counted = countedLosses(joined, aligned, { start, duration, bases });
  const markedFires = firesOfMarked(joined, aligned);
  const clocks = aligned.fits(start);
  giveBackSingle(joined);
  const toList = {
    servers: aligned.events.map((events, s) => ({
      replica: joined.replicaOf[s],
      fileBase: bases[s],
      events,
      extent: extents[s],
    })),
    rowOfBlock: ordered.newRow,
    start,
  };
  // For a moving window there is no file to read an event again from.
  const events = continuity
    ? NO_EVENTS
    : isListed
      ? listEvents(toList, (server) => giveBackEvents(joined, server))
      : unlistedEvents(joined, spans, start);
  const perBlock = commitsPerBlock(rows.length, commits, gates);
  const counts = countBlocks(joined, modes, { ...ordered, commits: perBlock.count }, extents);
  const inOrder = new TableOrder(ordered.order);
  const blocks = blockTable(
    joined,
    ordered,
    { perBlock, uncertainty: aligned.blockUncertainty },
    inOrder,
    start,
  );
  const phases = phaseList(joined, blocks, modes);
  const clients = clientTables(commits.clients);
  const measured = {
    origin,
    duration,
    replicas: replicasOf(joined, aligned, phases, { extents, start }, topology),
    databases: databaseList(joined, topology),
    phases,
    files: filesOf(joined),
    ...counted,
    blocks,
    hops: hops.map((hop, slot) => hopTable(hop, aligned.uncertainty[slot], ordered.order, inOrder, start)),
    commits: { ...commitTable(commits, gates, ordered, start), ...clients?.columns },
    ...(clients && { clients: clients.clients }),
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

/**
 * Returns the figures that the verdict needs of events that no screen lists, and releases the memory of the events.
 * @param spans by server @param start µs
 */
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
  // Possibly none of its blocks has a known time.
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

function commitTable(
  commits: Commits,
  gate: Uint8Array,
  { newRow }: BlockOrder,
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
