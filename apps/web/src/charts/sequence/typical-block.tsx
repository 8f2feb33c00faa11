/** A slow block carries a typical one on the same scale, so that the eye has something to hold it against. */
import type { ReactNode } from "react";
import { durationText } from "../../ui/words.ts";
import { pieces } from "../block-bar.tsx";
import { stageToken } from "../palette.ts";
import { LEFT, PICTURE_HEIGHT, RIGHT, known, type Frame } from "./frame.ts";
import { LENS_WIDTH } from "./lens-box.tsx";
import { lensesOf, placeLenses } from "./layout.ts";

/** How many times the typical remote harden makes a block slow enough for the comparison. */
const SLOW = 2;
const ROOM = 240;

/** Median of each stage of the remote path end to end, the local log write as a thin line under it. */
export function TypicalBlock(frame: Frame): ReactNode {
  const { hop, range, x } = frame;
  const typical = hop?.typical.remoteHarden;
  if (!hop || !known(typical) || !known(hop.remoteHarden) || hop.remoteHarden < SLOW * typical) return null;
  const left = freeLeft(frame);
  const length = (us: number): number => x(range[0] + us) - x(range[0]);
  const top = PICTURE_HEIGHT - 28;
  return (
    <g>
      <text x={left} y={top - 7}>
        Typical block, same scale
      </text>
      {pieces(hop.typical).map(({ id, from, duration }) => (
        <rect
          key={id}
          x={left + length(from)}
          y={top}
          width={Math.max(0.5, length(duration))}
          height={10}
          fill={`var(${stageToken(id)})`}
        />
      ))}
      {known(hop.typical.localFlush) ? (
        <rect
          x={left}
          y={top + 12}
          width={Math.max(1, length(hop.typical.localFlush))}
          height={2}
          fill="var(--p-disk)"
        />
      ) : null}
      <text className="bar-label" x={left + length(typical) + 8} y={top + 10}>
        {durationText(typical)}
      </text>
    </g>
  );
}

/** Left edge of the free place beside the secondary's lenses. */
function freeLeft({ sequence, secondary, x, range, width }: Frame): number {
  const below = lensesOf(sequence, secondary).filter(({ key }) => key === "receive" || key === "acknowledge");
  const centres = below.map(({ from, to }) => (x(Math.max(from, range[0])) + x(Math.min(to, range[1]))) / 2);
  const lefts = placeLenses(centres, LENS_WIDTH, LEFT - 4, width - RIGHT + 10);
  const first = lefts[0] ?? width;
  return first - LEFT > ROOM ? LEFT - 4 : first + LENS_WIDTH + 24;
}
