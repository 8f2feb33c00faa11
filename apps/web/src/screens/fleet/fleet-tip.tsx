import type { ReactNode } from "react";
import type { FleetLane, FleetSide } from "@aglens/contract";
import { fleetLaneName, fleetSideName } from "@aglens/ag-model/fleet";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { durationText, formatShortDay } from "../../ui/words.ts";
import { verdictText } from "./fleet-text.ts";
import type { FleetStack } from "./fleet-stack.ts";
import type { FleetView } from "./fleet-view.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly stack: FleetStack;
  readonly column: number;
  /** Where the pointer is, px in the plot. */
  readonly at: { readonly x: number; readonly y: number };
  readonly width: number;
}

/** Distance from the pointer, px. */
const BESIDE = 14;
/** Width that a tip takes at most, px. */
const WIDE = 250;

/** The lane and the captures under the pointer. */
export function FleetTip({ view: { fleet }, stack, column, at, width }: Props): ReactNode {
  const { a, b, days } = fleet;
  const index = stack.lanes.findIndex(({ top, height }) => at.y >= top && at.y < top + height);
  const lane = stack.lanes[index]?.lane;
  const side = at.x + BESIDE + WIDE > width ? { right: width - at.x + BESIDE } : { left: at.x + BESIDE };
  return (
    <div className={styles.tip} style={{ ...side, top: at.y + BESIDE }}>
      <b>{formatShortDay(days[column] ?? "")}</b>
      {[a, b].map((each) =>
        each === null ? null : <TipSide key={fleetSideName(each)} side={each} column={column} lane={lane} />,
      )}
    </div>
  );
}

function TipSide({
  side,
  column,
  lane,
}: {
  readonly side: FleetSide;
  readonly column: number;
  readonly lane: FleetLane | undefined;
}): ReactNode {
  const index = side.columns.findIndex((each) => each.column === column);
  const capture = side.columns[index];
  if (capture === undefined) return <p>{texts.noCapturePart(fleetSideName(side))}</p>;
  const alike = lane === undefined ? [] : side.lanes.filter(({ stage }) => stage === lane.stage);
  return (
    <p>
      {texts.slowestOf(fleetSideName(side), capture.captures)}
      {alike.length === 0 ? `: ${verdictText(capture)}` : null}
      {alike.map((each) => (
        <span key={each.replica}>
          {fleetLaneName(each)}: {figuresOf(each, index)}
        </span>
      ))}
    </p>
  );
}

const figuresOf = ({ p50, p95, p99, max }: FleetLane, index: number): string =>
  texts.p50P95P99Max(
    durationText(p50[index]),
    durationText(p95[index]),
    durationText(p99[index]),
    durationText(max[index]),
  );
