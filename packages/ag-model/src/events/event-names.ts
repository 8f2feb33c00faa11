/**
 * SQL Server's names of the events, by the short name under which code joins them (docs/contribute/model/events.md 1.1). They
 * are separate from the facts about each event, so that a page that quotes a name loads no more than names.
 */
export const EventName = {
  commit: "recovery_unit_harden_log_timestamps",
  groupCommit: "hadr_log_block_group_commit",
  pushedToLogPool: "log_block_pushed_to_logpool",
  flushStart: "log_flush_start",
  flushComplete: "log_flush_complete",
  compression: "hadr_log_block_compression",
  capture: "hadr_capture_log_block",
  filestreamWait: "hadr_capture_filestream_wait",
  vlfHeader: "hadr_capture_vlfheader",
  ucsSend: "ucs_connection_send_msg",
  sendComplete: "hadr_log_block_send_complete",
  receiveHarden: "hadr_receive_harden_lsn_message",
  updateHarden: "hadr_db_commit_mgr_update_harden",
  commitManagerHarden: "hadr_db_commit_mgr_harden",
  stillWaiting: "hadr_db_commit_mgr_harden_still_waiting",
  transportReceive: "hadr_transport_receive_log_block_message",
  decompression: "hadr_log_block_decompression",
  apply: "hadr_apply_log_block",
  ackSendComplete: "hadr_lsn_send_complete",
  sendHarden: "hadr_send_harden_lsn_message",
  databaseFlowControl: "hadr_database_flow_control_action",
  transportFlowControl: "hadr_transport_flow_control_action",
  ucsFlowControl: "ucs_connection_flow_control",
  fileWriteEnqueued: "file_write_enqueued",
  fileWriteCompleted: "file_write_completed",
} as const;

/** An event's name without the parts at both ends that all names share, and its mode. */
export const shortNameOfEvent = (name: string, mode: number | null): string =>
  `${name.replace(/^hadr_(transport_)?|_message$|_log_timestamps$/gu, "")}${mode === null ? "" : ` ${mode}`}`;
