/** The replicas, databases and files of a model, with the names that are known. */
import { largest, smallest } from "../numbers/index.ts";
import type { CommitMode } from "./commits.ts";
import type { ReplicaInput } from "./replica-input.ts";
import type { LearnedDatabases } from "./databases.ts";
import type { Sorted } from "./sort-out.ts";
import type { AvailabilityDatabase, Replica, Role, SourceFile } from "./tables.ts";
import type { Topology } from "./topology.ts";

/** Number of the first file of each input among all files. */
export function fileBases(given: readonly ReplicaInput[]): number[] {
  let at = 0;
  return given.map(({ columns }) => (at += columns.files.length) - columns.files.length);
}

export const filesOf = ({ columns }: ReplicaInput, replica: number): SourceFile[] =>
  columns.files.map(({ name, size, events, gaps }) => ({ name, size, events, gaps, replica }));

/** The primary first, then the secondaries in the order of `ids`; times µs since `start`. */
export function replicasOf(
  given: readonly ReplicaInput[],
  primary: ReplicaInput | undefined,
  ids: Sorted["ids"],
  modes: readonly CommitMode[],
  fires: readonly Float64Array[],
  start: number,
  topology: Topology | undefined,
): Replica[] {
  const replica = (
    id: string,
    role: Role,
    server: number,
    fallback: string,
    commitMode: CommitMode,
  ): Replica => {
    const input = given[server];
    return {
      id,
      name: input?.name ?? (topology?.replicas.get(id)?.name || fallback),
      role,
      hasCapture: input !== undefined,
      commitMode,
      events: input?.columns.length ?? 0,
      from: input ? smallest(fires[server]) - start : Number.NaN,
      to: input ? largest(fires[server]) - start : Number.NaN,
    };
  };
  const first = primary ? 1 : 0;
  return [
    replica(ids.primary, "primary", primary ? 0 : -1, "Primary", "sync"),
    ...ids.secondaries.map((id, s) => {
      const fallback = ids.secondaries.length === 1 ? "Secondary" : `Secondary ${s + 1}`;
      return replica(id, "secondary", s + first, fallback, modes[s]);
    }),
  ];
}

/** The databases with their id on each replica; -1 where none is known. */
export function databaseList(
  { ids, localIds }: LearnedDatabases,
  servers: number,
  replicas: number,
  first: number,
  topology: Topology | undefined,
): AvailabilityDatabase[] {
  return ids.map((id, d) => ({
    id,
    name: topology?.databases.get(id) ?? (ids.length === 1 ? "Database" : `Database ${d + 1}`),
    localIds: Array.from({ length: replicas }, (_, r) => {
      const server = r - (1 - first);
      return server >= 0 && server < servers ? localIds[d][server] : -1;
    }),
  }));
}
