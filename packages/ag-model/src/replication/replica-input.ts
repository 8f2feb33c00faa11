import type { EventColumns } from "../events/index.ts";
import type { Role } from "./tables.ts";

/** One replica's capture. */
export interface ReplicaInput {
  readonly role: Role;
  readonly columns: EventColumns;
  /** Name to show; the topology's or a generic one when absent. */
  readonly name?: string;
  /** availability_replica_id for when no event of these tells it. */
  readonly id?: string;
}
