/** Facts of kept polls about the watch that is edited. */
import type { WatchRehearsal } from "@aglens/contract";
import type { StripMark } from "../../../charts/watch/strip.ts";

export interface RehearsalCounts {
  /** Triggers of rules other than schedules. */
  readonly starts: number;
  readonly recorded: number;
  readonly refused: number;
  /** Recordings of schedules. */
  readonly scheduled: number;
}

export function countsIn({ triggers }: Pick<WatchRehearsal, "triggers">): RehearsalCounts {
  const met = triggers.filter(({ rule }) => rule !== "schedule");
  const isRecorded = ({ refusal }: { readonly refusal: string | null }): boolean => refusal === null;
  const recorded = met.filter(isRecorded).length;
  return {
    starts: met.length,
    recorded,
    refused: met.length - recorded,
    scheduled: triggers.filter((each) => each.rule === "schedule" && isRecorded(each)).length,
  };
}

/** Triggers of a rehearsal as marks on the strip; the place of a verdict needs a recording. */
export const rehearsalMarks = ({ triggers }: Pick<WatchRehearsal, "triggers">): StripMark[] =>
  triggers.map(({ at, rule, refusal }) => ({
    id: `${at} ${rule}`,
    at: Date.parse(at),
    kind: refusal === null ? "recorded" : "refused",
    place: "none",
  }));
