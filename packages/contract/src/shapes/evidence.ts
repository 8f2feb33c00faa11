/**
 * Facts from files in addition to data-movement events (ERRORLOG, AlwaysOn_health, counters). No figure of a stage is
 * computed from them. `at`, `from`, `to` are µs from the capture's origin, on the clock of its primary replica.
 */
import { z } from "../zod.ts";

/** Kind of a file, by its content; as `FileKind` of the evidence package. */
export const EvidenceFileKind = z.enum([
  "movement",
  "alwaysOnHealth",
  "clusterDiagnostics",
  "systemHealth",
  "otherEvents",
  "errorlog",
  "rowsets",
  "counters",
  "counterLog",
  "waits",
  "diskspd",
  "schedulers",
  "topology",
  "clusterLog",
  "windowsEvents",
  "scriptOutput",
  "unknown",
]);
export type EvidenceFileKind = z.infer<typeof EvidenceFileKind>;

/** Facts about a file of evidence, from its content. */
export const EvidenceOfFile = z.object({
  kind: EvidenceFileKind,
  /** Server by content, else by the file's name; null where neither names it. */
  server: z.string().nullable(),
  serverFrom: z.enum(["content", "name"]).nullable(),
  /** Minutes that local time in the file is ahead of UTC; null where neither the file nor the user states it. */
  utcOffsetMinutes: z.number().nullable(),
  state: z.enum(["used", "convert", "notUsed", "damaged"]),
  /** A sentence: its use, or why it isn't used, or the next step. */
  use: z.string(),
  /** All times in the file are local, and it doesn't state its offset from UTC: the user may choose it. */
  isLocal: z.boolean().optional(),
  /** Bytes of the complete file; its facts, which are kept in its place, have another size. */
  bytes: z.number().optional(),
  /** Number of events and of samples that were read. */
  events: z.number(),
  samples: z.number(),
  /** Lines, events or columns that no rule understood, and the first ones as text. */
  notUnderstood: z.object({ count: z.number(), first: z.array(z.string()) }),
});
export type EvidenceOfFile = z.infer<typeof EvidenceOfFile>;

export const EvidenceKind = z.enum([
  "role",
  "synchronization",
  "lease",
  "health",
  "ddl",
  "connectivity",
  "suspension",
  "slowIo",
  "scheduler",
  "memory",
  "restart",
]);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

/** Something that happened on a server, once, with all files that report it. */
export const HappenedEvent = z.object({
  kind: EvidenceKind,
  at: z.number(),
  /** Start of a duration that ended at `at`, such as I/O that waited at least 15 seconds; null for a single time. */
  from: z.number().nullable(),
  /** Half width of the time's uncertainty, µs: that of its best source, and of the clock where it is another server's. */
  plusMinusUs: z.number(),
  server: z.string().nullable(),
  group: z.string().nullable(),
  database: z.string().nullable(),
  /** The other replica that the event is about. */
  replica: z.string().nullable(),
  /** Number of SQL Server's message. */
  message: z.number().nullable(),
  states: z.tuple([z.string().nullable(), z.string()]).nullable(),
  count: z.number(),
  /** A sentence of at most 20 words. */
  text: z.string(),
  sources: z.array(
    z.object({
      file: z.string(),
      /** From 1: line of a text, or number of an event in the file. */
      place: z.number(),
      /** The text as the file has it; null without text, or where it is sensitive. */
      text: z.string().nullable(),
      plusMinusUs: z.number(),
    }),
  ),
  /** Log block id as decimal text, from which a replica counts again; null for other events. */
  block: z.string().nullable(),
});
export type HappenedEvent = z.infer<typeof HappenedEvent>;

/** Reason of a failover, as far as the files show it. */
export const FailoverCause = z.object({
  kind: z.enum([
    "leaseTimeout",
    "healthTimeout",
    "ddlByUser",
    "ddlByCluster",
    "network",
    "serviceStop",
    "notShown",
  ]),
  text: z.string(),
  /** Two sources or a rule prove the reason; else the sentence does not contain "because". */
  isProven: z.boolean(),
  /** When the group became unavailable. */
  at: z.number(),
  /** When a replica was primary replica again; null where no file shows it. */
  until: z.number().nullable(),
  group: z.string().nullable(),
  fromServer: z.string().nullable(),
  toServer: z.string().nullable(),
  /** Indices into `events` of the answer, by time. */
  events: z.array(z.number()),
});
export type FailoverCause = z.infer<typeof FailoverCause>;

/** Answer of a rule that compares a file with the events; contradictions are first. */
export const EvidenceAgreement = z.object({
  rule: z.string(),
  /** Null where the files don't decide. */
  agrees: z.boolean().nullable(),
  server: z.string().nullable(),
  /** Both figures with their uncertainty. */
  text: z.string(),
  sources: z.array(z.object({ file: z.string(), place: z.string() })),
  from: z.number(),
  to: z.number(),
});
export type EvidenceAgreement = z.infer<typeof EvidenceAgreement>;

/** A metric that the files have samples of. */
export const EvidenceMetric = z.object({
  metric: z.string(),
  unit: z.enum(["ms", "count", "bytes", "share", "perSecond"]),
  server: z.string().nullable(),
  /** Wait type, volume, file, database or scheduler; null for a metric of the server. */
  of: z.string().nullable(),
  /** Deltas are between two snapshots; cumulative values count from a start of the server. */
  form: z.enum(["sample", "delta", "cumulative", "reference"]),
  samples: z.number(),
  file: z.string(),
  column: z.string(),
});
export type EvidenceMetric = z.infer<typeof EvidenceMetric>;

/** Answer to `evidence`: everything except for samples. */
export const EvidenceAnswer = z.object({
  /** Range of all events and samples of the files; null without any. */
  range: z.tuple([z.number(), z.number()]).nullable(),
  events: z.array(HappenedEvent),
  /** Events that the answer leaves out, because it has a limit. */
  eventsLeftOut: z.number(),
  failovers: z.array(FailoverCause),
  agreement: z.array(EvidenceAgreement),
  metrics: z.array(EvidenceMetric),
  /** Servers whose files aren't on the primary replica's clock by data-movement events: their times are as written. */
  withoutClock: z.array(z.string()),
  /** A sentence about facts that the answer doesn't show, and why; absent where it shows all. */
  notShown: z.string().optional(),
});
export type EvidenceAnswer = z.infer<typeof EvidenceAnswer>;

/** Answer to `evidence/samples`: the samples of a range, in the order of `metrics`. */
export const EvidenceSamples = z.object({
  series: z.array(
    z.object({
      /** Index into `metrics`. */
      metric: z.number(),
      /** Ends of intervals for deltas, else times of samples; of several samples that of the last one. */
      at: z.array(z.number()),
      /** Null where a sample has no value. */
      values: z.array(z.number().nullable()),
      /**
       * Samples for each value, of which it is the total for deltas, else the mean; 1 where none are put together. The
       * last value may have fewer.
       */
      samplesPerValue: z.number(),
    }),
  ),
});
export type EvidenceSamples = z.infer<typeof EvidenceSamples>;
