import type {
  BlockFilter,
  BlockWindow,
  BinWindow,
  ClientGroup,
  CommitOrder,
  CommitWindow,
  Distribution,
  HitCounts,
  Hits,
  DistributionStage,
  EventDensity,
  EvidenceAnswer,
  EvidenceSamples,
  FoundBlocks,
  MarkerWindow,
  Notes,
  Overview,
  PercentileSpread,
  RangeStatistics,
  RawEvents,
  Releases,
  ReplicaRows,
  ScopeSummary,
  Sequence,
  SlowBlocks,
  SlowCommits,
  SlowestOrder,
  Summary,
  Waiting,
  WhatIf,
  WhoWaited,
} from "@aglens/contract";
import type { CaptureScope, FirstEvent } from "@aglens/ag-model/query";
import type { EvidenceTable, RowTable } from "@aglens/ag-model/tables";
import type { SqlSource } from "./sql-client.ts";
import type { Question } from "./use-answer.ts";

/** A period, µs from the capture's origin on the primary's clock. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Questions about one analyzed capture. Screens use only this and `useAnswer`; today the answers come from the API over
 * HTTP (`http-source.ts`), and a worker in the browser can replace it.
 */
export interface CaptureSource {
  readonly id: string;
  /** Its tables in SQL; null for a capture that was read in this browser. */
  readonly sql: SqlSource | null;
  /** The same capture, limited to one database or one period between changes of roles; null means all of them. */
  scoped(scope: CaptureScope): CaptureSource;
  summary(): Question<Summary>;
  /**
   * Part of the summary that is computed from the scope's own blocks and commits; for a range of up to MOST_JUDGED of
   * them, from these alone.
   */
  scopeSummary(range?: TimeRange | null): Question<ScopeSummary>;
  overview(range: TimeRange, bins: number, secondary: number): Question<Overview>;
  /** Blocks of the range, or bins when there are more than `limit`. */
  window(
    range: TimeRange,
    limit: number,
    bins: number,
    where?: BlockFilter | null,
  ): Question<BlockWindow | BinWindow>;
  /** Commits that overlap the range; at most `limit` rows, longest first when cut. */
  commits(range: TimeRange, limit: number, where?: BlockFilter | null): Question<CommitWindow>;
  markers(): Question<MarkerWindow>;
  /** Notes of users about ranges and log blocks. */
  notes(): Question<Notes>;
  /**
   * A table of a range as a file (docs/reference/tables.md); a filter is about log blocks, and not for other files. Null behind a link, which shows only the data of the
   * screens, and for Parquet of a capture that was read in this browser.
   */
  table(
    table: RowTable | EvidenceTable,
    format: TableFormat,
    range: TimeRange,
    where?: BlockFilter | null,
  ): Question<Blob> | null;
  /** A range as a Perfetto trace (docs/reference/perfetto.md); null behind a link. */
  trace(range: TimeRange, where?: BlockFilter | null): Question<Blob> | null;
  /** The complete capture as a file that opens on another computer or server; null behind a link. */
  aglensFile(options: {
    readonly withFiles: boolean;
    readonly replacesNames: boolean;
  }): Question<Blob> | null;
  statistics(range: TimeRange, where?: BlockFilter | null, except?: TimeRange): Question<RangeStatistics>;
  /** Number of blocks that match a filter, how many are before and after a range, and the waits of their commits. */
  hits(where: BlockFilter, range: TimeRange): Question<Hits>;
  /** Blocks and commits of each filter, at most MOST_COUNTED of them. */
  hitCounts(filters: readonly BlockFilter[]): Question<HitCounts>;
  slowest(options: SlowestOptions): Question<SlowBlocks>;
  /** Commits that overlap a range in order of their wait. */
  slowCommits(options: SlowCommitsOptions): Question<SlowCommits>;
  /** Commits by their releaser, in `bins` intervals. */
  releases(range: TimeRange, bins: number): Question<Releases>;
  /**
   * A row per replica: its releases in `bins` intervals, the path to it, and its largest lag in `columns` intervals.
   */
  replicaRows(range: TimeRange, bins: number, columns: number): Question<ReplicaRows>;
  /** Blocks of an LSN in any of its spellings; empty for a text that is no LSN. */
  findLsn(text: string): Question<FoundBlocks>;
  /** The first block that begins at or after an instant, otherwise the last one. */
  findAt(at: number): Question<FoundBlocks>;
  sequence(row: number): Question<Sequence>;
  /** Another capture of this server; null behind a link, which opens only one. */
  beside(captureId: string): CaptureSource | null;
  /** Range in which the percentiles of a range can vary by chance. */
  spread(range: TimeRange, secondary: number): Question<PercentileSpread>;
  distribution(options: DistributionOptions): Question<Distribution>;
  /**
   * Raw events of a range in the order they fired; those that match the names, the text and the filter, among `read`
   * events from `first` on.
   */
  rawEvents(options: RawEventsOptions): Question<RawEvents>;
  /** Number of events of a range in each of equal bins; null for all events. `replicas` as in `rawEvents`. */
  eventDensity(range: TimeRange | null, replicas: readonly number[], bins: number): Question<EventDensity>;
  waiting(): Question<Waiting>;
  /** Events of the evidence files of the capture, and the metrics that they have samples of. */
  evidence(): Question<EvidenceAnswer>;
  /**
   * Samples of a range; `metrics` are indices into those of `evidence`, at most 500, all without it. A series has at
   * most `bins` values.
   */
  evidenceSamples(range: TimeRange, bins: number, metrics?: readonly number[]): Question<EvidenceSamples>;
  /** Commits of a range by their clients; a filter's conditions on clients only count commits. */
  whoWaited(by: ClientGroup, range: TimeRange, where?: BlockFilter | null): Question<WhoWaited>;
  /** Every change that the capture allows, and the one with the largest effect in full. */
  whatIf(): Question<WhatIf>;
  /** One change alone, without the list. */
  prediction(change: string): Question<WhatIf>;
}

