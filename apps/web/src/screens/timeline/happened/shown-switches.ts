import { mayHaveDatabases } from "@aglens/ag-model/evidence";
import type { FailoverCause, Summary } from "@aglens/contract";
import { type RoleSwitch, switchPeriods } from "../../capture-view/phases.ts";
import type { Range } from "../viewport.ts";
import type { Happened } from "./use-happened.ts";

/** A role change with the times of its failover where evidence files report them. */
export interface ShownSwitch extends RoleSwitch {
  /** `from` and `to` are the loss of the primary replica and the new one, as evidence files report them. */
  readonly isReported: boolean;
}

const failoversOf = (happened: Happened | null): readonly FailoverCause[] =>
  happened === null || happened.shown.length === 0 ? [] : happened.answer.failovers;

const endOf = ({ at, until }: FailoverCause): number => until ?? at;

type Names = Pick<Summary, "phases" | "replicas" | "databases">;

const isSame = (a: string, b: string): boolean => a.toUpperCase() === b.toUpperCase();

/** Whether a failover is at the time of a role change, and to its server and of its group as far as those are known. */
function isOf(
  { answer }: Happened,
  failover: FailoverCause,
  { from, to, after }: RoleSwitch,
  { phases, replicas, databases }: Names,
): boolean {
  if (failover.at > to || endOf(failover) < from) return false;
  const { toServer, group } = failover;
  const phase = phases[after];
  // A replica of the capture may have no name that a file has.
  const taker = replicas.findIndex(({ name }) => toServer !== null && isSame(name, toServer));
  if (taker >= 0 && taker !== phase?.primary) return false;
  const names = (phase?.databases ?? []).flatMap((index) => databases[index]?.name ?? []);
  return mayHaveDatabases(group, names, answer.events);
}

/** The failover of each role change; null where files report none. */
function failoversBySwitch(
  switches: readonly RoleSwitch[],
  happened: Happened | null,
  summary: Names,
): (FailoverCause | null)[] {
  return switches.map((change) => {
    const own = failoversOf(happened).filter((each) => isOf(happened!, each, change, summary));
    return own.find(({ until }) => until !== null) ?? own[0] ?? null;
  });
}

/** Role changes that the lanes show; while the lanes of evidence files are hidden, as the log blocks show them. */
export function shownSwitches(
  switches: readonly RoleSwitch[],
  happened: Happened | null,
  summary: Names,
): ShownSwitch[] {
  const failovers = failoversBySwitch(switches, happened, summary);
  return switches.map((change, i) => {
    const failover = failovers[i] ?? null;
    if (failover === null || failover.until === null) return { ...change, isReported: false };
    return { ...change, from: failover.at, to: failover.until, isReported: true };
  });
}

/** Periods without a primary replica for the lanes and the keys, by time, µs: also of failovers that are no role change of the log blocks. */
export function outagesOf(
  switches: readonly RoleSwitch[],
  happened: Happened | null,
  summary: Names,
): Range[] {
  const known = failoversBySwitch(switches, happened, summary);
  const others = failoversOf(happened)
    .filter((failover) => !known.includes(failover))
    .map((failover): Range => [failover.at, endOf(failover)]);
  return [...switchPeriods(shownSwitches(switches, happened, summary)), ...others].toSorted(
    ([a], [b]) => a - b,
  );
}
