import type { ReactNode } from "react";
import { type CaptureTime, showsOffsets } from "../ui/words.ts";
import { timeAxis } from "./axis.ts";
import "./charts.css";

interface Props {
  /** The capture whose clock is shown, where it is known; otherwise offsets. */
  readonly capture?: CaptureTime;
  /** Start of the picture, µs from the capture's origin; 0 by default. */
  readonly fromUs?: number;
  /** Length of the picture, µs. */
  readonly durationUs: number;
  /** Labels, about. */
  readonly count?: number;
}

/** How many labels fit, and the percentages between which they are inside of the picture. */
const OFFSETS = { most: 10, first: 0, last: 97 };
/** Times of the clock are three times as wide as offsets. */
const CLOCK = { most: 4, first: 5, last: 94 };

/** Times under a picture: of the capture's clock, or offsets from its origin. */
export function PictureAxis({ capture, fromUs = 0, durationUs, count }: Props): ReactNode {
  const toUs = fromUs + durationUs;
  const labels = capture === undefined || showsOffsets(capture) ? OFFSETS : CLOCK;
  const time = capture ?? { originTicks: "0", durationUs: toUs };
  return (
    <div className="picture-axis" aria-hidden="true">
      {timeAxis(fromUs, toUs, time, count ?? labels.most).ticks.map(({ at, label }) => {
        const percent = (100 * (at - fromUs)) / Math.max(1, durationUs);
        return percent < labels.first || percent > labels.last ? null : (
          <span key={at} className={at === fromUs ? "first" : ""} style={{ left: `${percent}%` }}>
            {label}
          </span>
        );
      })}
    </div>
  );
}
