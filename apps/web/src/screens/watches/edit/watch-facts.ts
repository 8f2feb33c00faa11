/** Facts of kept polls and of measurements about the watch that is edited. */
import type { Watch, WatchRehearsal } from "@aglens/contract";
import type { StripMark } from "../../../charts/watch/strip.ts";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { formatBytes, formatCount } from "../../../ui/words.ts";

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

export interface CostRow {
  readonly label: string;
  /** A cell for each server; null where nothing is measured. */
  readonly cells: readonly (string | null)[];
}

/** Costs that this watch measured in the last hour, by server. */
export function costRows(replicas: Watch["replicas"]): CostRow[] {
  const costs = replicas.map(({ cost }) => cost);
  return [
    { label: texts.pollsAnHour, cells: costs.map((cost) => cost && formatCount(cost.polls)) },
    {
      label: texts.pollingCpu,
      cells: costs.map((cost) =>
        cost === null || cost.cpuSeconds === null ? null : cpuText(cost.cpuSeconds),
      ),
    },
    { label: texts.pollingBytes, cells: costs.map((cost) => cost && formatBytes(cost.bytes)) },
  ];
}

const cpuText = (seconds: number): string =>
  texts.seconds(seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0));
