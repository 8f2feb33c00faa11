/**
 * Selects the percentiles of a prediction that are reported: those that the same replay without the change finds as
 * they were measured.
 */
import type { Statistics } from "../numbers/index.ts";

/** Largest own error with which a prediction is shown. */
export const OWN_ERROR_LIMIT = 0.1;

/** Commit latencies as measured, and by the same steps without the change; µs. */
export interface OwnReplay {
  readonly measured: Statistics;
  readonly unchanged: Statistics;
}

/** Largest relative error of p50 and p95 of the replay without the change; NaN without a commit. */
export const ownErrorOf = (own: OwnReplay): number =>
  Math.max(ownErrorAt(own, "p50"), ownErrorAt(own, "p95"));

/** @param predicted with every figure @returns NaN for the figures that are not reported */
export function knownFigures(predicted: Statistics, own: OwnReplay): Statistics {
  const isTold = ownErrorOf(own) <= OWN_ERROR_LIMIT;
  const told = (figure: keyof OwnReplay["measured"]): number =>
    isTold && ownErrorAt(own, figure) <= OWN_ERROR_LIMIT ? predicted[figure] : Number.NaN;
  return {
    n: predicted.n,
    p50: told("p50"),
    p95: told("p95"),
    p99: told("p99"),
    max: told("max"),
    mean: told("mean"),
  };
}

const ownErrorAt = ({ measured, unchanged }: OwnReplay, figure: keyof Statistics): number =>
  Math.abs(unchanged[figure] - measured[figure]) / measured[figure];
