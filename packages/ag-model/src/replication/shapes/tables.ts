/**
 * The replication model as tables in columns: the result of an analysis, which the API stores and screens draw.
 *
 * Times are float64 microseconds on the PRIMARY's clock, relative to the capture's origin; a missing instant is NaN. A
 * block's row number is its identity inside one analysis. Rows are ordered by `time`.
 */

import type { EventFile, LossCause } from "../../events/index.ts";
import type { UtcChange } from "../clocks/clock-utc.ts";
import type { EventIndex } from "./event-runs.ts";

/** How an anchor's instant was obtained (docs/contribute/model/joins.md 3.6). */
export const Obtained = { missing: 0, measured: 1, derived: 2, fallback: 3 } as const;
export type Obtained = (typeof Obtained)[keyof typeof Obtained];

/** How the instant of the anchor at place `index` of a list of anchors was obtained, from a row of an `obtained` column. */
export const obtainedIn = (bits: number, index: number): Obtained => ((bits >>> (2 * index)) & 3) as Obtained;

/** Instants of a block on the primary, same for every secondary. Letters in comments are those of docs/contribute/model/stages.md 4.1. */
export const LOCAL_ANCHORS = [
  "commitStart", // C0, first commit of the block
  "pushedToLogPool", // logpool.start
  "localFlushStart", // F0
  "localFlushEnd", // F1
  "commitEnd", // C1, last commit of the block
] as const;
export type LocalAnchor = (typeof LOCAL_ANCHORS)[number];

/**
 * Parts of a log write, µs: SQL Server's queue at its beginning and the completion at its end; the device has the rest.
 * NaN where no file write shows them.
 */
export const WRITE_PARTS = ["writeQueue", "writeCompletion"] as const;
export type WriteParts = Readonly<Record<(typeof WRITE_PARTS)[number], Float64Array>>;

/** True for an anchor of the block itself, the same for every secondary. */
export const isLocalAnchor = (anchor: LocalAnchor | HopAnchor): anchor is LocalAnchor =>
  (LOCAL_ANCHORS as readonly string[]).includes(anchor);

/** Instants of a block on its way to one secondary and back. */
export const HOP_ANCHORS = [
  "sendStart", // K0
  "departed", // K1, earliest possible departure
  "sendEnd", // K2
  "received", // R0
  "secondaryFlushStart", // R1
  "secondaryFlushEnd", // R2
  "ackBuilt", // A1
  "ackDeparted", // A2
  "ackSent", // A3
  "ackReceived", // H0
  "ackProcessed", // H1
] as const;
export type HopAnchor = (typeof HOP_ANCHORS)[number];

/** Anchors on the secondary's own counter; the others of a hop are on the primary's. */
export const SECONDARY_ANCHORS = [
  "received",
  "secondaryFlushStart",
  "secondaryFlushEnd",
  "ackBuilt",
  "ackDeparted",
  "ackSent",
] as const satisfies readonly HopAnchor[];

const ON_SECONDARY: ReadonlySet<string> = new Set(SECONDARY_ANCHORS);

/** True for an anchor on the secondary's own counter. */
export const isOnSecondaryClock = (anchor: LocalAnchor | HopAnchor): boolean => ON_SECONDARY.has(anchor);

/** Release of a commit, as a number in the tables' `gate` columns. */
export const Gate = {
  /** The known instants do not show the release. */
  unknown: 0,
  localFlush: 1,
  /** The acknowledgment of a secondary, by the slot of the block's hop to it (`slots.ts`). */
  ofSecondary: (secondary: number): number => secondary + 2,
  /** The secondary whose acknowledgment released the commit; negative when none did. */
  secondaryOf: (gate: number): number => gate - 2,
} as const;

/** A record with a value for each of the names, such as a column for each anchor. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name, index: number) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name, i) => [name, valueOf(name, i)])) as Record<Name, Value>;
}

/** True when a replica's events have no start_timestamp: its durations are as coarse as UTC (docs/contribute/model/events.md 1.4). */
export const hasCoarseTimes = ({ replicas }: Pick<CaptureModel, "replicas">): boolean =>
  replicas.some(({ hasCapture, hasCounter }) => hasCapture && !hasCounter);

