import type { ReactNode } from "react";
import { timeAxis } from "./axis.ts";
import "./charts.css";

interface Props {
  /** Start of the picture, µs from the capture's origin; 0 by default. */
  readonly fromUs?: number;
  /** Length of the picture, µs. */
  readonly durationUs: number;
  /** Offsets, about. */
  readonly count?: number;
}

/** Offsets from the capture's origin under a picture. */
export function PictureAxis({ fromUs = 0, durationUs, count = 10 }: Props): ReactNode {
  const toUs = fromUs + durationUs;
  return (
    <div className="picture-axis" aria-hidden="true">
      {timeAxis(fromUs, toUs, { originTicks: "0", durationUs: toUs }, count).ticks.map(({ at, label }) => {
        const percent = (100 * (at - fromUs)) / Math.max(1, durationUs);
        return percent > 97 ? null : (
          <span key={at} className={at === fromUs ? "first" : ""} style={{ left: `${percent}%` }}>
            {label}
          </span>
        );
      })}
    </div>
  );
}
