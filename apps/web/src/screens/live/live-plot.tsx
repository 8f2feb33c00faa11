import { type PointerEvent, type ReactNode, useEffect, useRef } from "react";
import { formatTimeOfDay } from "@aglens/ag-model/words";
import { timeAxis } from "../../charts/axis.ts";
import { clearedContext } from "../../charts/cleared-context.ts";
import { edges, type LiveView, nowX, usPerPx } from "../../charts/live/live-scale.ts";
import {
  covers,
  type LiveScene,
  paintAxis,
  paintLive,
  paintTrack,
  type Track,
} from "../../charts/live/paint-live.ts";
import { type CaptureTime, localOrigin } from "../../ui/words.ts";
import { useMedia } from "../../ui/use-media.ts";
import { usePixelRatio } from "../../ui/use-pixel-ratio.ts";
import { useSize } from "../../ui/use-size.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./live-lanes.module.css";

const AXIS_PX = 36;
const PILL_PX = 76;
/** Width that is painted ahead of the view, so that a track lasts until the next picture, px. */
const AHEAD_PX = 120;
const TICK_PX = 84;

/** The part of the scene that each frame gets from outside. */
export type PlotScene = Omit<LiveScene, "view" | "ticks" | "held">;

interface Props {
  readonly scene: PlotScene;
  readonly windowUs: number;
  readonly clock: CaptureTime;
  /** Instant at the "now" line while the view is paused; null follows the run. */
  readonly heldAt: number | null;
  /** The run's time now, µs. */
  readonly readNow: () => number;
  readonly summary: string;
  /** The view was dragged by this time, µs; positive is earlier. */
  readonly onDrag: (us: number) => void;
  readonly gutter: ReactNode;
  readonly margin: ReactNode;
  readonly head: ReactNode;
}

interface Canvases {
  readonly axis: HTMLCanvasElement | null;
  readonly lanes: HTMLCanvasElement | null;
  readonly pill: HTMLSpanElement | null;
}

interface Painted {
  readonly of: PlotScene;
  readonly windowUs: number;
  readonly ratio: number;
  readonly track: Track;
}

/**
 * The track of this picture; painted again when the picture or the size changes, or the view leaves the painted track.
 */
function trackFor(painted: Painted | null, props: Props, full: LiveScene, ratio: number): Painted {
  const { scene, windowUs } = props;
  const same = painted?.of === scene && painted.windowUs === windowUs && painted.ratio === ratio;
  if (painted !== null && same && covers(painted.track, full.view)) return painted;
  const columns = Math.ceil(full.view.width) + 2 * AHEAD_PX;
  const start = edges(full.view)[0] - AHEAD_PX * usPerPx(full.view);
  const canvas = painted?.track.canvas ?? document.createElement("canvas");
  return { of: scene, windowUs, ratio, track: paintTrack(canvas, full, start, columns, ratio) };
}

function drawFrame(
  props: Props,
  width: number,
  ratio: number,
  canvases: Canvases,
  painted: Painted | null,
): Painted | null {
  const { scene, windowUs, clock, heldAt, readNow } = props;
  const { axis, lanes, pill } = canvases;
  if (axis === null || lanes === null || width === 0) return painted;
  const view: LiveView = { now: heldAt ?? readNow(), width, windowUs };
  const { ticks } = timeAxis(...edges(view), clock, width / TICK_PX);
  const full: LiveScene = { ...scene, view, ticks, held: heldAt !== null };
  const next = trackFor(painted, props, full, ratio);
  paintAxis(clearedContext(axis, width, AXIS_PX, ratio), full, AXIS_PX, PILL_PX);
  paintLive(clearedContext(lanes, width, scene.height, ratio), full, next.track, ratio);
  if (pill !== null) {
    pill.textContent = formatTimeOfDay(localOrigin(clock, view.now), view.now, 1);
    pill.style.transform = `translateX(${nowX(view)}px) translateX(-50%)`;
  }
  return next;
}

/**
 * Draws each frame while the run continues. A paused view, or one with reduced motion, is drawn when its content
 * changes.
 */
function useFrames(props: Props, width: number, canvases: () => Canvases): void {
  const draw = useRef<() => void>(() => undefined);
  const painted = useRef<Painted | null>(null);
  const reduced = useMedia("(prefers-reduced-motion: reduce)");
  const ratio = usePixelRatio();
  const still = reduced || props.heldAt !== null;
  useEffect(() => {
    draw.current = () => {
      painted.current = drawFrame(props, width, ratio, canvases(), painted.current);
    };
    if (!still) return undefined;
    const frame = requestAnimationFrame(() => draw.current());
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    if (still) return undefined;
    let frame = 0;
    const loop = (): void => {
      draw.current();
      frame = requestAnimationFrame(loop);
    };
    frame = requestAnimationFrame(loop);
    return () => cancelAnimationFrame(frame);
  }, [still]);
}

/** Gutter, lanes and scale margin side by side, the axis above them; all lanes cross one "now" line. */
export function LivePlot(props: Props): ReactNode {
  const [measure, { width }] = useSize<HTMLDivElement>();
  const axis = useRef<HTMLCanvasElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const pill = useRef<HTMLSpanElement>(null);
  const drag = useRef<number | null>(null);
  useFrames(props, width, () => ({ axis: axis.current, lanes: lanes.current, pill: pill.current }));
  const onMove = (event: PointerEvent): void => {
    if (drag.current === null) return;
    const moved = event.clientX - drag.current;
    if (Math.abs(moved) < 2) return;
    drag.current = event.clientX;
    props.onDrag((moved * props.windowUs) / width);
  };
  return (
    <>
      <div className={`${laneFrame.axis} ${styles.wideMargin}`}>
        {props.head}
        <div className={`${laneFrame.axisPlot} ${styles.still}`}>
          <canvas ref={axis} style={{ width, height: AXIS_PX }} aria-hidden="true" />
          <span ref={pill} className={styles.now} aria-hidden="true" />
        </div>
      </div>
      <div className={laneFrame.scroll}>
        <div
          className={`${laneFrame.stack} ${styles.wideMargin} ${styles.fills}`}
          style={{ height: props.scene.height }}
        >
          {props.gutter}
          {/* The paragraph below and the figures in the gutter describe the drawing. */}
          <div
            ref={measure}
            className={`${laneFrame.plot} ${styles.drag}`}
            onPointerDown={(event) => {
              drag.current = event.clientX;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={onMove}
            onPointerUp={() => (drag.current = null)}
            onPointerCancel={() => (drag.current = null)}
          >
            <p className="sr-only">{props.summary}</p>
            <canvas ref={lanes} style={{ width, height: props.scene.height }} aria-hidden="true" />
          </div>
          {props.margin}
        </div>
      </div>
    </>
  );
}
