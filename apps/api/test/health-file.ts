/** A file of the session AlwaysOn_health, with the columns that its documents name. */
import { createXelWriter } from "xel-parser/writer";

const text = (name: string) => ({ name, type: "unicode_string" }) as const;
const guid = (name: string) => ({ name, type: "guid" }) as const;
const GROUP_COLUMNS = [guid("availability_group_id"), text("availability_group_name")];
const GROUP_ID = "5f0c21d4-6b1e-4f4e-9d5c-0d0f3c5a7e11";

const SCHEMA = {
  packages: [
    {
      name: "sqlserver",
      id: 2,
      events: [
        { name: "alwayson_ddl_executed", columns: [text("ddl_action"), ...GROUP_COLUMNS, text("statement")] },
        {
          name: "availability_replica_state_change",
          columns: [
            text("previous_state"),
            text("current_state"),
            ...GROUP_COLUMNS,
            guid("availability_replica_id"),
            text("availability_replica_name"),
          ],
        },
      ],
    },
  ],
};

export interface HealthOptions {
  readonly server: string;
  readonly replicaId: string;
  readonly group?: string;
  /** DDL statement. */
  readonly statement?: string;
  /** Events of each type. */
  readonly count?: number;
}

/** Each replica reports its own state. */
export function healthFile({
  server,
  replicaId,
  group = "SALES-AG",
  statement = "ALTER AVAILABILITY GROUP [SALES-AG] FAILOVER",
  count = 1,
}: HealthOptions): Uint8Array {
  const writer = createXelWriter(SCHEMA);
  const ofGroup = { availability_group_id: GROUP_ID, availability_group_name: group };
  for (let i = 1; i <= count; i++) {
    writer.write("availability_replica_state_change", i * 1e7, {
      previous_state: "RESOLVING_NORMAL",
      current_state: "SECONDARY_NORMAL",
      ...ofGroup,
      availability_replica_id: replicaId,
      availability_replica_name: server,
    });
    writer.write("alwayson_ddl_executed", i * 1e7 + 10, { ddl_action: "ALTER", ...ofGroup, statement });
  }
  return writer.finish();
}
