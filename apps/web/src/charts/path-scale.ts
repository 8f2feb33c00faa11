/** A linear scale for paths of one kind: those that commits wait for, or those of asynchronous replicas. */
import { scaleLinear } from "d3-scale";

export interface LinearScale {
  /** µs at its right end; it begins at 0. */
  readonly to: number;
  readonly ticks: readonly number[];
}

const TICKS = 6;

/** From 0 to a round number over the longest. @param lengths µs */
export function pathScale(lengths: readonly number[]): LinearScale {
  const scale = scaleLinear()
    .domain([0, Math.max(1, ...lengths)])
    .nice(TICKS);
  return { to: scale.domain()[1] ?? 1, ticks: scale.ticks(TICKS) };
}
