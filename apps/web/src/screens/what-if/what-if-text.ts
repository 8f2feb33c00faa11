/** Texts of the "What if" screen on a prediction. */
import type { PredictedChange, PredictionDetail, Summary } from "@aglens/contract";
import { whatIfTexts as texts } from "../../messages/what-if.ts";
import { durationText, factorFigure, formatBytes, formatPart, formatPercent } from "../../ui/words.ts";

/** A change of p95 under this share does not count. */
const LEAST_EFFECT = 0.1;

/** The factor between both p95 values, whichever is larger; "no change" under a tenth. */
export function effectText(measured: number | null, predicted: number | null): string {
  if (measured === null || predicted === null || measured <= 0 || predicted <= 0) return "–";
  if (isNoChange(measured, predicted)) return texts.noChange;
  const times = Math.max(measured / predicted, predicted / measured);
  return `${predicted < measured ? "÷" : "×"}\u2009${factorFigure(times)}`;
}

export const isNoChange = (measured: number, predicted: number): boolean =>
  Math.abs(predicted / measured - 1) < LEAST_EFFECT;

/** Whether a change has no effect on commits. */
export const isWithoutEffect = ({ canTell, p95 }: PredictedChange, measured: number): boolean =>
  canTell && p95 !== null && isNoChange(measured, p95);

/** Changes without effect in one sentence. */
export const foldedText = (count: number): string =>
  texts.otherChangesMoveP95(count, formatPercent(LEAST_EFFECT));

/**
 * The answer where no tried change shortens commits; null where one does, or can't be predicted.
 * @param chosen the one with the largest effect
 */
export function nothingHelpsSentence(
  chosen: PredictionDetail,
  tried: readonly PredictedChange[],
): string[] | null {
  const measured = chosen.measured.p95 ?? Number.NaN;
  const best = chosen.predicted.p95 ?? Number.NaN;
  const isFutile = ({ canTell, p95 }: PredictedChange): boolean =>
    canTell && p95 !== null && (p95 >= measured || isNoChange(measured, p95));
  if (tried.length === 0 || !tried.every(isFutile)) return null;
  const most = Math.ceil(100 * Math.max(0, 1 - best / measured));
  if (most === 0) return [texts.nothingThatWasTried];
  return [
    texts.nothingThatWasTriedShortens(formatPercent(most / 100)),
    texts.hasTheLargestEffect(chosen.name, durationText(best), durationText(measured)),
  ];
}

/** A change's name inside a sentence; the case of server names does not change. */
const inSentence = ({ kind, name }: PredictionDetail): string =>
  kind === "network" || kind === "compression" ? name.charAt(0).toLowerCase() + name.slice(1) : name;

/** The answer in two sentences. */
export function predictionSentences(chosen: PredictionDetail, summary: Summary): string[] {
  if (!chosen.canTell) return [cannotTellText(chosen)];
  const measured = chosen.measured.p95 ?? Number.NaN;
  const predicted = chosen.predicted.p95 ?? Number.NaN;
  const figures = texts.p95InsteadOf(durationText(predicted), durationText(measured));
  const first = isNoChange(measured, predicted)
    ? texts.withCommitsWouldTake(inSentence(chosen), figures)
    : texts.withCommitsWouldFinish(inSentence(chosen), figures);
  return [first, releaseSentence(chosen, summary)];
}

export function cannotTellText({
  commits,
  ownError,
}: Pick<PredictionDetail, "commits" | "ownError">): string {
  return commits === 0
    ? texts.cantPredictCommitsBecause
    : texts.cantPredictCommitsBecauseTheUnchanged(formatPercent(ownError));
}

/** The missing figures, which the replay without the change does not reproduce; "" where no figure is missing. */
export function unknownText({ predicted, unchanged, measured }: PredictionDetail): string {
  const missing = (["p99", "max"] as const).filter((p) => predicted[p] === null && measured[p] !== null);
  if (missing.length === 0) return "";
  const errors = missing.map((p) =>
    formatPercent(Math.abs((unchanged[p] ?? Number.NaN) / (measured[p] ?? Number.NaN) - 1)),
  );
  return texts.cantPredictReplayed(missing.join(" and "), missing.length, errors.join(" and "));
}

/** Names of the causes that release commits, in the order of the releases: the local log write, then each replica. */
export const releaseNames = ({ replicas }: Summary): string[] => [
  texts.localLogWrite,
  ...replicas.map(({ name }) => name),
];

function releaseSentence({ releases, commits }: PredictionDetail, summary: Summary): string {
  const names = releaseNames(summary);
  const [most, next] = releases.predicted
    .map((n, i) => ({ name: names[i] ?? "", share: n / Math.max(commits, 1) }))
    .sort((a, b) => b.share - a.share);
  if (most === undefined || most.share === 0) return "";
  const first = most.name.charAt(0) === "t" ? `The${most.name.slice(3)}` : most.name;
  const rest = next !== undefined && next.share >= 0.005 ? `, ${next.name} ${formatPart(next.share)}` : "";
  return texts.wouldThenRelease(first, formatPart(most.share), rest);
}

export const betweenText = ([low, high]: PredictedChange["between"]): string =>
  low === null || high === null ? "–" : `${durationText(low)} to ${durationText(high)}`;

export const behindText = (
  { behind }: PredictionDetail,
  name: string,
): [string, string, string, string] | null =>
  behind === null
    ? null
    : [texts.wouldBe(name), durationText(behind.p95Us), texts.behindP95AtMost, formatBytes(behind.mostBytes)];

/** Assumptions of the prediction. */
export function assumptions({ kind }: PredictionDetail, name: string, ofOneDatabase = false): string[] {
  const cost: Partial<Record<PredictionDetail["kind"], string>> = {
    async: texts.failoverToWouldLose(name),
    sync: texts.nothingIsLost(name),
  };
  const own = cost[kind];
  return [
    texts.loadAsRecordedSessions,
    texts.allElseUnchangedQueues,
    ...(own === undefined ? [] : [own]),
    ...(ofOneDatabase ? [texts.ofAllDatabasesWhichever] : []),
  ];
}