export interface RawEventsOptions {
  /** Null for all events, also those before the origin. */
  readonly range: TimeRange | null;
  /** Indices of replicas; empty for all. */
  readonly replicas: readonly number[];
  /** Event names; empty for all. */
  readonly names: readonly string[];
  readonly text: string;
  /** Only events of these blocks. */
  readonly where?: BlockFilter | null;
  readonly first: FirstEvent;
  /** Events to read, at most MOST_EVENTS_READ. */
  readonly read: number;
}

/** The server reads no more events than this for one answer. */
export const MOST_EVENTS_READ = 2_000;

export type TableFormat = "csv" | "arrow" | "parquet";

export interface SlowestOptions {
  readonly range: TimeRange;
  readonly sort: SlowestOrder;
  readonly descending: boolean;
  readonly secondary: number;
  /** Rows of the answer, at most MOST_SLOWEST. */
  readonly limit: number;
  /** Only these blocks. */
  readonly where?: BlockFilter | null;
}

export interface SlowCommitsOptions {
  readonly range: TimeRange;
  readonly order: CommitOrder;
  /** Secondary whose path is shown next to a commit that no acknowledgment released. */
  readonly secondary: number;
  /** Rows of the answer, at most MOST_SLOWEST. */
  readonly limit: number;
  /** Only commits of these blocks. */
  readonly where?: BlockFilter | null;
}

export interface DistributionOptions {
  readonly range: TimeRange;
  /** Laid over the first on the same bins. */
  readonly other: TimeRange | null;
  readonly secondary: number;
  readonly axis: "log" | "linear";
  /** The stage that is also answered by time and by size. */
  readonly stage: DistributionStage;
}

/**
 * Largest number of blocks that lanes draw one by one; a capture with no more blocks is loaded at once. With more of
 * them over three views, several share a pixel, where bins look the same.
 */
export const MOST_LANE_BLOCKS = 24_000;
/** Bins of lanes of more blocks. */
export const LANE_BINS = 8_000;

/** Filters that one question counts. */
export const MOST_COUNTED = 40;

/** The server answers with no more rows than this. */
export const MOST_SLOWEST = 1_000;
