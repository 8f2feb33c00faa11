import type { MetricLane } from "../../../charts/evidence/metric-lanes.ts";
import { type Figure, formatCount, formatDuration, formatSize } from "../../../ui/words.ts";

/** A value of a metric with its unit; numbers below 100 have three digits. */
export function metricFigure(value: number, unit: MetricLane["unit"]): Figure {
  if (unit === "ms") return formatDuration(value * 1000);
  if (unit === "bytes") return formatSize(value);
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const words = digits === 0 ? formatCount(Math.round(value)) : value.toFixed(digits);
  return { value: words, unit: unit === "perSecond" ? "/s" : unit === "msPerSecond" ? "ms/s" : "" };
}

/** The end of a scale, without decimals that are zero. */
export const scaleText = (value: number, unit: MetricLane["unit"]): string => {
  const figure = metricFigure(value, unit);
  const words = figure.value.replace(/\.0+$/u, "");
  return unit === "ms" || unit === "bytes" ? `${words}\u2009${figure.unit}` : words;
};
