import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

/**
 * A line of values over time on a scale from 0, as an SVG path in `width` by `height` px; it breaks where nothing was
 * measured, and is empty where all values are 0.
 */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  if (!(top > 0)) return "";
  const x = scaleLinear()
    .domain([0, Math.max(1, values.length - 1)])
    .range([0, width]);
  const y = scaleLinear()
    .domain([0, top])
    .range([height - 2, 3]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, i) => x(i))
    .y((value) => y(value ?? 0))
    .digits(1);
  return path(values) ?? "";
}
