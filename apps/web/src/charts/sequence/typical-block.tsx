/** A slow block carries a typical one on the same scale, so that the eye has something to hold it against. */
import type { ReactNode } from "react";
import { durationText } from "../../ui/words.ts";
import { pieces } from "../block-bar.tsx";
import { LEFT, PICTURE_HEIGHT, RIGHT, known, type Frame } from "./frame.ts";
import { LENS_WIDTH } from "./lens-box.tsx";
import { placedLenses } from "./lenses.tsx";

/** How many times the typical remote harden makes a block slow enough for the comparison. */
const SLOW = 2;
/** Room of the words over and beside the bar. */
const TITLE = 160;
const FIGURE = 76;
const GAP = 24;
/** Height of a row of its own, when the lenses leave no room beside them. */
const ROW = 40;

interface Place {
  readonly left: number;
  /** px below the usual height of the picture. */
  readonly extra: number;
}

/** Where the typical block stands; null when this block is not slow, or nothing is typical. */
export function typicalPlace(frame: Frame): Place | null {
  const { hop, range, x, width, even } = frame;
  const typical = hop?.typical.remoteHarden;
  if (even || !hop || !known(typical) || !known(hop.remoteHarden) || hop.remoteHarden < SLOW * typical)
    return null;
  const needed = Math.max(TITLE, x(range[0] + typical) - x(range[0]) + FIGURE);
  const boxes = placedLenses(frame, "secondary").map(({ left }) => left);
  const starts = [LEFT - 4, ...boxes.map((left) => left + LENS_WIDTH + GAP)];
  const ends = [...boxes.map((left) => left - GAP), width - RIGHT];
  const free = starts.findIndex((start, i) => ends[i] - start >= needed);
  return free < 0 ? { left: LEFT - 4, extra: ROW } : { left: starts[free], extra: 0 };
}

/** Median of each stage of the remote path end to end, the local log write as a thin line under it. */
export function TypicalBlock(frame: Frame & { readonly place: Place }): ReactNode {
  const { hop, range, x, place } = frame;
  if (!hop) return null;
  const { left } = place;
  const length = (us: number): number => x(range[0] + us) - x(range[0]);
  const top = PICTURE_HEIGHT + place.extra - 28;
  const typical = hop.typical.remoteHarden ?? 0;
  return (
    <g>
      <text x={left} y={top - 7}>
        Typical block, same scale
      </text>
      {pieces(hop.typical).map(({ id, token, from, duration }) => (
        <rect
          key={id}
          x={left + length(from)}
          y={top}
          width={Math.max(0.5, length(duration))}
          height={10}
          fill={`var(${token})`}
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
