/** Lanes of samples: which of the metrics are lanes, and their steps. */
import type { EvidenceAnswer, EvidenceMetric, EvidenceSamples } from "@aglens/contract";
import { happenedTexts as texts } from "../../messages/happened.ts";
import type { TokenName } from "../../lanes/palette.ts";

/** A metric with a lane. */
export interface MetricLane {
  readonly key: string;
  readonly name: string;
  readonly note: string;
  /** Index into `EvidenceAnswer.metrics`. */
  readonly metric: number;
  readonly unit: MetricUnit;
  /** Values are totals of their intervals. */
  readonly isTotal: boolean;
  readonly color: TokenName;
}

/** Sessions is the mean number of sessions that wait. */
type MetricUnit = EvidenceMetric["unit"] | "sessions" | "msPerSecond";

/** Metrics that are lanes until the user chooses, in the order of the lanes. */
const BY_DEFAULT: readonly ((metric: EvidenceMetric) => boolean)[] = [
  ({ metric, of }) => isWait(metric) && of === "HADR_SYNC_COMMIT",
  ({ metric, of }) => isWait(metric) && of === "WRITELOG",
  ({ metric, of }) => metric === "disk write latency" && of !== "_Total",
  ({ metric }) => metric === "transaction delay in ms" || metric === "log send queue",
];
/** Name of a metric in links. */
const metricKey = ({ metric, of, server }: EvidenceMetric): string =>
  [metric, of, server]
    .filter((part) => part !== null)
    .join("@")
    .replaceAll(",", " ");

/** Whether a metric can be a lane: cumulative values and references have no course over time. */
const hasCourse = ({ form, samples, unit }: EvidenceMetric): boolean =>
  (form === "sample" || form === "delta") && samples > 1 && unit !== "share";

/**
 * The metrics that can be lanes, in their order.
 * @param color color of a server's own work
 */
export function metricLanes(
  { metrics }: Pick<EvidenceAnswer, "metrics">,
  color: (server: string | null) => TokenName,
): MetricLane[] {
  const rank = (metric: EvidenceMetric): number => {
    const found = BY_DEFAULT.findIndex((isOne) => isOne(metric));
    return found < 0 ? BY_DEFAULT.length : found;
  };
  return keyed(metrics)
    .filter(({ metric }) => hasCourse(metric))
    .toSorted((a, b) => rank(a.metric) - rank(b.metric))
    .map(({ metric, index, key }) => ({
      key,
      name: isWait(metric.metric) && metric.of !== null ? metric.of : texts.metricName(metric.metric),
      note: noteOf(metric),
      metric: index,
      unit: unitOf(metric),
      isTotal: metric.form === "delta",
      color: colorOf(metric, color),
    }));
}

/** The metrics with their indices and keys; a second file with the same metric has a number in its key. */
function keyed(metrics: readonly EvidenceMetric[]): { metric: EvidenceMetric; index: number; key: string }[] {
  const seen = new Map<string, number>();
  return metrics.map((metric, index) => {
    const key = metricKey(metric);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return { metric, index, key: count === 1 ? key : `${key}@${count}` };
  });
}

/** Keys of the metrics that are lanes until the user chooses: at most `most`, one for each rule. */
export const defaultMetrics = ({ metrics }: Pick<EvidenceAnswer, "metrics">, most: number): string[] =>
  BY_DEFAULT.flatMap(
    (isOne) => keyed(metrics).find(({ metric }) => hasCourse(metric) && isOne(metric))?.key ?? [],
  ).slice(0, most);

/** Metric with the wait time of a wait type between two snapshots. */
const isWait = (metric: string): boolean => metric === "wait time";

const isWaitTime = ({ metric, form }: EvidenceMetric): boolean => isWait(metric) && form === "delta";

/** Some counters are ms of waiting in each second. */
function unitOf(metric: EvidenceMetric): MetricUnit {
  if (isWaitTime(metric)) return "sessions";
  return metric.unit === "perSecond" && metric.metric.split(" ").at(-1) === "ms"
    ? "msPerSecond"
    : metric.unit;
}

function noteOf(metric: EvidenceMetric): string {
  const place = [isWait(metric.metric) ? null : metric.of, metric.server].filter((part) => part !== null);
  return [texts.units[unitOf(metric)], ...place].join(", ");
}

/** Waits for the commit of another replica are waiting; the rest is work of its server. */
function colorOf(
  { metric, of, server }: EvidenceMetric,
  color: (server: string | null) => TokenName,
): TokenName {
  if (isWait(metric) && of === "HADR_SYNC_COMMIT") return "--wait";
  return /sen[dt]|transport|flow control/u.test(metric) ? "--n-out" : color(server);
}

/** A value from one time to another, as it was sampled. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

type Series = EvidenceSamples["series"][number];

/**
 * Steps of a series: each as wide as its interval, which ends at its time. The first interval is as wide as the next
 * one. A sample without a value has no step, and a gap of several intervals stays empty.
 */
export function stepsOf(
  { at, values, samplesPerValue }: Series,
  { unit, isTotal }: Pick<MetricLane, "unit" | "isTotal">,
): Step[] {
  const widths = at.slice(1).map((time, i) => time - at[i]);
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)];
  if (usual === undefined) return [];
  // A total is over its complete interval, also where only the end of it is drawn.
  const shownOf = (value: number, interval: number): number => {
    if (unit === "sessions") return interval > 0 ? (value * 1000) / interval : 0;
    const isMean = isTotal && samplesPerValue > 1 && interval > 0;
    return isMean ? ((value / interval) * usual) / samplesPerValue : value;
  };
  return at.flatMap((to, i): Step[] => {
    const value = values[i];
    if (value === null || value === undefined) return [];
    const interval = widths[i - 1] ?? usual;
    const drawn = Math.min(interval, LONGEST_INTERVALS * usual);
    return [{ from: to - drawn, to, value: shownOf(value, interval) }];
  });
}

/** A longer silence than so many usual intervals is a gap. */
const LONGEST_INTERVALS = 3;

/** Mean over the time of a range, and the largest value that it has; null without a value there. */
export function figuresOf(
  steps: readonly Step[],
  [from, to]: readonly [number, number],
): { readonly mean: number; readonly max: number } | null {
  let [sum, time, max] = [0, 0, 0];
  for (const step of steps) {
    const width = Math.min(to, step.to) - Math.max(from, step.from);
    if (width <= 0) continue;
    sum += step.value * width;
    time += width;
    max = Math.max(max, step.value);
  }
  return time === 0 ? null : { mean: sum / time, max };
}

/** The round number (1, 2 or 5 times a power of ten) from which on the scale of a lane has room for a value. */
export function scaleTop(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= max) ?? 10 * power;
}
