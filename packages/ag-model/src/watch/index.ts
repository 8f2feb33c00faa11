/** Watches: what polls of a group say, and which rules start a recording. */
export {
  hourOf,
  minuteAt,
  minutesOf,
  packHour,
  seriesOf,
  unpackHour,
  withPoint,
  type SeriesColumns,
} from "./minutes.ts";
export { groupFigures, type GroupFigures, type PolledGroup, type SecondaryFigures } from "./group-figures.ts";
export { pointOf, type ReplicaPoll } from "./point.ts";
export type { FiredRule, PolledRule, UsualDelay, WatchMinute, WatchPoint, WatchRules } from "./shapes.ts";
export { isQuietFor, metRules, nextTriggers, triggersAtStart, type TriggerState } from "./triggers.ts";
export { usualAt, usualOf, type Usual } from "./usual.ts";
export { refusalOf, type PastRecording } from "./limits.ts";
export { rehearse, type Rehearsal } from "./rehearsal.ts";
