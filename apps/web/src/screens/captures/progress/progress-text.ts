import type { Capture, Progress } from "@aglens/contract";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { capitalised } from "../../../ui/words.ts";
import { phaseText } from "./analysis-steps.tsx";
import type { ExpectedTime } from "./expected-time.ts";
import { remainingText } from "./remaining.ts";

/** Where an analysis is that waits for others; null for one that runs. */
export function waitingText(progress: Progress | null): string | null {
  if (progress?.waiting === undefined) return null;
  const { place } = progress.waiting;
  return place === 1 ? texts.waitingNextToBegin : texts.waitingPlaceOfThose(place);
}

/** `2 analyses run on this server, 1 waits`; null for the only one. */
export function analysesText(progress: Progress | null): string | null {
  if (progress?.analyses === undefined) return null;
  const { running, waiting } = progress.analyses;
  const runs = texts.analysesRun(running);
  const waits = waiting === 0 ? "" : waiting === 1 ? ", 1 waits" : texts.wait(waiting);
  return texts.onThisServer(runs, waits);
}

/** Why it waits, as the beginning of a text; empty for one that runs. */
export function waitingReason(progress: Progress | null): string {
  return progress?.waiting === undefined ? "" : `${progress.waiting.reason} `;
}

/** A phase that exceeds its expected time by more than this has an unknown remaining time, which is not shown, s. */
const OVER_S = 3;

/** `about 17 s left`, or the time by which the running phase is longer than expected. */
function restText({ leftS, overS }: ExpectedTime): string {
  if (overS > OVER_S) return texts.longerThanExpectedS(Math.round(overS));
  return texts.left(remainingText(leftS));
}

/** A spread under this is not shown, s. */
const LEAST_SPREAD_S = 1;

/**
 * `69 % of the work by time.` and the basis of the estimate; empty while nothing is known. @param where `server` or
 * `browser`
 */
export function shareText(time: ExpectedTime | null, where: "server" | "browser"): string {
  if (time === null) return "";
  const share = texts.ofTheWork(Math.floor(100 * time.share));
  if (time.isRough) return texts.restIsARough(share, where);
  const spread =
    time.spreadS === null || time.spreadS < LEAST_SPREAD_S ? "" : `, ±${Math.round(time.spreadS)}\u2009s`;
  return texts.restIsEstimated(share, where, spread);
}

/** The current work of the analysis and its remaining time, in one line. */
export function progressHeadline(
  capture: Pick<Capture, "files">,
  progress: Progress | null,
  time: ExpectedTime | null,
): string {
  const files = capture.files.filter((file) => file.kind === "xel" && file.role !== "ignored").length;
  const what = files === 1 ? "Reading 1 file" : texts.readingFiles(files);
  const waiting = waitingText(progress);
  if (waiting !== null) return waiting;
  if (progress === null || time === null) return what;
  const does = progress.phase === "decode" ? what : capitalised(phaseText(progress.phase));
  return `${does}, ${restText(time)}`;
}
