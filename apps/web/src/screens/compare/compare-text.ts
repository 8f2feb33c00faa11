/** Sentences and figures of a comparison. */
import type { ReplicaNames } from "../../lanes/palette.ts";
import { compareTexts as texts } from "../../messages/compare.ts";
import { durationText, factorFigure, formatPercent } from "../../ui/words.ts";
import { distributionStageName } from "../capture-view/stage-means.ts";
import type { ComparedStage, Percentile } from "@aglens/contract";

/** Sums of other stages: they change when a part of them does. */
const SUMS: readonly ComparedStage["stage"][] = ["commit", "remoteHarden"];

const isClear = ({ verdict }: ComparedStage): boolean => verdict === "larger" || verdict === "smaller";

/** `−90 %`, `+12 %`, `−99.6 %`, `0 %`; from ten times on the factor: `× 12`, and under a thousandth: `÷ 2,500`. */
export function changeText(change: number | null): string {
  if (change === null) return "–";
  if (change >= 9) return `×\u2009${factorFigure(change + 1)}`;
  if (change > -1 && change <= -0.999) return `÷\u2009${factorFigure(1 / (1 + change))}`;
  // A size must not be rounded to a decrease of 100 %.
  const size = formatPercent(Math.abs(change), change < -0.99 ? 1 : 0);
  if (size === formatPercent(0)) return size;
  return `${change < 0 ? "−" : "+"}${size}`;
}

/** `−93 % to −88 %`; empty without an interval. */
export const betweenText = (between: ComparedStage["between"]): string =>
  between === null ? "" : `${changeText(between[0])} to ${changeText(between[1])}`;

/**
 * The stage that changed most, the other stages that changed, and those that did not; the first sentence is the answer.
 */
export function comparisonSentences(
  stages: readonly ComparedStage[],
  percentile: Percentile,
  names: ReplicaNames,
): string[] {
  const parts = stages.filter(({ stage }) => !SUMS.includes(stage));
  const clear = parts.filter(isClear).toSorted((x, y) => difference(y) - difference(x));
  const [most, ...others] = clear;
  const commit = stages.find(({ stage }) => stage === "commit");
  const ofCommits =
    commit === undefined || commit.change === null
      ? []
      : [
          isClear(commit)
            ? texts.commitsTakeInsteadOf(
                durationText(commit.b),
                durationText(commit.a),
                percentile,
                changeText(commit.change),
              )
            : texts.commitsTakeAbout(durationText(commit.a), durationText(commit.b), percentile),
        ];
  if (most === undefined) return [texts.noStageDiffers, ...ofCommits];
  const answer = texts.changedMostInsteadOf({
    distributionStageName: distributionStageName(most.stage, names),
    percentile,
    duration: durationText(most.b),
    otherDuration: durationText(most.a),
    change: changeText(most.change),
  });
  if (others.length === 0) return [answer, ...ofCommits, texts.noOtherStageDiffers];
  const listed = others.map(
    ({ stage, change }) => `${distributionStageName(stage, names)} ${changeText(change)}`,
  );
  return [answer, ...ofCommits, texts.alsoDifferent(listed.join(", "))];
}

const difference = ({ a, b }: ComparedStage): number => Math.abs((b ?? 0) - (a ?? 0));

/** `÷ 20`, `× 2.1` between two medians; null where they differ by less than a tenth. */
export function factorText(a: number | null, b: number | null): string | null {
  if (a === null || b === null || a <= 0 || b <= 0) return null;
  const factor = b > a ? b / a : a / b;
  if (factor < 1.1) return null;
  return `${b > a ? "×" : "÷"}\u2009${factorFigure(factor)}`;
}
