import type { ReactNode } from "react";
import { scaleLinear } from "d3-scale";
import { durationLabel } from "./axis.ts";
import "./charts.css";

/** More labels would run into each other under the narrowest bars. */
const MOST_LABELS = 5;

/** Round durations under bars of one scale. */
export function PathAxis({ to, ticks }: LinearScale): ReactNode {
  return (
    <div className="path-axis" aria-hidden="true">
      {labelledTicks(ticks.filter((us) => us > 0 && us < to)).map((us) => (
        <span key={us} style={{ left: `${(100 * us) / to}%` }}>
          {durationLabel(us)}
        </span>
      ))}
    </div>
  );
}

/** Every second tick where there are too many to fit side by side. */
export const labelledTicks = (ticks: readonly number[]): readonly number[] =>
  ticks.length <= MOST_LABELS ? ticks : ticks.filter((_, i) => i % 2 === 1);

/** A scale for paths of one kind: those that commits wait for, or those of asynchronous replicas. */
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
