export { isLongRange, type CaptureScope } from "../columns/index.ts";
export { distributionOf, prepareDistributions } from "./distribution.ts";
export { DISTRIBUTION_STAGES } from "./distribution-stages.ts";
export type { BlockCondition, BlockFilter } from "./block-filter.ts";
export { countHits, filteredBlocks } from "./block-filter.ts";
export { hitsOf } from "./hits.ts";
export { findBlockAt, findLsn } from "./find.ts";
export { blockSlowness } from "./lanes.ts";
export { overviewOf } from "./overview.ts";
export {
  prepareColumn,
  preparations,
  takePrepared,
  type ColumnToPrepare,
  type Preparation,
  type PreparedColumn,
} from "./preparations.ts";
export { percentileSpread } from "./percentile-spread.ts";
export { rangeStatistics } from "./range-statistics.ts";
export { releasesOf, replicaRows } from "./replica-rows.ts";
export {
  eventDensity,
  eventPlacesFrom,
  unlistedEvents,
  type FirstEvent,
  type PlacedEvent,
} from "./raw-events.ts";
export { eventPlacesOf, sequenceOfBlock } from "./sequence.ts";
export { durationFieldOf, toSequenceEvent } from "./sequence-event.ts";
export {
  commitsInCapture,
  isLongPart,
  scopedModel,
  slowCommitsInCapture,
  slowestInCapture,
  summariseScope,
  windowInCapture,
  type AskedModel,
} from "./scope.ts";
export { slowestBlocks, SLOWEST_SORTS } from "./slowest.ts";
export { COMMIT_ORDERS, slowCommits } from "./slow-commits.ts";
export { CLIENT_GROUPS, whoWaited, type ClientGroup } from "./who-waited.ts";
export { summarise, takeStatistics } from "./summary.ts";
export {
  commitWindow,
  captureInBins,
  windowOf,
  type BinWindow,
  type BlockWindow,
  type CommitWindow,
} from "./window.ts";
