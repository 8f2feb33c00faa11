/** Facts about a capture once its servers are found: names, roles, times and warnings. */
import type { Role, Topology } from "../replication/index.ts";
import type { FileToGroup } from "./files.ts";
import {
  captureName,
  databaseName,
  groupNameOf,
  nameServers,
  shortId,
  topologyName,
  type NameSource,
} from "./names.ts";
import { haveCommonBlocks, rangeOf, type BlockRange } from "./block-range.ts";
import { twoPrimaries, withoutCommonTime, type GroupingWarning } from "./warnings.ts";
import { joinedRolePeriods, type RolePeriod } from "./role-periods.ts";
import type { ServerFiles } from "./servers.ts";
import { commonTicks, spanOf, type TickSpan } from "./time-spans.ts";
import { idsWithoutFile } from "./unnamed-servers.ts";

/** Roles of a server for one availability database, in the order of time. */
export interface ServerDatabase {
  /** group_database_id. */
  readonly id: string;
  readonly name: string;
  readonly stretches: readonly RolePeriod[];
  /** Its log blocks; null where unknown. */
  readonly range: BlockRange | null;
}

/** A server of a capture with its files. Times are FILETIME ticks. */
export interface GroupedServer<File extends FileToGroup> extends TickSpan {
  readonly name: string;
  readonly nameFrom: NameSource;
  /** Its availability_replica_ids, one per availability group; none where neither events nor others name it. */
  readonly ids: readonly string[];
  /** Oldest first. */
  readonly files: readonly File[];
  readonly events: number;
  readonly databases: readonly ServerDatabase[];
  /** "primary" for the server with most events of a primary; its roles over time are in `databases`. */
  readonly roleHint: Role;
}

/** Files that belong together: one availability group, or several on the same servers, at one time. */
export interface GroupedCapture<File extends FileToGroup> extends TickSpan {
  /** Availability group or servers, and time (UTC): different for every capture of a grouping. */
  readonly name: string;
  /** Name of the availability group; null where no topology has one, or several. */
  readonly group: string | null;
  /** The primary by its hint first, then by name. */
  readonly servers: readonly GroupedServer<File>[];
  readonly databases: readonly { readonly id: string; readonly name: string }[];
  /** Replicas that the events name and that have no file. */
  readonly withoutFile: readonly { readonly id: string; readonly name: string }[];
  /** True for a server alone that has nothing in common with a capture of several servers. */
  readonly foreign: boolean;
  readonly warnings: readonly GroupingWarning[];
}

/** @param unrelated servers of other availability groups, whose folders name none of these */
export function captureOf<File extends FileToGroup>(
  found: readonly ServerFiles<File>[],
  unrelated: readonly ServerFiles<File>[],
  topologies: readonly Topology[],
): GroupedCapture<File> {
  const names = nameServers(found, unrelated, topologies);
  const first = primaryByHint(found);
  const servers = found
    .map((server, s): GroupedServer<File> => ({
      name: names[s].name,
      nameFrom: names[s].from,
      ids: server.ids,
      files: server.files,
      events: server.files.reduce((sum, { identity }) => sum + identity.events, 0),
      databases: databasesOf(server, topologies),
      roleHint: s === first ? "primary" : "secondary",
      ...spanOf(server.files.map(({ identity }) => identity)),
    }))
    .sort(byHintAndName);
  const span = spanOf(servers.filter((server) => !isApartByUtc(server, servers[0])));
  const databases = databasesOfAll(servers);
  const group = groupNameOf(
    servers.flatMap(({ ids }) => ids),
    databases.map(({ id }) => id),
    topologies,
  );
  const withoutFile = idsWithoutFile(found).map((id) => ({
    id,
    name: topologyName(id, topologies) ?? shortId(id),
  }));
  return {
    name: captureName(
      servers.map(({ name, nameFrom }) => ({ name, from: nameFrom })),
      group,
      withoutFile.length,
      span,
    ),
    group,
    servers,
    databases,
    withoutFile,
    foreign: false,
    warnings: [...withoutCommonTime(servers), ...twoPrimaries(servers)],
    ...span,
  };
}

/** True where two servers recorded the same log blocks at times that do not overlap: their UTC clocks differ. */
const isApartByUtc = (a: GroupedServer<FileToGroup>, b: GroupedServer<FileToGroup>): boolean =>
  commonTicks(a, b) <= 0n && haveCommonBlocks(a.databases, b.databases);

const byHintAndName = <File extends FileToGroup>(a: GroupedServer<File>, b: GroupedServer<File>): number => {
  if (a.roleHint !== b.roleHint) return a.roleHint === "primary" ? -1 : 1;
  return a.name < b.name ? -1 : 1;
};

/** Index of the server with most events of a primary; -1 where none has one. */
function primaryByHint(servers: readonly ServerFiles<FileToGroup>[]): number {
  const counts = servers.map(({ files }) =>
    files.flatMap(({ identity }) => identity.databases).reduce((sum, d) => sum + d.primaryEvents, 0),
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}

function databasesOf({ files }: ServerFiles<FileToGroup>, topologies: readonly Topology[]): ServerDatabase[] {
  const parts = Map.groupBy(
    files.flatMap(({ identity }) => identity.databases),
    ({ id }) => id,
  );
  return [...parts]
    .map(([id, evidence]) => ({
      id,
      name: databaseName(id, topologies),
      stretches: joinedRolePeriods(evidence.map(({ stretches: periods }) => periods)),
      range: rangeOf(evidence.map(({ range }) => range)),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function databasesOfAll(
  servers: readonly GroupedServer<FileToGroup>[],
): GroupedCapture<FileToGroup>["databases"] {
  const names = new Map(servers.flatMap(({ databases }) => databases.map(({ id, name }) => [id, name])));
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .sort((a, b) => (a.name + a.id < b.name + b.id ? -1 : 1));
}
