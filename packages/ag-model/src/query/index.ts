export { findAt, findLsn } from "./find.ts";
export { overview } from "./overview.ts";
export { rangeStatistics } from "./range-statistics.ts";
export { eventsOf, sequence } from "./sequence.ts";
export { toSequenceEvent } from "./sequence-event.ts";
export { slowest, SLOWEST_SORTS } from "./slowest.ts";
export { summarise } from "./summary.ts";
export { commitWindow, window, type BinWindow, type BlockWindow, type CommitWindow } from "./window.ts";
