/**
 * What the API and the web app say to each other, declared once and validated at both doors.
 * Durations and times are µs relative to the capture's origin on the primary's clock, unless a name says otherwise.
 * JSON has no NaN: a value that is not there is null.
 */
import { STRETCH_IDS } from "@aglens/ag-model/columns";
import { EXPECTATION_GROUPS, EXPECTATIONS } from "@aglens/ag-model/check";
import { CAUSES } from "@aglens/ag-model/diagnosis";
import { SLOWEST_SORTS } from "@aglens/ag-model/query";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  PATH_STAGES,
  REMOTE_STAGE_IDS,
  STAGE_IDS,
} from "@aglens/ag-model/replication";
import { PausedPath } from "./paused-path.ts";
import { shownText } from "./shown-text.ts";
import { AnalysisPace } from "./pace.ts";
import { MOST_TAGS, Tag } from "./tags.ts";
import { z } from "./zod.ts";

const us = z.number().nullable();

const StageId = z.enum(STAGE_IDS);
const RemoteStageId = z.enum(REMOTE_STAGE_IDS);

/** What slow blocks are sorted by: a stage, or "commit" for the block's longest commit. */
export const SlowestSort = z.enum(SLOWEST_SORTS);
export type SlowestSort = z.infer<typeof SlowestSort>;
/** Also as blocks begin, and by what met the filter's first condition about a duration. */
export const SlowestOrder = z.enum([...SlowestSort.options, "time", "matched"]);
export type SlowestOrder = z.infer<typeof SlowestOrder>;

/** An analysis that has not begun, because others run. */
export const WaitingAnalysis = z.object({
  /** Among those that wait: 1 for the next. */
  place: z.number(),
  /** A sentence. */
  reason: z.string(),
});
export type WaitingAnalysis = z.infer<typeof WaitingAnalysis>;

export const Progress = z.object({
  phase: z.enum([
    "receiving",
    "waiting",
    "decode",
    "roles",
    "join",
    "align",
    "measure",
    "verdict",
    "store",
    "done",
  ]),
  bytesDone: z.number(),
  bytesTotal: z.number(),
  events: z.number(),
  blocks: z.number(),
  /** Only in the phase "waiting". */
  waiting: WaitingAnalysis.optional(),
  /** Of the last analyses where this one runs, newest last; with a capture, not with each report. */
  paces: z.array(AnalysisPace).optional(),
  /** Since it began to run, ms. */
  elapsedMs: z.number().optional(),
  /** How many run and wait where this one runs, with it; absent where it is the only one. */
  analyses: z.object({ running: z.number(), waiting: z.number() }).optional(),
  /** Per file, same order as the capture's files; `at` is the time of the last event read, UTC, ISO 8601. */
  files: z.array(
    z.object({
      id: z.string(),
      bytesDone: z.number(),
      events: z.number(),
      at: z.string().nullable().default(null),
    }),
  ),
});
export type Progress = z.infer<typeof Progress>;

/** RFC 9457; `code` is stable, `detail` is a sentence a DBA can act on. */
/** The certificate that a SQL Server shows before any login. */
export const ShownCertificate = z.object({
  /** SHA-256 of it, 64 hexadecimal digits, lower case. */
  fingerprint: z.string(),
  /** Name that it is made out to. */
  name: z.string(),
});
export type ShownCertificate = z.infer<typeof ShownCertificate>;

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  /** With the code "live-old-certificate": what can be accepted. */
  certificate: ShownCertificate.optional(),
  /** With the code "sql-wrong" or "sql-refused": where in the query, in characters (UTF-16) from its begin. */
  at: z.number().optional(),
});
export type Problem = z.infer<typeof Problem>;

/** An event beside a gap; `at` is UTC, ISO 8601 with 7 decimals. */
export const GapNeighbour = z.object({ name: z.string(), at: z.string() });
export type GapNeighbour = z.infer<typeof GapNeighbour>;

