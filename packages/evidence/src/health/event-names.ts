/**
 * Names of Extended Events that this package reads: those of the sessions that SQL Server and the cluster record
 * themselves, and data-movement events as far as they show the kind of a file.
 */

/** Sessions of data movement have at least one of these, and no other session of SQL Server has any. */
export const MOVEMENT_EVENTS: readonly string[] = [
  "recovery_unit_harden_log_timestamps",
  "hadr_log_block_group_commit",
  "log_block_pushed_to_logpool",
  "log_flush_start",
  "log_flush_complete",
  "hadr_log_block_compression",
  "hadr_capture_log_block",
  "hadr_log_block_send_complete",
  "hadr_receive_harden_lsn_message",
  "hadr_db_commit_mgr_harden",
  "hadr_transport_receive_log_block_message",
  "hadr_log_block_decompression",
  "hadr_apply_log_block",
  "hadr_lsn_send_complete",
  "hadr_send_harden_lsn_message",
];

/** The session AlwaysOn_health. */
export const HealthEvent = {
  replicaState: "availability_replica_state_change",
  managerState: "availability_replica_manager_state_change",
  replicaStateOfDatabase: "availability_replica_database_fault_reporting",
  leaseExpired: "availability_group_lease_expired",
  ddl: "alwayson_ddl_executed",
  synchronization: "hadr_db_partner_set_sync_state",
  failoverCheck: "availability_replica_automatic_failover_validation",
  redoBlocked: "lock_redo_blocked",
} as const;

/** The files that the cluster's resource of a group records (`*_SQLDIAG_*.xel`). */
export const ClusterEvent = {
  groupState: "availability_group_state_change",
  isAliveFailure: "availability_group_is_alive_failure",
  componentHealth: "component_health_result",
  info: "info_message",
} as const;

/** The session system_health. */
export const SystemEvent = {
  component: "sp_server_diagnostics_component_result",
  connectivity: "connectivity_ring_buffer_recorded",
  nonYielding: "scheduler_monitor_non_yielding_ring_buffer_recorded",
  systemHealth: "scheduler_monitor_system_health_ring_buffer_recorded",
  memoryBroker: "memory_broker_ring_buffer_recorded",
  wait: "wait_info",
  waitExternal: "wait_info_external",
} as const;

/** In AlwaysOn_health and in system_health. */
export const ERROR_REPORTED = "error_reported";
