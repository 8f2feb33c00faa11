import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { LaneBox } from "../../charts/timeline/heights.ts";
import { rowOf } from "../../charts/timeline/hit-row.ts";
import { logHeight } from "../../charts/duration-scale.ts";
import type { Level } from "../../charts/timeline/layout.ts";
import { AXIS_PX } from "../../charts/timeline/paint-axis.ts";
import { focusRect } from "../../charts/timeline/paint-selection.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { useSize } from "../../ui/use-size.ts";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { BlockTip } from "./block-tip.tsx";
import { EmptyView } from "./empty-view.tsx";
import { Gutter } from "./gutter.tsx";
import { useTimeline } from "./timeline-context.ts";
import { useBand } from "./use-band.ts";
import { useHover, type Tip } from "./use-hover.ts";
import { useLaneCanvas, type LanePicture } from "./use-lane-canvas.ts";
import { QUIET_PX, useLaneStack } from "./use-lane-stack.ts";
import { usePresses, type PressActions } from "./use-presses.ts";
import { useZoom } from "./use-zoom.ts";
import type { Viewport } from "./viewport.ts";

/** Width of the scale margin, px. */
export const MARGIN_PX = 32;

/** Axis, gutter and lanes. Movement paints the canvas directly; React renders only when lanes, level or selection change. */
export function LanesView(): ReactNode {
  const { summary, view } = useCapture();
  const { viewport, cursor, lanes, focus, selection, statistics, ...timeline } = useTimeline();
  const { value: buffer, error } = timeline.buffer;
  const scroller = useRef<HTMLDivElement>(null);
  const axisPlot = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const [level, setLevel] = useState<Level>(1);
  const [measureRoom, { height: room }] = useSize(scroller);
  const [measurePlot, { width }] = useSize(plot);
  const stack = useLaneStack(lanes.shown, view.lanes, level, room);
  const { axis, canvas, ghost, base, scene, paint } = useLaneCanvas(useLanePicture(), stack, width, setLevel);
  const { line, readout, tip, showTip, sayInstant, ...pointer } = useHover(
    summary,
    viewport,
    width,
    scene,
    cursor.set,
  );
  const duration = summary.durationUs;
  const actions = usePressActions();
  const { selectedRange } = selection;
  const { pointing, onClick, onDouble } = usePresses(
    plot,
    viewport,
    duration,
    width,
    selectedRange,
    scene,
    pointer,
    actions,
  );
  const { band, paintBand } = useBand(axisPlot, plot, viewport, width, selectedRange, {
    onStart: pointer.hideTip,
    onSelect: actions.onSelectRange,
  });
  useZoom(
    plot,
    scroller,
    { viewport, duration, width },
    {
      onPress: pointer.hideTip,
      onClick,
      onDouble,
    },
  );
  const focusKey = focus.cell?.key ?? null;
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
        <div className="tl-axis-plot" ref={axisPlot} {...pointing}>
          <canvas ref={axis} style={{ width, height: AXIS_PX }} aria-hidden="true" />
          <div ref={readout} className="tl-readout-cursor" hidden />
        </div>
      </div>
      <div className="tl-scroll" ref={measureRoom}>
        <div className="tl-stack" style={{ height: stack.height }}>
          <Gutter
            boxes={stack.boxes}
            numbered={lanes.shown}
            quiet={stack.quiet}
            quietTop={stack.height - QUIET_PX}
            showsQuiet={stack.showsQuiet}
            onQuiet={stack.toggleQuiet}
            statistics={statistics.value}
            onLane={timeline.setLane}
            collapsed={view.collapsed}
            replicaNames={replicaNames}
            onGroup={timeline.toggleGroup}
          />
          <div ref={measurePlot} className="tl-plot" {...pointing}>
            <canvas ref={canvas} style={{ width, height: stack.height }} aria-hidden="true" />
            <canvas ref={ghost} className="tl-ghost" aria-hidden="true" />
            <div ref={band} className="tl-band" hidden />
            <div ref={line} className="tl-cursor" hidden />
            {buffer || error !== null ? null : (
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
      {timeline.isEmpty ? <EmptyView /> : null}
    </div>
  );
}

/** What the canvas draws, from the capture and the timeline around it. */
function useLanePicture(): LanePicture {
  const { summary, view } = useCapture();
  const { buffer, chosenPath, lanes, gates, uncovered, focus, range, isEmpty, setLevel } = useTimeline();
  return {
    summary,
    buffer: buffer.value,
    selectedRow: view.block,
    chosenPath,
    uncertainty: lanes.uncertainty,
    gates,
    uncovered,
    secondary: view.secondary,
    time: view.time,
    focused: focus.cell,
    focusedSlot: focus.slot,
    rested: range,
    idle: isEmpty,
    onLevel: setLevel,
  };
}

/** What presses on the lanes do: they select. */
function usePressActions(): PressActions {
  const { selection, viewport } = useTimeline();
  return {
    onSelect: selection.select,
    onSelectSlowest: selection.selectSlowest,
    onSelectRange: selection.selectRange,
    onZoomTo: (next) => {
      selection.selectRange(null);
      viewport.set(next);
    },
  };
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