export const Gap = z.object({
  code: z.string(),
  offset: z.number(),
  bytes: z.number(),
  message: z.string(),
  /** Events lost; absent when the reader cannot know. */
  eventsLost: z.number().optional(),
  /** The last event that could be read before the gap and the first after it; null when there is none. */
  before: GapNeighbour.nullable().optional(),
  after: GapNeighbour.nullable().optional(),
});
export type Gap = z.infer<typeof Gap>;

const Side = z.enum(["primary", "secondary"]);

/** What the user may say of a file; nothing else overrules it. `replica` is the name of the server that wrote it. */
export const FileCorrection = z.object({
  role: z.enum(["primary", "secondary", "ignored"]).optional(),
  replica: shownText(128).optional(),
});
export type FileCorrection = z.infer<typeof FileCorrection>;

/** FILETIME ticks (100 ns since 1601, UTC) as decimal text. */
const Ticks = z.string().regex(/^-?\d+$/u);

/** log_block_id as decimal text. */
const BlockId = z.string().regex(/^\d+$/u);

/** What the events of a file name: by this files become servers and servers captures. Ids are lower-case GUIDs. */
export const FileIdentity = z.object({
  ownIds: z.array(z.string()),
  partnerIds: z.array(z.string()),
  groupIds: z.array(z.string()),
  databases: z.array(
    z.object({
      id: z.string(),
      primaryEvents: z.number(),
      secondaryEvents: z.number(),
      stretches: z.array(z.object({ role: Side, fromTicks: Ticks, toTicks: Ticks, blocks: z.number() })),
      /** Absent in records of earlier versions. */
      range: z.object({ firstBlockId: BlockId, lastBlockId: BlockId }).nullable().optional(),
      forwarded: z.number().optional(),
    }),
  ),
  events: z.number(),
  logEvents: z.number(),
  fromTicks: Ticks,
  toTicks: Ticks,
  counterZeroTicks: Ticks.nullable(),
  engine: z.enum(["start_timestamp", "2012"]),
});
export type FileIdentity = z.infer<typeof FileIdentity>;

/** An event type whose columns do not take up its payloads. */
export const UnclaimedPayload = z.object({
  package: z.string(),
  event: z.string(),
  events: z.number(),
  bytes: z.number(),
  /** Byte offset in the file of the first such event. */
  offset: z.number(),
});
export type UnclaimedPayload = z.infer<typeof UnclaimedPayload>;

export const CaptureFile = z.object({
  id: z.string(),
  name: z.string(),
  /** Folder that it lay in, as its path says. */
  folder: z.string().nullable().default(null),
  /** All folders and zips that it lay in, outermost first, parted by "/"; names a server that its events do not. */
  path: z.string().default(""),
  /** SHA-256 of what was sent, hex; "" where it is not known. Files of one content are used once. */
  sha256: z.string().default(""),
  /** SHA-256 of the file as it is kept, which is another where it was written anew; absent where an earlier version kept it. */
  keptSha256: z.string().optional(),
  /** Its bytes are not here: the capture came without them, and takes them when they are given. */
  isMissing: z.boolean().optional(),
  /**
   * What was dropped before the file was kept: values of sensitive fields and actions, and bytes that hold no readable event. Null
   * where the uploader keeps statement texts, host and login names; absent where an earlier version kept the file, with all of it.
   */
  dropped: z.object({ values: z.number(), bytes: z.number() }).nullable().optional(),
  /** Event types with payload bytes that no column claims: their values may be wrong. Absent where there are none. */
  unclaimed: z.array(UnclaimedPayload).optional(),
  size: z.number(),
  kind: z.enum(["xel", "topology", "unreadable"]),
  /** Why it is unreadable: names file, offset and consequence. */
  message: z.string().nullable(),
  gaps: z.array(Gap),
  events: z.number(),
  /** UTC, ISO 8601 with 7 decimals. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  detectedRole: z.enum(["primary", "secondary", "unknown"]),
  /** What the role rests on, e.g. "hadr_capture_log_block, 1,108 events". */
  evidence: z.string(),
  /** Replica the events name as their own (availability_replica_id), or null. */
  replicaId: z.string().nullable(),
  /** Replicas that the events name at the other end, lower-case GUIDs. */
  partnerIds: z.array(z.string()).default([]),
  /** Names by replica id, and by group_database_id, from a topology file. */
  replicaNames: z.record(z.string(), z.string()).default({}),
  databaseNames: z.record(z.string(), z.string()).default({}),
  /** Names of availability groups in a topology file. */
  groupNames: z.array(z.string()).default([]),
  /** Null for what is no .xel file. */
  identity: FileIdentity.nullable().default(null),
  given: FileCorrection.default({}),
  /** As the user gave it, else as found. `replica` is the name of the server: its files have it in common. */
  role: z.enum(["primary", "secondary", "ignored"]),
  replica: z.string(),
});
export type CaptureFile = z.infer<typeof CaptureFile>;

