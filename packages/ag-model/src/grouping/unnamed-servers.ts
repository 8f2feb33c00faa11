/**
 * Replica ids of servers that no event names: the remaining ids of the other servers' events (docs/contribute/model/attribution.md
 * 2.5).
 */
import type { Topology } from "../replication/index.ts";
import type { FileToGroup } from "./files.ts";
import { ownFolder, topologyName } from "./names.ts";
import type { ServerFiles } from "./servers.ts";

/** Servers with ids that could be concluded. */
export interface ConcludedServers<File extends FileToGroup> {
  readonly servers: readonly ServerFiles<File>[];
  /** Servers that could be more than one of the replicas that have no file. */
  readonly doubtful: readonly ServerFiles<File>[];
}

/**
 * Assigns the remaining id to a server that no event names: by its name in a topology, or as the only one that is
 * neither another server's nor at its own other end.
 */
export function concludeIds<File extends FileToGroup>(
  servers: readonly ServerFiles<File>[],
  topologies: readonly Topology[],
): ConcludedServers<File> {
  const left = idsWithoutFile(servers);
  const unnamed = servers.filter(({ ids, files }) => ids.length === 0 && namesAGroup(files));
  const concluded = new Map<ServerFiles<File>, string>();
  for (const server of unnamed) {
    const names = [server.given, ownFolder(server, servers)].map((name) => name?.toLowerCase());
    const byName = left.filter((id) => names.includes(topologyName(id, topologies)?.toLowerCase() ?? ""));
    if (byName.length === 1) concluded.set(server, byName[0]);
  }
  const possibleFor = (server: ServerFiles<File>): string[] => {
    const taken = [...concluded.values(), ...partnersOf(server)];
    return left.filter((id) => !taken.includes(id));
  };
  const open = (): ServerFiles<File>[] => unnamed.filter((server) => !concluded.has(server));
  for (let next; (next = onlyPossible(open(), possibleFor)) !== undefined;) concluded.set(...next);
  return {
    servers: servers.map((server) => {
      const id = concluded.get(server);
      return id === undefined ? server : { ...server, ids: [id] };
    }),
    doubtful: open().filter((server) => possibleFor(server).length > 0),
  };
}

/** A server that can be only one replica, which no other server is as certainly. */
function onlyPossible<File extends FileToGroup>(
  open: readonly ServerFiles<File>[],
  possibleFor: (server: ServerFiles<File>) => string[],
): [ServerFiles<File>, string] | undefined {
  const single = open.flatMap((server) => {
    const possible = possibleFor(server);
    return possible.length === 1 ? [{ server, id: possible[0] }] : [];
  });
  const sure = single.find(({ id }) => single.filter((other) => other.id === id).length === 1);
  return sure && [sure.server, sure.id];
}

const namesAGroup = (files: readonly FileToGroup[]): boolean =>
  files.some(({ identity }) => identity.databases.length > 0 || identity.partnerIds.length > 0);

const partnersOf = ({ files }: ServerFiles<FileToGroup>): string[] =>
  files.flatMap(({ identity }) => identity.partnerIds);

/** Replicas at the other end of some server's events that have no file themselves, in ascending order. */
export function idsWithoutFile(servers: readonly ServerFiles<FileToGroup>[]): string[] {
  const own = new Set(servers.flatMap(({ ids }) => ids));
  return [...new Set(servers.flatMap(partnersOf))].filter((id) => !own.has(id)).sort();
}
