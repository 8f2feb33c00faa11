import type { ReactNode } from "react";
import type { Place } from "../../lanes/palette.ts";
import { gapsOf, type ColumnScale } from "./columns.ts";
import { barWidth } from "./lane-paths.ts";
import { logHeight } from "../duration-scale.ts";
import "./fleet.css";

/** One capture as a glyph. */
export interface FleetGlyph {
  readonly column: number;
  /** Commit latency, µs; null without a commit. */
  readonly us: number | null;
  /** Place where its commits wait; null where no stage stands out. */
  readonly place: Place | null;
  /** Over the limit of commits: it has a cap. */
  readonly isSlow: boolean;
  /** Captures of the column. */
  readonly captures: number;
}

interface Props {
  readonly glyphs: readonly FleetGlyph[];
  readonly columns: ColumnScale;
  readonly height: number;
  readonly width: number;
}

/** Least height of a glyph, as a share of the row, so that a quick capture stays visible. */
const LEAST = 0.4;
/** Room over a glyph for the cap, and for the count of a column's captures where it is wide enough, px. */
const CAP_ROOM = 3;
const COUNT_ROOM = 9;
const WIDE_ENOUGH = 8;

/** Every capture of a group: duration of its commits, and the place where they wait. */
export function GlyphRow({ glyphs, columns, height, width }: Props): ReactNode {
  const [first, end] = columns.range;
  const bar = barWidth(columns);
  const hasCounts = columns.slot >= WIDE_ENOUGH && glyphs.some(({ captures }) => captures > 1);
  const tallest = height - CAP_ROOM - (hasCounts ? COUNT_ROOM : 0);
  return (
    <g className="fleet-glyphs">
      <rect className="ground" width={width} height={height} />
      {gapsOf(
        glyphs.map(({ column }) => column),
        columns.range,
      ).map(([from, to]) => (
        <rect
          key={from}
          fill="url(#hatch)"
          x={columns.left(from)}
          width={columns.left(to) - columns.left(from)}
          height={height}
        />
      ))}
      {glyphs
        .filter(({ column }) => column >= first && column < end)
        .map(({ column, us, place, isSlow, captures }) => {
          const tall = tallest * Math.max(LEAST, logHeight(us ?? 0));
          const x = columns.middle(column) - bar / 2;
          return (
            <g key={column} data-place={place ?? "quiet"}>
              <rect className="glyph" x={x} y={height - tall} width={bar} height={tall} />
              <rect className="cut" x={x} y={height - tall} width={bar} height={tall} />
              {isSlow ? <rect className="cap" x={x} y={height - tall - 3} width={bar} height={2} /> : null}
              {hasCounts && captures > 1 ? (
                <text x={columns.middle(column)} y={height - tall - CAP_ROOM - 1}>
                  {captures}
                </text>
              ) : null}
            </g>
          );
        })}
    </g>
  );
}