/** A server of a group of files. */
export const GroupServer = z.object({
  name: z.string(),
  /** Where the name comes from: the user, a topology, a folder or zip, its replica id, its first file, or its role. */
  nameFrom: z.enum(["given", "topology", "folder", "id", "file", "role"]),
  /** Its availability_replica_ids, one per availability group. */
  ids: z.array(z.string()),
  role: Side,
  /** Ids of its files, oldest first. */
  files: z.array(z.string()),
  /** Roles that it had, by database, in the order of time (UTC, ISO 8601). */
  roles: z.array(z.object({ database: z.string(), role: Side, from: z.string(), to: z.string() })),
});
export type GroupServer = z.infer<typeof GroupServer>;

/** Files that belong together: what becomes one capture. */
export const CaptureGroup = z.object({
  /** Servers, databases and time (UTC). */
  name: z.string(),
  servers: z.array(GroupServer),
  /** Names of its databases. */
  databases: z.array(z.string()),
  /** Replicas that its events name and that have no file. */
  withoutFile: z.array(z.object({ id: z.string(), name: z.string() })),
  /** True for a server that has nothing in common with the other files. */
  foreign: z.boolean(),
  /** What has to be known of the grouping; `refuses` when it has to be answered before an analysis. */
  warnings: z.array(z.object({ code: z.string(), sentence: z.string(), refuses: z.boolean() })),
});
export type CaptureGroup = z.infer<typeof CaptureGroup>;

/** Who made something. */
export const Owner = z.object({ id: z.string(), name: z.string() });
export type Owner = z.infer<typeof Owner>;

export const Capture = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  expires: z.string().nullable(),
  state: z.enum(["receiving", "analysing", "ready", "failed"]),
  files: z.array(CaptureFile),
  /** The captures that its files are, newest first: more than one have to be parted before an analysis. */
  groups: z.array(CaptureGroup).default([]),
  /** Files that are not used, and why: another one has the same content, or no event of log blocks is in it. */
  unused: z.array(z.object({ file: z.string(), sentence: z.string() })).default([]),
  progress: Progress.nullable(),
  problem: Problem.nullable(),
  verdict: z.string().nullable(),
  severity: z.enum(["none", "notice", "slow"]).nullable(),
  /** Dominant place of the verdict, for the mark beside a recent capture. */
  place: z.enum(["primary", "network", "secondary", "none"]).nullable().default(null),
  /** Who made it; absent where nobody had to sign in. */
  owner: Owner.optional(),
  /** Everybody who signs in may open it, not its owner and admins alone. */
  shared: z.boolean().optional(),
  /** By which people sort captures, in alphabetical order; absent without any. */
  tags: z.array(z.string()).optional(),
});
export type Capture = z.infer<typeof Capture>;