/** One row per availability database and log block. */
export interface BlockTable extends Record<LocalAnchor, Float64Array>, WriteParts {
  readonly length: number;
  /** Index into `CaptureModel.databases`. */
  readonly database: Uint16Array;
  /** Index into `CaptureModel.phases`, which contains the primary. */
  readonly phase: Uint16Array;
  /** log_block_id: high 32 bits VLF sequence number, low 32 bits offset in 512-byte units. */
  readonly blockId: BigUint64Array;
  /** Bytes; NaN when no event has it. */
  readonly size: Float64Array;
  /** Its earliest known instant, µs. Ascending. */
  readonly time: Float64Array;
  /** Its latest known instant, µs. */
  readonly timeEnd: Float64Array;
  readonly commits: Uint16Array;
  /** Release of the block's commits, as in `Gate`. */
  readonly gate: Uint8Array;
  /** 1 when this is the first block of a VLF (two flush pairs). */
  readonly vlfStart: Uint8Array;
  /**
   * Largest error of all of the block's instants together on the capture's clock, µs: 0 while its primary is the
   * reference; NaN unknown.
   */
  readonly uncertainty: Float64Array;
  /** Two bits per LOCAL_ANCHORS entry (bit 2*i), values of Obtained. */
  readonly obtained: Uint32Array;
}

/** One table per slot (`slots.ts`), row i belongs to block i; all NaN when the block was never sent there. */
export interface HopTable extends Record<HopAnchor, Float64Array>, WriteParts {
  /** Sum of processing_time, µs; NaN when there was no such event. */
  readonly compression: Float64Array;
  readonly decompression: Float64Array;
  /**
   * Upper bound of the error of the block's network times out and back, µs, as long as the clocks run straight within
   * their windows; NaN where the two clocks are not aligned.
   */
  readonly uncertainty: Float64Array;
  /** Two bits per HOP_ANCHORS entry (bit 2*i), values of Obtained. */
  readonly obtained: Uint32Array;
}

/** One row per commit, ordered by start. */
export interface CommitTable {
  readonly length: number;
  /** Row in `blocks`, -1 when the block is not in the capture. */
  readonly block: Int32Array;
  readonly database: Uint16Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** As BlockTable.gate. */
  readonly gate: Uint8Array;
  /** time_to_commit as the commit manager reports it, µs; NaN when absent. */
  readonly timeToCommit: Float64Array;
  /** session_id; 0 for a commit without one. Absent where no commit has one, as the two columns below. */
  readonly session?: Uint16Array;
  /** Index into `CommitClients.applications`. */
  readonly application?: Uint16Array;
  /** Index into `CommitClients.statements`. */
  readonly statement?: Uint16Array;
}

/** Columns of commits that exist only where a commit has a value. */
export const CLIENT_COLUMNS = ["session", "application", "statement"] as const;

/** Clients of commits, from actions of their events (docs/contribute/model/events.md 1.5). */
export interface CommitClients {
  /** Names by number; the first is empty, for commits without one. */
  readonly applications: readonly string[];
  /** Statements by number, one line each without their values; the first is empty. */
  readonly statements: readonly string[];
  /** The columns of which the files have nothing but dropped values; they are absent. */
  readonly dropped: readonly ("application" | "statement")[];
}

export const MARKER_KINDS = [
  "vlfSwitch",
  "databaseFlowControl",
  "transportFlowControl",
  "stillWaiting",
  "roleChange",
  "clockStep",
  "pause",
  "modeChange",
] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];

/** Instants that get a mark above the lanes. */
export interface MarkerTable {
  readonly length: number;
  /** Index into MARKER_KINDS. */
  readonly kind: Uint8Array;
  /**
   * Index into `CaptureModel.replicas` of the replica whose file contains the event, that took over, whose clock
   * stepped or mode changed, or that was unresponsive.
   */
  readonly replica: Uint8Array;
  readonly time: Float64Array;
  /** µs, 0 for an instant. */
  readonly duration: Float64Array;
}

