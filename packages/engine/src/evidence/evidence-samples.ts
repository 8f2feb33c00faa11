import type { EvidenceSamples } from "@aglens/contract";
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import { coarseSeries, type EvidenceSeries } from "@aglens/evidence";
import type { CaptureEvidence } from "./capture-evidence.ts";
import { shownSeries } from "./evidence-answer.ts";

/** A range of samples, µs from the capture's origin. */
export interface SamplesWanted {
  readonly from: number;
  readonly to: number;
  /** Most values of each series. */
  readonly bins: number;
  /** Indices into the answer's metrics; null for all. */
  readonly metrics: readonly number[] | null;
}

/** Values of an answer: series share them, so that many series have fewer each. */
const MOST_VALUES = 500_000;

/**
 * Samples of a range, with the one before it and the one after it: a sample is about the interval that ends with it. A
 * reference, which has no range, is in each answer.
 */
export function evidenceSamples(
  evidence: CaptureEvidence,
  { from, to, bins, metrics }: SamplesWanted,
): EvidenceSamples {
  const all = shownSeries(evidence);
  const chosen = metrics ?? [...all.keys()];
  const wanted = [...new Set(chosen)].flatMap((metric) => {
    const series = all[metric];
    return series === undefined ? [] : [{ metric, part: partOf(series, evidence.originUs, from, to) }];
  });
  const most = Math.max(1, Math.min(bins, Math.floor(MOST_VALUES / Math.max(1, wanted.length))));
  return {
    series: wanted.map(({ metric, part }) => {
      const size = Math.max(1, Math.ceil(part.values.length / most));
      const { atUs, values } =
        size === 1 ? part : coarseSeries(part, size, part.form === "delta" ? "total" : "mean");
      return {
        metric,
        at: Array.from(atUs, (us) => Math.round(us)),
        values: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
        samplesPerValue: size,
      };
    }),
  };
}

/** The samples of a range, in µs from the capture's origin; without those whose file has no time. */
function partOf(series: EvidenceSeries, originUs: number, from: number, to: number): EvidenceSeries {
  const { form, atUs, values } = series;
  if (form === "reference")
    return { ...series, atUs: atUs.map((us) => (Number.isNaN(us) ? 0 : us - originUs)) };
  // Times ascend, and a file has one for each sample or none.
  if (Number.isNaN(atUs[0] ?? Number.NaN))
    return { ...series, atUs: new Float64Array(), values: new Float64Array() };
  const start = Math.max(0, firstAtOrAfter(atUs, originUs + from) - 1);
  const end = Math.min(atUs.length, firstAtOrAfter(atUs, originUs + to) + 1);
  return {
    ...series,
    atUs: atUs.slice(start, end).map((us) => us - originUs),
    values: values.subarray(start, end),
  };
}
