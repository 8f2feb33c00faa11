/** A magnifying box: the events of a stretch too short to see, each with its place inside the stretch. */
import type { ReactNode } from "react";
import type { Lens } from "./lens-events.ts";

export const LENS_WIDTH = 372;
export const LENS_HEAD = 22;
export const LENS_ROW = 12.2;

const microseconds = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const milliseconds = new Intl.NumberFormat("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** An offset to the microsecond, so that neighbours can be told apart far from the block's start. */
export function offsetText(us: number): string {
  const sign = us < 0 ? "−" : "+";
  const size = Math.abs(us);
  return size < 1000
    ? `${sign}${microseconds.format(size)}\u2009µs`
    : `${sign}${milliseconds.format(size / 1000)}\u2009ms`;
}
const PLOT = { left: 12, width: 112 } as const;

/** Drops what the names share at both ends, and appends the mode; the table below has the full names. */
export const shortName = (name: string, mode: number | null): string =>
  `${name.replace(/^hadr_(transport_)?|_message$|_log_timestamps$/gu, "")}${mode === null ? "" : ` ${mode}`}`;

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
  const at = (time: number): number =>
    PLOT.left + (Math.max(0, time - lens.from) / Math.max(1, lens.to - lens.from)) * PLOT.width;
  return (
    <g className="lens" transform={`translate(${props.x},${props.y})`}>
      <rect width={LENS_WIDTH} height={props.height} rx={6} fill="var(--surface)" stroke="var(--line-2)" />
      <text className="lens-title" x={10} y={15}>
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
            <text x={134} y={y + 3.5}>
              {shortName(event.name, event.mode)}
            </text>
            <text className="lens-time" x={LENS_WIDTH - 10} y={y + 3.5} textAnchor="end">
              {offsetText(fire - props.origin)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