/** A capture as lists need it. */
export const CaptureBrief = Capture.pick({
  id: true,
  name: true,
  created: true,
  expires: true,
  state: true,
  problem: true,
  verdict: true,
  severity: true,
  place: true,
}).extend({
  /** Name of who made it; null where nobody had to sign in. */
  owner: z.string().nullable().default(null),
  shared: z.boolean().default(false),
  /** How many files it has. */
  files: z.number(),
  /** Time of the first event of its files that are not left out, UTC, ISO 8601 with 7 decimals. */
  from: z.string().nullable(),
});
export type CaptureBrief = z.infer<typeof CaptureBrief>;

/** A page of captures, newest first. */
export const CaptureList = z.object({
  captures: z.array(CaptureBrief),
  /** Captures on all pages. */
  total: z.number(),
  /** What `after` gets for the next page; null on the last one. */
  next: z.string().nullable(),
});

/** A capture that was deleted and can be restored. Times are UTC, ISO 8601. */
export const TrashedCapture = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  deleted: z.string(),
  restorableUntil: z.string(),
  files: z.number(),
  /** Of its files. */
  bytes: z.number(),
});
export type TrashedCapture = z.infer<typeof TrashedCapture>;

/** The one that was deleted last is first. */
export const TrashedCaptures = z.object({ captures: z.array(TrashedCapture) });

/** Files of the data directory that the catalogue does not have. */
export const LostCapture = z.object({
  id: z.string(),
  name: z.string(),
  /** Null where that is not known. */
  created: z.string().nullable(),
  files: z.number(),
  bytes: z.number(),
});
export type LostCapture = z.infer<typeof LostCapture>;

export const LostCaptures = z.object({ captures: z.array(LostCapture) });

/** How far a file is read that still arrives. */
export const ReadSoFar = z.object({
  /** Bytes of the file, from its first. */
  bytes: z.number(),
  /** Counts of events, cumulative, at some moments of its time: each later than the one before, at most 256. */
  points: z.array(
    z.object({
      /** Of the last event that is counted: UTC, ISO 8601. */
      at: z.string(),
      events: z.number(),
    }),
  ),
});
export type ReadSoFar = z.infer<typeof ReadSoFar>;

/** A file that is sent in parts, by the tus protocol; once all of its bytes are there, it is a file of its capture. */
export const UploadInParts = z.object({
  id: z.string(),
  captureId: z.string(),
  name: z.string(),
  /** Where the file lay in a dropped folder, with its name. */
  path: z.string(),
  /** Bytes of the whole file. */
  size: z.number(),
  /** Bytes that the server has: the next part begins there. */
  received: z.number(),
  /** What the client said of the file's beginning, by which it finds the file again; null when it said nothing. */
  head: z.string().nullable(),
  /** UTC, ISO 8601, as the other two. */
  begun: z.string(),
  lastReceived: z.string(),
  /** Until when the server keeps what it has. */
  expires: z.string(),
  /** What it became; null until all bytes are there. */
  files: z.array(CaptureFile).nullable(),
  /** What is read of it while it arrives; absent where it is read when it is whole, and of one that is. */
  read: ReadSoFar.optional(),
});
export type UploadInParts = z.infer<typeof UploadInParts>;

export const UploadsInParts = z.object({ uploads: z.array(UploadInParts) });

export const CaptureParts = z.object({ captures: z.array(Capture) });

/** Characters of a capture's name. */
export const LONGEST_CAPTURE_NAME = 120;

