/** Compares the selected range with the rest: factors, and the largest part of remote harden on either side. */
import type { PausedPath, RangeStatistics, Statistics, Summary } from "@aglens/contract";
import type { ReplicaNames } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { capitalised, factorFigure } from "../../../ui/words.ts";
import { LEAST_P95 } from "../../capture-view/figures.ts";
import { meansOf } from "../../capture-view/stage-means.ts";
import { largestShare, shareText } from "./largest-share.ts";

type Stages = RangeStatistics["stages"][number];

/** A change by less than this share does not count as a change. */
const SAME = 0.1;
/** Factor from which a change is emphasized. */
const LARGE = 2;

/** `× 238`, `× 1.6`, `÷ 2.0`, "same" under 10 %, "" where one of both is not known. */
export function factorText(selected: number | null, rest: number | null): string {
  if (selected === null || rest === null || !(selected > 0) || !(rest > 0)) return "";
  const factor = selected / rest;
  if (Math.abs(factor - 1) < SAME) return "same";
  const size = factor > 1 ? factor : 1 / factor;
  return `${factor > 1 ? "×" : "÷"}\u2009${factorFigure(size)}`;
}

export const isLargeFactor = (selected: number | null, rest: number | null): boolean =>
  selected !== null && rest !== null && rest > 0 && selected / rest >= LARGE;

const enough = (figures: Statistics | undefined): boolean => (figures?.n ?? 0) >= LEAST_P95;

/**
 * Figures of one side: the stages towards the chosen secondary, and the part of their means in which a server was
 * unresponsive.
 */
export interface Side {
  readonly stages: Stages | undefined;
  readonly paused: PausedPath;
}

/** The side's figures towards a secondary. */
export const sideOf = (statistics: RangeStatistics | null, secondary: number): Side => ({
  stages: statistics?.stages[secondary],
  paused: statistics?.paused[secondary] ?? null,
});

/**
 * Two sentences: the largest part of remote harden in the selection, and in the rest. Null where either has fewer than
 * 20 blocks, which are too few to represent the others.
 */
export function partsSentence(
  selected: Side,
  rest: Side,
  names: ReplicaNames,
  summary: Pick<Summary, "replicas">,
): { readonly here: string; readonly there: string } | null {
  const [here, there] = [selected, rest].map(({ stages, paused }) =>
    enough(stages?.remoteHarden) ? largestShare(meansOf(stages), paused, names, summary) : null,
  );
  if (!here || !there) return null;
  const name = capitalised(here.name);
  const other = here.name === there.name ? "it" : there.name;
  return {
    here: texts.ofRemoteHardenHere(name, shareText(here)),
    there: texts.inTheRest(other, shareText(there)),
  };
}
