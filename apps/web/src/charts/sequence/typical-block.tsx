/** A typical block on the same scale next to a slow one, for comparison. */
import type { ReactNode } from "react";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import { barPieces } from "../block-pieces.ts";
import { PICTURE_HEIGHT, isKnown, type Frame } from "./frame.ts";
import type { TypicalPlace } from "./typical-place.ts";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";

/** Median of each stage of the remote path end to end, the local log write as a thin line under it. */
export function TypicalBlock(frame: Frame & { readonly place: TypicalPlace }): ReactNode {
  const { hop, range, x, place } = frame;
  if (!hop) return null;
  const { left } = place;
  const length = (us: number): number => x(range[0] + us) - x(range[0]);
  const top = PICTURE_HEIGHT + place.extra - 28;
  const typical = hop.typical.remoteHarden ?? 0;
  return (
    <g {...termProps("p50")}>
      <text x={left} y={top - 7}>
        {texts.typicalBlockSameScale}
      </text>
      {barPieces(hop.typical).map(({ id, token, from, duration }) => (
        <rect
          key={id}
          x={left + length(from)}
          y={top}
          width={Math.max(0.5, length(duration))}
          height={10}
          fill={`var(${token})`}
        />
      ))}
      {isKnown(hop.typical.localFlush) ? (
        <rect
          x={left}
          y={top + 12}
          width={Math.max(1, length(hop.typical.localFlush))}
          height={2}
          fill="var(--p-disk)"
        />
      ) : null}
      <text className={styles.barLabel} x={left + length(typical) + 8} y={top + 10}>
        {durationText(typical)}
      </text>
    </g>
  );
}
