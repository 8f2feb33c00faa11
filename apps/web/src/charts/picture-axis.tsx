import type { ReactNode } from "react";
import { timeAxis } from "./axis.ts";
import "./charts.css";

interface Props {
  readonly durationUs: number;
  /** Offsets, about. */
  readonly count?: number;
}

/** Offsets under a picture of the whole capture, `durationUs` long. */
export function PictureAxis({ durationUs, count = 10 }: Props): ReactNode {
  return (
    <div className="picture-axis" aria-hidden="true">
      {timeAxis(0, durationUs, { originTicks: "0", durationUs }, "offset", count).ticks.map(
        ({ at, label }) => {
          const percent = (100 * at) / Math.max(1, durationUs);
          return percent > 97 ? null : (
            <span key={at} className={at === 0 ? "first" : ""} style={{ left: `${percent}%` }}>
              {label}
            </span>
          );
        },
      )}
    </div>
  );
}
