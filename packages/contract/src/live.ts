/**
 * What the API and the web app say about attached replicas. Times `at`, `from`, `to` are µs since the run's origin on the
 * primary's clock; instants of the wall are UTC, ISO 8601 with `Z`. Passwords and tokens only ever go in, never out.
 */
import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";
import { shownText } from "./shown-text.ts";
import { z } from "./zod.ts";
import { ClockSummary, Verdict } from "./api.ts";

const us = z.number().nullable();
const name = z.string().trim().min(1).max(128);
const CommitMode = z.enum(["sync", "async", "undetermined"]);

/** Where a replica is; one of port and instance, or neither for 1433. */
export const LiveServer = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9_.:-]+$/u, "A host name or address, without protocol and instance."),
  port: z.number().int().min(1).max(65535).optional(),
  instance: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_$#]{1,64}$/u)
    .optional(),
  /** "required" = TLS 1.2 inside TDS 7; "strict" = TDS 8; "off" sends the password readable by anyone on the way. */
  encryption: z.enum(["required", "strict", "off"]).default("required"),
  /** Trusts any server certificate, also a self-signed one. */
  trustCertificate: z.boolean().default(false),
  /**
   * SHA-256 fingerprint of the one certificate that is accepted though it is signed with SHA-1 or its key is short, as SQL
   * Server 2016 and older make them for themselves; 64 hexadecimal digits. For this server and run, never kept.
   */
  oldCertificate: z
    .string()
    .regex(/^[0-9a-f]{64}$/u)
    .optional(),
  /** Name in the certificate when it is not the host's. */
  certificateName: z.string().trim().max(253).optional(),
  /** PEM of the authority that signed the server's certificate. */
  certificateAuthority: z.string().max(65_536).optional(),
});
export type LiveServer = z.infer<typeof LiveServer>;

export const LiveLogin = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sql"), user: name, password: z.string().max(256) }),
  z.object({ kind: z.literal("ntlm"), domain: name, user: name, password: z.string().max(256) }),
  z.object({ kind: z.literal("entra"), token: z.string().min(1).max(16_384) }),
]);
export type LiveLogin = z.infer<typeof LiveLogin>;

export const LiveCheckRequest = z.object({ server: LiveServer, login: LiveLogin });
export type LiveCheckRequest = z.infer<typeof LiveCheckRequest>;

/** A permission the login lacks, and the statement that gives it. */
export const MissingPermission = z.object({
  permission: z.string(),
  /** What it is for, in a few words. */
  purpose: z.string().default(""),
  /** What does not work without it. */
  consequence: z.string(),
  /** True when the replica cannot be attached without it. */
  blocking: z.boolean(),
  /** To be run in master. */
  grant: z.string(),
});
export type MissingPermission = z.infer<typeof MissingPermission>;

/** A replica that the topology names. */
export const LiveReplicaProposal = z.object({
  /** availability_replica_id, lower case. */
  replicaId: z.string(),
  /** replica_server_name: HOST or HOST\INSTANCE. */
  serverName: z.string(),
  group: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
  /** The server that was asked. */
  isThisServer: z.boolean(),
  connected: z.boolean().nullable(),
});
export type LiveReplicaProposal = z.infer<typeof LiveReplicaProposal>;

/** A session of AG Lens that an earlier run left behind. */
export const LeftoverSession = z.object({
  name: z.string(),
  running: z.boolean(),
  /** UTC of its last start, null when it is stopped. */
  startedAt: z.string().nullable(),
  /** Host that made it, as its name says. */
  host: z.string(),
  ofThisHost: z.boolean(),
  /** Who reads it now, "session 71 from JUMP02": then it is in use and never removed. Null: nobody does. */
  readBy: z.string().nullable().default(null),
});
export type LeftoverSession = z.infer<typeof LeftoverSession>;

/** What a server said before anything was created on it. */
export const LiveCheck = z.object({
  serverName: z.string(),
  productVersion: z.string(),
  edition: z.string(),
  login: z.string(),
  /** Whom the permissions are granted to: the login, or the Windows group by which it comes in. */
  grantee: z.string().default(""),
  hadrEnabled: z.boolean(),
  missing: z.array(MissingPermission),
  replicas: z.array(LiveReplicaProposal),
  databases: z.array(
    z.object({
      id: z.string(),
      databaseId: z.number(),
      name: z.string(),
      group: z.string(),
      /** Whether it is the master or msdb of a contained availability group. */
      isContainedSystem: z.boolean().default(false),
    }),
  ),
  /** Events of the catalogue this version lacks: what rests on them cannot be shown. */
  missingEvents: z.array(z.string()),
  /** Event sessions that run here and could be attached to instead of a new one. */
  sessions: z.array(z.string()),
  leftovers: z.array(LeftoverSession),
  /** Sentences: distributed AG, no start_timestamp, no AG here, ... */
  warnings: z.array(z.string()),
});
export type LiveCheck = z.infer<typeof LiveCheck>;

