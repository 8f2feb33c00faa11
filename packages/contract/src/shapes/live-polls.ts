/** Results of polling an attached replica. Wall-clock times are UTC, ISO 8601 with `Z`. */
import { us } from "../units.ts";
import { z } from "../zod.ts";

/** One database on one replica, according to the polled server's sys.dm_hadr_database_replica_states. */
export const LiveDatabaseState = z.object({
  database: z.string(),
  /** availability_replica_id, lower case. */
  replicaId: z.string(),
  isLocal: z.boolean(),
  /** synchronization_state_desc: "SYNCHRONIZED", "SYNCHRONIZING", "NOT SYNCHRONIZING", "REVERTING", "INITIALIZING". */
  synchronization: z.string().nullable(),
  suspended: z.boolean(),
  /** suspend_reason_desc, for example "SUSPEND_FROM_USER"; null while it is not suspended. */
  suspendReason: z.string().nullable(),
  sendQueueKb: us,
  /** log_send_rate: KB/s of the last active period, not of the last second. */
  sendKbPerSecond: us,
  redoQueueKb: us,
  /** redo_rate: KB/s while redo was active. */
  redoKbPerSecond: us,
  lagSeconds: us,
  /** Newest commit of the primary less the newest commit of this replica, s; 0 while it is SYNCHRONIZED. */
  dataLossSeconds: us,
});
export type LiveDatabaseState = z.infer<typeof LiveDatabaseState>;

/**
 * Wait types on the path of a commit, and those of resources that the machine lacks (docs/contribute/live-protocol.md
 * 7.3), in the order of their lanes.
 */
export const POLLED_WAIT_TYPES: readonly string[] = [
  "HADR_SYNC_COMMIT",
  "WRITELOG",
  "HADR_GROUP_COMMIT",
  "HADR_SYNCHRONIZING_THROTTLE",
  "HADR_DATABASE_FLOW_CONTROL",
  "HADR_TRANSPORT_FLOW_CONTROL",
  "HADR_LOGPROGRESS_SYNC",
  "HADR_COMPRESSED_CACHE_SYNC",
  "LOGBUFFER",
  "THREADPOOL",
  "SOS_SCHEDULER_YIELD",
  "ASYNC_NETWORK_IO",
  "XE_BUFFERMGR_FREEBUF_EVENT",
];

/** Increases of sys.dm_os_performance_counters over `seconds`; rates are per second. */
export const LiveCounters = z.object({
  seconds: z.number(),
  databases: z.array(
    z.object({
      database: z.string(),
      /** Transaction Delay over Mirrored Write Transactions, ms; null when no such transaction ended. */
      transactionDelayMs: us,
      mirroredPerSecond: us,
      /** Log that a secondary received and redid, bytes. */
      receivedBytesPerSecond: us,
      redoneBytesPerSecond: us,
    }),
  ),
  replicas: z.array(
    z.object({
      /** replica_server_name. */
      name: z.string(),
      sentBytesPerSecond: us,
      /** Flow control: ms of waiting, and how often. */
      flowControlMsPerSecond: us,
      flowControlsPerSecond: us,
    }),
  ),
});
export type LiveCounters = z.infer<typeof LiveCounters>;

/** A session that waited for a commit at the instant of the poll. */
export const LiveWaitingSession = z.object({
  session: z.number(),
  database: z.string(),
  wait: z.string(),
  /** Whole milliseconds, as the server counts them. */
  waitMs: z.number(),
});
export type LiveWaitingSession = z.infer<typeof LiveWaitingSession>;

/** Gauges of one second of one replica. A set that was not answered is null and named in `failures`: a hole, not 0. */
export const LivePoll = z.object({
  replica: z.number(),
  at: z.number(),
  /** Length of the interval the deltas cover, s. */
  seconds: z.number(),
  waits: z
    .array(
      z.object({
        type: z.string(),
        waitMs: z.number(),
        resourceMs: z.number(),
        signalMs: z.number(),
        count: z.number(),
        /** Percent of the waits listed here, 0..100. */
        percent: z.number(),
      }),
    )
    .nullable(),
  /** Log file writes; `word` is the class of ms per write (docs/contribute/design.md 6). */
  logWrites: z
    .array(
      z.object({
        database: z.string(),
        writes: z.number(),
        bytes: z.number(),
        msPerWrite: us,
        word: z.enum(["good", "reasonable", "busy", "bad"]).nullable(),
      }),
    )
    .nullable(),
  /** The primary's view has all replicas, a secondary's only itself. */
  databases: z.array(LiveDatabaseState).nullable(),
  schedulers: z.object({ count: z.number(), runnable: z.number(), runnableMax: z.number() }).nullable(),
  /** Longest first, at most 50; empty on a secondary. */
  waiting: z.array(LiveWaitingSession).nullable(),
  /** Polled every 5 s: null between. */
  counters: LiveCounters.nullable(),
  /** Whether each replica was connected at the last poll of the server, which follows every change of a state. */
  connections: z.array(
    z.object({ replicaId: z.string(), connected: z.boolean().nullable(), lastError: z.string().nullable() }),
  ),
  failures: z.array(z.object({ set: z.string(), detail: z.string() })),
});
export type LivePoll = z.infer<typeof LivePoll>;
