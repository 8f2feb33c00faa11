/** Names of servers, databases and captures, each from the best source there is. */
import type { Topology } from "../replication/index.ts";
import type { FileToGroup } from "./files.ts";
import type { ServerFiles } from "./servers.ts";
import { spanText, type TickSpan } from "./time-spans.ts";

/** Where a server's name comes from; "id" is the start of its replica id, "file" its first file's name. */
export type NameSource = "given" | "topology" | "folder" | "id" | "file";

export interface ServerName {
  readonly name: string;
  readonly from: NameSource;
}

/** Digits of a GUID that tell replicas and databases apart on screen. */
const SHORT_ID = 8;

export const shortId = (id: string): string => id.slice(0, SHORT_ID);

/** Name of a replica id in the first topology that has one; undefined where none has. */
export const topologyName = (id: string, topologies: readonly Topology[]): string | undefined =>
  topologies.map(({ replicas }) => replicas.get(id)?.name).find((name) => name !== undefined && name !== "");

/** Name of a database: the topology's, else the start of its group_database_id. */
export const databaseName = (id: string, topologies: readonly Topology[]): string =>
  topologies.map(({ databases }) => databases.get(id)).find((name) => name !== undefined) ??
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
 * The folder or zip that holds this server's files and no other's: the outermost one below what all share, or the
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

const SERVERS_IN_NAME = 4;
const DATABASES_IN_NAME = 2;

function listText(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}

/** `SQL1, SQL2 - Sales - 02:16 to 02:18, 6 May 2016` (UTC); without the databases where no event names one. */
export function captureName(
  servers: readonly string[],
  databases: readonly string[],
  span: TickSpan,
): string {
  const parts = [listText(servers, SERVERS_IN_NAME), listText(databases, DATABASES_IN_NAME), spanText(span)];
  return parts.filter((part) => part !== "").join(" - ");
}
