/**
 * Speed: decision 218: 0.3 instead of 1.4 s for a first figure at 4 M log blocks. Without it the simple way is to
 * predict on request.
 *
 * The single changes that a capture allows, without a figure chosen by the user.
 */
import { perModel, perModelBy, stageMedian } from "../columns/index.ts";
import { GrowingColumn, medianOf } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { ChangeError, type Change } from "./changes.ts";
import { prepareHopLegs, secondaryWriterOf } from "./hop-legs.ts";
import type { LogWriter } from "./log-writer.ts";
import { primaryLogOf } from "./primary-replay.ts";
import { streamsOf } from "./streams.ts";
import { predict, replayedUnchanged, type Prediction } from "./what-if.ts";
import { writeDurations } from "./write-durations.ts";

/** Another replica's log write is suggested when its p50 is under this share of the replica's own. */
const CLEARLY_FASTER = 0.9;
const NEAR_ROUND_TRIP_US = 200;

/**
 * Predictions of every single change that the capture allows, largest effect on p95 first, those that can't be
 * determined last.
 */
export const predictAll = perModel((model: CaptureModel): readonly Prediction[] =>
  changesOf(model)
    .flatMap((change) => predictionOf(model, change) ?? [])
    .sort((a, b) => orLast(a.predicted.p95) - orLast(b.predicted.p95)),
);

const orLast = (us: number): number => (Number.isNaN(us) ? Number.MAX_VALUE : us);

/** Computes in steps the data that every prediction needs, for times without requests. */
export function* prepareReplays(model: CaptureModel): Generator<void> {
  for (const stream of streamsOf(model)) {
    primaryLogOf(model, stream);
    yield;
    for (const hop of stream.hops) yield* prepareHopLegs(model, stream, hop);
  }
  for (const replica of model.replicas.keys()) {
    writeP50(model, replica);
    yield;
  }
  for (const change of changesOf(model)) {
    replayedUnchanged(model, change);
    yield;
  }
}

/** Computes the answer of `predictAll` in the same way, and the data that every other prediction needs. */
export function* preparePredictions(model: CaptureModel): Generator<void> {
  yield* prepareReplays(model);
  for (const change of changesOf(model)) {
    predictionOf(model, change);
    yield;
  }
}

/** Null where the capture does not show the data that the change needs. */
const predictionOf = perModelBy(
  (change: Change) => JSON.stringify(change),
  (model: CaptureModel, change): Prediction | null => {
    try {
      const { replayed: _, ...prediction } = predict(model, change);
      return prediction;
    } catch (error) {
      if (error instanceof ChangeError) return null;
      throw error;
    }
  },
);

function changesOf(model: CaptureModel): Change[] {
  const modes = new Map<number, boolean>();
  for (const { hops } of streamsOf(model))
    for (const { replica, mode } of hops) modes.set(replica, mode === "async");
  const writes = new Map(model.replicas.map((_, replica) => [replica, writeP50(model, replica)]));
  return model.replicas.flatMap(({ hasCapture }, replica): Change[] => {
    const isAsync = modes.get(replica);
    // An asynchronous replica affects no commit; the only change is to make it synchronous.
    if (isAsync === true) return [{ kind: "sync", replica }];
    const changes: Change[] = isAsync === undefined ? [] : [{ kind: "async", replica }];
    if (hasCapture) changes.push(...writeChanges(replica, writes));
    if (hasCapture && isAsync === false)
      changes.push({ kind: "network", replica, roundTripUs: NEAR_ROUND_TRIP_US });
    if (isAsync === false && hopP50(model, replica, "compression") > 0)
      changes.push({ kind: "compression", replica, us: 0 });
    return changes;
  });
}

function writeChanges(replica: number, writes: ReadonlyMap<number, number>): Change[] {
  const own = writes.get(replica) ?? Number.NaN;
  if (Number.isNaN(own)) return [];
  const [fastest, us] = [...writes].reduce((a, b) => (b[1] < a[1] || Number.isNaN(a[1]) ? b : a));
  const changes: Change[] = [{ kind: "write", replica, figure: { percentile: 50 } }];
  if (us < CLEARLY_FASTER * own) changes.push({ kind: "write", replica, figure: { replica: fastest } });
  return changes;
}

/** p50 of a replica's log writes in all databases, µs; NaN without a known one. */
export const writeP50 = perModel((model: CaptureModel, replica: number): number => {
  if (!model.replicas[replica].hasCapture) return Number.NaN;
  const [only, ...others] = writersOf(model, replica).map(writeDurations);
  if (others.length === 0) return only === undefined ? Number.NaN : medianOf(only);
  const durations = new GrowingColumn(Float64Array);
  for (const each of [only, ...others]) durations.add(each);
  return medianOf(durations.values());
});

/** p50 of a stage on the way to a replica, µs; NaN when no block shows it. */
export function hopP50(
  model: CaptureModel,
  replica: number,
  stage: "networkRoundTrip" | "compression",
): number {
  const slot = streamsOf(model)
    .flatMap(({ hops }) => hops)
    .find((hop) => hop.replica === replica)?.slot;
  return slot === undefined ? Number.NaN : stageMedian(model, slot, stage);
}

const writersOf = (model: CaptureModel, replica: number): LogWriter[] =>
  streamsOf(model).flatMap((stream) => {
    if (stream.primary === replica) return [primaryLogOf(model, stream).writer];
    return stream.hops
      .filter((hop) => hop.replica === replica)
      .map((hop) => secondaryWriterOf(model, stream, hop).writer);
  });
