import type { ReactNode } from "react";
import { scaleLog } from "d3-scale";
import styles from "./replica-bars.module.css";

/** µs at the bottom of the scale of delays; the top is a power of ten over the longest, at least a second. */
const LEAST_US = 10_000;

/** Top of a logarithmic scale that holds delays up to `us`. */
export const behindTop = (us: number): number =>
  Math.max(1_000_000, 10 ** Math.ceil(Math.log10(Math.max(1, us))));

/** Height of a delay above the ground, px. */
export const behindHeight = (top: number, height: number): ((us: number) => number) =>
  scaleLog().domain([LEAST_US, top]).range([0, height]).clamp(true);

type Column = readonly (number | null)[];

interface BehindProps {
  /** Largest of each column, and the median of each bin, µs. */
  readonly longest: Column;
  readonly medians: Column;
  /** µs at the top. */
  readonly top: number;
  readonly height: number;
}

/** How far a replica is behind, on a logarithmic scale: the most of each column, and the median as a line. */
export function BehindBars({ longest, medians, top, height }: BehindProps): ReactNode {
  const tall = behindHeight(top, height);
  const width = longest.length;
  const bin = width / Math.max(1, medians.length);
  return (
    <Drawing width={width} height={height}>
      <path className={styles.behind} d={columnsPath(longest, (us) => tall(us), height)} />
      <path
        className={styles.median}
        d={medians
          .flatMap((us, i) =>
            us === null || us < LEAST_US ? [] : [`M${i * bin} ${(height - tall(us)).toFixed(2)}h${bin}`],
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
