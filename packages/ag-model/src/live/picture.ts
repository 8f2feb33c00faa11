/** Picture of the live model after each step; the shapes of contract/live.ts, with NaN where that has null. */
import type { summarise } from "../query/summary.ts";
import type { PictureLane } from "../lanes/index.ts";
import type { RemoteStageId } from "../replication/shapes/stages.ts";
import type { BegunEpisode } from "./begun-episodes.ts";
import type { Verdict } from "../diagnosis/verdict.ts";

/** A replica that is attached, as the caller describes it. */
export interface LiveModelReplica {
  readonly name: string;
  /** availability_replica_id, lower case; empty when not known yet. */
  readonly replicaId: string;
  readonly role: "primary" | "secondary" | "unknown";
  /** Dispatch latency of its session, µs; Infinity for a session without a limit, absent when not known. */
  readonly dispatchUs?: number;
}

/** How the events of a replica arrive. */
export interface LiveModelDelivery {
  /**
   * The largest age of an event that arrived in the last minute without waiting for another row, µs; NaN without such
   * an event.
   */
  readonly lateUs: number;
  /** The largest age of rows that waited for each other in the last minute, µs; NaN where none did. */
  readonly waitedUs: number;
  /** A silence longer than this is not waited for, µs. */
  readonly patienceUs: number;
  /**
   * For a replica that is not waited for any more: time up to which its events were received, µs of the run; NaN for
   * others.
   */
  readonly silentSince: number;
  /** Number of events that arrived after their blocks had settled, so that the picture lacks them. */
  readonly tooLate: number;
}

/** A period of the run in which other replicas had the roles, µs, with the lanes as they were named then. */
export interface LiveModelPhase extends LiveModelPeriod {
  /** Index of the replica that was the primary; -1 when it was not attached. */
  readonly primary: number;
  readonly lanes: readonly LiveModelLane[];
}

/** A range of the run, µs. */
export interface LiveModelPeriod {
  readonly from: number;
  readonly to: number;
}

/** "commit", "localFlush", "hop0.wireOut", ...; `hop` counts secondaries in the order the model met them. */
export type LiveModelLane = PictureLane;

/** Equal-width bins of all lanes; arrays run from `firstBin`; bin i covers [i, i + 1) times the width. */
export interface LiveModelBins {
  /** µs. */
  readonly width: number;
  readonly firstBin: number;
  /** Log blocks. */
  readonly count: number[];
  /** µs by lane key; NaN where nothing finished. */
  readonly p50: Record<string, number[]>;
  readonly max: Record<string, number[]>;
}

export interface LiveModelFigures {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** A figure over the verdict's time, and one value per second of 30 s, oldest first. */
export interface LiveModelReadout {
  readonly key: string;
  readonly label: string;
  readonly lane: string;
  /** NaN while a replica whose events it needs sends none. */
  readonly value: number;
  /**
   * Time up to which the events that it needs were received, µs of the run; NaN while one of their replicas sends none.
   */
  readonly heardTo: number;
  readonly spark: number[];
}

/** Shares of the mean remote harden, 0..1; a stage that no block has is absent. */
export type StageShares = Partial<Record<RemoteStageId, number>>;

export type LiveModelClock = ReturnType<typeof summarise>["clocks"][number];

/** The part of a picture that exists for one database alone. */
export type DatabasePicture = Pick<
  LiveModelPicture,
  | "bins"
  | "overview"
  | "figures"
  | "shares"
  | "readouts"
  | "verdict"
  | "judged"
  | "blocksPerSecond"
  | "commitsPerSecond"
>;

/** The part of a run that is in memory; the rest is on disk alone. */
export interface LiveModelHeld {
  /** Bytes of events, log blocks and bins. */
  readonly bytes: number;
  /** Start of the oldest log block, µs of the run; NaN for none. */
  readonly from: number;
}

export interface LiveModelPicture {
  /** UTC of time 0, FILETIME ticks; 0 until the first block is there. */
  readonly originTicks: bigint;
  /** The primary's time now, µs since the origin. */
  readonly now: number;
  readonly lanes: readonly LiveModelLane[];
  /** Earlier phases, oldest first: roles changed at the end of each. */
  readonly phases: readonly LiveModelPhase[];
  /** By replica: newest decoded instant on the primary's clock, µs; NaN before the first event. */
  readonly decodedTo: number[];
  /** Bins that may have changed since the last step; null before the first block. */
  readonly bins: LiveModelBins | null;
  /** Bins of the complete run that changed since the last step; null without a change. */
  readonly overview: LiveModelBins | null;
  /** Figures of the blocks that the verdict is about, by lane key. */
  readonly figures: Record<string, LiveModelFigures>;
  /** By secondary: share of the mean remote harden by stage of its path, 0..1. */
  readonly shares: StageShares[];
  readonly readouts: LiveModelReadout[];
  /** By replica. */
  readonly deliveries: LiveModelDelivery[];
  /**
   * Verdict on the last 15 s, or on the last 200 blocks where those cover more, up to the time to which the events of
   * all awaited replicas were received.
   */
  readonly verdict: Verdict | null;
  /** The blocks that the verdict's headline is about; null without any. */
  readonly judged: LiveModelPeriod | null;
  /** Slow periods that began in this run, each once, in the order in which they were found. */
  readonly episodes: readonly BegunEpisode[];
  readonly clocks: LiveModelClock[];
  /** The part of the run that is in memory. */
  readonly held: LiveModelHeld;
  /** Names of the databases whose log was seen, in the order in which they were met. */
  readonly databases: readonly string[];
  /** Pictures of the databases that are watched alone, by name. */
  readonly byDatabase: Readonly<Record<string, DatabasePicture>>;
  /** Rate over 5 s up to the primary's last event; NaN before the first block and while the primary sends no events. */
  readonly blocksPerSecond: number;
  readonly commitsPerSecond: number;
}
