/**
 * Watches: what the API polls of availability groups without a page, what starts a recording, and what became of it.
 * Times are UTC, ISO 8601 with `Z`, in series ms since 1970.
 */
import { Capture, Owner } from "./captures.ts";
import { LiveCheck, LiveServer, MissingPermission } from "./live-servers.ts";
import { shownText } from "../shown-text.ts";
import { CommitMode, us } from "../units.ts";
import { z } from "../zod.ts";

const seconds = (least: number, most: number) => z.number().int().min(least).max(most);

/** Rules that start a recording; null: the rule is off. */
export const WatchTriggers = z.object({
  /** The mean commit delay of each poll is over a limit for a time. */
  commitDelay: z
    .object({ overMs: z.number().min(0.1).max(60_000), forSeconds: seconds(1, 3_600) })
    .nullable(),
  /** The mean commit delay is over a multiple of the usual of this weekday and hour, from 7 days of polls on. */
  timesUsual: z.object({ times: z.number().min(1.5).max(100), forSeconds: seconds(1, 3_600) }).nullable(),
  /** The largest log send queue of a database, KB; the estimated data loss (RPO) of a secondary, s. */
  queue: z
    .object({ sendQueueKb: z.number().min(1).nullable(), rpoSeconds: z.number().min(1).nullable() })
    .nullable(),
  /** Failover, change of a role, or a synchronous secondary that isn't SYNCHRONIZED. */
  state: z.boolean(),
  /** Cron expressions with five fields, UTC. */
  schedules: z
    .array(z.object({ cron: z.string().trim().min(9).max(100), forSeconds: seconds(10, 3_600) }))
    .max(5),
  /** Whether a request from an Agent job or a monitoring tool starts one. */
  http: z.boolean(),
});
export type WatchTriggers = z.infer<typeof WatchTriggers>;

/** How long a recording is, and how many there may be. */
export const WatchRecording = z.object({
  /** It ends after commits were quiet for so long. */
  quietSeconds: seconds(5, 3_600),
  mostSeconds: seconds(10, 3_600),
  /** Events of the last seconds before the trigger are kept in memory; the event session always runs. Null: off. */
  ringSeconds: seconds(5, 120).nullable(),
  mostPerDay: z.number().int().min(1).max(100),
  mostPerWeek: z.number().int().min(1).max(500),
  mostBytesPerWeek: z.number().int().min(1_000_000),
  /** Time after a recording in which no other begins. */
  holdOffSeconds: seconds(0, 86_400),
  /** Days until its capture is deleted; null: as other captures. */
  keepDays: z.number().int().min(1).max(3_650).nullable(),
  /** Skips the events that fire once per commit. */
  withoutCommits: z.boolean(),
});
export type WatchRecording = z.infer<typeof WatchRecording>;

export const WatchReplica = z.object({
  server: LiveServer.omit({ oldCertificate: true }),
  /** replica_server_name; empty until its server answered. */
  serverName: z.string().trim().max(256).default(""),
});
export type WatchReplica = z.infer<typeof WatchReplica>;

/** All that a person decides about a watch. */
export const WatchDefinition = z.object({
  /** Name of the availability group. */
  group: shownText(128),
  replicas: z.array(WatchReplica).min(1).max(9),
  /** Name of the login in the file that AGLENS_WATCH_FILE names; its password is never stored. */
  login: z.string().trim().min(1).max(64),
  everySeconds: seconds(1, 60).default(5),
  triggers: WatchTriggers,
  recording: WatchRecording,
  /** Names of receivers in the same file. */
  receivers: z.array(z.string().trim().min(1).max(64)).max(10),
});
export type WatchDefinition = z.infer<typeof WatchDefinition>;

/** The rule that started a recording, or would have. */
export const WATCH_RULES = [
  "commitDelay",
  "timesUsual",
  "sendQueue",
  "rpo",
  "state",
  "schedule",
  "hand",
  "http",
] as const;
export const WatchRule = z.enum(WATCH_RULES);
export type WatchRule = z.infer<typeof WatchRule>;

