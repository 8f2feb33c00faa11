/**
 * Primary replicas over time: names and replicas of a capture in which roles or availability modes changed, or groups
 * run side by side.
 */
import { phaseBorders, replicaOfSlot } from "@aglens/ag-model/replication";
import type { BlockFilter, Finding, RangeStatistics, Sequence, Summary } from "@aglens/contract";
import type { CaptureSource, TimeRange } from "../../data/capture-source.ts";
import type { Question } from "../../data/use-answer.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { type CaptureTime, durationText, formatTime } from "../../ui/words.ts";

export { primaryMoved } from "@aglens/contract";

type WithPhases = Pick<Summary, "replicas" | "phases">;

const joined = (names: readonly (string | undefined)[]): string | null => {
  const known = names.filter((name, i) => name !== undefined && name !== names[i - 1]);
  return known.length > 0 ? known.join(" \u203A ") : null;
};

/** The primary and each slot's secondary, one after the other where they changed: "SQL1 › SQL2". @param phase null for all */
export function namesOfSlots({ replicas, phases: all }: WithPhases, phase: number | null = null): string[] {
  const phases = phase === null ? all : all.slice(phase, phase + 1);
  const primary = joined(phases.map((phase) => replicas[phase.primary]?.name));
  return replicas.map((replica, index) => {
    if (index === 0) return primary ?? replica.name;
    const slot = index - 1;
    const used = phases.filter((phase) => (phase.commitModes[slot] ?? null) !== null);
    return joined(used.map((phase) => replicas[replicaOfSlot(phase.primary, slot)]?.name)) ?? replica.name;
  });
}

/**
 * Indices of the replicas that had a role, in the order in which they first had it.
 * @param role 0 the primary, s + 1 the secondary of slot s
 */
export function replicasOfRole({ replicas, phases }: WithPhases, role: number): number[] {
  const found = phases.flatMap(({ primary, commitModes }) => {
    if (role === 0) return [primary];
    return (commitModes[role - 1] ?? null) === null ? [] : [replicaOfSlot(primary, role - 1)];
  });
  return found.length > 0 ? [...new Set(found)] : role < replicas.length ? [role] : [];
}

/** The phase that a view narrows to; null where the capture has no phase of that number, or only one phase. */
export const phaseIndex = ({ phases }: Pick<Summary, "phases">, phase: number | null): number | null =>
  phase !== null && phases.length > 1 && phase < phases.length ? phase : null;

/** Index of the phase in which a block of a database began. @param time µs */
export const phaseAt = ({ phases }: Pick<Summary, "phases">, database: number, time: number): number =>
  Math.max(
    0,
    phases.findLastIndex(({ databases, from }) => databases.includes(database) && from <= time),
  );

/** Names of a replica's roles, in the order in which it had them. */
export function rolesOf({ phases }: Pick<Summary, "phases">, replica: number): ("primary" | "secondary")[] {
  const roles = phases.flatMap((phase) => {
    if (phase.primary === replica) return ["primary" as const];
    const isIn = phase.commitModes.some(
      (mode, slot) => mode !== null && replicaOfSlot(phase.primary, slot) === replica,
    );
    return isIn ? ["secondary" as const] : [];
  });
  return roles.filter((role, i) => role !== roles[i - 1]);
}

/**
 * A block's sequence and its capture from the view of the block's own phase: replicas[0] is its primary, and slot s is
 * the path to replicas[s + 1]. A clock may then be the primary's, against a secondary's: its `secondary` is -1.
 */
export function inItsPhase(
  summary: Summary,
  sequence: Sequence,
): { readonly summary: Summary; readonly sequence: Sequence } {
  const phase = summary.phases[sequence.phase];
  if (phase === undefined || summary.phases.length < 2) return { summary, sequence };
  const order = [phase.primary, ...phase.commitModes.map((_, slot) => replicaOfSlot(phase.primary, slot))];
  const replicas = order.flatMap((index, place) => {
    const replica = summary.replicas[index];
    if (replica === undefined) return [];
    const role = place === 0 ? ("primary" as const) : ("secondary" as const);
    return [{ ...replica, role, commitMode: phase.commitModes[place - 1] ?? replica.commitMode }];
  });
  const clocks = summary.clocks.map((clock) => ({
    ...clock,
    secondary: order.indexOf(clock.secondary + 1) - 1,
    against: order.indexOf(clock.against),
  }));
  return {
    summary: { ...summary, replicas, clocks, phases: [{ ...phase, primary: 0 }] },
    sequence: {
      ...sequence,
      phase: 0,
      events: sequence.events.map((event) => ({ ...event, replica: order.indexOf(event.replica) })),
    },
  };
}

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
  /** Whether commits before and after it are known. */
  readonly known: CommitsKnown;
}

type CommitsKnown = NonNullable<Finding["commitsKnown"]>;

/** A verdict of an earlier version, which did not record whether commits are known. */
const PERHAPS: CommitsKnown = { before: false, after: false };

/** Whether no commit ended in a change of roles for certain. */
export const isWithoutCommits = ({ known: { before, after } }: Pick<RoleSwitch, "known">): boolean =>
  before && after;

/** Time without commits, or without known commits. */
export const gapText = (change: Pick<RoleSwitch, "from" | "to" | "known">): string =>
  `no ${isWithoutCommits(change) ? texts.commits : texts.knownCommit} ${durationText(change.to - change.from)}`;

/**
 * The role changes of a capture as its verdict found them (docs/contribute/model/diagnosis.md 6.7), in order of time; empty where
 * groups merely run side by side.
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

/** Periods of the role changes, µs, for charts. */
export const switchPeriods = (switches: readonly RoleSwitch[]): readonly (readonly [number, number])[] =>
  switches.map(({ from, to }) => [from, to] as const);

