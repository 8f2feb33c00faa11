/** The replicas, databases and files of a model, with the names that are known. */
import type { Aligned } from "../alignment/align.ts";
import type { EventFile } from "../../events/index.ts";
import type { Joined } from "../join/join.ts";
import type { FireExtent } from "../event-index/moved-events.ts";
import { phaseBorders } from "../shapes/phase-borders.ts";
import { replicaOfSlot, slotOfReplica } from "../shapes/slots.ts";
import type { AvailabilityDatabase, CommitMode, Phase, Replica, SourceFile } from "../shapes/tables.ts";
import type { Topology } from "../shapes/topology.ts";
import type { KnownReplica } from "../join/replica-ids.ts";

/** Number of the first file of each server among all files. */
export function fileBases({ servers }: Joined): number[] {
  let at = 0;
  return servers.map(({ files }) => (at += files.length) - files.length);
}

/** The files of all servers, in the order of these. */
export const filesOf = ({ servers, replicaOf }: Joined): SourceFile[] =>
  servers.flatMap(({ files }, s) => files.map((file) => ({ ...withoutRuns(file), replica: replicaOf[s] })));

/** The holes between runs of numbers are in `CaptureModel.countedLosses`. */
function withoutRuns(file: EventFile): EventFile {
  const { reading } = file;
  if (reading?.numbers === undefined) return file;
  return { ...file, reading: { ...reading, numbers: { ...reading.numbers, sessions: [] } } };
}

/**
 * The replicas in their order.
 * @param extents from when to when each server's events fired, µs of the reference's counter
 * @param start of the capture, by the same counter
 */
export function replicasOf(
  { replicas, replicaOf, servers }: Joined,
  { restarts, utcChanges }: Pick<Aligned, "restarts" | "utcChanges">,
  phases: readonly Phase[],
  { extents, start }: { readonly extents: readonly FireExtent[]; readonly start: number },
  topology: Topology | undefined,
): Replica[] {
  return replicas.map(({ ids, input }, index) => {
    const server = replicaOf.indexOf(index);
    const offset = ids.map((id) => topology?.serverOffsets?.get(id)).find((minutes) => minutes !== undefined);
    const listed = ids.map((id) => topology?.replicas.get(id)?.name).find((name) => name);
    return {
      id: ids[0] ?? "",
      ids,
      name: input?.name ?? listed ?? genericName(replicas, index),
      role: isPrimaryFirst(phases, index) ? "primary" : "secondary",
      hasCapture: input !== undefined,
      hasCounter: servers.some((each, s) => s === server && !each.withoutCounter),
      commitMode: firstMode(phases, index),
      events: input?.prepared.length ?? 0,
      from: input ? extents[server].first - start : Number.NaN,
      to: input ? extents[server].last - start : Number.NaN,
      ...(offset !== undefined && { utcOffsetMinutes: offset }),
      ...(restarts[server]?.length > 0 && { restarts: restarts[server].map((at) => at - start) }),
      ...(utcChanges[server]?.length > 0 && {
        utcChanges: utcChanges[server].map(({ from, to, us }) => ({
          from: from - start,
          to: to - start,
          us,
        })),
      }),
    };
  });
}

function genericName(replicas: readonly KnownReplica[], index: number): string {
  if (index === 0) return "Primary";
  return replicas.length === 2 ? "Secondary" : `Secondary ${index}`;
}

/** True when the first phase that a replica takes part in has it as the primary. */
function isPrimaryFirst(phases: readonly Phase[], replica: number): boolean {
  const first = phases.find(
    ({ primary, commitModes }) =>
      primary === replica || (commitModes[slotOfReplica(primary, replica)] ?? null) !== null,
  );
  return first?.primary === replica;
}

function firstMode(phases: readonly Phase[], replica: number): CommitMode {
  // Commits wait for it on one side of the change.
  const changes = phaseBorders(phases).flatMap((border) =>
    border.kind === "modeChange" ? border.changed : [],
  );
  if (changes.some((change) => change.replica === replica)) return "sync";
  for (const { primary, commitModes } of phases) {
    const slot = commitModes.findIndex((mode, s) => mode !== null && replicaOfSlot(primary, s) === replica);
    if (slot >= 0) return commitModes[slot]!;
  }
  return replica === 0 ? "sync" : "undetermined";
}

/** A replica's id in a group; the only one it has where no event of the group names it. */
function idInGroup({ ids }: KnownReplica, members: ReadonlySet<string>): string {
  const own = ids.find((id) => members.has(id));
  return own ?? (members.size === 0 ? (ids[0] ?? "") : "");
}

/** The databases with their id on each replica; -1 without a known one. */
export function databaseList(
  { databases: { ids, localIds }, groups, replicas, replicaOf }: Joined,
  topology: Topology | undefined,
): AvailabilityDatabase[] {
  return ids.map((id, d) => ({
    id,
    name: topology?.databases.get(id) ?? (ids.length === 1 ? "Database" : `Database ${d + 1}`),
    group: groups.groupOf[d],
    replicaIds: replicas.map((replica) => idInGroup(replica, groups.members[groups.groupOf[d]])),
    localIds: replicas.map((_, replica) => localIds[d][replicaOf.indexOf(replica)] ?? -1),
  }));
}
