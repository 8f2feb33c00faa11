import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { columnScale, heightScale, HEIGHT_TICKS } from "../../charts/fleet/columns.ts";
import { useRangeDrag } from "../../charts/use-range-drag.ts";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { useSize } from "../../ui/use-size.ts";
import type { Zone } from "../../ui/zone.ts";
import frame from "../lane-view/lane-frame.module.css";
import type { FleetPercentile } from "./fleet-address.ts";
import { FleetAxis } from "./fleet-axis.tsx";
import { FleetGutter } from "./fleet-gutter.tsx";
import { FleetPicture } from "./fleet-picture.tsx";
import { type FleetStack, fleetStack } from "./fleet-stack.ts";
import { FleetTip } from "./fleet-tip.tsx";
import { captureIn, type FleetView } from "./fleet-view.ts";
import { FleetWatch } from "./fleet-watch.tsx";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
  /** The clock of the columns' days. */
  readonly zone: Zone;
  /** Draws glyphs only, where lanes have no space. */
  readonly isBrief: boolean;
  readonly onSelect: (column: number) => void;
  /** Called with the first and the last column of a dragged range. */
  readonly onZoom: (from: number, to: number) => void;
}

/** A place in the plot, px. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Captures as columns: glyphs of each group, and a lane per stage and replica of the filled one. */
export function FleetLanes({ view, percentile, zone, isBrief, onSelect, onZoom }: Props): ReactNode {
  const { fleet, range } = view;
  const plot = useRef<HTMLDivElement | null>(null);
  const [plotRef, { width }] = useSize<HTMLDivElement>(plot);
  const [roomRef, room] = useSize<HTMLDivElement>();
  const [dragged, setDragged] = useState<readonly [from: number, to: number] | null>(null);
  const [pointed, setPointed] = useState<Point | null>(null);
  const columns = columnScale(width, range);
  const stack = fleetStack(fleet, room.height, isBrief);
  useRangeDrag(
    plot,
    {
      onDrag: (from, to) => setDragged([from, to]),
      onEnd: (period) => {
        setDragged(null);
        if (period === null) return;
        const [from, to] = [columns.at(period[0]), columns.at(period[1])];
        if (to > from) onZoom(from, to);
      },
    },
    false,
  );
  const select = (event: MouseEvent<HTMLElement>): void => {
    const column = columns.at(pointIn(event).x);
    if (captureIn(fleet, column) !== null) onSelect(column);
  };
  return (
    <div className={`${frame.lanes} ${styles.lanes}`}>
      <FleetAxis view={view} percentile={percentile} columns={columns} width={width} />
      {isBrief ? null : <FleetWatch view={view} zone={zone} width={width} />}
      <section
        className={`${frame.scroll} ${styles.scroll}`}
        ref={roomRef}
        aria-label={texts.lanes}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
        tabIndex={stack.height > room.height ? 0 : undefined}
      >
        <div className={frame.stack} style={{ height: stack.height }}>
          <FleetGutter view={view} percentile={percentile} stack={stack} />
          {/* The keys of the page replace the pointer here; the table below has the figures. */}
          <div
            className={styles.plot}
            ref={plotRef}
            aria-hidden="true"
            onClick={select}
            onPointerMove={(event) => setPointed(pointIn(event))}
            onPointerLeave={() => setPointed(null)}
          >
            <FleetPicture
              view={view}
              percentile={percentile}
              stack={stack}
              columns={columns}
              width={width}
              dragged={dragged}
            />
            {pointed === null || dragged !== null ? null : (
              <FleetTip view={view} stack={stack} column={columns.at(pointed.x)} at={pointed} width={width} />
            )}
          </div>
          <Ticks stack={stack} />
        </div>
      </section>
    </div>
  );
}

const pointIn = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): Point => {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};

const TICK_WORDS: Readonly<Record<number, string>> = { 1_000: "1\u2009ms", 10_000: "10", 100_000: "100" };

/** Durations at the heights of each lane. */
function Ticks({ stack: { lanes } }: { readonly stack: FleetStack }): ReactNode {
  return (
    <div className={frame.margin} aria-hidden="true">
      {lanes.flatMap(({ lane: { stage, replica, change }, top, height }) => {
        const { y } = heightScale(height, change !== null);
        return HEIGHT_TICKS.map((us) => (
          <span key={`${stage} ${replica} ${us}`} style={{ top: top + y(us) - 6 }}>
            {TICK_WORDS[us]}
          </span>
        ));
      })}
    </div>
  );
}