/** Indices of the phases of a range that has time on both sides of a change, ascending; empty within one phase. */
export function phasesAcross(
  switches: readonly Pick<RoleSwitch, "from" | "to" | "before" | "after">[],
  [from, to]: readonly [number, number],
): readonly number[] {
  const crossed = switches.filter((each) => each.from > from && each.to < to);
  return [...new Set(crossed.flatMap(({ before, after }) => [before, after]))].toSorted((a, b) => a - b);
}

/** The change after an instant; the first one again after the last. */
export const nextSwitch = <T extends Pick<RoleSwitch, "from">>(
  switches: readonly T[],
  at: number,
): T | null => switches.find(({ from }) => from > at) ?? switches[0] ?? null;

/** Names of the periods between role changes: before and after one change, numbers where there are more. */
export const phaseName = ({ phases }: Pick<Summary, "phases">, phase: number): string =>
  phases.length === 2 ? (phase === 0 ? "Before" : "After") : texts.phase(phase + 1);

/**
 * The sides of a switch that have space for a plate. A phase between two switches with space for only one plate has it
 * at its beginning.
 * @param places where each switch begins and ends in the plot, px
 * @param plate width that a plate needs, px
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

/** A replica gets another availability mode. */
export interface ModeSwitch {
  /** When, µs. */
  readonly at: number;
  /** Index into `Summary.replicas`. */
  readonly replica: number;
  readonly mode: Summary["replicas"][number]["commitMode"];
  /** Indices into `Summary.phases`. */
  readonly before: number;
  readonly after: number;
}

/** The changes of availability modes of a capture, in the order of time. */
export const modeSwitches = ({ phases }: Pick<Summary, "phases">): ModeSwitch[] =>
  phaseBorders(phases).flatMap((border) =>
    border.kind === "roleChange"
      ? []
      : border.changed.map(({ replica, mode }) => ({
          at: phases[border.after]?.from ?? 0,
          replica,
          mode,
          before: border.before,
          after: border.after,
        })),
  );

type Named = Pick<Summary, "replicas"> & CaptureTime;

const isAsynchronous = (mode: ModeSwitch["mode"]): boolean => mode === "async";

/** `NODE3 asynchronous-commit` */
const modeText = ({ replicas }: Named, replica: number, isAsync: boolean): string =>
  texts.commitPart(replicas[replica]?.name ?? texts.replicaLabel, isAsync);

/** `NODE3 asynchronous-commit from 12:03:27` */
export const modeSwitchText = (summary: Named, { replica, mode, at }: ModeSwitch): string =>
  texts.from(modeText(summary, replica, isAsynchronous(mode)), formatTime(summary, at, 0));

/**
 * The name of a phase by the change of availability mode that it begins with, else by the one that it ends with: `NODE3 asynchronous-commit
 * from 12:03:27`, `NODE3 synchronous-commit until 12:03:27`. Null where it has neither: changes of roles name phases by their order.
 */
export function modePhaseName(summary: Named & Pick<Summary, "phases">, phase: number): string | null {
  const switches = modeSwitches(summary);
  const begins = switches.filter(({ after }) => after === phase);
  const ends = switches.filter(({ before }) => before === phase);
  const [first] = begins.length > 0 ? begins : ends;
  if (first === undefined) return null;
  const when = formatTime(summary, first.at, 0);
  return begins.length > 0
    ? texts.from(
        begins.map(({ replica, mode }) => modeText(summary, replica, isAsynchronous(mode))).join(", "),
        when,
      )
    : texts.until(
        ends.map(({ replica, mode }) => modeText(summary, replica, !isAsynchronous(mode))).join(", "),
        when,
      );
}

/** Where one phase of a database ends and the next one begins: between the commits of a change of roles, at an instant for a change of mode; µs. */
export interface PhaseEdge {
  readonly from: number;
  readonly to: number;
  /** Indices into `Summary.phases`. */
  readonly before: number;
  readonly after: number;
}

/** The edges of phases, in order of time; empty between groups that run side by side. */
export function phaseEdges(summary: Pick<Summary, "phases" | "verdict">): PhaseEdge[] {
  const modes = modeSwitches(summary).map(({ at, before, after }) => ({ from: at, to: at, before, after }));
  return [...roleSwitches(summary), ...modes].toSorted((a, b) => a.from - b.from);
}

/** Modes of a replica, one after the other where they changed: `sync, then async`; null where its mode does not change. */
export function modesInTurn(summary: Pick<Summary, "phases">, replica: number): string | null {
  const changes = modeSwitches(summary).filter((change) => change.replica === replica);
  const [first] = changes;
  if (first === undefined) return null;
  return [isAsynchronous(first.mode) ? "sync" : "async", ...changes.map(({ mode }) => mode)].join(", then ");
}

/** Figures of one phase. */
export interface PhaseStatistics {
  /** Index into `Summary.phases`. */
  readonly phase: number;
  readonly statistics: RangeStatistics;
}

/**
 * Figures of a range in each of some phases, in one question: they are shown together or not at all.
 * @param phases indices into `Summary.phases`
 */
export function statisticsOfPhases(
  source: CaptureSource,
  database: number | null,
  phases: readonly number[],
  range: TimeRange,
  where: BlockFilter | null = null,
): Question<PhaseStatistics[]> {
  const questions = phases.map((phase) => ({
    phase,
    ...source.scoped({ database, phase }).statistics(range, where),
  }));
  return {
    key: questions.map(({ phase, key }) => `${phase} ${key}`).join(" "),
    ask: (signal) =>
      Promise.all(questions.map(async ({ phase, ask }) => ({ phase, statistics: await ask(signal) }))),
  };
}
