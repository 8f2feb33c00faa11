/** Names of servers, databases and availability groups by id: from topologies, or remembered from other captures. */
import type { CaptureFile } from "@aglens/contract";
import type { Topology } from "@aglens/ag-model/replication";
import { identityOfFile } from "./kept-identity.ts";

/** Known names from other captures. */
export interface KnownNames {
  /** Names of servers by availability_replica_id. */
  readonly replicas: ReadonlyMap<string, string>;
  /** Names of databases by group_database_id. */
  readonly databases: ReadonlyMap<string, string>;
  /** Names of availability groups by availability_replica_id. */
  readonly groups: ReadonlyMap<string, string>;
}

type Names = Pick<CaptureFile, "replicaNames" | "databaseNames" | "groupNames">;

/**
 * Event files with the known names for the ids in their events. Topologies of the capture outweigh them
 * (`groupedFiles`).
 * @returns the array itself where no name changes
 */
export function withKnownNames(files: readonly CaptureFile[], known: KnownNames): readonly CaptureFile[] {
  const named = files.map((file) => (file.kind === "xel" ? withNames(file, namesFor(file, known)) : file));
  return named.every((file, i) => file === files[i]) ? files : named;
}

function namesFor(file: CaptureFile, { replicas, databases, groups }: KnownNames): Names {
  const { ownIds, partnerIds, databases: found } = identityOfFile(file);
  const servers = [...new Set([...ownIds, ...partnerIds])];
  return {
    replicaNames: pick(servers, replicas),
    databaseNames: pick(
      found.map(({ id }) => id),
      databases,
    ),
    groupNames: [...new Set(Object.values(pick(servers, groups)))],
  };
}

const pick = (ids: readonly string[], names: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [[id, name]];
    }),
  );

function withNames(file: CaptureFile, names: Names): CaptureFile {
  const { replicaNames, databaseNames, groupNames } = file;
  const isSame = JSON.stringify({ replicaNames, databaseNames, groupNames }) === JSON.stringify(names);
  return isSame ? file : { ...file, ...names };
}

/** The names that a file has, as a topology; null for a file without names. */
export function topologyIn({
  replicaNames = {},
  databaseNames = {},
  groupNames = [],
}: Partial<Names>): Topology | null {
  const [replicas, databases] = [Object.entries(replicaNames), Object.entries(databaseNames)];
  if (replicas.length + databases.length + groupNames.length === 0) return null;
  return {
    replicas: new Map(replicas.map(([id, name]) => [id, { name, commitMode: null }])),
    databases: new Map(databases),
    groups: new Set(groupNames),
  };
}
