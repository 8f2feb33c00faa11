/** Changes of a replica's availability mode: the primary stays, and commits wait for the replica from then on, or no longer. */
import { phaseBorders } from "@aglens/ag-model/replication";
import type { Summary } from "@aglens/contract";
import { type CaptureTime, formatUtc } from "../ui/words.ts";
import { roleSwitches } from "./role-switches.ts";

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
const modeWords = ({ replicas }: Named, replica: number, isAsync: boolean): string =>
  `${replicas[replica]?.name ?? "A replica"} ${isAsync ? "asynchronous" : "synchronous"}-commit`;

/** `NODE3 asynchronous-commit from 12:03:27` */
export const modeSwitchWords = (summary: Named, { replica, mode, at }: ModeSwitch): string =>
  `${modeWords(summary, replica, isAsynchronous(mode))} from ${formatUtc(summary, at, 0)}`;

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
  const when = formatUtc(summary, first.at, 0);
  return begins.length > 0
    ? `${begins.map(({ replica, mode }) => modeWords(summary, replica, isAsynchronous(mode))).join(", ")} from ${when}`
    : `${ends.map(({ replica, mode }) => modeWords(summary, replica, !isAsynchronous(mode))).join(", ")} until ${when}`;
}

/** Where one phase of a database ends and the next one begins: between the commits of a change of roles, at an instant for a change of mode; µs. */
export interface PhaseEdge {
  readonly from: number;
  readonly to: number;
  /** Indices into `Summary.phases`. */
  readonly before: number;
  readonly after: number;
}

/** The edges of phases, in the order of time; none between groups that run side by side. */
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
