import type { ReactNode } from "react";
import { fleetPlace, fleetSideName, fleetStageName } from "@aglens/ag-model/fleet";
import { Value } from "../../ui/controls.tsx";
import { formatDuration } from "../../ui/words.ts";
import frame from "../lane-view/lane-frame.module.css";
import type { FleetPercentile } from "./fleet-address.ts";
import { upperPercentile } from "./fleet-axis.tsx";
import { isInView, medianInView, standsOut } from "./fleet-figures.ts";
import type { FleetStack, GlyphsRow, LaneRow } from "./fleet-stack.ts";
import type { FleetView } from "./fleet-view.ts";
import { capturesName, laneHeading, outText } from "./fleet-text.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
  readonly stack: FleetStack;
}

/** Names of the rows, with the medians of the captures in view. */
export function FleetGutter({ view, percentile, stack }: Props): ReactNode {
  return (
    <div className={frame.gutter}>
      {stack.glyphs.map((row) => (
        <GlyphsName key={fleetSideName(row.side)} row={row} view={view} />
      ))}
      {stack.lanes.map((row) => (
        <LaneName
          key={`${row.lane.stage} ${row.lane.replica}`}
          row={row}
          view={view}
          percentile={percentile}
        />
      ))}
    </div>
  );
}

function GlyphsName({
  row: { side, top, height },
  view: { fleet, range },
}: Pick<Props, "view"> & { readonly row: GlyphsRow }): ReactNode {
  const name = capturesName(side, side === fleet.a ? fleet.b : fleet.a);
  const shown = side.columns.filter((each) => isInView(each, range));
  const out = shown.filter((each) => standsOut(side, each) !== null).length;
  return (
    <div className={styles.glyphName} style={{ top, height }}>
      <b>
        <MiddleEllipsis text={name} title={fleetSideName({ ...side, replica: null })} />
      </b>
      <span>{outText(out, shown.length)}</span>
    </div>
  );
}

function LaneName({
  row: { lane, top, height },
  view: { fleet, range },
  percentile,
}: Pick<Props, "view" | "percentile"> & { readonly row: LaneRow }): ReactNode {
  const place = fleetPlace(lane.stage);
  const heading = laneHeading(lane, fleet.a);
  const median = (each: FleetPercentile): ReactNode => (
    <span>
      <Value figure={formatDuration(medianInView(fleet.a, lane, each, range))} />
    </span>
  );
  return (
    <>
      <i className={frame.edge} data-place={place} style={{ top, height }} />
      <div
        className={`${frame.lane} ${styles.laneName}`}
        data-size="tall"
        data-place={place}
        style={{ top, height }}
      >
        <span className={frame.place} title={heading}>
          {heading}
        </span>
        <span className={frame.laneRow}>
          <span className={frame.laneName}>{fleetStageName(lane.stage)}</span>
          {median("p50")}
          {median(upperPercentile(percentile))}
        </span>
      </div>
    </>
  );
}