export const LeftoverRemoval = LiveCheckRequest.extend({ names: z.array(name).min(1).max(100) });
export const LeftoverRemovalResult = z.object({ removed: z.array(z.string()) });

/** A session that a run could not drop; it is tried again while the API lives, and known after a restart. */
export const LiveLeftSession = z.object({
  id: z.string(),
  /** The server as it calls itself. */
  server: z.string(),
  session: z.string(),
  /** Why it is still there, as a sentence. */
  problem: z.string(),
  tries: z.number(),
  /** Seconds until the next try; null while it is tried and when it is not tried again. */
  retryIn: z.number().nullable(),
  isTriedAgain: z.boolean(),
  /** What drops it by hand. */
  sql: z.string(),
  /** Whether the person who asks may take it off the list: who left it, an admin, and anyone where nobody signs in. */
  mayForget: z.boolean(),
});
export const LiveLeftSessions = z.object({ sessions: z.array(LiveLeftSession) });

/** A replica to attach to, at the beginning of a run or later. */
export const NewLiveReplica = z.object({
  server: LiveServer,
  login: LiveLogin,
  /** An existing, started session to read from; a new one is made (and dropped at the end) when absent. */
  session: name.optional(),
  /** Records the log of every user database, also of those in no group; otherwise only availability databases. */
  everyDatabase: z.boolean().default(false),
  /** replica_server_name, where the replica was chosen by it: its name until its server answers. */
  serverName: z.string().trim().max(256).default(""),
});
export type NewLiveReplica = z.infer<typeof NewLiveReplica>;

export const NewLiveRun = z.object({
  title: shownText(120).default("Live"),
  replicas: z.array(NewLiveReplica).min(1).max(9),
  /** Leaves out the events that fire once per commit. */
  withoutCommits: z.boolean().default(false),
  /** Minutes after which it stops and is kept; null: only when somebody stops it. */
  stopAfterMinutes: z.number().min(1).max(1440).nullable().default(null),
});
export type NewLiveRun = z.infer<typeof NewLiveRun>;

/** `id` opens the view read-only for whoever has it; `control` is needed to stop, mark and keep it alive, and is given once. */
export const LiveRunCreated = z.object({ id: z.string(), control: z.string() });
export type LiveRunCreated = z.infer<typeof LiveRunCreated>;

export const LIVE_SESSION_STEPS = ["connecting", "created", "started", "reading", "dropped"] as const;

/** One replica of a run: how far its session is and what was lost, by whom. */
export const LiveReplica = z.object({
  /** Index in the request; the same through the whole run. */
  index: z.number(),
  name: z.string(),
  replicaId: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
  /** "waiting" = the connection is lost and is tried again; "failed" = not attached, see `problem`. */
  state: z.enum([...LIVE_SESSION_STEPS, "waiting", "failed"]),
  /** Furthest step reached by its present session. */
  step: z.enum(LIVE_SESSION_STEPS),
  session: z.string(),
  /** False for a session that the user named: it is never stopped or dropped. */
  ownSession: z.boolean(),
  events: z.number(),
  eventsPerSecond: z.number(),
  bytes: z.number(),
  /** dropped_event_count of the session: events that its full buffers had no room for. */
  droppedByServer: z.number(),
  /** dropped_buffer_count of the session: whole buffers with all their events, whose number nobody counts. */
  buffersDroppedByServer: z.number().default(0),
  /** Buffers that AG Lens let go because it could not keep up. */
  droppedByUs: z.number(),
  /** Times the server disconnected the reader (25726). */
  disconnects: z.number(),
  /** Buffers that wait for the decoder, and how old the newest decoded event is, s. */
  buffersBehind: z.number(),
  behindSeconds: us,
  /** The largest age at which an event of it came in the last minute that waited for no other row, s; null where there was none. */
  lateSeconds: us.default(null),
  /** The largest age of rows that waited for each other in the last minute, in the server's output buffer or on the way, s; null: none did. */
  waitedSeconds: us.default(null),
  /** After so long its session hands over what it holds, s; null for one that hands over full buffers only. */
  dispatchSeconds: us.default(null),
  /** Where it was last heard when it is not waited for any more, µs of the run; null while it is. */
  unheardSince: us.default(null),
  /** Events that came after their blocks were closed: the picture lacks them, the capture has them. */
  eventsTooLate: z.number().default(0),
  /** Buffers that did not decode. */
  undecoded: z.number(),
  /** A sentence with what to do, and the statement that helps. */
  problem: z.object({ code: z.string(), detail: z.string(), sql: z.string().nullable() }).nullable(),
  /** Seconds until the next try to connect. */
  retryIn: us,
});
export type LiveReplica = z.infer<typeof LiveReplica>;

