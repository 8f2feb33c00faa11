import type { ReactNode } from "react";
import { durationLabel } from "../../charts/axis.ts";
import { roundNumbers } from "../../charts/duration-scale.ts";
import { rowAt } from "./cells.ts";
import styles from "./distribution.module.css";

const LEAST_PX = 15;

/** Durations next to a picture of cells: powers of ten, and 2 and 5 times those where they fit. */
export function CellAxis({
  edges,
  height,
}: {
  readonly edges: readonly number[];
  readonly height: number;
}): ReactNode {
  const [low, high] = [edges[0]!, edges.at(-1)!];
  const y = (us: number): number => height - (rowAt(edges, us) / (edges.length - 1)) * height;
  const labels: number[] = [];
  for (const us of roundNumbers(low, high).toSorted(
    (a, b) => Number(isPower(b)) - Number(isPower(a)) || a - b,
  ))
    if (labels.every((other) => Math.abs(y(other) - y(us)) >= LEAST_PX)) labels.push(us);
  return (
    <div className={styles.cellAxis} style={{ height }} aria-hidden="true">
      {labels.map((us) => (
        <span key={us} style={{ top: Math.min(height - 6, Math.max(6, y(us))) }}>
          {durationLabel(us)}
        </span>
      ))}
    </div>
  );
}

const isPower = (us: number): boolean => Number.isInteger(Number(Math.log10(us).toFixed(9)));