export const WatchTrigger = z.object({
  rule: WatchRule,
  at: z.string(),
  /** In words: "Commit delay over 15 ms for 15 s". */
  text: z.string(),
  /** Value, limit and usual in the rule's unit (ms, KB, s; `commitDelay` and `timesUsual`: ms); null where it has none. */
  value: us,
  limit: us,
  usual: us,
});
export type WatchTrigger = z.infer<typeof WatchTrigger>;

/** A step of an episode with its time; `isProblem` of a step that failed. */
export const WatchStep = z.object({
  at: z.string(),
  text: z.string(),
  isProblem: z.boolean().default(false),
});
export type WatchStep = z.infer<typeof WatchStep>;

/** From a trigger until the trigger's condition has ended. */
export const WatchEpisode = z.object({
  id: z.string(),
  trigger: WatchTrigger,
  /** Null while it lasts. */
  ended: z.string().nullable(),
  /** "refused": nothing was recorded. "lost": AG Lens was ended during it. */
  state: z.enum(["recording", "analyzing", "recorded", "refused", "failed", "lost"]),
  /** Why it was refused or has failed; null otherwise. */
  refusal: z.string().nullable(),
  /** First and last event time that was recorded; null without events. */
  recordedFrom: z.string().nullable(),
  recordedTo: z.string().nullable(),
  captureId: z.string().nullable(),
  bytes: us,
  /** From the capture's verdict; null until it is analyzed. */
  verdict: z.string().nullable(),
  place: Capture.shape.place,
  /** 95th percentile of commit latency, µs. */
  p95Us: us,
  /** In the order of time. */
  steps: z.array(WatchStep),
});
export type WatchEpisode = z.infer<typeof WatchEpisode>;

export const WATCH_STATES = [
  "watching",
  "recording",
  "paused",
  "cannotSignIn",
  "unreachable",
  "notStarted",
] as const;

/** A replica as the last poll found it. */
export const WatchedReplica = z.object({
  serverName: z.string(),
  /** "sql1:1433" */
  where: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
  /** synchronization_state_desc, the worst of its databases. */
  synchronization: z.string().nullable(),
  /** Time of the last answer; null before the first. */
  polled: z.string().nullable(),
  /** Reason why it isn't polled, with the next step; null while it is. For a viewer without names of logins and files. */
  problem: z.object({ code: z.string(), detail: z.string(), sql: z.string().nullable() }).nullable(),
  since: z.string().nullable(),
  tries: z.number(),
  /** Seconds until the next try; null where none is planned. */
  retryIn: us,
  /** Missing rights to record, as of the last check; null before it. */
  missing: z.array(MissingPermission).nullable(),
  /** Measured in the last hour; null before a minute has passed. */
  cost: z
    .object({
      polls: z.number(),
      /** CPU time of the polls on the server, s per hour. */
      cpuSeconds: us,
      /** Bytes received, per hour. */
      bytes: z.number(),
    })
    .nullable(),
});
export type WatchedReplica = z.infer<typeof WatchedReplica>;

export const Watch = z.object({
  id: z.string(),
  /** Without names of its login and receivers for a viewer. */
  definition: WatchDefinition.extend({ login: z.string() }),
  created: z.string(),
  owner: Owner.nullable(),
  state: z.enum(WATCH_STATES),
  /** Since when it is in that state, and the person who paused it. */
  since: z.string(),
  pausedBy: z.string().nullable(),
  replicas: z.array(WatchedReplica),
  /** The newest trigger, also a refused one. */
  lastEpisode: WatchEpisode.nullable(),
  nextSchedule: z.object({ at: z.string(), forSeconds: z.number() }).nullable(),
  /** The last 7 days. */
  week: z.object({ recordings: z.number(), refused: z.number(), bytes: z.number() }),
  /** Schedules that passed while it could not record, of the last 7 days. */
  missedSchedules: z.array(z.string()),
  /** Name of the server that has it, where several have the catalog; null where it is this one. */
  onServer: z.string().nullable(),
  mayChange: z.boolean(),
});
export type Watch = z.infer<typeof Watch>;