/** Time in which a replica could not be read. */
export const LiveGap = z.object({
  replica: z.number(),
  from: z.number(),
  /** Null while it lasts. */
  to: us,
  reason: z.enum(["connection", "disconnectedByServer", "droppedByServer", "droppedByUs", "sessionStopped"]),
  message: z.string(),
});
export type LiveGap = z.infer<typeof LiveGap>;

/** A lane of the live picture; keys are those of the timeline: "commit", "localFlush", "hop0.wireOut", ... */
export const LiveLane = z.object({
  key: z.string(),
  label: z.string(),
  /** "NODE1, primary", above the first lane of a place. */
  heading: z.string(),
  place: z.enum(["primary", "network", "secondary", "unknown"]),
  /** -1 on the primary, else the secondary's index: the number in its lanes' keys and in `shares`. */
  secondary: z.number(),
  /** Index in `replicas` of the secondary whose events the lane needs besides the primary's; -1 for none. */
  replica: z.number().default(-1),
  /** Of the lane's secondary; "undetermined" on the primary. */
  commitMode: CommitMode.default("undetermined"),
});
export type LiveLane = z.infer<typeof LiveLane>;

/** Equal-width bins of all lanes; a client replaces what it has from `firstBin` on. Arrays run from `firstBin`. */
export const LiveBins = z.object({
  /** µs. */
  width: z.number(),
  firstBin: z.number(),
  count: z.array(z.number()),
  /** µs by lane key; null where nothing finished. */
  p50: z.record(z.string(), z.array(us)),
  max: z.record(z.string(), z.array(us)),
});
export type LiveBins = z.infer<typeof LiveBins>;

/** One database on one replica, as the polled server's sys.dm_hadr_database_replica_states has it. */
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

/** Wait types of the path of a commit, and what the machine itself lacks (docs/live.md 7.3), in the order of their lanes. */
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

/** What sys.dm_os_performance_counters added up over `seconds`; rates are per second. */
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
        /** Of the waits listed here, 0..100. */
        percent: z.number(),
      }),
    )
    .nullable(),
  /** Log file writes; `word` is the class of ms per write (docs/design.md 6). */
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
  /** Asked every 5 s: null between. */
  counters: LiveCounters.nullable(),
  /** Whether each replica was connected when the polled server was last asked, which is after every change of a state. */
  connections: z.array(
    z.object({ replicaId: z.string(), connected: z.boolean().nullable(), lastError: z.string().nullable() }),
  ),
  failures: z.array(z.object({ set: z.string(), detail: z.string() })),
});
export type LivePoll = z.infer<typeof LivePoll>;

/** A replica of the group that the topology names and this run does not read. */
export const LiveKnownReplica = z.object({
  replicaId: z.string(),
  name: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
});
export type LiveKnownReplica = z.infer<typeof LiveKnownReplica>;

/** A figure over as long as `judged`, with what it was over 30 s, one value per second. */
export const LiveReadout = z.object({
  key: z.string(),
  label: z.string(),
  lane: z.string(),
  /** Null while a replica whose events it needs is not heard. */
  value: us,
  /** Up to where those were heard whose events it needs. */
  heardTo: us,
  spark: z.array(us),
});
export type LiveReadout = z.infer<typeof LiveReadout>;

export const LiveMark = z.object({
  at: z.number(),
  label: z.string(),
  /** A rule put it there, not a person. */
  byRule: z.boolean().default(false),
});

/** A stretch of the run. */
export const LiveStretch = z.object({ from: z.number(), to: z.number() });