export type Role = "primary" | "secondary";

/** Whether commits wait for a replica; "undetermined" = sync or undetermined (docs/contribute/model/stages.md 4.5). */
export type CommitMode = "sync" | "async" | "undetermined";

/** A period in which one replica was the primary of some databases, and commits waited for the same replicas. */
export interface Phase {
  /** Indexes into `CaptureModel.databases`, all of one availability group. */
  readonly databases: readonly number[];
  /** Index into `CaptureModel.replicas`. */
  readonly primary: number;
  /** First and last instant of its blocks, µs. */
  readonly from: number;
  readonly to: number;
  /** By slot; null where the primary sent nothing, so that no commit can wait for that replica. */
  readonly commitModes: readonly (CommitMode | null)[];
}

/** A server. */
export interface Replica {
  /** An availability_replica_id, lower case; empty when no event names it. */
  readonly id: string;
  /** All of them: an instance has one in each availability group. */
  readonly ids: readonly string[];
  /** Server name from the topology XML or the user, else "Primary", "Secondary 1"... */
  readonly name: string;
  /** In the first phase that it takes part in; `CaptureModel.phases` has them all. */
  readonly role: Role;
  /** False for a replica that the events mention but no file covers. */
  readonly hasCapture: boolean;
  /** Its events have start_timestamp, the server's µs counter; false without a capture (docs/contribute/model/events.md 1.4). */
  readonly hasCounter: boolean;
  /** As a secondary, in the first phase in which it is one; `sync` where it changes while the primary stays. */
  readonly commitMode: CommitMode;
  readonly events: number;
  /** Coverage of its files, µs on the primary's clock; NaN without a file. */
  readonly from: number;
  readonly to: number;
  /**
   * When its µs counter restarted, after its machine had booted, µs on the primary's clock; absent without a restart.
   */
  readonly restarts?: readonly number[];
  /** When its UTC clock was set by 10 s or more, from and to µs on the primary's clock; absent where it was not. */
  readonly utcChanges?: readonly UtcChange[];
  /** Minutes that its clock was ahead of UTC at the start; absent where unknown. */
  readonly utcOffsetMinutes?: number | undefined;
}

export interface AvailabilityDatabase {
  /** group_database_id, lower case; empty when unknown. */
  readonly id: string;
  readonly name: string;
  /** Databases of one availability group have the same number. */
  readonly group: number;
  /**
   * availability_replica_id per replica index: each instance has its own in each group; empty for a replica outside the
   * group or with an unknown id.
   */
  readonly replicaIds: readonly string[];
  /** database_id per replica index; -1 when unknown. */
  readonly localIds: readonly number[];
}

/** Clock of one secondary against the primary's (docs/contribute/model/clocks.md 5). */
export interface ClockFit {
  /** Replica - 1: whose clock it is. */
  readonly secondary: number;
  /** Replica whose clock it is compared with; 0 unless another was the primary and no block bounds it directly. */
  readonly against: number;
  readonly status: "aligned" | "cannotAlign";
  readonly reason: string;
  readonly blocksUsed: number;
  readonly driftPpm: number;
  readonly driftPpmFeasible: readonly [number, number];
  /**
   * Half the feasible band at the best drift, µs (docs/contribute/model/clocks.md 5.5): the figure for the complete fit. For a
   * single block `HopTable.uncertainty` has the strict bound, which also includes the uncertainty of the drift.
   */
  readonly oneWayUncertaintyUs: number;
  readonly minNetworkRoundTripUs: number;
  /** The replica's UTC minus that of `against`, µs; in the longest time in which neither clock was set. */
  readonly utcAheadOfPrimaryUs: number;
  readonly causalityViolationsAfter: number;
  readonly outOfOrderByUtc: number;
  /** Each window of the fit, µs on the primary's clock, with the strict bound of its blocks; one for a stable clock. */
  readonly windows: readonly {
    readonly from: number;
    readonly to: number;
    /** The replica's counter minus that of `against` at `from`, µs. */
    readonly offsetUs: number;
    readonly driftPpm: number;
    readonly driftPpmFeasible: readonly [number, number];
    readonly uncertaintyUs: number;
  }[];
}

