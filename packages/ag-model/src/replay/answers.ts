/**
 * The replay's answers in the form that screens need: plain arrays, bins and words. A missing value is NaN, null in
 * JSON.
 */
import type { CaptureModel } from "../replication/index.ts";
import { changeName, msText } from "./change-text.ts";
import { formatChange, parseChange, type Change } from "./changes.ts";
import type { ReplayedCommits } from "./commit-replay.ts";
import { BINS_PER_OCTAVE } from "./latency-bins.ts";
import { hopP50, predictAll, writeP50 } from "./possible-changes.ts";
import { waitingOf } from "./waiting.ts";
import { predict, type Prediction, type ReplayedPrediction } from "./what-if.ts";

/**
 * Every change that the capture allows, and one of them in full.
 * @param change short form of the one in full; the first of the list when absent
 * @param hasList false for the change alone, which is a fraction of the work
 * @throws ChangeError when it is not a change that the capture allows
 */
export function whatIfAnswer(model: CaptureModel, change?: string, hasList = true) {
  const all = hasList || change === undefined ? predictAll(model) : [];
  const chosen = change === undefined ? all[0]?.change : parseChange(model, change);
  return {
    of: model.commits.length,
    changes: all.map((prediction) => inShort(model, prediction)),
    chosen: chosen === undefined ? null : inFull(model, predict(model, chosen)),
  };
}

function inShort(model: CaptureModel, { change, predicted, between, ownError, canTell }: Prediction) {
  return {
    change: formatChange(model, change),
    name: changeName(model, change),
    detail: detailOf(model, change),
    p95: predicted.p95,
    between: between.p95,
    ownError,
    canTell,
  };
}

/** Text of the present value that a change starts from. */
function detailOf(model: CaptureModel, change: Change): string {
  switch (change.kind) {
    case "async":
      return "commits do not wait for it";
    case "sync":
      return "commits wait for it";
    case "network":
      return `round trip now ${msText(hopP50(model, change.replica, "networkRoundTrip"))} (p50)`;
    case "compression": {
      const now = hopP50(model, change.replica, "compression");
      return now > 0 ? `now ${msText(now)} (p50)` : "blocks are sent uncompressed already";
    }
    case "write": {
      const own = msText(writeP50(model, change.replica));
      if ("percentile" in change.figure) return `now ${own} (p50), no slower one`;
      if ("replica" in change.figure)
        return `${msText(writeP50(model, change.figure.replica))} instead of ${own} (p50)`;
      return `now ${own} (p50)`;
    }
  }
}

function inFull(model: CaptureModel, prediction: ReplayedPrediction) {
  const { change, commits, measured, predicted, unchanged, between, behind, replayed } = prediction;
  return {
    ...inShort(model, prediction),
    kind: change.kind,
    replica: change.replica,
    commits,
    measured,
    predicted,
    unchanged,
    intervals: between,
    releases: { measured: prediction.releasesMeasured, predicted: prediction.releasesPredicted },
    behind,
    ...(prediction.canTell ? picturesOf(replayed) : NO_PICTURES),
  };
}

const picturesOf = (replayed: ReplayedCommits) => ({
  distribution: distributionOf(replayed),
  overTime: overTimeOf(replayed),
});

/** No picture is drawn for a prediction that can't be determined. */
const NO_PICTURES: ReturnType<typeof picturesOf> = {
  distribution: { edges: [], measured: [], predicted: [] },
  overTime: {
    binUs: 0,
    measuredP50: [],
    measuredP95: [],
    predictedP50: [],
    predictedP95: [],
    releasesMeasured: [],
    releasesPredicted: [],
  },
};

function distributionOf({ measured, predicted }: ReplayedCommits) {
  const [now, then] = [measured.counts, predicted.counts];
  const either = now.map((count, bin) => count + then[bin]);
  const lowest = either.findIndex((count) => count > 0);
  const end = either.findLastIndex((count) => count > 0) + 1;
  const edges = Array.from({ length: end - lowest + 1 }, (_, i) => 2 ** ((lowest + i) / BINS_PER_OCTAVE));
  return lowest < 0
    ? { edges: [], measured: [], predicted: [] }
    : { edges, measured: [...now.subarray(lowest, end)], predicted: [...then.subarray(lowest, end)] };
}

function overTimeOf({ measured, predicted }: ReplayedCommits) {
  const [now, then] = [measured.overTime, predicted.overTime];
  return {
    binUs: now.binUs,
    measuredP50: now.p50,
    measuredP95: now.p95,
    predictedP50: then.p50,
    predictedP95: then.p95,
    releasesMeasured: now.releases,
    releasesPredicted: then.releases,
  };
}

const SECOND_US = 1_000_000;
/** Shares of a second are rounded to 0.0001: a day has 86,400 of them in each row. */
const PARTS_OF_SHARE = 10_000;

/** Waiting and serving of every log writer and network direction. */
export function waitingAnswer(model: CaptureModel) {
  const { rows, worst } = waitingOf(model);
  const rounded = (share: number): number => Math.round(share * PARTS_OF_SHARE) / PARTS_OF_SHARE;
  return {
    rows: rows.map(({ busyUs, ...row }) => ({
      ...row,
      busy: Array.from(row.busy, rounded),
      ...(busyUs === SECOND_US ? {} : { busyUs }),
    })),
    worst,
  };
}
