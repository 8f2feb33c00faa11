import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type RefCallback,
  type RefObject,
} from "react";
import type { Level } from "../../charts/timeline/layout.ts";
import { nearestBlockEdge } from "../../charts/timeline/block-edges.ts";
import { NO_LEVEL_CHOICE } from "../../charts/timeline/level-choice.ts";
import { paintReferences } from "../../charts/evidence/paint-references.ts";
import { focusRect } from "../../charts/timeline/paint-selection.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { useKeys } from "../../ui/keys.ts";
import { formatTime } from "../../ui/words.ts";
import { UPRIGHT_PHONE, useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { ruleLabels } from "./happened/use-happened.ts";
import { outagesOf } from "./happened/shown-switches.ts";
import { useReferences } from "./happened/use-references.ts";
import { plusMinusText } from "../capture-view/source-names.ts";
import { type HappenedPlot, useHappenedPlot } from "./happened/use-happened-plot.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "./timeline-context.ts";
import { type RulerCanvas, useRulerCanvas } from "./lanes/use-ruler-canvas.ts";
import { type Band, useBand } from "./use-band.ts";
import { useHover, type Hover, type Tip } from "./use-hover.ts";
import { useLaneCanvas, type LaneCanvas, type LanePicture } from "./lanes/use-lane-canvas.ts";
import { type LaneMenuState, useLaneMenu } from "./lanes/use-lane-menu.ts";
import { useLaneStack, type LaneStack } from "./lanes/use-lane-stack.ts";
import { usePresses, type PressActions, type Presses } from "./use-presses.ts";
import { type Releases, useReleases } from "./use-releases.ts";
import { useZoom } from "./use-zoom.ts";
import type { Viewport } from "./viewport.ts";
import { barSpan } from "../../charts/timeline/buffered.ts";
import { inNextFrame } from "../../ui/next-frame.ts";

/** The plot of the lanes and its axis: its canvases, and the actions of pointers. */
export interface Plot
  extends Pick<LaneCanvas, "axis" | "canvas" | "ghost" | "base">, Pick<Hover, "line" | "readout"> {
  readonly stack: LaneStack;
  /** The lanes of evidence files, below the stack. */
  readonly happened: HappenedPlot;
  readonly releases: Releases;
  readonly level: Level;
  /** The place of each lane is final: nothing moves any more. */
  readonly isPlaced: boolean;
  /** Width of axis and lanes, px. */
  readonly width: number;
  readonly tip: Tip | null;
  readonly pointing: Presses["pointing"];
  readonly menu: LaneMenuState;
  readonly rulerCanvas: RulerCanvas;
  readonly band: Omit<Band, "paintBand">;
  readonly axisPlot: RefObject<HTMLDivElement | null>;
  readonly measureRoom: RefCallback<HTMLDivElement>;
  /** Scrolls where lanes have no space, and the available height, px. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly room: number;
  readonly measurePlot: RefCallback<HTMLDivElement>;
}

/** Axis and lanes, put together; movement paints them without a render. */
export function usePlot(): Plot {
  const { summary, view } = useCapture();
  const { isolated, lanes, buffer } = useTimelineData();
  const { viewport, cursor, duration, level: drawn } = useTimelineView();
  const { focus, selection } = useTimelineSelection();
  const level = drawn ?? NO_LEVEL_CHOICE.level;
  const scroller = useRef<HTMLDivElement>(null);
  const axisPlot = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const [measureRoom, { height: room }] = useSize(scroller);
  const [measurePlot, { width }] = useSize(plot);
  const releases = useReleases(buffer.value);
  const happened = useHappenedPlot(width, room);
  const stack = useLaneStack({
    lanes: lanes.shown,
    byUser: view.lanes,
    level,
    room: room - (happened.stack?.height ?? 0),
    isolated,
    releasesPx: releases.height,
  });
  const picture = useLanePicture();
  const { scene, paint, ...canvases } = useLaneCanvas(picture, releases, stack, width);
  const hover = useHover(summary, viewport, width, scene, cursor.set);
  const actions = usePressActions(happened, stack.height);
  const { selectedRange } = selection;
  const rulerCanvas = useRulerCanvas(scene, width, stack.height);
  const presses = usePresses({
    plot,
    viewport,
    duration,
    width,
    selectedRange,
    scene,
    hover,
    rulers: rulerCanvas,
    actions,
  });
  const loaded = buffer.value;
  const { paintBand, ...band } = useBand({
    axis: axisPlot,
    lanes: plot,
    viewport,
    width,
    duration,
    selected: selectedRange,
    onStart: hover.hideTip,
    onSelect: actions.onSelectRange,
    onAdjust: selection.adjustRange,
    snap: (at, mostUs) => nearestBlockEdge(loaded, at, mostUs),
  });
  const menu = useLaneMenu(plot, scene, focus.cell, hover.hideTip);
  useKeys({ menu: menu.openByKey, ruler: rulerCanvas.onKey });
  const hasNamesOver = useMedia(UPRIGHT_PHONE);
  useZoom(
    plot,
    scroller,
    { viewport, duration, width, hasNamesOver },
    { onPress: hover.hideTip, ...presses },
  );
  const { showTip } = hover;
  const focusKey = focus.cell?.key ?? null;
  useEffect(() => (focusKey === null ? undefined : () => showTip(null)), [focusKey, showTip]);
  const above = belowLanes(stack);
  const { canvas } = canvases;
  useDraw({ paint, canvas, scene, happened, above, rulerCanvas, paintBand, hover, width });
  const { line, readout, tip } = hover;
  const { pointing } = presses;
  return {
    ...canvases,
    stack,
    happened,
    releases,
    level,
    isPlaced: drawn !== null || buffer.error !== null,
    width,
    line,
    readout,
    tip,
    pointing,
    menu,
    rulerCanvas,
    band,
    axisPlot,
    measureRoom,
    scroller,
    room,
    measurePlot,
  };
}

interface Drawing extends Pick<LaneCanvas, "paint" | "canvas" | "scene">, Pick<Band, "paintBand"> {
  readonly happened: Pick<HappenedPlot, "paint">;
  /** Height between the last lane of log blocks and the rule, px. */
  readonly above: number;
  readonly rulerCanvas: Pick<RulerCanvas, "paint">;
  readonly hover: Pick<Hover, "sayInstant" | "showTip">;
  /** px */
  readonly width: number;
}

/** Draws everything that follows the view, when it moves. */
function useDraw({
  paint,
  canvas,
  scene,
  happened: { paint: paintHappened },
  above,
  rulerCanvas: { paint: paintRulers },
  paintBand,
  hover: { sayInstant, showTip },
  width,
}: Drawing): void {
  const { viewport } = useTimelineView();
  const references = useReferences();
  const draw = useCallback(() => {
    paint(viewport.get());
    const context = canvas.current?.getContext("2d");
    if (references.length > 0 && scene.current && context)
      paintReferences(context, scene.current, references);
    paintHappened(viewport.get(), scene.current?.ticks ?? [], above);
    paintRulers();
    paintBand();
    sayInstant();
    const atFocus = focusTip(scene.current, width);
    if (atFocus) showTip(atFocus);
  }, [
    viewport,
    paint,
    canvas,
    references,
    paintHappened,
    above,
    paintRulers,
    paintBand,
    sayInstant,
    scene,
    width,
    showTip,
  ]);
  useFrames(viewport, draw);
}

/** Height below the last lane of log blocks, px. */
export const belowLanes = ({ boxes, height }: LaneStack): number => {
  const last = boxes.at(-1);
  return last === undefined ? 0 : height - last.top - last.height;
};

/** Content of the canvas, from the capture and the timeline around it. */
function useLanePicture(): LanePicture {
  const { summary, view } = useCapture();
  const { buffer, hitBuffer, threshold, isolated, lanes, uncovered, switches, happened, isEmpty } =
    useTimelineData();
  const { gates, range, setLevel } = useTimelineView();
  const { chosenPath, keptPaths, focus } = useTimelineSelection();
  const periods = useMemo(() => outagesOf(switches, happened, summary), [switches, happened, summary]);
  const labels = useMemo(() => ruleLabels(happened), [happened]);
  return {
    summary,
    buffer: buffer.value,
    hitBuffer,
    threshold,
    isolated,
    selectedRow: view.block,
    chosenPath,
    keptPaths,
    uncertainty: lanes.uncertainty,
    gates,
    uncovered,
    switches: periods,
    secondary: view.secondary,
    labels,
    focused: focus.cell,
    focusedSlot: focus.slot,
    rested: range,
    idle: isEmpty,
    onLevel: setLevel,
  };
}

/** Actions of presses on the lanes: they select. @param lanesPx height of the lanes of log blocks, px */
function usePressActions({ stack, eventAt }: HappenedPlot, lanesPx: number): PressActions {
  const { viewport } = useTimelineView();
  const { summary } = useCapture();
  const { happened } = useTimelineData();
  const { selection, events } = useTimelineSelection();
  const textOf = (index: number): string => {
    const event = happened?.answer.events[index];
    return event === undefined
      ? ""
      : `${formatTime(summary, event.at, 3)} ${plusMinusText(event)}\n${event.text}`;
  };
  return {
    onEventsAt: (x, y) => {
      if (stack === null || y < lanesPx) return false;
      events.select(eventAt(viewport.get(), x, y - lanesPx));
      return true;
    },
    textAt: (x, y) => {
      const index = stack === null || y < lanesPx ? null : eventAt(viewport.get(), x, y - lanesPx);
      return index === null ? "" : textOf(index);
    },
    onSelect: selection.select,
    onToggle: selection.toggle,
    onSelectSlowest: selection.selectSlowest,
    onSelectRange: selection.selectRange,
    onZoomTo: (next) => {
      selection.selectRange(null);
      viewport.set(next);
    },
  };
}

/** Draws once per frame when the view moves, when the content changes, and when a font is loaded. */
function useFrames(viewport: Viewport, draw: () => void): void {
  const frame = useRef(0);
  const schedule = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = inNextFrame(draw);
  }, [draw]);
  useLayoutEffect(() => {
    schedule();
    const unsubscribe = viewport.subscribe(schedule);
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame.current);
    };
  }, [viewport, schedule]);
  // Canvas text that was drawn before its font was loaded stays in the fallback font until it is drawn again.
  useEffect(() => {
    document.fonts.addEventListener("loadingdone", schedule);
    return () => document.fonts.removeEventListener("loadingdone", schedule);
  }, [schedule]);
}

/** The block with the keyboard focus shows the same tip as a block under the pointer. */
function focusTip(scene: Scene | null, width: number): Tip | null {
  const rect = scene?.focus ? focusRect(scene) : null;
  if (!scene?.focus || rect === null) return null;
  const { key, block } = scene.focus;
  const bar = barSpan(scene.buffer, key, block);
  if (bar === null) return null;
  const right = rect.x + rect.width;
  const pointed = { box: rect.box, entry: block, value: bar[1] - bar[0], left: rect.x, right };
  return { pointed, x: Math.min(width, Math.max(0, right)), y: rect.y };
}
