/** Watches: what polls of a group say, and which rules start a recording. */
export type { FiredRule, PolledRule, UsualDelay, WatchMinute, WatchPoint, WatchRules } from "./shapes.ts";
