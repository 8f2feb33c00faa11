import type { EventColumns } from "../events/index.ts";
import type { Role } from "./tables.ts";

/** One replica's capture. */
export interface ReplicaInput {
  readonly role: Role;
  readonly columns: EventColumns;
  /** Name to show; the topology's or a generic one when absent. */
  readonly name?: string;
  /** availability_replica_id, used where no event of these names it. */
  readonly id?: string;
}
