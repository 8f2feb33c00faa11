import type { ReactNode } from "react";
import type { Place } from "../../lanes/palette.ts";
import { CHANGE_ROOM, gapsOf, HEIGHT_TICKS, type ColumnScale, type HeightScale } from "./columns.ts";
import { lanePaths, outlinePath, type LaneFigures } from "./lane-paths.ts";
import "./fleet.css";

/** Durations of a stage before and since a change, and the words next to its bracket. */
export interface DrawnChange {
  readonly from: number;
  /** µs. */
  readonly before: number;
  readonly since: number;
  readonly isWorse: boolean;
  readonly words: string;
}

interface Props {
  readonly figures: LaneFigures;
  /** Figures of another group, drawn as an outline. */
  readonly outline: {
    readonly columns: readonly number[];
    readonly values: readonly (number | null)[];
  } | null;
  readonly place: Place;
  /** Commits do not wait for it: cut at 45 degrees. */
  readonly isAsynchronous: boolean;
  readonly change: DrawnChange | null;
  readonly columns: ColumnScale;
  readonly heights: HeightScale;
  readonly width: number;
}

/** One stage of one replica from capture to capture. Decorative: the table next to it has its figures. */
export function LanePicture({
  figures,
  outline,
  place,
  isAsynchronous,
  change,
  columns,
  heights,
  width,
}: Props): ReactNode {
  const { bars, medians, strokes, dots } = lanePaths(figures, columns, heights);
  const { y, height } = heights;
  return (
    <g className="fleet-lane" data-place={place}>
      <rect className="ground" width={width} height={height} />
      {HEIGHT_TICKS.map((us) => (
        <line key={us} className="grid" x2={width} y1={y(us)} y2={y(us)} />
      ))}
      {gapsOf(figures.columns, columns.range).map(([from, to]) => (
        <rect
          key={from}
          fill="url(#hatch)"
          x={columns.left(from)}
          width={columns.left(to) - columns.left(from)}
          height={height}
        />
      ))}
      <path className="bars" d={bars} />
      {isAsynchronous ? <path className="cut-asynchronous" d={bars} /> : null}
      <path className="cut" d={bars} />
      <path className="strokes" d={strokes} />
      <path className="medians" d={medians} />
      <path className="dots" d={dots} />
      {outline === null ? null : (
        <path className="outline" d={outlinePath(outline.columns, outline.values, columns, heights)} />
      )}
      {change === null ? null : (
        <ChangeMarks change={change} columns={columns} heights={heights} width={width} />
      )}
    </g>
  );
}

/** Columns whose median is drawn before a change. */
const COLUMNS_BEFORE = 30;
/** Largest width of a letter, px. */
const LETTER = 6.4;

function ChangeMarks({
  change,
  columns,
  heights: { y },
  width,
}: Pick<Props, "columns" | "heights" | "width"> & { readonly change: DrawnChange }): ReactNode {
  const [first, end] = columns.range;
  if (change.from >= end) return null;
  const from = Math.max(0, columns.left(change.from));
  const before = Math.max(0, columns.left(Math.max(first, change.from - COLUMNS_BEFORE)));
  // The room over the lane's own marks is for the bracket only; where it is too narrow for the words, they go after its
  // corner.
  const isBefore = from > change.words.length * LETTER;
  return (
    <g className="change" data-worse={change.isWorse}>
      <path d={`M${from} ${CHANGE_ROOM - 4}V4H${width - 1}V${CHANGE_ROOM - 4}`} className="bracket" />
      <text x={isBefore ? from - 8 : from + 8} y={CHANGE_ROOM - 4} textAnchor={isBefore ? "end" : "start"}>
        {change.words}
      </text>
      <line className="before" x1={before} x2={from} y1={y(change.before)} y2={y(change.before)} />
      <line className="since" x1={from} x2={width} y1={y(change.since)} y2={y(change.since)} />
    </g>
  );
}
