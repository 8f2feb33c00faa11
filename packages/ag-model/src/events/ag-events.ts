/**
 * Fields of each event of the data movement session, by SQL Server's names (docs/contribute/model/events.md 1.1), with types
 * that are assumed (docs/evidence.md 2). The reader uses a file's own types; the types here are for text, which has
 * none, and for files that are written. Newer servers have fields that older ones lack, so a field of a real event may
 * be missing.
 */
import type { TypeName, XelEvent, XelValue } from "xel-parser/format";

const ids = { database_id: "uint32", log_block_id: "uint64" } as const;
const times = { start_timestamp: "int64", processing_time: "int64" } as const;
const totalTimes = { start_timestamp: "int64", total_processing_time: "int64" } as const;
const compression = {
  ...ids,
  uncompressed_size: "uint32",
  availability_replica_id: "guid",
  ...times,
} as const;
const captured = {
  log_block_id: "uint64",
  availability_replica_id: "guid",
  database_replica_id: "guid",
  ...times,
} as const;
const received = {
  log_block_id: "uint64",
  target_availability_replica_id: "guid",
  local_availability_replica_id: "guid",
  database_replica_id: "guid",
} as const;
const commitManager = {
  time_to_commit: "int64",
  replica_id: "guid",
  ag_database_id: "guid",
  group_id: "guid",
  database_id: "uint32",
  commit_policy: { map: "hadr_commit_policy" },
  hardened_log_block: "uint64",
  wait_log_block: "uint64",
  delay: "uint32",
  result: "uint32",
  valid_lease: "boolean",
} as const;

/** The fields of `file_write_*` that are used, and two that say more about the write. */
const fileWrite = { offset: "uint64", database_id: "uint32", file_id: "uint16" } as const;

/** Fields by event, in the order of the payload. A type is a base type's name, or the map that contains its texts. */
export const AG_EVENTS = {
  recovery_unit_harden_log_timestamps: {
    ...ids,
    ...times,
    hadren_log_start_timestamp: "int64",
    log_flush_start_timestamp: "int64",
    participant_harden_start_timestamp: "int64",
    wait_log_flush_start_timestamp: "int64",
  },
  hadr_log_block_group_commit: { ...ids, ...times },
  log_block_pushed_to_logpool: { ...ids, ...times },
  log_flush_start: { ...ids, write_size: "uint32", start_timestamp: "int64" },
  log_flush_complete: {
    database_id: "uint32",
    duration: "int64",
    log_block_id: "uint64",
    write_size: "uint32",
    start_timestamp: "int64",
  },
  hadr_log_block_compression: compression,
  hadr_log_block_decompression: compression,
  hadr_capture_log_block: {
    log_block_id: "uint64",
    log_block_size: "uint32",
    availability_replica_id: "guid",
    database_replica_id: "guid",
    ...times,
    mode: "uint32",
  },
  hadr_capture_filestream_wait: captured,
  hadr_capture_vlfheader: captured,
  hadr_log_block_send_complete: { log_block_id: "uint64", ...totalTimes },
  hadr_lsn_send_complete: {
    has_been_sent: "boolean",
    log_block_id: "uint64",
    ...totalTimes,
    total_sending_time: "int64",
  },
  hadr_receive_harden_lsn_message: { ...received, ...times, mode: "uint32" },
  hadr_transport_receive_log_block_message: {
    ...received,
    availability_group_id: "guid",
    ...times,
    mode: "uint32",
  },
  hadr_apply_log_block: {
    log_block_id: "uint64",
    database_replica_id: "guid",
    ...totalTimes,
    mode: "uint32",
  },
  hadr_send_harden_lsn_message: {
    log_block_id: "uint64",
    availability_replica_id: "guid",
    hadr_database_id: "guid",
    ...times,
    mode: "uint32",
  },
  hadr_db_commit_mgr_harden: commitManager,
  hadr_db_commit_mgr_harden_still_waiting: commitManager,
  hadr_database_flow_control_action: {
    control_action: { map: "hadr_flow_control_action" },
    duration: "int64",
    local_availability_replica_id: "guid",
    database_replica_id: "guid",
  },
  file_write_enqueued: fileWrite,
  file_write_completed: { duration: "uint64", ...fileWrite, size: "uint32" },
} as const satisfies Record<string, Record<string, TypeName | { readonly map: string }>>;

/** Value that the reader returns for a type. */
type ValueOf<T> = T extends "int64" | "uint64"
  ? bigint
  : T extends "uint16" | "uint32"
    ? number
    : T extends "boolean"
      ? boolean
      : string;

/** Fields of each event of the data movement session, by the event's name. */
export type AgEvents = {
  readonly [Name in keyof typeof AG_EVENTS]: {
    readonly [Field in keyof (typeof AG_EVENTS)[Name]]?: ValueOf<(typeof AG_EVENTS)[Name][Field]>;
  };
};

/** An event of a known name: an editor shows the fields it has. */
export type AgEvent<Name extends keyof AgEvents> = Omit<XelEvent, "name" | "fields"> & {
  readonly name: Name;
  readonly fields: AgEvents[Name] & Readonly<Record<string, XelValue | undefined>>;
};

/** Whether an event is of this name; then its fields are typed. */
export function isAgEvent<Name extends keyof AgEvents>(
  event: XelEvent,
  name: Name,
): event is XelEvent & AgEvent<Name> {
  return event.name === name;
}

/** Types of actions that sessions add to their events; text does not show them. */
const ACTIONS: Readonly<Record<string, TypeName>> = {
  attach_activity_id: "activity_id",
  attach_activity_id_xfer: "activity_id_xfer",
  callstack: "callstack",
  client_app_name: "unicode_string",
  client_hostname: "unicode_string",
  database_name: "unicode_string",
  event_sequence: "uint64",
  nt_username: "unicode_string",
  query_hash: "uint64",
  server_instance_name: "unicode_string",
  server_principal_name: "unicode_string",
  session_id: "uint16",
  sql_text: "unicode_string",
  task_address: "ptr",
  username: "unicode_string",
};

/** Type of a known field or action, for text, which does not show it. */
export function agTypeOf(event: string, field: string): TypeName | undefined {
  const fields: Readonly<Record<string, TypeName | { readonly map: string }>> | undefined = Object.hasOwn(
    AG_EVENTS,
    event,
  )
    ? AG_EVENTS[event as keyof typeof AG_EVENTS]
    : undefined;
  if (fields !== undefined && Object.hasOwn(fields, field)) {
    const type = fields[field];
    return typeof type === "string" ? type : "map";
  }
  return Object.hasOwn(ACTIONS, field) ? ACTIONS[field] : undefined;
}