/** Without a name the capture gets one from its files. */
export const NewCapture = z.object({
  name: shownText(LONGEST_CAPTURE_NAME).optional(),
  tags: z.array(Tag).max(MOST_TAGS).default([]),
});
export const CaptureChange = z
  .object({
    name: shownText(LONGEST_CAPTURE_NAME).optional(),
    shared: z.boolean().optional(),
    /** True keeps it for good, false for the days that captures are kept, from now on. */
    kept: z.boolean().optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    "Give name, shared or kept",
  );
export const Statistics = z.object({ n: z.number(), p50: us, p95: us, p99: us, max: us, mean: us });
export type Statistics = z.infer<typeof Statistics>;

const CommitMode = z.enum(["sync", "async", "undetermined"]);

export const ReplicaSummary = z.object({
  id: z.string(),
  ids: z.array(z.string()),
  name: z.string(),
  role: z.enum(["primary", "secondary"]),
  hasCapture: z.boolean(),
  hasCounter: z.boolean(),
  commitMode: CommitMode,
  events: z.number(),
  from: us,
  to: us,
});
export type ReplicaSummary = z.infer<typeof ReplicaSummary>;

export const ClockSummary = z.object({
  secondary: z.number(),
  against: z.number(),
  status: z.enum(["aligned", "cannotAlign"]),
  reason: z.string(),
  blocksUsed: z.number(),
  driftPpm: us,
  driftPpmFeasible: z.tuple([us, us]),
  /** For the fit as a whole; the strict bound is the next one, for a single block SequenceStage.uncertaintyUs. */
  oneWayUncertaintyUs: us,
  /** What no block's network out or back is off by, all over the capture: what screens show. */
  strictUncertaintyUs: us,
  minNetworkRoundTripUs: us,
  utcAheadOfPrimaryUs: us,
  causalityViolationsAfter: z.number(),
  outOfOrderByUtc: z.number(),
});
export type ClockSummary = z.infer<typeof ClockSummary>;

const Severity = z.enum(["none", "notice", "slow"]);
const Place = z.enum(["primary", "network", "secondary", "none"]);

/** What a finding is about; docs/model.md 6.2 explains each. */
const Cause = z.enum(CAUSES);

/** A stretch of time, µs. */
const Window = z.object({ from: z.number(), to: z.number() });

/** One rule of docs/model.md 6.2 that fired. */
export const Finding = z.object({
  rule: z.string(),
  cause: Cause,
  severity: Severity,
  sentence: z.string(),
  /** Share of the mean commit latency, 0..1; null when it is no part of it. */
  share: us,
  stage: StageId.nullable(),
  /** Index into the summary's replicas. */
  replica: z.number().nullable(),
  /** Index into the summary's databases; null when it is about all. */
  database: z.number().nullable(),
  window: Window.nullable(),
  /** Each time that it happened, in the order of time; absent where an earlier version analyzed the capture. */
  windows: z.array(Window).optional(),
  /** Commit latency in the windows against the rest of the capture, µs. */
  effect: z.object({ p50Inside: us, p50Outside: us, p95Inside: us, p95Outside: us }).nullable(),
  /** Of a change of roles (D18): whether the window lies between commits; where one is not known it ends at a log block. */
  commitsKnown: z.object({ before: z.boolean(), after: z.boolean() }).optional(),
  /** The limit that was passed, and who published it. */
  threshold: z.string(),
  source: z.string(),
  checkNext: z.array(z.string()),
});
export type Finding = z.infer<typeof Finding>;

const EpisodeMeans = z.record(z.enum(PATH_STAGES), us);

/** A stretch of time in which one stage is far from the rest of the capture. */
export const Episode = z.object({
  label: z.string(),
  cause: Cause,
  from: z.number(),
  to: z.number(),
  blocks: z.number(),
  stage: StageId,
  secondary: z.number(),
  /** Mean µs per stage of the remote path, and of `remoteHarden`, inside and outside. */
  inside: EpisodeMeans,
  outside: EpisodeMeans,
});
export type Episode = z.infer<typeof Episode>;

export const Verdict = z.object({
  sentence: z.string(),
  severity: Severity,
  cause: Cause,
  place: Place,
  stage: StageId.nullable(),
  /** Index into the summary's replicas. */
  replica: z.number().nullable(),
  window: Window.nullable(),
  /** Each time that it happened, as of the headline's finding. */
  windows: z.array(Window).optional(),
  /** At most four short evidence figures: value in bold, words around it. */
  evidence: z.array(z.object({ before: z.string(), value: z.string(), after: z.string() })),
  checkNext: z.array(z.string()),
  findings: z.array(Finding),
  episodes: z.array(Episode),
  /** How the figures were measured and what they do not show; absent where an earlier version analyzed the capture. */
  measured: z.array(z.string()).optional(),
});
export type Verdict = z.infer<typeof Verdict>;

export const FlushClasses = z.object({
  good: z.number(),
  reasonable: z.number(),
  busy: z.number(),
  bad: z.number(),
});
export type FlushClasses = z.infer<typeof FlushClasses>;

/** An instant of a capture that somebody or a rule named while it was recorded live, µs of the capture. */
export const CaptureMark = z.object({ at: z.number(), label: z.string(), byRule: z.boolean() });
export type CaptureMark = z.infer<typeof CaptureMark>;

/** One expectation about how files are written, and how many events, columns or blocks meet it. */
export const Expectation = z.object({
  id: z.enum(EXPECTATIONS),
  group: z.enum(EXPECTATION_GROUPS),
  title: z.string(),
  /** `absent`: the files have nothing to check it on. */
  state: z.enum(["met", "part", "not", "absent"]),
  met: z.number(),
  notMet: z.number(),
  unit: z.string(),
  expected: z.string(),
  found: z.string(),
  results: z.string(),
  examples: z.array(z.string()),
});
export type Expectation = z.infer<typeof Expectation>;

/** How the files of a capture were read. No name or id of a customer is in it. */
export const CaptureCheck = z.object({
  events: z.number(),
  files: z.number(),
  /** Bytes of event payloads that no column claims. */
  unclaimedBytes: z.number(),
  expectations: z.array(Expectation),
  sentence: z.string(),
  /** The same as text, as `xel check` prints it. */
  report: z.string(),
});
export type CaptureCheck = z.infer<typeof CaptureCheck>;

export const Summary = z.object({
  captureId: z.string(),
  name: z.string(),
  /** Marks of the live run that it was, in the order of time; none of files. */
  marks: z.array(CaptureMark).default([]),
  /** UTC of time 0: FILETIME ticks as a decimal string, and ISO 8601 with 7 decimals. */
  originTicks: z.string(),
  originUtc: z.string(),
  durationUs: z.number(),
  /** Time that the files of every captured replica cover. */
  common: z.tuple([us, us]),
  engine: z.enum(["pre2016", "2016+"]),
  replicas: z.array(ReplicaSummary),
  databases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      group: z.number(),
      replicaIds: z.array(z.string()),
      localIds: z.array(z.number()),
    }),
  ),
  /** Who was the primary of which databases, and when; hops are slots (docs/model.md 2.2). */
  phases: z.array(
    z.object({
      databases: z.array(z.number()),
      primary: z.number(),
      from: z.number(),
      to: z.number(),
      commitModes: z.array(CommitMode.nullable()),
    }),
  ),
  /** Servers that stood still, and when, µs, in order of time; none of a capture that was analysed before they were kept. */
  pauses: z.array(z.object({ replica: z.number(), from: z.number(), to: z.number() })).default([]),
  /** Stretches of which a replica lost every event, µs, in order of time: between its files, of which some are missing, or within one. */
  missing: z.array(z.object({ replica: z.number(), from: z.number(), to: z.number() })).default([]),
  /** Times in which log blocks that were sent to a replica had not arrived there yet, up to the end of its files or of the phase, µs; in order of time. */
  underWay: z.array(z.object({ replica: z.number(), from: z.number(), to: z.number() })).default([]),
  files: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      replica: z.number(),
      events: z.number(),
      gaps: z.array(Gap.omit({ before: true, after: true })),
    }),
  ),
  blocks: z.object({
    total: z.number(),
    primary: z.number(),
    secondary: z.number(),
    onBoth: z.number(),
    primaryOnly: z.number(),
    secondaryOnly: z.number(),
    completeEndToEnd: z.number(),
    withoutAcknowledgement: z.number(),
    withCommit: z.number(),
    /** Of these, the blocks in time that the files of both sides cover. Absent of a capture that an earlier version analyzed. */
    common: z
      .object({
        primaryOnly: z.number(),
        secondaryOnly: z.number(),
        withoutAcknowledgement: z.number(),
      })
      .optional(),
  }),
  commits: z.object({
    count: z.number(),
    latency: Statistics,
    wakeUp: Statistics,
    /** gates[0] local log write, gates[s + 1] acknowledgement of secondary s. */
    gates: z.array(z.number()),
  }),
  clocks: z.array(ClockSummary),
  /** stages[s][stageId]. */
  stages: z.array(z.record(StageId, Statistics)),
  /** shares[s][stageId], fraction of the mean remote harden. */
  shares: z.array(z.record(RemoteStageId, us)),
  /** flushClasses[r] per replica index; null where its log writes are not known. */
  flushClasses: z.array(FlushClasses.nullable()),
  verdict: Verdict,
  /** What is missing or doubtful, in sentences. */
  warnings: z.array(z.string()),
  /** Absent of a capture that an earlier version analyzed. */
  check: CaptureCheck.optional(),
});
export type Summary = z.infer<typeof Summary>;

