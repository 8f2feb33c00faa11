/** Texts for the counts of an analysis step and for its duration. */
import type { Progress } from "@aglens/contract";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { durationText, formatBytes, formatCount } from "../../../ui/words.ts";
import type { ExpectedPhase } from "./expected-time.ts";
import { remainingText } from "./remaining.ts";

export type StepState = "done" | "now" | "later";

/** Amount of work of a step, in its own unit, if it is known; empty for a step without a count. */
export function countText(phase: Progress["phase"], state: StepState, progress: Progress | null): string {
  if (progress === null) return "";
  const { bytesDone, bytesTotal, events, blocks } = progress;
  if (phase === "decode") return `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`;
  if (phase === "join" && blocks === 0)
    return state !== "later" && events > 0 ? texts.events(formatCount(events)) : "";
  const countsBlocks = phase === "join" || phase === "measure" || phase === "verdict";
  return countsBlocks && blocks > 0 ? texts.logBlocks(formatCount(blocks)) : "";
}

/**
 * The duration and rate of a completed step, the elapsed and remaining time of a running step, or the expected duration
 * of a pending step.
 */
export function timeText(
  { phase, seconds, share, state, isSeen }: ExpectedPhase,
  progress: Progress | null,
): string {
  if (state === "later") return aboutText(seconds);
  if (state === "now") {
    const left = seconds * (1 - share);
    const runs = secondsText(seconds * share);
    return left > 0 ? texts.leftPart(runs, aboutText(left)) : texts.longerThanExpected(runs);
  }
  return isSeen ? `${secondsText(seconds)}${rateText(phase, seconds, progress)}` : "";
}

/** Reports arrive at least whole milliseconds apart, so shorter times are not measured. */
const LEAST_SEEN_S = 0.001;

const secondsText = (seconds: number): string =>
  seconds < LEAST_SEEN_S ? "under 1\u2009ms" : durationText(1_000_000 * seconds);

const aboutText = (seconds: number): string => (seconds < 1 ? "under 1\u2009s" : remainingText(seconds));

/** Shorter steps have no rate, because it would only measure their start. */
const LEAST_RATED_S = 0.2;

/** Bytes, or events, per second. */
function rateText(phase: ExpectedPhase["phase"], seconds: number, progress: Progress | null): string {
  if (progress === null || seconds < LEAST_RATED_S) return "";
  if (phase === "decode") return `, ${formatBytes(progress.bytesTotal / seconds)}/s`;
  if (phase !== "join" || progress.events === 0) return "";
  return texts.eventsS(formatCount(Math.round(progress.events / seconds)));
}
