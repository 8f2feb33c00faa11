/** Facts from the files of a folder, on one clock: the answer of this package. Times are microseconds since 1970 (UTC). */

/** Kinds of files, by their content. */
export const FILE_KINDS = [
  "movement",
  "alwaysOnHealth",
  "clusterDiagnostics",
  "systemHealth",
  "otherEvents",
  "errorlog",
  "rowsets",
  "counters",
  /** Binary performance counters (.blg). */
  "counterLog",
  "waits",
  "diskspd",
  "schedulers",
  "topology",
  "clusterLog",
  "windowsEvents",
  "scriptOutput",
  "unknown",
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export const FILE_STATES = ["used", "convert", "notUsed", "damaged"] as const;

/** A file of a folder: its kind, its server and its use. */
export interface RecognizedFile {
  readonly name: string;
  readonly kind: FileKind;
  /** Server by content, else by the file's name; null where neither names it. */
  readonly server: string | null;
  readonly serverFrom: "content" | "name" | null;
  /** Minutes that local time in the file is ahead of UTC; null where the file does not state it. */
  readonly utcOffsetMinutes: number | null;
  /** A sentence: its use, or why it isn't used, or the next step. */
  readonly use: string;
  readonly state: (typeof FILE_STATES)[number];
}

/** File and place that report an event. */
export interface EvidenceSource {
  readonly file: string;
  /** From 1: line of a text, or number of an event in the file. */
  readonly place: number;
  /** The text as the file has it; null for an event without text, or where it is sensitive. */
  readonly text: string | null;
  /** Half width of the time's uncertainty, in µs. */
  readonly plusMinusUs: number;
}

export const EVIDENCE_KINDS = [
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
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Something that happened on a server, once, with all files that report it. */
export interface EvidenceEvent {
  readonly kind: EvidenceKind;
  /** In µs since 1970-01-01 UTC. */
  readonly atUs: number;
  /**
   * Start of a duration that ended at `atUs`, such as I/O that waited at least 15 seconds, in µs since 1970; null for a
   * single time.
   */
  readonly fromUs: number | null;
  readonly server: string | null;
  readonly group: string | null;
  readonly database: string | null;
  /** Name or id of the other replica that the event is about; null without one. */
  readonly replica: string | null;
  /** Number of SQL Server's message, when known. */
  readonly message: number | null;
  readonly states: readonly [before: string | null, after: string] | null;
  readonly count: number;
  /** A sentence of at most 20 words. */
  readonly text: string;
  /** All files that report it; the first one has the smallest uncertainty. */
  readonly sources: readonly EvidenceSource[];
  /** Log block from which a replica counts again; null for other events. */
  readonly lsn: bigint | null;
}

export const SERIES_UNITS = ["ms", "count", "bytes", "share", "perSecond"] as const;
/** Deltas are between two snapshots; cumulative values count from a start of the server; a test of a disk is a reference. */
export const SERIES_FORMS = ["sample", "delta", "cumulative", "reference"] as const;

/** Samples of a metric, in columns. */
export interface EvidenceSeries {
  /** For example "log disk write latency". */
  readonly metric: string;
  readonly unit: (typeof SERIES_UNITS)[number];
  readonly server: string | null;
  /** Wait type, volume, file, database or scheduler; null for a metric of the server. */
  readonly of: string | null;
  readonly form: (typeof SERIES_FORMS)[number];
  readonly atUs: Float64Array;
  /** NaN where a sample has no value. */
  readonly values: Float64Array;
  readonly source: { readonly file: string; readonly column: string };
}

/** Reason of a failover, as far as the files show it. */
export interface FailoverCause {
  readonly kind:
    | "leaseTimeout"
    | "healthTimeout"
    | "ddlByUser"
    | "ddlByCluster"
    | "network"
    | "serviceStop"
    | "notShown";
  /** Sentence for people: group, time, servers and reason. */
  readonly text: string;
  /** Whether two sources or a rule prove the reason; else the sentence does not contain "because". */
  readonly isProven: boolean;
  /** When the group became unavailable; in µs since 1970. */
  readonly atUs: number;
  /** When a replica was primary replica again; null where no file shows it. */
  readonly untilUs: number | null;
  readonly group: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** Events that show the failover and its reason, by time. */
  readonly events: readonly EvidenceEvent[];
}

/** Lines, events or columns of a file that no rule understood. */
export interface NotUnderstood {
  readonly file: string;
  readonly count: number;
  /** The first ones, as text. */
  readonly first: readonly string[];
}

/** Whether local time can be so many minutes ahead of UTC. */
export const isOffset = (minutes: number): boolean => Math.abs(minutes) <= 840;

/** Name of a replica, from the file that reports its id. */
export interface ReplicaName {
  readonly replicaId: string;
  readonly server: string;
  readonly file: string;
}

/** Name of an availability group, from the file that reports its id. */
export interface GroupName {
  readonly groupId: string;
  readonly name: string;
  readonly file: string;
}

/** Everything that the files of a folder show in addition to data-movement events. */
export interface Evidence {
  readonly files: readonly RecognizedFile[];
  readonly events: readonly EvidenceEvent[];
  readonly series: readonly EvidenceSeries[];
  readonly names: readonly ReplicaName[];
  readonly groups: readonly GroupName[];
  readonly notUnderstood: readonly NotUnderstood[];
  readonly cause: FailoverCause | null;
}
