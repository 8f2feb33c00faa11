export { findAt, findLsn } from "./find.ts";
export type { StatisticsOrNull } from "./null-for-nan.ts";
export { overview, type OverviewOptions } from "./overview.ts";
export { rangeStatistics } from "./range-statistics.ts";
export { eventsOf, sequence, type EventPlace } from "./sequence.ts";
export { toSequenceEvent, type DecodedEvent, type SequenceEvent } from "./sequence-event.ts";
export { slowest, type SlowestOptions } from "./slowest.ts";
export { summarise } from "./summary.ts";
export {
  commitWindow,
  laneKey,
  NO_ROW,
  window,
  type BinWindow,
  type BlockWindow,
  type CommitWindow,
  type CommitWindowOptions,
  type WindowOptions,
} from "./window.ts";
// Number formats of design.md section 7, for screens.
