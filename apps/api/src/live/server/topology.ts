/**
 * Groups, replicas and databases in one server's views, and the views of several servers combined
 * (docs/contribute/live-protocol.md 4).
 */
import type { LiveReplicaProposal } from "@aglens/contract";
import type { Topology } from "@aglens/ag-model/replication";
import type { z } from "zod";
import type { Connection, Row } from "./connection.ts";
import { CLUSTER_REPLICAS, topology } from "./sql.ts";

export type ReplicaProposal = z.infer<typeof LiveReplicaProposal>;

export interface GroupDatabase {
  /** group_database_id, the same on every replica. */
  readonly id: string;
  /** database_id of this server. */
  readonly databaseId: number;
  readonly name: string;
  readonly group: string;
  /** Whether it is the group's own master or msdb. */
  readonly isContainedSystem: boolean;
}

/** Availability groups as one server sees them. */
export interface ServerTopology {
  readonly replicas: readonly ReplicaProposal[];
  readonly databases: readonly GroupDatabase[];
  readonly warnings: readonly string[];
}

/**
 * Asks a server for its groups. Without permission to see definitions, only names of the replicas and the local
 * databases are left, which the views in memory have.
 *
 * @param serverName the server's own name
 * @throws LiveFailure
 */
export async function askTopology(
  connection: Connection,
  major: number,
  serverName: string,
): Promise<ServerTopology> {
  const [groups = [], replicas = [], databases = [], listeners = []] = await connection.query(
    topology(major),
  );
  const known = readTopologySets(groups, replicas, databases, listeners);
  if (known.replicas.length > 0 || groups.length > 0) return known;
  const [names = []] = await connection.query(CLUSTER_REPLICAS);
  return {
    replicas: names.map((row) => namedOnly(row, serverName)),
    databases: localDatabases(databases, () => UNKNOWN_GROUP),
    warnings: names.length > 0 ? [NAMES_ONLY] : [],
  };
}

const NAMES_ONLY =
  "This login can't see definitions. AG Lens has the replicas' names, and not their availability modes. It can't recognize distributed availability groups.";

interface Group {
  readonly name: string;
  readonly isContained: boolean;
}
const UNKNOWN_GROUP: Group = { name: "", isContained: false };

/** Whether a database is the master or msdb of a contained group, which are named by it. */
const isSystemOf = ({ name: group, isContained }: Group, name: string): boolean =>
  isContained && [`${group}_master`, `${group}_msdb`].includes(name);

/**
 * Each local database once: where distributed groups can't be recognized, it has a row in them too.
 * @param groupOf a group by its id; undefined for a group that is excluded
 */
function localDatabases(
  rows: readonly Row[],
  groupOf: (id: string) => Group | undefined,
): ServerTopology["databases"] {
  const all = rows.flatMap((row) => {
    const group = groupOf(textOrEmpty(row["group_id"]));
    if (!isTrue(row["is_local"]) || group === undefined) return [];
    const name = textOrEmpty(row["database_name"]);
    return [
      {
        id: textOrEmpty(row["group_database_id"]).toLowerCase(),
        databaseId: Number(row["database_id"]),
        name,
        group: group.name,
        isContainedSystem: isSystemOf(group, name),
      },
    ];
  });
  return [...new Map(all.map((database) => [database.databaseId, database])).values()];
}

function namedOnly(row: Row, asked: string): ReplicaProposal {
  const serverName = textOrEmpty(row["replica_server_name"]);
  return {
    replicaId: textOrEmpty(row["replica_id"]).toLowerCase(),
    serverName,
    group: "",
    role: "unknown",
    commitMode: "undetermined",
    isThisServer: serverName.toLowerCase() === asked.toLowerCase(),
    connected: null,
  };
}

/** Reads the four result sets of the topology statement. */
export function readTopologySets(
  groups: readonly Row[],
  replicas: readonly Row[],
  databases: readonly Row[],
  listeners: readonly Row[],
): ServerTopology {
  const distributed = groups.filter((group) => isTrue(group["is_distributed"]));
  const own = new Map(
    groups
      .filter((group) => !isTrue(group["is_distributed"]))
      .map((group) => [textOrEmpty(group["group_id"]), group]),
  );
  return {
    replicas: replicas.flatMap((row) => {
      const group = own.get(textOrEmpty(row["group_id"]));
      return group ? [proposal(row, group)] : [];
    }),
    databases: localDatabases(databases, (id) => {
      const group = own.get(id);
      return group && { name: textOrEmpty(group["name"]), isContained: isTrue(group["is_contained"]) };
    }),
    warnings: warningsOn(distributed, [...own.values()], listeners),
  };
}

