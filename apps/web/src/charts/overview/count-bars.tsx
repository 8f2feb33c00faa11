import type { ReactNode } from "react";
import styles from "./replica-bars.module.css";

interface Props {
  readonly counts: readonly number[];
  /** Count at the top; rows that are compared share it. */
  readonly most: number;
  readonly height: number;
  readonly place: "primary" | "secondary";
}

/** Share of a bin's width that stays free between bars. */
const GAP = 0.12;

/** A bar per bin, linear; a count of 1 is a pixel high, a count of 0 is empty. */
export function CountBars({ counts, most, height, place }: Props): ReactNode {
  const bars = counts.flatMap((n, bin) => {
    if (n === 0) return [];
    const tall = Math.max(1, (n / most) * height);
    return [`M${bin} ${height}V${(height - tall).toFixed(2)}h${1 - GAP}V${height}z`];
  });
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${counts.length} ${height}`}
      preserveAspectRatio="none"
      height={height}
      aria-hidden="true"
    >
      <path className={place === "primary" ? styles.primary : styles.secondary} d={bars.join("")} />
    </svg>
  );
}
