/** Meaning of each event of the catalog for a log block or a commit, in a sentence (docs/contribute/model/events.md 1.1). */

/** By name, and by name and mode where the mode decides. */
const MEANINGS: Readonly<Record<string, string>> = {
  recovery_unit_harden_log_timestamps: "A commit is released; its processing time is the whole of its wait.",
  hadr_log_block_group_commit: "A commit waited until its log block was closed.",
  log_block_pushed_to_logpool: "The block is copied to the log pool.",
  log_flush_start: "The log write of the block begins.",
  log_flush_complete: "The log write of the block is done; its duration is in whole milliseconds.",
  hadr_log_block_compression: "The block is compressed for a secondary.",
  "hadr_capture_log_block 1":
    "Capture of the block for a secondary begins; its processing time includes the wait for a block.",
  "hadr_capture_log_block 2": "The block is copied to the message for a secondary.",
  "hadr_capture_log_block 3": "The message is taken out of the send queue.",
  "hadr_capture_log_block 4": "The message is handed to transport.",
  hadr_capture_filestream_wait: "Capture waited for FILESTREAM data; 0 without any.",
  hadr_capture_vlfheader: "A virtual log file begins; the event names its first block.",
  hadr_log_block_send_complete: "The send of the block to a secondary is done.",
  "hadr_receive_harden_lsn_message 1": "An acknowledgment has arrived from a secondary.",
  "hadr_receive_harden_lsn_message 2":
    "An acknowledgment from a secondary is processed, its arrival (mode 1) included.",
  hadr_db_commit_mgr_harden: "The commit manager lets a commit go; it has no start_timestamp.",
  hadr_db_commit_mgr_harden_still_waiting: "A commit has waited for 2 s.",
  "hadr_transport_receive_log_block_message 1": "The block has arrived on the secondary.",
  "hadr_transport_receive_log_block_message 2":
    "The block is stored on the secondary, its arrival (mode 1) included.",
  hadr_log_block_decompression: "The block is decompressed, or passes that step as it is.",
  hadr_apply_log_block: "The block is appended to the secondary's log; this is not redo.",
  "hadr_send_harden_lsn_message 1": "The acknowledgment is built.",
  "hadr_send_harden_lsn_message 2": "A part of handing the acknowledgment to transport (mode 3).",
  "hadr_send_harden_lsn_message 3": "The acknowledgment is handed to transport.",
  hadr_lsn_send_complete: "The acknowledgment is sent.",
  hadr_database_flow_control_action: "Flow control of the database begins or ends: see control_action.",
  file_write_enqueued: "A write to a file is handed to the operating system.",
  file_write_completed: "A write to a file is done.",
  hadr_transport_flow_control_action: "Flow control of the connection begins or ends: see control_action.",
};

/** Meaning of an event; null for an unknown event or mode. */
export const meaningOfEvent = (name: string, mode: number | null): string | null =>
  MEANINGS[`${name} ${mode}`] ?? MEANINGS[name] ?? null;
