/** The model's tables from joined and aligned instants: what released commits, rows by time, times since the first event. */
import { largest, smallest } from "../numbers/index.ts";
import type { Alignment } from "./alignment.ts";
import type { HopAnchors, LocalAnchors } from "./anchor-columns.ts";
import { assembleBlocks, assembleEvents, assembleHop, noEvents } from "./assemble.ts";
import type { BlockRows } from "./blocks.ts";
import { gateOf, inferCommitModes, type CommitMode, type Commits } from "./commits.ts";
import type { Continuity } from "./continuity.ts";
import { countBlocks } from "./counts.ts";
import type { Joined } from "./join.ts";
import { collectMarkers } from "./markers.ts";
import { databaseList, fileBases, filesOf, replicasOf } from "./replica-list.ts";
import type { CaptureModel } from "./tables.ts";
import { microsecondsToTicks } from "./time.ts";
import type { Topology } from "./topology.ts";
import { aheadAt } from "./utc-map.ts";

/** The tables, in time since the first event of all. */
export function measureTables(
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

/** The first block of a VLF is at offset 16 (docs/model.md 2.1). */
const vlfStarts = ({ low }: BlockRows): Uint8Array =>
  Uint8Array.from(low, (offset) => (offset === 16 ? 1 : 0));

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
