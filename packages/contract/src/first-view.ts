/**
 * The time range that charts show first: the common time of the files of all participating replicas. The rest is one
 * zoom-out away.
 */
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { Summary } from "./shapes/summary.ts";

type Covered = Pick<Summary, "durationUs" | "phases" | "replicas">;
/** From, to, µs. */
export type ShownRange = readonly [from: number, to: number];

/**
 * Common time that excludes less than this share of a capture is shown together with the rest, because a cut would not
 * help.
 */
const LEAST_SHARE = 0.02;

/** All of the capture, µs. */
export const fullRange = ({ durationUs }: Pick<Summary, "durationUs">): ShownRange => [
  0,
  Math.max(1, durationUs),
];

/**
 * Range of charts in a view without a range, µs: from the beginning of the common time of the first phase to the end of
 * that of the last. A capture with a phase whose files share no time is shown completely.
 */
export function firstView(summary: Covered): ShownRange {
  const whole = fullRange(summary);
  const common = summary.phases.map((phase) => commonOf(summary, phase));
  if (common.length === 0 || common.some(([from, to]) => !(from < to))) return whole;
  const from = Math.max(0, Math.min(...common.map(([begin]) => begin)));
  const to = Math.min(whole[1], Math.max(...common.map(([, end]) => end)));
  return to - from > (1 - LEAST_SHARE) * whole[1] ? whole : [from, to];
}

/**
 * The common time of the files of a phase's replicas; it extends beyond the phase's own blocks only where its databases
 * have no other phase.
 */
function commonOf({ durationUs, phases, replicas }: Covered, phase: Covered["phases"][number]): ShownRange {
  const index = phases.indexOf(phase);
  const isOther = (k: number): boolean =>
    phases[k]?.databases.some((database) => phase.databases.includes(database)) === true;
  const isFirst = !phases.some((_, k) => k < index && isOther(k));
  const isLast = !phases.some((_, k) => k > index && isOther(k));
  const members = [
    phase.primary,
    ...phase.commitModes.flatMap((mode, slot) => (mode === null ? [] : [replicaOfSlot(phase.primary, slot)])),
  ];
  const files = members.flatMap((replica) => {
    const { from = null, to = null } = replicas[replica] ?? {};
    return from === null || to === null ? [] : [[from, to] as const];
  });
  return [
    Math.max(isFirst ? 0 : phase.from, ...files.map(([from]) => from)),
    Math.min(isLast ? durationUs : phase.to, ...files.map(([, to]) => to)),
  ];
}
