import type { ReactNode } from "react";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import { isKnown } from "./frame.ts";
import type { Position } from "./layout.ts";
import styles from "./picture.module.css";

/** A bar between two instants, at least 1.5 px wide; nothing when one of them is unknown. */
export function TimeBar({
  from,
  to,
  x,
  y,
  height,
  fill,
}: {
  from: number | null | undefined;
  to: number | null | undefined;
  x: Position;
  y: number;
  height: number;
  fill: string;
}): ReactNode {
  if (!isKnown(from) || !isKnown(to)) return null;
  return <rect x={x(from)} y={y} width={Math.max(1.5, x(to) - x(from))} height={height} fill={fill} rx={1} />;
}

/** Width of "VLF header write 7.69 ms", px. */
const HEADER_LABEL = 160;

/** The write of a VLF's header before the write of the block itself: paler, since it is no stage of the path. */
export function HeaderWrite({
  write,
  x,
  y,
  height,
  fill,
}: {
  readonly write: readonly [number, number] | null;
  readonly x: Position;
  readonly y: number;
  readonly height: number;
  readonly fill: string;
}): ReactNode {
  if (write === null) return null;
  const [from, to] = write;
  const width = Math.max(1.5, x(to) - x(from));
  return (
    <g>
      <rect x={x(from)} y={y} width={width} height={height} fill="var(--surface)" />
      <rect x={x(from)} y={y} width={width} height={height} fill={fill} opacity={0.5} />
      {width < HEADER_LABEL ? null : (
        <text className={styles.barLabel} x={x(from) + 8} y={y + height / 2 + 4}>
          {texts.vlfHeaderWrite(durationText(to - from))}
        </text>
      )}
    </g>
  );
}
