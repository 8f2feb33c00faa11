/** A magnifying box: the events of a period that is too short to see, each at its position in the period. */
import type { ReactNode } from "react";
import { scaleLinear } from "d3-scale";
import { shortNameOfEvent } from "@aglens/ag-model/events";
import type { Lens } from "./lens-events.ts";
import { LENS_HEAD, LENS_ROW, LENS_WIDTH } from "./lens-places.ts";
import { lensOffset } from "./lens-text.ts";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";

/** Where the instants of a lens are drawn in its box, px. */
const PLOT = { left: 12, width: 88 } as const;
/** Where names begin: the longest one, 27 letters, ends before an offset of ten seconds. */
const NAME_X = 110;

export function LensBox(props: {
  readonly lens: Lens;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** Time that the offsets count from, µs. */
  readonly origin: number;
  readonly place: "p" | "s";
}): ReactNode {
  const { lens, place } = props;
  const at = scaleLinear()
    .domain([lens.from, Math.max(lens.from + 1, lens.to)])
    .range([PLOT.left, PLOT.left + PLOT.width])
    .clamp(true);
  return (
    <g className={styles.lens} data-testid="lens" transform={`translate(${props.x},${props.y})`}>
      <rect width={LENS_WIDTH} height={props.height} rx={6} fill="var(--surface)" stroke="var(--line-2)" />
      <text
        className={styles.lensTitle}
        x={10}
        y={15}
        {...(lens.key === "acknowledge" && termProps("acknowledge"))}
      >
        {props.title}
      </text>
      {lens.events.map((event, i) => {
        const y = LENS_HEAD + i * LENS_ROW + 6;
        const fire = event.fire ?? lens.from;
        return (
          <g key={`${event.file}:${event.offset}`}>
            <line x1={PLOT.left} x2={PLOT.left + PLOT.width} y1={y} y2={y} stroke="var(--line)" />
            {event.begin !== null && event.begin < fire ? (
              <rect
                x={at(event.begin)}
                y={y - 1.5}
                width={at(fire) - at(event.begin)}
                height={3}
                fill={`var(--${place}-work)`}
              />
            ) : null}
            <circle cx={at(fire)} cy={y} r={2.6} fill={`var(--${place}-disk)`} />
            <text x={NAME_X} y={y + 3.5}>
              {shortNameOfEvent(event.name, event.mode)}
            </text>
            <text className={styles.lensTime} x={LENS_WIDTH - 10} y={y + 3.5} textAnchor="end">
              {lensOffset(fire - props.origin)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
