/** How tables name replicas. */
import type { CaptureModel } from "../replication/index.ts";

export const namesOf = (model: CaptureModel): string[] => model.replicas.map(({ name }) => name);

/** availability_replica_ids by replica and, in sequence, database: an instance has one in each group. */
export const idsOf = ({ databases, replicas }: CaptureModel): string[] =>
  databases.flatMap(({ replicaIds }) => replicas.map((_, replica) => replicaIds[replica]));

/** Place of a replica's id for a database in `idsOf`. */
export const idIndex = ({ replicas }: CaptureModel, replica: number, database: number): number =>
  database * replicas.length + replica;