export const Watches = z.object({
  watches: z.array(Watch),
  /** Names that a watch can use; receivers with their kind, and what is shown of their address. */
  logins: z.array(z.string()),
  receivers: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["teams", "slack", "webhook", "email"]),
      shown: z.string(),
    }),
  ),
  /** Why nothing can be watched, in a sentence; null where it can. */
  problem: z.string().nullable(),
});
export type Watches = z.infer<typeof Watches>;

/** The polls of a time in columns of equal width; null where nothing was polled. All values are of the primary. */
export const WatchSeries = z.object({
  /** ms since 1970. */
  from: z.number(),
  /** ms. */
  width: z.number(),
  /** Mean commit delay, ms, weighted by commits. */
  delay: z.array(us),
  /** The largest mean of one poll, ms. */
  longest: z.array(us),
  /** The usual of weekday and hour: 10th and 90th percentile of minutes, ms; null under 7 days of polls. */
  usualLow: z.array(us),
  usualHigh: z.array(us),
  /** Largest log send queue, KB; largest estimated data loss, s. */
  sendQueueKb: z.array(us),
  rpoSeconds: z.array(us),
  /** Share of the column that was polled, 0..1. */
  polled: z.array(z.number()),
});
export type WatchSeries = z.infer<typeof WatchSeries>;

/** ms since 1970, until the year 9999. */
const time = z.coerce.number().min(0).max(253_402_300_799_999);

export const WatchSeriesRequest = z.object({
  from: time,
  to: time,
  bins: z.coerce.number().int().min(1).max(4_000),
});

export const WatchEpisodes = z.object({ episodes: z.array(WatchEpisode) });

/** Triggers that a definition would have had over polls that are kept. */
export const WatchRehearsal = z.object({
  /** Days of polls that it covers. */
  days: z.number(),
  triggers: z.array(WatchTrigger.extend({ refusal: z.string().nullable() })),
});
export type WatchRehearsal = z.infer<typeof WatchRehearsal>;

/** A definition, and the watch whose polls it is compared with; null where it has none yet. */
export const WatchRehearsalRequest = z.object({
  definition: WatchDefinition,
  watch: z.string().max(64).nullable(),
});

/** A server, and the name of a login in the file. */
export const WatchCheckRequest = z.object({
  server: LiveServer.omit({ oldCertificate: true }),
  login: z.string().trim().min(1).max(64),
});
/** A replica of a watch, by its place in the definition. */
export const WatchReplicaCheck = z.object({ replica: z.number().int().min(0).max(8) });

/** Rights of a login on a server. */
export const WatchCheck = z.object({
  maySignIn: z.boolean(),
  /** Whether it may read waits, queues and states. */
  mayWatch: z.boolean(),
  /** Whether it may also create, start, read and drop an event session. */
  mayRecord: z.boolean(),
  /** Why the server did not answer, with the next step; null where it did. */
  problem: z.object({ code: z.string(), detail: z.string(), sql: z.string().nullable() }).nullable(),
  /** Replicas of its groups and missing permissions with their GRANT; null where it did not answer. */
  answer: LiveCheck.nullable(),
});
export type WatchCheck = z.infer<typeof WatchCheck>;

export const WatchPause = z.object({ isPaused: z.boolean() });
/** `rule` "http" for a tool, "hand" for a person. */
export const WatchRecordNow = z.object({ rule: z.enum(["hand", "http"]).default("hand") });
export const WatchMessageTest = z.object({ receiver: z.string().min(1).max(64) });
export const WatchMessageTested = z.object({
  isAccepted: z.boolean(),
  /** "Accepted in 0.4 s." or the receiver's refusal. */
  text: z.string(),
});
export type WatchMessageTested = z.infer<typeof WatchMessageTested>;
