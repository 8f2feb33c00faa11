import type { ReactNode } from "react";
import { known } from "./frame.ts";
import type { Position } from "./layout.ts";

/** A bar between two instants, at least 1.5 px wide; nothing when one of them is unknown. */
export function Span({
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
  if (!known(from) || !known(to)) return null;
  return <rect x={x(from)} y={y} width={Math.max(1.5, x(to) - x(from))} height={height} fill={fill} rx={1} />;
}
