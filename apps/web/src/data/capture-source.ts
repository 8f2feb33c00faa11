import type {
  BlockWindow,
  BinWindow,
  CommitWindow,
  FoundBlocks,
  MarkerWindow,
  Overview,
  RangeStatistics,
  Sequence,
  SlowBlocks,
  SlowestSort,
  Summary,
} from "@aglens/contract";

/** A stretch of time, µs from the capture's origin on the primary's clock. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Where one analysed capture's answers come from. Screens know only this; today it is the API over HTTP
 * (`http-source.ts`), a worker in the browser can take its place. Every call may be aborted and rejects with ProblemError.
 */
export interface CaptureSource {
  readonly id: string;
  summary(signal?: AbortSignal): Promise<Summary>;
  overview(range: TimeRange, bins: number, secondary: number, signal?: AbortSignal): Promise<Overview>;
  /** Blocks of the range, or bins when there are more than `limit`. */
  window(
    range: TimeRange,
    limit: number,
    bins: number,
    signal?: AbortSignal,
  ): Promise<BlockWindow | BinWindow>;
  /** Commits that overlap the range; at most `limit` rows, longest first when cut. */
  commits(range: TimeRange, limit: number, signal?: AbortSignal): Promise<CommitWindow>;
  markers(signal?: AbortSignal): Promise<MarkerWindow>;
  statistics(range: TimeRange, signal?: AbortSignal): Promise<RangeStatistics>;
  slowest(
    options: {
      range: TimeRange;
      sort: SlowestSort;
      descending: boolean;
      secondary: number;
      limit: number;
      offset: number;
    },
    signal?: AbortSignal,
  ): Promise<SlowBlocks>;
  /** Blocks of an LSN in any of its spellings; none for a text that is no LSN. */
  findLsn(text: string, signal?: AbortSignal): Promise<FoundBlocks>;
  /** The first block that begins at or after an instant, else the last one. */
  findAt(at: number, signal?: AbortSignal): Promise<FoundBlocks>;
  sequence(row: number, signal?: AbortSignal): Promise<Sequence>;
}
