/** Names of servers, databases and captures, each from the best available source. */
import { plural } from "../words/words.ts";
import type { Topology } from "../replication/index.ts";
import type { FileToGroup } from "./files.ts";
import type { ServerFiles } from "./servers.ts";
import { dayText, minuteText, type TickSpan } from "./time-spans.ts";

/** Source of a server's name; "id" is the start of its replica id, "file" its first file's name. */
export type NameSource = "given" | "topology" | "folder" | "id" | "file";

export interface ServerName {
  readonly name: string;
  readonly from: NameSource;
}

/** Digits of a GUID that distinguish replicas and databases on screen. */
const SHORT_ID = 8;

export const shortId = (id: string): string => id.slice(0, SHORT_ID);

/** Name of a replica id in the last topology that has one, as in `mergeTopologies`; undefined without one. */
export const topologyName = (id: string, topologies: readonly Topology[]): string | undefined =>
  topologies
    .map(({ replicas }) => replicas.get(id)?.name)
    .findLast((name) => name !== undefined && name !== "");

/** Name of a database: the last topology's, else the start of its group_database_id. */
export const databaseName = (id: string, topologies: readonly Topology[]): string =>
  topologies.map(({ databases }) => databases.get(id)).findLast((name) => name !== undefined) ??
  `database ${shortId(id)}`;

/**
 * The best name of each server of a capture; the second of two equal names gets a number.
 * @param unrelated servers of other availability groups, whose folders name none of these
 */
export function nameServers<File extends FileToGroup>(
  servers: readonly ServerFiles<File>[],
  unrelated: readonly ServerFiles<File>[],
  topologies: readonly Topology[],
): ServerName[] {
  const taken = new Map<string, number>();
  return servers.map((server) => {
    const best = bestName(server, servers, unrelated, topologies);
    const count = (taken.get(best.name) ?? 0) + 1;
    taken.set(best.name, count);
    return count === 1 ? best : { ...best, name: `${best.name} (${count})` };
  });
}

function bestName<File extends FileToGroup>(
  server: ServerFiles<File>,
  servers: readonly ServerFiles<File>[],
  unrelated: readonly ServerFiles<File>[],
  topologies: readonly Topology[],
): ServerName {
  if (server.given !== null) return { name: server.given, from: "given" };
  const known = server.ids.map((id) => topologyName(id, topologies)).find((name) => name !== undefined);
  if (known !== undefined) return { name: known, from: "topology" };
  const folder = ownFolder(server, servers, unrelated);
  if (folder !== undefined) return { name: folder, from: "folder" };
  const [id] = server.ids;
  return id === undefined ? { name: server.files[0].name, from: "file" } : { name: shortId(id), from: "id" };
}

/**
 * The folder or zip that contains this server's files and no other's: the outermost one below the common folder, or the
 * innermost for a server alone. A zip's name counts without its extension.
 */
export function ownFolder<File extends FileToGroup>(
  server: ServerFiles<File>,
  servers: readonly ServerFiles<File>[],
  unrelated: readonly ServerFiles<File>[] = [],
): string | undefined {
  const own = commonFolders(server.files);
  const others = [...servers, ...unrelated].filter((other) => other !== server).flatMap(({ files }) => files);
  const shared = Math.max(0, ...others.map((file) => commonLength(own, foldersOf(file))));
  const at = servers.length > 1 ? shared : Math.max(shared, own.length - 1);
  return own[at]?.replace(/\.zip$/iu, "");
}

const foldersOf = ({ folder }: FileToGroup): string[] => (folder === "" ? [] : folder.split("/"));

function commonFolders(files: readonly FileToGroup[]): string[] {
  return files.map(foldersOf).reduce((a, b) => a.slice(0, commonLength(a, b)));
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((part, i) => part !== b[i]);
  return end === -1 ? a.length : end;
}

/** Servers that a capture's name lists. */
const SERVERS_IN_NAME = 2;

/**
 * `AG14 · 6 May 2016, 02:16 UTC`: the availability group, else its servers, and the minute of the first event. Ids are
 * no names: servers with only an id are counted.
 * @param servers the primary first
 * @param group its name; null where unknown
 * @param withoutFile how many other replicas the events name
 */
export function captureName(
  servers: readonly ServerName[],
  group: string | null,
  withoutFile: number,
  { fromTicks }: TickSpan,
): string {
  const whose = group ?? serversText(servers, withoutFile);
  return `${whose} · ${dayText(fromTicks)}, ${minuteText(fromTicks)} UTC`;
}

/** Sources of a name that users recognize. */
const isKnown = (from: string): boolean => from !== "id" && from !== "file" && from !== "role";

/** `SQL1, SQL2`, `SQL1 and 3 more`, or `2 replicas` where no server has a name. @param withoutFile as of `captureName` */
export function serversText(
  servers: readonly { readonly name: string; readonly from: string }[],
  withoutFile: number,
): string {
  const known = servers.filter(({ from }) => isKnown(from)).map(({ name }) => name);
  const count = servers.length + withoutFile;
  if (known.length === 0) return plural(count, "# replica");
  const shown = servers.length > SERVERS_IN_NAME ? known.slice(0, 1) : known;
  const more = servers.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/**
 * Name of a capture's availability group: of the last topology that contains all of its servers, else of all that
 * contain one of its servers or databases, or of all where no event shows an id; null where those have several names,
 * or none.
 * @param servers availability_replica_ids @param databases group_database_ids, empty ones in files of earlier versions
 */
export function groupNameOf(
  servers: readonly string[],
  databases: readonly string[],
  topologies: readonly Topology[],
): string | null {
  const isIdless = servers.length === 0 && databases.every((id) => id === "");
  const named = topologies.filter(
    (topology) =>
      isIdless ||
      servers.some((id) => topology.replicas.has(id)) ||
      databases.some((id) => topology.databases.has(id)),
  );
  const last = named.findLast(
    ({ replicas, groups = new Set() }) =>
      groups.size > 0 && servers.length > 0 && servers.every((id) => replicas.has(id)),
  );
  const [name = null, ...others] = new Set(
    (last === undefined ? named : [last]).flatMap(({ groups = [] }) => [...groups]),
  );
  return others.length > 0 ? null : name;
}
