/** Changes of roles: when which server took over, and what lies before and after. */
import type { Finding, Summary } from "@aglens/contract";
import { durationText } from "../ui/words.ts";

/** Rule of the verdict that reports a change of roles. */
const ROLE_CHANGE = "D18";

/** A server takes over from another one; instants in µs. */
export interface RoleSwitch {
  /** End of the last commit before it; of the last log block where no commit is known. */
  readonly from: number;
  /** End of the first commit after it; beginning of the first log block where no commit is known. */
  readonly to: number;
  /** Indices into `Summary.phases`. */
  readonly before: number;
  readonly after: number;
  /** Whether it lies between commits. */
  readonly known: CommitsKnown;
}

type CommitsKnown = NonNullable<Finding["commitsKnown"]>;

/** A verdict from before it said whether commits are known. */
const PERHAPS: CommitsKnown = { before: false, after: false };

/** Whether no commit ended in a change of roles for certain. */
export const isWithoutCommits = ({ known: { before, after } }: Pick<RoleSwitch, "known">): boolean =>
  before && after;

/** How long no commit ended, or is known to have. */
export const gapWords = (change: Pick<RoleSwitch, "from" | "to" | "known">): string =>
  `no ${isWithoutCommits(change) ? "commits" : "known commit"} ${durationText(change.to - change.from)}`;

/**
 * The changes of roles of a capture as its verdict found them (docs/model.md 6.7), in the order of time; none where groups
 * merely run side by side.
 */
export function roleSwitches({ phases, verdict }: Pick<Summary, "phases" | "verdict">): RoleSwitch[] {
  return phases.flatMap((next, after) => {
    const before = phases.findLastIndex(
      ({ databases }, index) => index < after && databases.some((each) => next.databases.includes(each)),
    );
    const last = phases[before];
    if (last === undefined || last.primary === next.primary) return [];
    const found = verdict.findings.find(
      ({ rule, replica, window }) =>
        rule === ROLE_CHANGE &&
        replica === next.primary &&
        window !== null &&
        window.to >= last.to &&
        window.from <= next.from,
    );
    if (found === undefined || found.window === null) return [];
    return [{ ...found.window, before, after, known: found.commitsKnown ?? PERHAPS }];
  });
}

/** Stretches of the changes, µs: what charts draw. */
export const switchStretches = (switches: readonly RoleSwitch[]): readonly (readonly [number, number])[] =>
  switches.map(({ from, to }) => [from, to] as const);

/** Indices of the phases of which a range has time on both sides of a change, ascending; none within one phase. */
export function phasesAcross(
  switches: readonly Pick<RoleSwitch, "from" | "to" | "before" | "after">[],
  [from, to]: readonly [number, number],
): readonly number[] {
  const crossed = switches.filter((each) => each.from > from && each.to < to);
  return [...new Set(crossed.flatMap(({ before, after }) => [before, after]))].toSorted((a, b) => a - b);
}

/** The change after an instant; the first one again after the last. */
export const nextSwitch = (switches: readonly RoleSwitch[], at: number): RoleSwitch | null =>
  switches.find(({ from }) => from > at) ?? switches[0] ?? null;

/** What the stretches between changes of roles are called: before and after one change, numbers where there are more. */
export const phaseName = ({ phases }: Pick<Summary, "phases">, phase: number): string =>
  phases.length === 2 ? (phase === 0 ? "Before" : "After") : `Phase ${phase + 1}`;

/**
 * Which sides of a switch have room for a plate. A phase between two switches with room for one has it at its beginning.
 * @param places where each switch begins and ends in the plot, px
 * @param plate room that a plate needs, px
 */
export function roomForPlates(
  places: readonly (readonly [number, number])[],
  index: number,
  width: number,
  plate: number,
): { readonly before: boolean; readonly after: boolean } {
  const [left, right] = places[index] ?? [0, 0];
  const begin = Math.max(0, places[index - 1]?.[1] ?? 0);
  const end = Math.min(width, places[index + 1]?.[0] ?? width);
  const plates = begin > 0 ? 2 : 1;
  return {
    before: left <= width && left - begin >= plates * plate,
    after: right >= 0 && end - right >= plate,
  };
}
