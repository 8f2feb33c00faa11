import type { ReactNode } from "react";
import { durationLabel } from "./axis.ts";
import type { LinearScale } from "./path-scale.ts";
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

/** Every second one where there are too many to stand side by side. */
export const labelledTicks = (ticks: readonly number[]): readonly number[] =>
  ticks.length <= MOST_LABELS ? ticks : ticks.filter((_, i) => i % 2 === 1);
