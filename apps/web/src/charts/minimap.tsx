import { useCallback, useLayoutEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from "react";
import { chartsTexts as texts } from "../messages/charts.ts";
import { ChartCanvas, type Draw } from "./canvas.tsx";
import { hatch, type UnknownTime } from "./hatch.ts";
import { paintLost, type LostPlace } from "./lost-marks.ts";
import type { MinimapColumns } from "@aglens/ag-model/minimap";
import { paintMinimap } from "./paint-minimap.ts";
import { timeAt, xOf, type TimeScale } from "./time-scale.ts";
import { useBrush } from "./use-brush.ts";
import "./charts.css";

type Range = readonly [from: number, to: number];

/** A range that moves without a render, as a viewport does. */
interface MovingRange {
  readonly get: () => Range;
  readonly subscribe: (listener: () => void) => () => void;
}

interface Props {
  readonly columns: MinimapColumns;
  /** Range that the brush frames, µs. */
  readonly range: Range | MovingRange;
  /** Periods without events of a server, µs, with the reason; drawn with a pattern, since missing is not idle. */
  readonly uncovered?: readonly (readonly [from: number, to: number, state?: UnknownTime])[];
  /** Places of single lost events, µs. */
  readonly lost?: readonly LostPlace[];
  /** Changes of roles, each from the last commit before it to the first one after it, µs. */
  readonly switches?: readonly Range[];
  /** Times at which a watch began to record, µs; dashed. */
  readonly triggers?: readonly number[];
  /** `done` is false while dragging. */
  readonly onRange: (range: [number, number], done: boolean) => void;
  readonly width: number;
  readonly height: number;
}

const NONE: readonly Range[] = [];
const NO_TIMES: readonly number[] = [];
/** Dash and gap of a trigger, px. */
const DASH = 3;
/** Least width of the brush, so that a short view is still visible, px. */
const LEAST_WIDTH = 3;
/** A press of an arrow key moves an end of the brush by this share of the capture. */
const KEY_STEP = 1 / 200;

/** The entire capture, one column per pixel, with a brush that frames the range of the charts. */
export function Minimap({
  columns,
  range,
  uncovered = NONE,
  lost = NONE,
  switches = NONE,
  triggers = NO_TIMES,
  onRange,
  width,
  height,
}: Props): ReactNode {
  const { from, to } = columns;
  const scale = useMemo((): TimeScale => ({ from, to, width }), [from, to, width]);
  const draw = useCallback<Draw>(
    (context, wide, tall, tokens) => {
      for (const [start, end, state] of uncovered) {
        const x = xOf({ from, to, width: wide }, start);
        hatch(context, tokens, [x, 0, xOf({ from, to, width: wide }, end) - x, tall], state);
      }
      paintMinimap(context, tokens, wide, tall, columns);
      paintLost(context, tokens, { from, to, width: wide }, lost, 0);
      context.fillStyle = tokens["--ink"];
      for (const at of switches.flat())
        context.fillRect(Math.round(xOf({ from, to, width: wide }, at)), 0, 1, tall);
      for (const at of triggers)
        for (let y = 0; y < tall; y += 2 * DASH)
          context.fillRect(Math.round(xOf({ from, to, width: wide }, at)), y, 1, DASH);
    },
    [columns, uncovered, lost, switches, triggers, from, to],
  );
  const frame = useRef<HTMLDivElement>(null);
  const group = useRef<SVGGElement>(null);
  const handles = (): HTMLElement[] => Array.from(frame.current!.querySelectorAll("[role=slider]"));
  const brush = useBrush(group, width, height, {
    onGrip: (end) => handles()[end].focus({ preventScroll: true }),
    onRange: ([a, b], done) => onRange([timeAt(scale, a), timeAt(scale, b)], done),
    onEnd: () => place(),
  });
  const place = (): void => {
    const framed = rangeOf(range);
    const [left, right] = framed.map((at) => xOf(scale, at));
    brush.current.move([left, right]);
    placeFrame(frame.current!, left, right, width);
    for (const [end, handle] of handles().entries()) describe(handle, framed[end] - from);
  };
  usePlaced(range, place);
  const nudge = (end: 0 | 1) => (event: KeyboardEvent) => {
    const sign = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (sign === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const by = sign * (to - from) * KEY_STEP * (event.shiftKey ? 10 : 1);
    onRange(nudged(rangeOf(range), end, by, from, to), true);
  };
  return (
    <ChartCanvas
      className="minimap"
      draw={draw}
      style={{ width, height }}
      onDoubleClick={() => onRange([from, to], true)}
    >
      <svg className="brush" width={width} height={height} aria-hidden="true">
        <g ref={group} />
      </svg>
      <div ref={frame} className="framed">
        <div className="wash before" />
        <div className="wash after" />
        <div className="frame">
          <Handle end={0} most={to - from} onKeyDown={nudge(0)} />
          <Handle end={1} most={to - from} onKeyDown={nudge(1)} />
        </div>
      </div>
    </ChartCanvas>
  );
}

const rangeOf = (range: Range | MovingRange): Range => ("get" in range ? range.get() : range);

/** Places the brush after every render, and whenever the range moves without one. */
function usePlaced(range: Range | MovingRange, place: () => void): void {
  const latest = useRef(place);
  useLayoutEffect(() => {
    latest.current = place;
    place();
  });
  const moving = "subscribe" in range ? range : null;
  useLayoutEffect(() => moving?.subscribe(() => latest.current()), [moving]);
}

/** A brush over everything cannot be moved: a drag in it draws a new one. */
function placeFrame(framed: HTMLElement, left: number, right: number, width: number): void {
  framed.style.setProperty("--left", `${Math.max(0, left)}px`);
  framed.style.setProperty("--right", `${Math.max(left + LEAST_WIDTH, right)}px`);
  framed.parentElement!.classList.toggle("whole", right - left >= width);
}

function describe(handle: HTMLElement, us: number): void {
  handle.setAttribute("aria-valuenow", String(Math.round(us / 1e3)));
  handle.setAttribute("aria-valuetext", `${(us / 1e6).toFixed(2)} s`);
}

interface HandleProps {
  readonly end: 0 | 1;
  /** Length of the capture, µs. */
  readonly most: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** An end of the brush for the keyboard. */
function Handle({ end, most, onKeyDown }: HandleProps): ReactNode {
  return (
    <div
      className={end === 0 ? "handle from" : "handle to"}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input has one thumb, a brush has two
      role="slider"
      tabIndex={0}
      aria-label={end === 0 ? texts.startOfWhat : texts.endOfWhat}
      aria-valuemin={0}
      aria-valuemax={Math.round(most / 1e3)}
      aria-valuenow={0}
      onKeyDown={onKeyDown}
    />
  );
}

/** The range with one end moved; it stays inside [low, high], and its ends stay at a distance. */
export function nudged(range: Range, end: 0 | 1, by: number, low: number, high: number): [number, number] {
  const least = (high - low) / 1e6;
  if (end === 0) return [Math.min(range[1] - least, Math.max(low, range[0] + by)), range[1]];
  return [range[0], Math.max(range[0] + least, Math.min(high, range[1] + by))];
}
