import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the what-if screen. */
export const whatIfTexts = {
  // Change list
  changes: "Changes",
  ownErrorOver10: "own error over 10 %",
  noCommitKnown: "no commit known",
  cantDetermine: "can't determine",

  // Own figure
  logWrite: (name: string): string => `${name} log write`,
  roundTripTo: (name: string): string => `Round trip to ${name}`,
  compressionTo: (name: string): string => `Compression to ${name}`,
  ownFigure: "Own figure",
  diskspdResult: "Diskspd result …",
  percentilesAsDiskspdPrints: "Percentiles as Diskspd prints them (-L)",
  noPercentilesOfWrite: "No percentiles of write latency in this text.",

  // Prediction table
  figuresNowAndThen: "Figures now and then",
  commitsNowAndThen: "Commits now and then",
  releasedBy: (name: string): string => `Released by ${name}`,
  between: "between",
  notGiven: "not given",

  // What if screen
  changeOneThing: "Change one thing",
  largestEffectOnP95: "largest effect on p95 first; now outlined, then filled",
  replayingTheOtherChanges: "Replaying the other changes …",
  showTheChanges: "Show the changes that this capture allows",
  prediction: "Prediction",
  thisCaptureAllowsNo: "This capture allows no prediction: it holds no commit that waits for a replica.",
  predictionNeedsThePrimarys:
    "A prediction needs the primary's file, and the blocks that it sent to a secondary.",
  replica: "the replica",
  p95Between: (between: ReactNode): ReactNode => sentence`p95 between ${between}`,
  replayedUnchangedP95: (p95: ReactNode, otherP95: ReactNode): ReactNode =>
    sentence`replayed unchanged p95 ${p95}, measured ${otherP95}`,
  ofCommitsJoined: (commits: string, of: string): string => `${commits} of ${of} commits joined`,
  commitLatencyNow: "Commit latency, now and then",
  shareAsSquareRoot: (counted: string): string => `${counted}; share as square root, band: error`,
  commitLatencyP95Now: (p95: string, otherP95: string): string =>
    `Commit latency: p95 ${p95} now, ${otherP95} then`,
  overTimeAndWho: "Over time, and who releases",
  commitsReleasedOutlineNow: "commits released; outline now, filled then",
  p50ToP95:
    "p50 to p95 of commits and their releases over time, now and then; figures are in the table above",
  wholeCapture: "Whole capture",
  predictionFromCommitsWhole: (commits: string): string =>
    `Prediction from ${commits} commits, whole capture`,
  change: "change",
  copyTheLink: "copy the link to this prediction",
  overview: "overview",
  predictionNotAMeasurement: "A prediction, not a measurement",

  // What if words
  noChange: "no change",
  otherChangesMoveP95: (count: number, leastEffect: string): string =>
    `${count} other changes move p95 by less than ${leastEffect}.`,
  nothingThatWasTried: "Nothing that was tried shortens commits.",
  nothingThatWasTriedShortens: (most: string): string =>
    `Nothing that was tried shortens commits by more than ${most}.`,
  hasTheLargestEffect: (name: string, best: string, measured: string): string =>
    `${name} has the largest effect: ${best} (p95) instead of ${measured}.`,
  p95InsteadOf: (predicted: string, measured: string): string => `${predicted} (p95) instead of ${measured}`,
  withCommitsWouldTake: (inSentence: string, figures: string): string =>
    `With ${inSentence}, commits would take about as long as now: ${figures}.`,
  withCommitsWouldFinish: (inSentence: string, figures: string): string =>
    `With ${inSentence}, commits would finish in ${figures}.`,
  cantPredictReplayed: (missing: string, missingCount: number, errors: string): string =>
    `Can't predict ${missing}: replayed unchanged, ${plural(missingCount, "it is", "they are")} ${errors} off.`,
  localLogWrite: "the local log write",
  wouldThenRelease: (first: string, share: string, rest: string): string =>
    `${first} would then release ${share} of them${rest}.`,
  wouldBe: (name: string): string => `${name} would be `,
  behindP95AtMost: " behind (p95), at most ",
  failoverToWouldLose: (name: string): string => `A failover to ${name} would lose what it is behind`,
  nothingIsLost: (name: string): string => `Nothing is lost by a failover to ${name}`,
  loadAsRecordedSessions: "The load as recorded: sessions that commit faster may send more",
  allElseUnchangedQueues: "All else unchanged; queues in front of writes are replayed",
  ofAllDatabasesWhichever: "Applies to all databases, because they share the network",
  cantPredictCommitsBecause: "Can't predict commits because each commit lacks some of its times.",
  cantPredictCommitsBecauseTheUnchanged: (ownError: string): string =>
    `Can't predict commits because the unchanged replay of this capture is already ${ownError} off.`,
} as const;
