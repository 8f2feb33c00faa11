import type { ReactNode } from "react";
import type { FleetLane, FleetSide } from "@aglens/contract";
import { fleetPlace, fleetSideName } from "@aglens/ag-model/fleet";
import { type ColumnScale, heightScale } from "../../charts/fleet/columns.ts";
import { GlyphRow } from "../../charts/fleet/glyph-row.tsx";
import { type DrawnChange, LanePicture } from "../../charts/fleet/lane-picture.tsx";
import type { FleetPercentile } from "./fleet-address.ts";
import { isInView, laneOfOther, SLOW_COMMIT_US, standsOut } from "./fleet-figures.ts";
import type { FleetStack } from "./fleet-stack.ts";
import type { FleetView } from "./fleet-view.ts";
import { changeText } from "./fleet-text.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
  readonly stack: FleetStack;
  readonly columns: ColumnScale;
  readonly width: number;
  /** The range that is being dragged, px. */
  readonly dragged: readonly [from: number, to: number] | null;
}

/** All rows of the picture, with a frame around the selected capture. */
export function FleetPicture({ view, percentile, stack, columns, width, dragged }: Props): ReactNode {
  const { fleet, range, selected } = view;
  return (
    <svg width={width} height={stack.height}>
      {stack.glyphs.map(({ side, top, height }) => (
        <g key={fleetSideName(side)} transform={`translate(0 ${top})`}>
          <GlyphRow glyphs={glyphsOf(side)} columns={columns} height={height} width={width} />
        </g>
      ))}
      {stack.lanes.map(({ lane, top, height }) => (
        <g key={`${lane.stage} ${lane.replica}`} transform={`translate(0 ${top})`}>
          <LanePicture
            figures={{ ...lane, columns: fleet.a.columns.map(({ column }) => column) }}
            outline={outlineOf(fleet.a, fleet.b, lane, percentile)}
            place={fleetPlace(lane.stage)}
            isAsynchronous={lane.isAsynchronous}
            change={drawnChange(lane, fleet.days)}
            columns={columns}
            heights={heightScale(height, lane.change !== null)}
            width={width}
          />
        </g>
      ))}
      {selected === null || !isInView(selected, range) ? null : (
        <rect
          className={styles.frame}
          x={columns.left(selected.column)}
          y={1}
          width={Math.max(3, columns.slot)}
          height={stack.height - 2}
          rx={2}
        />
      )}
      {dragged === null ? null : (
        <rect
          className={styles.dragged}
          x={dragged[0]}
          width={dragged[1] - dragged[0]}
          height={stack.height}
        />
      )}
    </svg>
  );
}

const glyphsOf = (side: FleetSide) =>
  side.columns.map((each) => ({
    column: each.column,
    us: each.p95,
    place: standsOut(side, each),
    isSlow: (each.p95 ?? 0) > SLOW_COMMIT_US,
    captures: each.captures,
  }));

function drawnChange({ change }: FleetLane, days: readonly string[]): DrawnChange | null {
  return change === null ? null : { ...change, isWorse: change.factor > 1, words: changeText(change, days) };
}

function outlineOf(a: FleetSide, b: FleetSide | null, lane: FleetLane, percentile: FleetPercentile) {
  const other = b === null ? null : laneOfOther(a, b, lane);
  if (b === null || other === null) return null;
  return { columns: b.columns.map(({ column }) => column), values: other[percentile] };
}
