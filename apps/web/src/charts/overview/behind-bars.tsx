import type { ReactNode } from "react";
import { scaleLinear, scaleLog } from "d3-scale";
import { roundNumbers } from "../duration-scale.ts";
import styles from "./replica-bars.module.css";

/** µs at the bottom of the scale of shorter delays, and at its top. */
const LEAST_US = 10_000;
const SECOND_US = 1_000_000;
/** Largest number of steps of a linear scale: each has room for its label. */
const MOST_STEPS = 3;

/** Height of a delay above the ground, px, and the durations that are labelled. */
export interface BehindScale {
  readonly heightOf: (us: number) => number;
  /** µs, ascending */
  readonly ticks: readonly number[];
}

/** Logarithmic up to a second. Longer delays grow with time, second by second: their scale is linear. @param most the longest, µs */
export function behindScale(most: number, height: number): BehindScale {
  if (most <= SECOND_US) {
    const heightOf = scaleLog().domain([LEAST_US, SECOND_US]).range([0, height]).clamp(true);
    return { heightOf, ticks: [LEAST_US, 100_000, SECOND_US] };
  }
  const step = roundNumbers(most / MOST_STEPS, most)[0] ?? most;
  const steps = Math.ceil(most / step);
  return {
    heightOf: scaleLinear([0, steps * step], [0, height]),
    ticks: Array.from({ length: steps + 1 }, (_, i) => i * step),
  };
}

type Column = readonly (number | null)[];

interface BehindProps {
  /** Largest of each column, and the median of each bin, µs. */
  readonly longest: Column;
  readonly medians: Column;
  readonly heightOf: BehindScale["heightOf"];
  readonly height: number;
}

/** Lag of a replica: the largest value of each column, and the median as a line. */
export function BehindBars({ longest, medians, heightOf, height }: BehindProps): ReactNode {
  const width = longest.length;
  const bin = width / Math.max(1, medians.length);
  return (
    <Drawing width={width} height={height}>
      <path className={styles.behind} d={columnsPath(longest, heightOf, height)} />
      <path
        className={styles.median}
        d={medians
          .flatMap((us, i) =>
            us === null || us < LEAST_US ? [] : [`M${i * bin} ${(height - heightOf(us)).toFixed(2)}h${bin}`],
          )
          .join("")}
      />
    </Drawing>
  );
}

/** Bytes of each column, linear. */
export function ByteBars({
  bytes,
  most,
  height,
}: {
  readonly bytes: Column;
  readonly most: number;
  readonly height: number;
}): ReactNode {
  return (
    <Drawing width={bytes.length} height={height}>
      <path className={styles.bytes} d={columnsPath(bytes, (n) => (n / most) * height, height)} />
    </Drawing>
  );
}

function Drawing({
  width,
  height,
  children,
}: {
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      height={height}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const columnsPath = (values: Column, heightOf: (value: number) => number, height: number): string =>
  values
    .flatMap((value, i) => {
      if (value === null || !(value > 0)) return [];
      return [`M${i} ${height}v${(-Math.max(0.5, heightOf(value))).toFixed(2)}h1V${height}z`];
    })
    .join("");
