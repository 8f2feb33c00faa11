/**
 * Result of a capture's analysis. Durations and times are µs relative to the capture's origin on the primary's clock,
 * unless a name says otherwise.
 */
import { EXPECTATION_GROUPS, EXPECTATIONS } from "@aglens/ag-model/check";
import { HOP_ANCHORS, LOCAL_ANCHORS } from "@aglens/ag-model/replication";
import { Capture } from "./captures.ts";
import { Gap } from "./files.ts";
import { Statistics } from "./statistics.ts";
import { CommitMode, RemoteStageId, StageId, us } from "../units.ts";
import { Verdict } from "./verdict.ts";
import { RecordedClients } from "./who-waited.ts";
import { z } from "../zod.ts";

/** Minutes that a server's clock is ahead of UTC: SQL Server has 14 hours at most. */
export const UtcOffset = z.number().int().min(-840).max(840);

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
  /** Minutes that its clock was ahead of UTC at the start; absent where it is unknown. */
  utcOffsetMinutes: UtcOffset.optional(),
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
  /** For the complete fit; the strict bound is the next one, for a single block SequenceStage.uncertaintyUs. */
  oneWayUncertaintyUs: us,
  /** Error bound of every block's network out and back, in the entire capture; screens show this bound. */
  strictUncertaintyUs: us,
  minNetworkRoundTripUs: us,
  utcAheadOfPrimaryUs: us,
  causalityViolationsAfter: z.number(),
  outOfOrderByUtc: z.number(),
});
export type ClockSummary = z.infer<typeof ClockSummary>;

export const FlushClasses = z.object({
  good: z.number(),
  reasonable: z.number(),
  busy: z.number(),
  bad: z.number(),
});
export type FlushClasses = z.infer<typeof FlushClasses>;

/** An instant of a capture that a person or a rule marked while it was recorded live, µs of the capture. */
export const CaptureMark = z.object({ at: z.number(), label: z.string(), byRule: z.boolean() });
export type CaptureMark = z.infer<typeof CaptureMark>;

/** One expectation about the format of files, and the number of events, columns or blocks that meet it. */
export const Expectation = z.object({
  id: z.enum(EXPECTATIONS),
  group: z.enum(EXPECTATION_GROUPS),
  title: z.string(),
  /** `absent`: the files have no data for a check. */
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
  /** Marks of the live run, in the order of time; empty for a capture of files. */
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
  /** Primary of each set of databases, by time; hops are slots (docs/contribute/model/attribution.md 2.2). */
  phases: z.array(
    z.object({
      databases: z.array(z.number()),
      primary: z.number(),
      from: z.number(),
      to: z.number(),
      commitModes: z.array(CommitMode.nullable()),
    }),
  ),
  /**
   * Servers that were unresponsive, and when, µs, in order of time; empty for a capture that was analyzed before they
   * were kept.
   */
  pauses: z.array(z.object({ replica: z.number(), from: z.number(), to: z.number() })).default([]),
  /**
   * Periods in which a replica lost every event, µs, in order of time: between its files, of which some are missing, or
   * within one file.
   */
  missing: z.array(z.object({ replica: z.number(), from: z.number(), to: z.number() })).default([]),
  /**
   * Single lost events outside of these periods, by the server that lost them, the database, the way to a secondary (-1
   * for the block itself) and the anchor; empty for a capture that was analyzed before they were kept. Events that
   * event_sequence counts have no database (-1) and no anchor; their way is the role that the server had.
   */
  lost: z
    .array(
      z.object({
        replica: z.number(),
        database: z.number(),
        secondary: z.number(),
        anchor: z.enum([...LOCAL_ANCHORS, ...HOP_ANCHORS]).nullable(),
        events: z.number(),
        places: z.array(z.tuple([z.number(), z.number()])),
      }),
    )
    .default([]),
  /**
   * Periods in which log blocks that were sent to a replica had not arrived there yet, up to the end of its files or of
   * the phase, µs; in order of time.
   */
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
    /**
     * The same counts for blocks in time that the files of both sides cover. Absent for a capture that an earlier
     * version analyzed.
     */
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
    /** gates[0] local log write, gates[s + 1] acknowledgment of secondary s. */
    gates: z.array(z.number()),
  }),
  /**
   * Clients of the commits: what is recorded of them, and names of applications by number, the first one empty; at most
   * 1,000. Absent where no event of a commit names its client.
   */
  clients: RecordedClients.extend({ names: z.array(z.string()) }).optional(),
  clocks: z.array(ClockSummary),
  /** stages[s][stageId]. */
  stages: z.array(z.record(StageId, Statistics)),
  /** shares[s][stageId], fraction of the mean remote harden. */
  shares: z.array(z.record(RemoteStageId, us)),
  /** flushClasses[r] per replica index; null where its log writes are unknown. */
  flushClasses: z.array(FlushClasses.nullable()),
  verdict: Verdict,
  /** Missing or doubtful facts, in sentences. */
  warnings: z.array(z.string()),
  /** Absent of a capture that an earlier version analyzed. */
  check: CaptureCheck.optional(),
});
export type Summary = z.infer<typeof Summary>;

/** The message that a capture is analyzed, with the data that its page requests next. */
export const ReadyCapture = Capture.extend({
  /** Absent where it cannot be read; a request for it gets the reason. */
  summary: Summary.optional(),
});
export type ReadyCapture = z.infer<typeof ReadyCapture>;

/** Part of a summary that is computed from one database's or one phase's own blocks and commits. */
export const ScopeSummary = Summary.pick({
  commits: true,
  stages: true,
  shares: true,
  flushClasses: true,
  verdict: true,
});
export type ScopeSummary = z.infer<typeof ScopeSummary>;
