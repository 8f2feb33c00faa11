import type { ReactNode } from "react";
import { ACK_WAITS_US, barPieces, type BarStages } from "./block-pieces.ts";
import "./charts.css";

interface Props {
  readonly stages: BarStages;
  /** µs of the full width; bars that are compared share it. */
  readonly scaleUs: number;
  /** Where the path begins on that scale, µs. */
  readonly startUs?: number;
  readonly height: number;
  /** No commit waits for it: cut at 45 degrees. */
  readonly isAsynchronous?: boolean;
}

/**
 * The path to one replica and back, to scale and without the primary's own log write. Decorative: the figures are
 * printed next to it.
 */
export function PathBar({ stages, scaleUs, startUs = 0, height, isAsynchronous = false }: Props): ReactNode {
  const percent = (us: number): string => `${((us / scaleUs) * 100).toFixed(3)}%`;
  return (
    <svg className="block-bar" width="100%" height={height} aria-hidden="true">
      {barPieces(stages).map(({ id, token, from, duration }) => {
        const box = { x: percent(startUs + from), width: percent(duration), height };
        if (isAckWait(id, duration)) {
          const ends = { x1: box.x, x2: percent(startUs + from + duration), y1: height / 2, y2: height / 2 };
          return <line key={id} className="ack-waits" {...ends} />;
        }
        return (
          <g key={id}>
            <rect className={`stage ${token.slice(2)}`} fill={`var(${token})`} {...box} />
            <rect className={isAsynchronous ? "cut-asynchronous" : `cut ${token.slice(2, 3)}`} {...box} />
          </g>
        );
      })}
    </svg>
  );
}

/** True for a piece of a path in which an acknowledgment waits for others to be sent with: no work, so a dotted line. */
export const isAckWait = (stage: string, us: number): boolean => stage === "ackBuild" && us > ACK_WAITS_US;

/** The primary's own log write on a scale of paths. */
export const LocalBar = ({
  us,
  scaleUs,
  height,
  startUs = 0,
}: {
  readonly us: number | null;
  readonly scaleUs: number;
  readonly height: number;
  readonly startUs?: number;
}): ReactNode => (
  <svg className="block-bar" width="100%" height={height} aria-hidden="true">
    <rect
      className="stage p-disk"
      fill="var(--p-disk)"
      x={`${(100 * startUs) / scaleUs}%`}
      width={`${(100 * (us ?? 0)) / scaleUs}%`}
      height={height}
    />
  </svg>
);
