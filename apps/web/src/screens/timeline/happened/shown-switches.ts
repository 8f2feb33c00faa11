import type { FailoverCause } from "@aglens/contract";
import { type RoleSwitch, switchPeriods } from "../../capture-view/phases.ts";
import type { Range } from "../viewport.ts";
import type { Happened } from "./use-happened.ts";

/** A role change with the times of its failover where other files report them. */
export interface ShownSwitch extends RoleSwitch {
  /** `from` and `to` are the loss of the primary replica and the new one, as other files report them. */
  readonly isReported: boolean;
}

const failoversOf = (happened: Happened | null): readonly FailoverCause[] =>
  happened === null || happened.shown.length === 0 ? [] : happened.answer.failovers;

const endOf = ({ at, until }: FailoverCause): number => until ?? at;

const isOf = (failover: FailoverCause, { from, to }: RoleSwitch): boolean =>
  failover.at <= to && endOf(failover) >= from;

/** Role changes that the lanes show; while the lanes of other files are hidden, as the log blocks show them. */
export const shownSwitches = (switches: readonly RoleSwitch[], happened: Happened | null): ShownSwitch[] =>
  switches.map((change) => {
    const failover = failoversOf(happened).find((each) => each.until !== null && isOf(each, change));
    if (failover === undefined) return { ...change, isReported: false };
    return { ...change, from: failover.at, to: endOf(failover), isReported: true };
  });

/** Failovers that no role change of the log blocks belongs to, as periods, µs. */
const otherFailovers = (switches: readonly RoleSwitch[], happened: Happened | null): Range[] =>
  failoversOf(happened)
    .filter((failover) => !switches.some((change) => isOf(failover, change)))
    .map((failover): Range => [failover.at, endOf(failover)]);

/** Periods without a primary replica for the lanes and the keys, by time, µs. */
export const outagesOf = (switches: readonly RoleSwitch[], happened: Happened | null): Range[] =>
  [...switchPeriods(shownSwitches(switches, happened)), ...otherFailovers(switches, happened)].toSorted(
    ([a], [b]) => a - b,
  );
