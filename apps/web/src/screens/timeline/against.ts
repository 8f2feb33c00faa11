/** The selected range beside the rest: factors, and what takes the most of remote harden in either. */
import type { RangeStatistics, Statistics } from "@aglens/contract";
import { REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import type { BarStages } from "../../charts/block-pieces.ts";
import { placeOf, type ReplicaNames } from "../../lanes/palette.ts";
import { formatPercent } from "../../ui/words.ts";
import { LEAST_P95 } from "../percentiles.ts";

type Stages = RangeStatistics["stages"][number];

/** A change by less than this share is none. */
const SAME = 0.1;
/** From this factor on a change catches the eye. */
const LARGE = 2;

/** `× 238`, `× 1.6`, `÷ 2.0`, "same" under 10 %, "" where one of both is not known. */
export function factorWords(selected: number | null, rest: number | null): string {
  if (selected === null || rest === null || !(selected > 0) || !(rest > 0)) return "";
  const factor = selected / rest;
  if (Math.abs(factor - 1) < SAME) return "same";
  const size = factor > 1 ? factor : 1 / factor;
  return `${factor > 1 ? "×" : "÷"}\u2009${size < 9.95 ? size.toFixed(1) : size.toFixed(0)}`;
}

export const isLargeFactor = (selected: number | null, rest: number | null): boolean =>
  selected !== null && rest !== null && rest > 0 && selected / rest >= LARGE;

/** Mean durations of the remote path, µs, as a block bar draws them. */
export const meansOf = (stages: Stages): BarStages =>
  Object.fromEntries(
    (["localFlush", "remoteHarden", ...REMOTE_STAGE_IDS] as const).map((id) => [
      id,
      stages[id]?.mean ?? null,
    ]),
  );

interface Part {
  readonly name: string;
  readonly share: number;
}

/** What takes the most of the mean remote harden: a log write, the network, or a server's handling. */
function largestPart(stages: Stages, names: ReplicaNames): Part | null {
  const whole = stages.remoteHarden?.mean ?? 0;
  if (!(whole > 0)) return null;
  const sums = new Map<string, number>();
  for (const id of REMOTE_STAGE_IDS) {
    const name = partName(id, names);
    sums.set(name, (sums.get(name) ?? 0) + Math.max(0, stages[id]?.mean ?? 0));
  }
  const [largest] = [...sums].toSorted((a, b) => b[1] - a[1]);
  return largest === undefined ? null : { name: largest[0], share: largest[1] / whole };
}

function partName(id: StageId, names: ReplicaNames): string {
  if (id === "secondaryFlush") return `${names.secondary}'s log write`;
  const place = placeOf(id);
  if (place === "network") return "the network";
  return `${place === "primary" ? names.primary : names.secondary}'s handling`;
}

const enough = (figures: Statistics | undefined): boolean => (figures?.n ?? 0) >= LEAST_P95;

/**
 * Two sentences: what takes the most of remote harden in the selection, and in the rest. Null where either has fewer than 20
 * blocks: so few say nothing of the others.
 */
export function partsSentence(
  selected: Stages | undefined,
  rest: Stages | undefined,
  names: ReplicaNames,
): { readonly here: string; readonly there: string } | null {
  if (!selected || !rest || !enough(selected.remoteHarden) || !enough(rest.remoteHarden)) return null;
  const [here, there] = [largestPart(selected, names), largestPart(rest, names)];
  if (here === null || there === null) return null;
  const name = here.name.charAt(0).toUpperCase() + here.name.slice(1);
  return {
    here: `${name} takes ${formatPercent(here.share)} of remote harden here.`,
    there:
      here.name === there.name
        ? `In the rest it takes ${formatPercent(there.share)}.`
        : `In the rest ${there.name} takes ${formatPercent(there.share)}.`,
  };
}
