/** States of databases, roles and connections of replicas, as the views of one server have them. */
import type { LiveDatabaseState, LivePoll } from "@aglens/contract";
import type { Row } from "../server/connection.ts";
import type { LogFileId } from "../server/poll-sql.ts";
import { roleInView } from "../server/topology.ts";
import { guidIn, isTrue, numberOrNull, textOrNull } from "./poll-values.ts";

/** A local replica and its role now; null while it is being decided. */
export interface LocalRole {
  readonly replicaId: string;
  readonly groupId: string;
  readonly role: "primary" | "secondary" | null;
}

/** @param names by group_database_id */
export function databaseStates(
  rows: readonly Row[],
  names: ReadonlyMap<string, string>,
): LiveDatabaseState[] {
  const newest = new Map(
    rows.filter((row) => isTrue(row["is_primary_replica"])).map((row) => [databaseId(row), commitMs(row)]),
  );
  return rows.map((row) => {
    const synchronization = textOrNull(row["synchronization_state_desc"]);
    const suspended = isTrue(row["is_suspended"]);
    return {
      database: names.get(databaseId(row)) ?? databaseId(row),
      replicaId: guidIn(row["replica_id"]),
      isLocal: isTrue(row["is_local"]),
      synchronization,
      suspended,
      suspendReason: suspended ? textOrNull(row["suspend_reason_desc"]) : null,
      sendQueueKb: numberOrNull(row["log_send_queue_size"]),
      sendKbPerSecond: numberOrNull(row["log_send_rate"]),
      redoQueueKb: numberOrNull(row["redo_queue_size"]),
      redoKbPerSecond: numberOrNull(row["redo_rate"]),
      lagSeconds: numberOrNull(row["secondary_lag_seconds"]),
      dataLossSeconds: isTrue(row["is_primary_replica"])
        ? null
        : lossSeconds(synchronization, newest.get(databaseId(row)) ?? Number.NaN, commitMs(row)),
    };
  });
}

/** No data is lost with a SYNCHRONIZED secondary; otherwise the documented difference of the newest commits. */
function lossSeconds(synchronization: string | null, primaryMs: number, ownMs: number): number | null {
  if (synchronization === "SYNCHRONIZED") return 0;
  const lost = (primaryMs - ownMs) / 1000;
  return Number.isNaN(lost) ? null : Math.max(0, lost);
}

const databaseId = (row: Row): string => guidIn(row["group_database_id"]);

/** last_commit_time, in the local time of the primary: only differences mean something. */
function commitMs(row: Row): number {
  const text = textOrNull(row["last_commit_time"]);
  return text === null ? Number.NaN : Date.parse(`${text}Z`);
}

/** A text that changes with roles, states and the set of databases; queues do not change it. */
export function topologySignature(rows: readonly Row[]): string {
  return rows
    .map((row) =>
      [
        guidIn(row["replica_id"]),
        databaseId(row),
        isTrue(row["is_primary_replica"]),
        textOrNull(row["synchronization_state_desc"]),
        isTrue(row["is_suspended"]),
      ].join(" "),
    )
    .toSorted()
    .join("\n");
}

/** Which databases the server has of its groups. */
export function localSignature(rows: readonly Row[]): string {
  return rows
    .filter((row) => isTrue(row["is_local"]))
    .map((row) => `${databaseId(row)} ${Number(row["database_id"])}`)
    .toSorted()
    .join("\n");
}

/** Local replicas and their roles. */
export function localRoles(states: readonly Row[]): LocalRole[] {
  return states
    .filter((row) => isTrue(row["is_local"]))
    .map((row) => ({
      replicaId: guidIn(row["replica_id"]),
      groupId: guidIn(row["group_id"]),
      role: roleInView(row["role_desc"]),
    }));
}

/** Whether replicas are connected to this server, and why not. */
export function connectionsIn(states: readonly Row[]): LivePoll["connections"] {
  return states
    .filter((row) => !isTrue(row["is_local"]))
    .map((row) => {
      const state = textOrNull(row["connected_state_desc"]);
      const connected = state === null ? null : state === "CONNECTED";
      return {
        replicaId: guidIn(row["replica_id"]),
        connected,
        lastError: connected === true ? null : textOrNull(row["last_connect_error_description"]),
      };
    });
}

/** File 2 is the first log file; the list of files may be empty for a login without permission to see definitions. */
const FIRST_LOG_FILE = 2;

/** Log files of the local databases, each once. */
export function logFileIds(databases: readonly Row[], files: readonly Row[]): LogFileId[] {
  return [...new Set(databases.map((row) => Number(row["database_id"])))].flatMap((id) => {
    const own = files.filter((file) => Number(file["database_id"]) === id);
    const fileIds = own.length === 0 ? [FIRST_LOG_FILE] : own.map((file) => Number(file["file_id"]));
    return fileIds.map((fileId) => ({ databaseId: id, fileId }));
  });
}