/** A stretch of the run in which other replicas had the roles, with the lanes as they were named then. */
export const LivePhase = LiveStretch.extend({
  /** Index in `replicas` of the primary of that time; -1 when it was not attached. */
  primary: z.number(),
  lanes: z.array(LiveLane),
});
export type LivePhase = z.infer<typeof LivePhase>;

/** What changed, sent about once a second; the first one a client gets holds the whole recent picture. */
export const LivePicture = z.object({
  sequence: z.number(),
  state: z.enum(["attaching", "running", "stopping", "stopped"]),
  title: z.string(),
  /** UTC of time 0. */
  origin: z.string(),
  /** The primary's time now, as well as it is known. */
  now: z.number(),
  replicas: z.array(LiveReplica),
  /** Replicas of the group that are known and not attached. */
  unattached: z.array(LiveKnownReplica),
  lanes: z.array(LiveLane),
  /** Earlier phases, oldest first; roles changed at the end of each. */
  phases: z.array(LivePhase),
  /** Per replica index: newest instant that was decoded; lanes of it end there. */
  decodedTo: z.array(us),
  bins: LiveBins.nullable(),
  /** Whole run in wider bins; only in the first picture of a client and then once per bin. */
  overview: LiveBins.nullable(),
  /** Percentiles of the blocks in `judged`, by lane key. */
  figures: z.record(z.string(), z.object({ n: z.number(), p50: us, p95: us, max: us })),
  /** Share of remote harden by stage id, 0..1, per secondary. */
  shares: z.array(z.partialRecord(z.enum(REMOTE_STAGE_IDS), z.number())),
  readouts: z.array(LiveReadout),
  verdict: Verdict.nullable(),
  /** The blocks that the verdict's headline is about. */
  judged: LiveStretch.nullable(),
  clocks: z.array(ClockSummary),
  blocksPerSecond: us,
  commitsPerSecond: us,
  polls: z.array(LivePoll),
  gaps: z.array(LiveGap),
  marks: z.array(LiveMark),
  /** Names of the databases whose log was seen. */
  databases: z.array(z.string()).default([]),
  /** Names of masters and msdbs of contained availability groups, as far as they are known. */
  containedSystemDatabases: z.array(z.string()).default([]),
  /**
   * The one database that lanes, figures and verdict are of, as the client asked for it; null: all. Roles, polls, gaps, marks
   * and clocks are always of the whole run.
   */
  database: z.string().nullable().default(null),
  /**
   * What the picture holds in memory: `seconds` back from now of log blocks (null before the first), and bytes. Above `limit`
   * they reach less far back; what was read is on disk all the same.
   */
  memory: z.object({ bytes: z.number(), limit: z.number(), seconds: z.number().nullable() }),
  /** Bytes kept on disk for the capture, and what the oldest were given up for. */
  /** `droppedBytes` of the oldest were given up for the limit, `lostBytes` came while the disk was full or too slow. */
  kept: z.object({ bytes: z.number(), limit: z.number(), droppedBytes: z.number(), lostBytes: z.number() }),
  /** The capture the run became; null until then or when discarded. */
  captureId: z.string().nullable(),
  /** UTC at which the run stops by itself; null = it does not. */
  stopsAt: z.string().nullable(),
  /** Sentences about the end: "Session X was dropped on SQL1 and is gone." */
  endings: z.array(z.string()),
});
export type LivePicture = z.infer<typeof LivePicture>;

/** `db`: name of the one database that lanes, figures and verdict of the pictures shall be of. */
export const LiveFollow = z.object({ db: z.string().min(1).max(128).optional() });
export const LiveStop = z.object({ keep: z.boolean() });
/** Text of the request of a session that waits; null when it has none now. Asked for by a click, and not kept. */
export const LiveLastStatement = z.object({ text: z.string().nullable() });
export const LiveStopped = z.object({ captureId: z.string().nullable() });
export const NewLiveMark = z.object({
  label: z.string().trim().max(80).default(""),
  byRule: z.boolean().default(false),
});
/** Minutes back from now that become a capture while the run goes on. */
export const LiveKeepLast = z.object({ minutes: z.number().min(1).max(60) });
/** Minutes from now after which the run stops and is kept; null = only when somebody stops it. */
export const LiveStopAfter = z.object({ minutes: z.number().min(1).max(1440).nullable() });
/** Whether this API may attach, and where to. */
export const LiveAllowance = z.object({
  enabled: z.boolean(),
  /** Why not, or which hosts. */
  reason: z.string(),
  anyHost: z.boolean(),
});