/** The news that a capture is analysed, with what its page asks next. */
export const ReadyCapture = Capture.extend({
  /** Absent where it cannot be read; who asks for it is told why. */
  summary: Summary.optional(),
});
export type ReadyCapture = z.infer<typeof ReadyCapture>;

/** What of a summary is of one database's or one phase's own blocks and commits. */
export const ScopeSummary = Summary.pick({
  commits: true,
  stages: true,
  shares: true,
  flushClasses: true,
  verdict: true,
});
export type ScopeSummary = z.infer<typeof ScopeSummary>;

/** Equal-width bins over [from, to); arrays have one entry per bin. */
export const Overview = z.object({
  from: z.number(),
  to: z.number(),
  binUs: z.number(),
  blocks: z.array(z.number()),
  bytes: z.array(z.number()),
  commits: z.array(z.number()),
  commitP50: z.array(us),
  commitP95: z.array(us),
  commitP99: z.array(us),
  commitMax: z.array(us),
  /** Of the chosen secondary. */
  hardenP50: z.array(us),
  hardenP95: z.array(us),
  hardenP99: z.array(us),
  hardenMax: z.array(us),
  /** sums[stageId][bin]: total µs of each remote-path stage, so that shares add up. */
  stageSums: z.record(RemoteStageId, z.array(z.number())),
  /** Stretches without a log block although every file covers them: [from, to]. */
  idle: z.array(z.tuple([z.number(), z.number()])),
  /** Stretches that some file does not cover: [from, to, replica index]. */
  uncovered: z.array(z.tuple([z.number(), z.number(), z.number()])),
});
export type Overview = z.infer<typeof Overview>;

