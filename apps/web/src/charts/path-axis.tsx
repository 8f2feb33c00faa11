import type { ReactNode } from "react";
import { scaleLinear } from "d3-scale";
import { durationLabel } from "./axis.ts";
import "./charts.css";

/** Round durations under bars of one scale. */
export function PathAxis({ to, ticks }: LinearScale): ReactNode {
  return (
    <div className="path-axis" aria-hidden="true">
      {inside(ticks, to).map((us) => (
        <span key={us} style={{ left: `${(100 * us) / to}%` }}>
          {durationLabel(us)}
        </span>
      ))}
    </div>
  );
}

const inside = (ticks: readonly number[], to: number): number[] => ticks.filter((us) => us > 0 && us < to);

/** A scale for paths of one kind: those that commits wait for, or those of asynchronous replicas. */
export interface LinearScale {
  /** µs at its right end; it begins at 0. */
  readonly to: number;
  readonly ticks: readonly number[];
}

const TICKS = 6;
/** Labels between the ends of an axis: with fewer it can't be read, and more leave them no space. */
const LEAST_LABELS = 3;

/** From 0 to a round number over the longest. @param lengths µs */
export function pathScale(lengths: readonly number[]): LinearScale {
  const scale = scaleLinear()
    .domain([0, Math.max(1, ...lengths)])
    .nice(TICKS);
  const to = scale.domain()[1] ?? 1;
  const steps = [2, 3, 4, 5, TICKS].map((count) => scale.ticks(count));
  return { to, ticks: steps.find((ticks) => inside(ticks, to).length >= LEAST_LABELS) ?? scale.ticks(TICKS) };
}
