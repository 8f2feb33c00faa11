/** Predicts the commit latency after one change: percentiles now and then, with their error, and the releases then. */
import { perModelBy } from "../columns/index.ts";
import type { Statistics } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { dataBehind, type DataBehind } from "./data-behind.ts";
import { ChangeError, type Change } from "./changes.ts";
import { replayCommits, type ReplayedCommits } from "./commit-replay.ts";
import { INTERVAL_PERCENTILES, percentileIntervals, type Interval } from "./interval.ts";
import { streamsOf } from "./streams.ts";
import { OWN_ERROR_LIMIT, ownErrorOf, knownFigures } from "./known-figures.ts";

export interface Prediction {
  readonly change: Change;
  /** Number of replayed commits, and of commits of the capture; the others' blocks are not fully joined. */
  readonly commits: number;
  readonly of: number;
  /** Commit latency as measured and as predicted, µs; NaN for a predicted figure that the replay without the change does not find. */
  readonly measured: Statistics;
  readonly predicted: Statistics;
  /** Range of the prediction, µs; NaN for a figure that is not reported. */
  readonly between: Readonly<Record<"p50" | "p95" | "p99", Interval>>;
  /** The same steps replayed without the change, µs. */
  readonly unchanged: Statistics;
  /** Largest relative error of p50 and p95 of the replay without the change. */
  readonly ownError: number;
  /** False when that error is over `OWN_ERROR_LIMIT` or no commit could be replayed: the prediction means nothing. */
  readonly canTell: boolean;
  /** Commits by their release: [0] the local log write, [r + 1] the acknowledgment of replica r. */
  readonly releasesMeasured: readonly number[];
  /** Empty where no release can be determined. */
  readonly releasesPredicted: readonly number[];
  /** For a replica made asynchronous: its lag. */
  readonly behind: DataBehind | null;
}

/** With its commits, which are overwritten by the next replay of the same capture. */
export interface ReplayedPrediction extends Prediction {
  readonly replayed: ReplayedCommits;
}

/**
 * Replays the capture with one change.
 * @throws ChangeError when the capture does not show the data that the change needs
 */
export function predict(model: CaptureModel, change: Change): ReplayedPrediction {
  expectPossible(model, change);
  const again = replayedUnchanged(model, change);
  const replayed = replayCommits(model, change);
  const measured = replayed.measured.statistics;
  const unchanged = again ?? measured;
  const ownError = ownErrorOf({ measured, unchanged });
  const predicted = knownFigures(replayed.predicted.statistics, { measured, unchanged });
  const canTell = predicted.n > 0 && ownError <= OWN_ERROR_LIMIT;
  const found = INTERVAL_PERCENTILES.map((p) => predicted[`p${p}`]);
  const [p50, p95, p99] = percentileIntervals(model.commits.start, replayed.predicted.binned, found);
  return {
    change,
    commits: predicted.n,
    of: model.commits.length,
    measured,
    predicted,
    between: { p50, p95, p99 },
    unchanged,
    ownError,
    canTell,
    releasesMeasured: replayed.measured.releases,
    releasesPredicted: canTell ? replayed.predicted.releases : [],
    behind: change.kind === "async" ? dataBehind(model, change.replica) : null,
    replayed,
  };
}

/**
 * The capture replayed with the same steps and no change. The figure of the change and its kind do not matter, except
 * that a changed log write of the primary forms blocks again. Null for a change that replays no steps.
 */
export function replayedUnchanged(model: CaptureModel, change: Change): Statistics | null {
  if (change.kind === "async") return null;
  const isPrimary = streamsOf(model).some(({ primary }) => primary === change.replica);
  const steps = change.kind === "write" && isPrimary ? "formed-anew" : "recorded";
  return unchangedStatistics(model, steps, change);
}

const unchangedStatistics = perModelBy(
  (steps: "formed-anew" | "recorded", { replica }: Change) => `${steps} ${replica}`,
  (model: CaptureModel, _steps, change): Statistics =>
    replayCommits(model, change, false).predicted.statistics,
);

function expectPossible(model: CaptureModel, change: Change): void {
  const { name, hasCapture } = model.replicas[change.replica];
  const refuse = (why: string): never => {
    throw new ChangeError("change.notPossible", why);
  };
  const streams = streamsOf(model);
  const hops = streams.flatMap((stream) => stream.hops.filter(({ replica }) => replica === change.replica));
  const isPrimary = streams.some(({ primary }) => primary === change.replica);
  if (change.kind === "write") {
    if (!hasCapture) refuse(`No file of ${name} is in the capture: its log writes are not known.`);
    if ("replica" in change.figure && !model.replicas[change.figure.replica].hasCapture)
      refuse(`No file of ${model.replicas[change.figure.replica].name} is in the capture.`);
    if (hops.length === 0 && !isPrimary) refuse(`The capture has no log write of ${name}.`);
    return;
  }
  if (hops.length === 0) refuse(`${name} is not a secondary in this capture.`);
  if (change.kind === "async" && hops.every(({ mode }) => mode === "async"))
    refuse(`${name} is asynchronous already.`);
  if (change.kind === "sync" && hops.every(({ mode }) => mode !== "async"))
    refuse(`${name} is not asynchronous.`);
  if (change.kind === "network" && !hasCapture)
    refuse(`No file of ${name} is in the capture, so network and log write time can't be separated.`);
}
