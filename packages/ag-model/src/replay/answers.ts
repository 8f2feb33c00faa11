/** The replay's answers as screens take them: plain arrays, bins and words. A value that is not there is NaN, null as JSON. */
import { firstAtOrAfter, statisticsOf, type Statistics } from "../numbers/index.ts";
import { stageStatistics } from "../columns/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { changeName, msText } from "./change-words.ts";
import { formatChange, parseChange, type Change } from "./changes.ts";
import { predictAll, writeP50 } from "./possible-changes.ts";
import { streamsOf } from "./streams.ts";
import { waitingOf } from "./waiting.ts";
import { predict, type Prediction } from "./what-if.ts";

/** Bins of the distribution per doubling. */
const BINS_PER_OCTAVE = 6;
const MOST_STRETCHES = 60;
const SECOND_US = 1_000_000;

/**
 * Every change that the capture allows, and one of them in full.
 * @param change short form of the one in full; the first of the list when not given
 * @param hasList false for the change alone, which is a fraction of the work
 * @throws ChangeError when it is not a change that the capture allows
 */
export function whatIfAnswer(model: CaptureModel, change?: string, hasList = true) {
  const all = hasList || change === undefined ? predictAll(model) : [];
  const chosen = change === undefined ? all[0] : chosenOf(model, all, parseChange(model, change));
  return {
    of: model.commits.length,
    changes: all.map((prediction) => inShort(model, prediction)),
    chosen: chosen === undefined ? null : inFull(model, chosen),
  };
}

function chosenOf(model: CaptureModel, all: readonly Prediction[], change: Change): Prediction {
  const text = formatChange(model, change);
  return all.find((each) => formatChange(model, each.change) === text) ?? predict(model, change);
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

/** What a change starts from, in words. */
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

function hopP50(model: CaptureModel, replica: number, stage: "networkRoundTrip" | "compression"): number {
  const slot = streamsOf(model)
    .flatMap(({ hops }) => hops)
    .find((hop) => hop.replica === replica)?.slot;
  return slot === undefined ? Number.NaN : stageStatistics(model, slot, stage).p50;
}

function inFull(model: CaptureModel, prediction: Prediction) {
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
    distribution: distributionOf(replayed.measured, replayed.predicted),
    overTime: overTimeOf(model, prediction),
  };
}

function distributionOf(measured: Float64Array, predicted: Float64Array) {
  const binOf = (us: number): number => Math.floor(BINS_PER_OCTAVE * Math.log2(Math.max(us, 1)));
  let [lowest, highest] = [Infinity, -Infinity];
  for (const column of [measured, predicted]) {
    for (const value of column) {
      if (Number.isNaN(value)) continue;
      lowest = Math.min(lowest, binOf(value));
      highest = Math.max(highest, binOf(value));
    }
  }
  const length = Math.max(0, highest - lowest + 1);
  const count = (column: Float64Array): number[] => {
    const counts = Array.from({ length }, () => 0);
    for (const value of column) if (!Number.isNaN(value)) counts[binOf(value) - lowest]++;
    return counts;
  };
  const edges =
    length > 0 ? Array.from({ length: length + 1 }, (_, i) => 2 ** ((lowest + i) / BINS_PER_OCTAVE)) : [];
  return { edges, measured: count(measured), predicted: count(predicted) };
}

function overTimeOf(model: CaptureModel, { replayed }: Prediction) {
  const binUs = Math.max(SECOND_US, Math.ceil(model.duration / MOST_STRETCHES / SECOND_US) * SECOND_US);
  const length = Math.max(1, Math.ceil(model.duration / binUs));
  const candidates = model.replicas.length + 1;
  const releases = (): number[][] =>
    Array.from({ length: candidates }, () => Array.from({ length }, () => 0));
  const [releasesMeasured, releasesPredicted] = [releases(), releases()];
  const { measured, predicted, releaseMeasured, releasePredicted } = replayed;
  const { start } = model.commits;
  const percentiles = { measured: [] as Percentiles[], predicted: [] as Percentiles[] };
  // Commits are in the order of their start: those of a bin are one run.
  for (let bin = 0, c = 0; bin < length; bin++) {
    const first = c;
    const end = bin === length - 1 ? start.length : firstAtOrAfter(start, (bin + 1) * binUs);
    for (; c < end; c++) {
      if (Number.isNaN(measured[c])) continue;
      releasesMeasured[releaseMeasured[c]][bin]++;
      releasesPredicted[releasePredicted[c]][bin]++;
    }
    percentiles.measured.push(percentilesOfKnown(measured, measured, first, end));
    percentiles.predicted.push(percentilesOfKnown(predicted, measured, first, end));
  }
  return {
    binUs,
    measuredP50: percentiles.measured.map(({ p50 }) => p50),
    measuredP95: percentiles.measured.map(({ p95 }) => p95),
    predictedP50: percentiles.predicted.map(({ p50 }) => p50),
    predictedP95: percentiles.predicted.map(({ p95 }) => p95),
    releasesMeasured,
    releasesPredicted,
  };
}

type Percentiles = Pick<Statistics, "p50" | "p95">;

/** Of the known values of a run of commits whose latency was measured. */
function percentilesOfKnown(
  column: Float64Array,
  measured: Float64Array,
  first: number,
  end: number,
): Percentiles {
  const values = new Float64Array(end - first);
  let known = 0;
  for (let c = first; c < end; c++) if (!Number.isNaN(measured[c])) values[known++] = column[c];
  return statisticsOf(values.subarray(0, known));
}

/** Waiting and serving of every log writer and network direction. */
export function waitingAnswer(model: CaptureModel) {
  const { rows, worst } = waitingOf(model);
  return { rows: rows.map((row) => ({ ...row, busy: [...row.busy] })), worst };
}
