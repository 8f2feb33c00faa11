import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { RangeStatistics } from "@aglens/contract";
import type { LaneBox } from "../../charts/timeline/heights.ts";
import { rowOf } from "../../charts/timeline/hit-row.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { logHeight } from "../../charts/duration-scale.ts";
import type { Level } from "../../charts/timeline/layout.ts";
import { AXIS_PX } from "../../charts/timeline/paint-axis.ts";
import { focusRect } from "../../charts/timeline/paint-selection.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { useSize } from "../../ui/use-size.ts";
import { formatCount } from "../../ui/words.ts";
import { BlockTip } from "./block-tip.tsx";
import { Gutter } from "./gutter.tsx";
import { useDrag, type PressActions } from "./use-drag.ts";
import { useHover, type Tip } from "./use-hover.ts";
import { useLaneCanvas, type LanePicture } from "./use-lane-canvas.ts";
import { QUIET_PX, useLaneStack } from "./use-lane-stack.ts";
import { useWheel } from "./use-wheel.ts";
import type { Range, Viewport } from "./viewport.ts";

/** Width of the scale margin, px. */
export const MARGIN_PX = 32;

export interface LanesViewProps extends LanePicture, PressActions {
  readonly viewport: Viewport;
  /** The blocks could not be read; the screen says so below the lanes. */
  readonly failed: boolean;
  readonly lanes: readonly Lane[];
  readonly chosen: Readonly<Record<string, boolean>>;
  readonly statistics: RangeStatistics | null;
  readonly selectedRange: Range | null;
  /** Instant under the pointer, for zooming by key; null when it leaves. */
  readonly onCursor: (at: number | null) => void;
  /** Stands over the lanes. */
  readonly over: ReactNode;
  readonly onLane: (lane: Lane, tall: boolean) => void;
  readonly collapsed: readonly number[];
  readonly onGroup: (replica: number) => void;
}

/** Axis, gutter and lanes. Movement paints the canvas directly; React renders only when lanes, level or selection change. */
export function LanesView(props: LanesViewProps): ReactNode {
  const { summary, viewport, buffer, lanes } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const [level, setLevel] = useState<Level>(1);
  const [measureRoom, { height: room }] = useSize(scroller);
  const [measurePlot, { width }] = useSize(plot);
  const stack = useLaneStack(lanes, props.chosen, level, room);
  const { axis, canvas, ghost, base, scene, paint } = useLaneCanvas(props, stack, width, setLevel);
  const { line, readout, tip, showTip, sayInstant, ...pointer } = useHover(
    summary,
    viewport,
    width,
    scene,
    props.onCursor,
  );
  const duration = summary.durationUs;
  const { band, paintBand, onAxis, onLanes, onDoubleClick } = useDrag(
    plot,
    viewport,
    duration,
    width,
    props.selectedRange,
    scene,
    pointer,
    props,
  );
  useWheel(scroller, plot, viewport, duration);
  const focusKey = props.focused?.key ?? null;
  useEffect(() => (focusKey === null ? undefined : () => showTip(null)), [focusKey, showTip]);
  const draw = useCallback(() => {
    paint(viewport.get());
    paintBand();
    sayInstant();
    const atFocus = focusTip(scene.current, width);
    if (atFocus) showTip(atFocus);
  }, [viewport, paint, paintBand, sayInstant, scene, width, showTip]);
  useFrames(viewport, draw);
  const replicaNames = useMemo(() => summary.replicas.map((r) => r.name), [summary]);
  return (
    <div className="tl-lanes">
      <div className="tl-axis">
        <div className="tl-axis-base">
          <span ref={base} />
          <i>p50</i>
          <i>p95</i>
        </div>
        <div className="tl-axis-plot" {...onAxis}>
          <canvas ref={axis} style={{ width, height: AXIS_PX }} aria-hidden="true" />
          <div ref={readout} className="tl-readout-cursor" hidden />
        </div>
      </div>
      <div className="tl-scroll" ref={measureRoom}>
        <div className="tl-stack" style={{ height: stack.height }}>
          <Gutter
            boxes={stack.boxes}
            numbered={lanes}
            quiet={stack.quiet}
            quietTop={stack.height - QUIET_PX}
            showsQuiet={stack.showsQuiet}
            onQuiet={stack.toggleQuiet}
            statistics={props.statistics}
            onLane={props.onLane}
            collapsed={props.collapsed}
            replicaNames={replicaNames}
            onGroup={props.onGroup}
          />
          <div ref={measurePlot} className="tl-plot" {...onLanes} onDoubleClick={onDoubleClick}>
            <canvas ref={canvas} style={{ width, height: stack.height }} aria-hidden="true" />
            <canvas ref={ghost} className="tl-ghost" aria-hidden="true" />
            <div ref={band} className="tl-band" hidden />
            <div ref={line} className="tl-cursor" hidden />
            {buffer || props.failed ? null : (
              <output className="tl-reading">
                Reading {formatCount(summary.blocks.total)} log blocks of the capture
              </output>
            )}
            {tip && buffer ? (
              <BlockTip
                {...tip}
                width={width}
                height={stack.height}
                row={rowOf(tip.hit, buffer)}
                buffer={buffer}
                summary={summary}
              />
            ) : null}
          </div>
          <ScaleMargin boxes={stack.boxes} level={level} />
        </div>
      </div>
      {props.over}
    </div>
  );
}

/** Draws once per frame when the view moves, when what is drawn changes, and when a font comes. */
function useFrames(viewport: Viewport, draw: () => void): void {
  const frame = useRef(0);
  const schedule = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(draw);
  }, [draw]);
  useLayoutEffect(() => {
    schedule();
    const unsubscribe = viewport.subscribe(schedule);
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame.current);
    };
  }, [viewport, schedule]);
  // Canvas text drawn before its font came stays in the fallback font until it is drawn again.
  useEffect(() => {
    document.fonts.addEventListener("loadingdone", schedule);
    return () => document.fonts.removeEventListener("loadingdone", schedule);
  }, [schedule]);
}

/** The block that the keyboard is on shows what a pointer over it would. */
function focusTip(scene: Scene | null, width: number): Tip | null {
  const rect = scene?.focus ? focusRect(scene) : null;
  if (!scene?.focus || rect === null) return null;
  const { key, block } = scene.focus;
  const spans = scene.buffer.spans.get(key)!;
  const value = spans.end[block] - spans.start[block];
  const right = rect.x + rect.width;
  const hit = { box: rect.box, entry: block, value, left: rect.x, right };
  return { hit, x: Math.min(width, Math.max(0, right)), y: rect.y };
}

function ScaleMargin({ boxes, level }: { boxes: readonly LaneBox[]; level: Level }): ReactNode {
  if (level >= 2) return <div className="tl-margin" />;
  return (
    <div className="tl-margin" aria-hidden="true">
      {boxes
        .filter((b) => b.tall)
        .flatMap((b) =>
          [100_000, 10_000].map((us) => (
            <span key={`${b.lane.key}${us}`} style={{ top: b.top + b.height * (1 - logHeight(us)) - 6 }}>
              {us === 100_000 ? "100" : "10 ms"}
            </span>
          )),
        )}
    </div>
  );
}
