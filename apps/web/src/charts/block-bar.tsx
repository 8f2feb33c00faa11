import type { ReactNode } from "react";
import { barPieces, type BarStages, type PausedStages } from "./block-pieces.ts";
import "./charts.css";

interface Props {
  readonly stages: BarStages;
  /** Part of the stages that is due to an unresponsive server. */
  readonly paused?: PausedStages;
  /** µs of the full width; bars that are compared share it. */
  readonly scaleUs: number;
  /**
   * Start of the local log write, counted from the start of the remote path, µs; its part outside of the bar is not
   * drawn.
   */
  readonly localStart?: number;
  readonly height?: number;
  /** Sentence for screen readers; without it the bar is decorative, because the figures are printed next to it. */
  readonly label?: string;
}

const LINE = 2;

/** The product's glyph: remote path to scale, the primary's own log write as a thin line under it. */
export function BlockBar({
  stages,
  paused = null,
  scaleUs,
  localStart = 0,
  height = 14,
  label,
}: Props): ReactNode {
  const percent = (us: number): string => `${((us / scaleUs) * 100).toFixed(3)}%`;
  const local = stages["localFlush"] ?? 0;
  const hasLocal = local > 0;
  const lineFrom = Math.max(0, localStart);
  const lineTo = Math.min(scaleUs, localStart + local);
  const barHeight = hasLocal ? height - LINE - 2 : height;
  const drawn = barPieces(stages, paused);
  const name = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className="block-bar" width="100%" height={height} {...name}>
      {drawn.map((piece) => (
        <rect
          key={piece.id}
          className={`stage ${piece.token.slice(2)}`}
          x={percent(piece.from)}
          width={percent(piece.duration)}
          height={barHeight}
          fill={`var(${piece.token})`}
        />
      ))}
      {drawn.map(({ id, from, duration, token }) => (
        // Shown where colors are forced: the pattern of the place (frame/patterns.tsx).
        <rect
          key={id}
          className={`cut ${token.slice(2, 3)}`}
          x={percent(from)}
          width={percent(duration)}
          height={barHeight}
        />
      ))}
      {hasLocal && lineTo > lineFrom && (
        <rect
          x={percent(lineFrom)}
          y={height - LINE}
          width={percent(lineTo - lineFrom)}
          height={LINE}
          fill="var(--p-disk)"
        />
      )}
    </svg>
  );
}
