/** Changes of a replica's availability mode: the primary stays, and commits wait for the replica from then on, or no longer. */
import { phaseBorders } from "@aglens/ag-model/replication";
import type { Summary } from "@aglens/contract";
import { type CaptureTime, formatUtc } from "../ui/words.ts";

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

/** `NODE3 async since 12:03:27` */
export const modeSwitchWords = (
  summary: Pick<Summary, "replicas"> & CaptureTime,
  { replica, mode, at }: ModeSwitch,
): string => `${summary.replicas[replica]?.name ?? "A replica"} ${mode} since ${formatUtc(summary, at, 0)}`;

/** Modes of a replica, one after the other where they changed: `sync, then async`; null where its mode does not change. */
export function modesInTurn(summary: Pick<Summary, "phases">, replica: number): string | null {
  const changes = modeSwitches(summary).filter((change) => change.replica === replica);
  const [first] = changes;
  if (first === undefined) return null;
  return [first.mode === "async" ? "sync" : "async", ...changes.map(({ mode }) => mode)].join(", then ");
}