/** Blocks of other databases with the LSN of a block, at most one of each. */
const EqualLsns = z.array(z.object({ row: z.number(), database: z.number(), time: z.number() })).default([]);

export const SlowBlock = z.object({
  row: z.number(),
  database: z.number(),
  /** Printed as 00000022:00000167. */
  lsn: z.string(),
  equalLsns: EqualLsns,
  time: z.number(),
  commits: z.number(),
  gate: z.number(),
  /** The stage of the remote path that took longest. */
  largest: RemoteStageId.nullable(),
  paused: PausedPath,
  /** Start of the local log write counted from the start of the remote path, µs; may be negative. */
  localStart: us,
  /** µs, towards the chosen secondary. */
  stages: z.record(SlowestSort, us),
  /**
   * What met the filter's first condition about a duration, and of which replica: whose log write it was, or the secondary of the path;
   * null for a commit. Null without such a condition.
   */
  matched: z
    .object({
      stage: z.enum([...SLOWEST_SORTS, "acknowledge"]),
      replica: z.number().nullable(),
      us: z.number(),
    })
    .nullable()
    .default(null),
});
export type SlowBlock = z.infer<typeof SlowBlock>;
export const SlowBlocks = z.object({ total: z.number(), rows: z.array(SlowBlock) });
export type SlowBlocks = z.infer<typeof SlowBlocks>;

