import type { ReactNode } from "react";
import { timeAxis } from "./axis.ts";
import "./charts.css";

/** Offsets under a picture of the whole capture, `durationUs` long. */
export function PictureAxis({ durationUs }: { readonly durationUs: number }): ReactNode {
  return (
    <div className="picture-axis" aria-hidden="true">
      {timeAxis(0, durationUs, { originTicks: "0", durationUs }, "offset", 10).ticks.map(({ at, label }) => {
        const percent = (100 * at) / Math.max(1, durationUs);
        return percent > 97 ? null : (
          <span key={at} className={at === 0 ? "first" : ""} style={{ left: `${percent}%` }}>
            {label}
          </span>
        );
      })}
    </div>
  );
}