export interface SourceFile extends EventFile {
  /** Index into replicas. */
  readonly replica: number;
}

/** Lost events at one place in time. */
export interface LossPlace {
  /** Between the events before and after it, µs on the primary's clock. */
  readonly from: number;
  readonly to: number;
  readonly events: number;
  readonly cause: LossCause;
  /** Files of the events before and after it, by their index. */
  readonly before: number;
  readonly after: number;
  /** True for many small places in one: most of the time between has events. */
  readonly isJoined?: boolean;
}

/** The lost events of one server, exactly, where event_sequence numbers all its events. */
export interface CountedLoss {
  /** Index into replicas. */
  readonly replica: number;
  /** Events in its files; for a phase an estimate by its log blocks. */
  readonly events: number;
  readonly lost: number;
  /** True for the part of one phase of several. */
  readonly isPart?: boolean;
  /** In order of time; very many are joined. */
  readonly places: readonly LossPlace[];
}

export interface CaptureModel {
  /** UTC of time 0 as FILETIME ticks (100 ns since 1601-01-01). */
  readonly origin: bigint;
  /** End of the last event, µs. */
  readonly duration: number;
  /** Times are on the clock of replicas[0], the first phase's primary; where it has no file, on that of the first with one. */
  readonly replicas: readonly Replica[];
  readonly databases: readonly AvailabilityDatabase[];
  /** In the order in which they began; one where no role changed and all databases are of one group. */
  readonly phases: readonly Phase[];
  readonly files: readonly SourceFile[];
  /** Servers whose lost events are counted; absent without one. Those of other servers are found by what blocks lack. */
  readonly countedLosses?: readonly CountedLoss[];
  readonly blocks: BlockTable;
  /** By slot: hops[s] leads to `replicaOfSlot(primary of the block, s)`; while replicas[0] is the primary to replicas[s + 1]. */
  readonly hops: readonly HopTable[];
  readonly commits: CommitTable;
  /** Absent where no event of a commit has an action that names its client. */
  readonly clients?: CommitClients;
  readonly markers: MarkerTable;
  readonly events: EventIndex;
  readonly clocks: readonly ClockFit[];
  /** "pre2016" when capture modes 3 and 4 are seen (docs/contribute/model/events.md 1.4). */
  readonly engine: "pre2016" | "2016+";
  /** Source of the events: files, or servers that are read while they run; sentences differ. */
  readonly source: "files" | "live";
  /** Sentences about missing or doubtful data (docs/contribute/model/diagnosis.md 6.4). */
  readonly warnings: readonly string[];
  readonly counts: {
    readonly primary: number;
    readonly secondary: number;
    readonly onBoth: number;
    readonly primaryOnly: number;
    readonly secondaryOnly: number;
    readonly completeEndToEnd: number;
    readonly withoutAcknowledgement: number;
    readonly withCommit: number;
    /** Counts of those blocks whose other events should exist: they are in time that the files of both sides cover. */
    readonly common: {
      readonly primaryOnly: number;
      readonly secondaryOnly: number;
      readonly withoutAcknowledgement: number;
    };
  };
}

/** Counts of a model without a block. */
export const NO_COUNTS: CaptureModel["counts"] = {
  primary: 0,
  secondary: 0,
  onBoth: 0,
  primaryOnly: 0,
  secondaryOnly: 0,
  completeEndToEnd: 0,
  withoutAcknowledgement: 0,
  withCommit: 0,
  common: { primaryOnly: 0, secondaryOnly: 0, withoutAcknowledgement: 0 },
};