/** Blocks that a search means: those of an LSN, or the one at an instant. */
export const FoundBlocks = z.object({
  rows: z.array(SlowBlock.pick({ row: true, database: true, lsn: true, time: true })),
});
export type FoundBlocks = z.infer<typeof FoundBlocks>;

/** Statistics of what is in view. */
export const RangeStatistics = z.object({
  from: z.number(),
  to: z.number(),
  blocks: z.number(),
  commits: z.number(),
  commitLatency: Statistics,
  gates: z.array(z.number()),
  /** stages[s][stageId]; also `acknowledge` (secondary flush end to ack sent), `unseen` (send end to ack received) and
   * `ackWakeUp` (ack received to the end of the commits that it released, else to ack processed).
   */
  stages: z.array(z.record(z.enum([...STAGE_IDS, ...STRETCH_IDS]), Statistics)),
  /** paused[s]: part of the means of `stages[s]`. */
  paused: z.array(PausedPath),
});
export type RangeStatistics = z.infer<typeof RangeStatistics>;

export const SequenceEvent = z.object({
  /** Secondary whose hop the event is about, when it names one; null when it concerns the block or the replica alone. */
  secondary: z.number().nullable(),
  replica: z.number(),
  name: z.string(),
  mode: z.number().nullable(),
  /** When it began and fired, µs on the primary's clock. */
  begin: us,
  fire: us,
  /** True when it carries no start_timestamp: its place is that of its publish time, good to some milliseconds. */
  byPublish: z.boolean(),
  /** processing_time, total_processing_time or duration as the event carries it; unit in `durationUnit`. */
  duration: us,
  durationUnit: z.string().nullable(),
  lsn: z.string().nullable(),
  /** Published UTC, ISO 8601 with 7 decimals. */
  timestamp: z.string(),
  fields: z.record(z.string(), z.unknown()),
  actions: z.record(z.string(), z.unknown()),
  file: z.string(),
  offset: z.number(),
});
export type SequenceEvent = z.infer<typeof SequenceEvent>;

export const SequenceStage = z.object({
  id: StageId,
  from: us,
  to: us,
  duration: us,
  /** Of remote harden, 0..1; null when not on the remote path. */
  share: us,
  /** Percent of the capture's blocks at or below, 0..100. */
  rank: us,
  typical: us,
  obtained: z.enum(["measured", "derived", "fallback", "missing"]),
  /** True when a server at either end stood still for most of it. */
  isPaused: z.boolean(),
  /** ± µs when it depends on the clock alignment. */
  uncertaintyUs: us,
});
export type SequenceStage = z.infer<typeof SequenceStage>;

/** One block from commit to commit. */
export const Sequence = z.object({
  row: z.number(),
  database: z.number(),
  /** Index into Summary.phases: who was the primary. */
  phase: z.number(),
  lsn: z.string(),
  equalLsns: EqualLsns,
  blockId: z.string(),
  size: us,
  time: z.number(),
  vlfStart: z.boolean(),
  gate: z.number(),
  local: z.record(z.enum(LOCAL_ANCHORS), us),
  hops: z.array(
    z.object({
      secondary: z.number(),
      /** The server that stood still for most of this remote harden, and for how long of it, µs. */
      pause: z.object({ end: z.enum(["primary", "secondary"]), us: z.number() }).nullable(),
      anchors: z.record(z.enum(HOP_ANCHORS), us),
      stages: z.array(SequenceStage),
      remoteHarden: us,
      remoteHardenRank: us,
      typical: z.record(StageId, us),
    }),
  ),
  commits: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      queued: us,
      wokenAfter: us,
      rank: us,
      gate: z.number(),
      timeToCommit: us,
    }),
  ),
  events: z.array(SequenceEvent),
  previousInTime: z.number().nullable(),
  nextInTime: z.number().nullable(),
});
export type Sequence = z.infer<typeof Sequence>;