function proposal(row: Row, group: Row): ReplicaProposal {
  const serverName = textOrEmpty(row["replica_server_name"]);
  return {
    replicaId: textOrEmpty(row["replica_id"]).toLowerCase(),
    serverName,
    group: textOrEmpty(group["name"]),
    role: roleInView(row["role_desc"]) ?? roleByGroup(serverName, textOrEmpty(group["primary_replica"])),
    commitMode: commitModeOf(row["availability_mode"]),
    isThisServer: isTrue(row["is_local"]),
    connected: row["connected_state_desc"] == null ? null : row["connected_state_desc"] === "CONNECTED",
  };
}

/** A role as the views write it; null for RESOLVING and for no role. */
export function roleInView(description: unknown): "primary" | "secondary" | null {
  if (description === "PRIMARY") return "primary";
  return description === "SECONDARY" ? "secondary" : null;
}

/** On a secondary the roles of others follow only from the name of the primary. */
function roleByGroup(serverName: string, primary: string): ReplicaProposal["role"] {
  if (primary === "") return "unknown";
  return serverName.toLowerCase() === primary.toLowerCase() ? "primary" : "secondary";
}

function commitModeOf(mode: unknown): ReplicaProposal["commitMode"] {
  if (mode === 1) return "sync";
  return mode === 0 ? "async" : "undetermined";
}

function warningsOn(distributed: readonly Row[], own: readonly Row[], listeners: readonly Row[]): string[] {
  const warnings = distributed.map(
    (group) =>
      `${textOrEmpty(group["name"])} is a distributed availability group. AG Lens skips its rows and shows its member group on this server.`,
  );
  for (const group of own.filter((each) => isTrue(each["is_contained"]))) {
    const name = textOrEmpty(group["name"]);
    warnings.push(
      `${name} is a contained availability group. Its own ${name}_master and ${name}_msdb are recorded like user databases.`,
    );
  }
  if (own.length > 1) {
    warnings.push(
      `This server is in ${own.length} availability groups (${own.map((group) => textOrEmpty(group["name"])).join(", ")}). All of their databases are recorded. Attach replicas of one group at a time.`,
    );
  }
  for (const { dns_name: name, port } of listeners) {
    warnings.push(
      `${textOrEmpty(name)}${port == null ? "" : `:${Number(port)}`} is a listener: AG Lens reads from the replicas themselves.`,
    );
  }
  return warnings;
}

/**
 * Several servers' topologies in the model's form; a primary's views have priority over a secondary's, which show only
 * itself.
 */
export function mergedTopology(parts: readonly ServerTopology[]): Topology {
  const all = parts.flatMap((part) => part.replicas);
  const replicas = new Map<string, { name: string; commitMode: "sync" | "async" | null }>();
  for (const { replicaId, serverName, commitMode } of all) {
    const known = replicas.get(replicaId);
    const mode = commitMode === "undetermined" ? null : commitMode;
    replicas.set(replicaId, {
      name: serverName || (known?.name ?? ""),
      commitMode: mode ?? known?.commitMode ?? null,
    });
  }
  const databases = new Map(
    parts
      .flatMap((part) => part.databases)
      .filter(({ name }) => name !== "")
      .map(({ id, name }) => [id, name]),
  );
  return { replicas, databases };
}

/** Names of the masters and msdbs of contained groups, each once. */
export function containedSystemDatabases(parts: readonly ServerTopology[]): string[] {
  const names = parts
    .flatMap(({ databases }) => databases)
    .filter(({ isContainedSystem }) => isContainedSystem)
    .map(({ name }) => name);
  return [...new Set(names)];
}

/** The wanted group, where a server has it; otherwise that of most of the servers, the first of several. */
export function commonGroup(parts: readonly ServerTopology[], wanted = ""): string {
  const counts = new Map<string, number>();
  for (const part of parts) {
    for (const { group } of part.replicas.filter((replica) => replica.isThisServer)) {
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return counts.has(wanted) ? wanted : (most?.[0] ?? wanted);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
