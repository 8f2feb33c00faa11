/**
 * Picture of a live run. Times `at`, `from`, `to` are µs since the run's origin on the primary's clock; wall-clock
 * times are UTC, ISO 8601 with `Z`.
 */
import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";
import { FailoverCause, HappenedEvent } from "./evidence.ts";
import { LivePoll } from "./live-polls.ts";
import { ClockSummary, UtcOffset } from "./summary.ts";
import { CommitMode, us } from "../units.ts";
import { Verdict } from "./verdict.ts";
import { z } from "../zod.ts";

export const LIVE_SESSION_STEPS = ["connecting", "created", "started", "reading", "dropped"] as const;

/** Reading of AlwaysOn_health of a replica, which a user switches on. */
export const LiveHealth = z.object({
  state: z.enum(["off", "reading", "failed"]),
  /** A sentence with the next step, and a statement that helps. */
  problem: z.object({ detail: z.string(), sql: z.string().nullable() }).nullable(),
  /** Age of the newest answer, s; null before the first one. */
  readSeconds: us,
  /** Whether an answer was full, so that events are missing. */
  isCut: z.boolean(),
});
export type LiveHealth = z.infer<typeof LiveHealth>;

/** One replica of a run: the progress of its session, and losses by their cause. */
export const LiveReplica = z.object({
  /** Index in the request; constant during the run. */
  index: z.number(),
  name: z.string(),
  replicaId: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
  /** Minutes that its clock was ahead of UTC when it was attached; absent while that is unknown. */
  utcOffsetMinutes: UtcOffset.optional(),
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
  /**
   * dropped_buffer_count of the session: complete buffers with all their events; the number of these events is unknown.
   */
  buffersDroppedByServer: z.number().default(0),
  /** Buffers that AG Lens dropped because it could not keep up. */
  droppedByUs: z.number(),
  /** Times the server disconnected the reader (25726). */
  disconnects: z.number(),
  /** Buffers that wait for the decoder, and how old the newest decoded event is, s. */
  buffersBehind: z.number(),
  behindSeconds: us,
  /**
   * The largest age of an event of it that arrived in the last minute and waited for no other row, s; null without such
   * an event.
   */
  lateSeconds: us.default(null),
  /**
   * The largest age of rows that waited for each other in the last minute, in the server's output buffer or on the way,
   * s; null without such rows.
   */
  waitedSeconds: us.default(null),
  /** Longest time until its session dispatches its buffer, s; null for one that dispatches full buffers only. */
  dispatchSeconds: us.default(null),
  /** Time of its last events when the run no longer waits for it, µs of the run; null while the run waits. */
  unheardSince: us.default(null),
  /** Events that arrived after their blocks were closed: the picture lacks them, the capture has them. */
  eventsTooLate: z.number().default(0),
  /** Buffers that did not decode. */
  undecoded: z.number(),
  /** A sentence with the next step, and a statement that helps. */
  problem: z.object({ code: z.string(), detail: z.string(), sql: z.string().nullable() }).nullable(),
  /** Seconds until the next try to connect. */
  retryIn: us,
  health: LiveHealth.default({ state: "off", problem: null, readSeconds: null, isCut: false }),
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

/** A lane of the live picture; keys equal those of the timeline: "commit", "localFlush", "hop0.wireOut", ... */
export const LiveLane = z.object({
  key: z.string(),
  label: z.string(),
  /** "NODE1, primary", above the first lane of a place. */
  heading: z.string(),
  place: z.enum(["primary", "network", "secondary", "unknown"]),
  /** -1 on the primary, otherwise the secondary's index: the number in its lanes' keys and in `shares`. */
  secondary: z.number(),
  /** Index in `replicas` of the secondary whose events the lane needs in addition to the primary's; -1 for none. */
  replica: z.number().default(-1),
  /** Availability mode of the lane's secondary; "undetermined" on the primary. */
  commitMode: CommitMode.default("undetermined"),
});
export type LiveLane = z.infer<typeof LiveLane>;

/** Equal-width bins of all lanes; a client replaces its bins from `firstBin` on. Arrays run from `firstBin`. */
export const LiveBins = z.object({
  /** µs. */
  width: z.number(),
  firstBin: z.number(),
  count: z.array(z.number()),
  /** µs by lane key; null where no block finished. */
  p50: z.record(z.string(), z.array(us)),
  max: z.record(z.string(), z.array(us)),
});
export type LiveBins = z.infer<typeof LiveBins>;

/** A replica of the group that the topology names and this run does not read. */
export const LiveKnownReplica = z.object({
  replicaId: z.string(),
  name: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
});
export type LiveKnownReplica = z.infer<typeof LiveKnownReplica>;

/** A figure over the period of `judged`, with its values over 30 s, one value per second. */
export const LiveReadout = z.object({
  key: z.string(),
  label: z.string(),
  lane: z.string(),
  /** Null while no events arrive from a replica that it needs. */
  value: us,
  /** Time up to which events of the needed replicas have arrived. */
  heardTo: us,
  spark: z.array(us),
});
export type LiveReadout = z.infer<typeof LiveReadout>;

export const LiveMark = z.object({
  at: z.number(),
  label: z.string(),
  /** True for a mark of a rule, false for a mark of a person. */
  byRule: z.boolean().default(false),
});

/** A period of the run. */
export const LivePeriod = z.object({ from: z.number(), to: z.number() });

/** A period of the run in which other replicas had the roles, with the lanes under their names at that time. */
export const LivePhase = LivePeriod.extend({
  /** Index in `replicas` of the primary of that time; -1 when it was not attached. */
  primary: z.number(),
  lanes: z.array(LiveLane),
});
export type LivePhase = z.infer<typeof LivePhase>;

/**
 * Changes of the picture, sent about once a second; the first one that a client gets contains the complete recent
 * picture.
 */
export const LivePicture = z.object({
  sequence: z.number(),
  state: z.enum(["attaching", "running", "stopping", "stopped"]),
  title: z.string(),
  /** UTC of time 0. */
  origin: z.string(),
  /** Estimate of the primary's current time. */
  now: z.number(),
  replicas: z.array(LiveReplica),
  /** Known replicas of the group that are not attached. */
  unattached: z.array(LiveKnownReplica),
  lanes: z.array(LiveLane),
  /** Earlier phases, oldest first; roles changed at the end of each. */
  phases: z.array(LivePhase),
  /** Per replica index: newest decoded instant; its lanes end there. */
  decodedTo: z.array(us),
  bins: LiveBins.nullable(),
  /** Entire run in wider bins; only in the first picture of a client and then once per bin. */
  overview: LiveBins.nullable(),
  /** Percentiles of the blocks in `judged`, by lane key. */
  figures: z.record(z.string(), z.object({ n: z.number(), p50: us, p95: us, max: us })),
  /** Share of remote harden by stage id, 0..1, per secondary. */
  shares: z.array(z.partialRecord(z.enum(REMOTE_STAGE_IDS), z.number())),
  readouts: z.array(LiveReadout),
  verdict: Verdict.nullable(),
  /** The blocks that the verdict's headline is about. */
  judged: LivePeriod.nullable(),
  clocks: z.array(ClockSummary),
  blocksPerSecond: us,
  commitsPerSecond: us,
  polls: z.array(LivePoll),
  gaps: z.array(LiveGap),
  marks: z.array(LiveMark),
  /**
   * Events of the last 5 min by time, from the polls and from AlwaysOn_health where a user switched that on: role changes,
   * synchronization states, suspension, and all that the session records. Each is there once, with all its sources.
   */
  happened: z.array(HappenedEvent).default([]),
  /** Failovers among these events, with their cause as far as the events show it. */
  failovers: z.array(FailoverCause).default([]),
  /** Whether AlwaysOn_health is read. */
  readsHealth: z.boolean().default(false),
  /** Names of the databases with events of their log. */
  databases: z.array(z.string()).default([]),
  /** Names of the known masters and msdbs of contained availability groups. */
  containedSystemDatabases: z.array(z.string()).default([]),
  /**
   * The one database of lanes, figures and verdict, as the client requested it; null: all. Roles, polls, gaps, marks
   * and clocks always cover the entire run.
   */
  database: z.string().nullable().default(null),
  /**
   * Log blocks that the picture keeps in memory: `seconds` back from now (null before the first block), and bytes.
   * Above `limit` the period is shorter; all data that was read is on disk anyway.
   */
  memory: z.object({ bytes: z.number(), limit: z.number(), seconds: z.number().nullable() }),
  /**
   * Bytes kept on disk for the capture. `droppedBytes`: oldest bytes that were given up for the limit; `lostBytes`:
   * bytes that arrived while the disk was full or too slow.
   */
  kept: z.object({ bytes: z.number(), limit: z.number(), droppedBytes: z.number(), lostBytes: z.number() }),
  /** The capture that the run became; null until then or when discarded. */
  captureId: z.string().nullable(),
  /** UTC at which the run stops automatically; null = it does not. */
  stopsAt: z.string().nullable(),
  /** Sentences about the end: "Session X was dropped on SQL1 and is gone." */
  endings: z.array(z.string()),
});
export type LivePicture = z.infer<typeof LivePicture>;
