/** Watches as a monitoring system reads them. */
import type { PolledGroup, WatchPoint } from "@aglens/ag-model/watch";
import { WATCH_RULES } from "@aglens/contract";
import type { Watch, WatchRule } from "@aglens/contract";

export interface WatchFigures {
  /** Name of the availability group. */
  readonly group: string;
  readonly state: Watch["state"];
  /** Limit of the commit delay, ms; null without that trigger. */
  readonly delayLimitMs: number | null;
  readonly counts: WatchCounts;
  /** The last polls; null where it isn't polled. */
  readonly polled: PolledGroup | null;
}

const none = (): Record<WatchRule, number> =>
  Object.fromEntries(WATCH_RULES.map((rule) => [rule, 0])) as Record<WatchRule, number>;

/** Counts since this process has the watch. */
export class WatchCounts {
  /** Polls of the primary that were answered. */
  polls = 0;
  /** Intervals without such a poll. */
  problems = 0;
  readonly recordings = none();
  readonly refusals = none();

  takePoint({ seconds }: WatchPoint): void {
    if (seconds > 0) this.polls += 1;
    else this.problems += 1;
  }
}
