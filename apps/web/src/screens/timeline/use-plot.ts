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
import { focusRect } from "../../charts/timeline/paint-selection.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { useKeys } from "../../ui/keys.ts";
import { UPRIGHT_PHONE, useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { switchPeriods } from "../capture-view/phases.ts";
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
  const stack = useLaneStack({
    lanes: lanes.shown,
    byUser: view.lanes,
    level,
    room,
    isolated,
    releasesPx: releases.height,
  });
  const picture = useLanePicture();
  const { scene, paint, ...canvases } = useLaneCanvas(picture, releases, stack, width);
  const hover = useHover(summary, viewport, width, scene, cursor.set);
  const actions = usePressActions();
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
  const { showTip, sayInstant } = hover;
  const focusKey = focus.cell?.key ?? null;
  useEffect(() => (focusKey === null ? undefined : () => showTip(null)), [focusKey, showTip]);
  const { paint: paintRulers } = rulerCanvas;
  const draw = useCallback(() => {
    paint(viewport.get());
    paintRulers();
    paintBand();
    sayInstant();
    const atFocus = focusTip(scene.current, width);
    if (atFocus) showTip(atFocus);
  }, [viewport, paint, paintRulers, paintBand, sayInstant, scene, width, showTip]);
  useFrames(viewport, draw);
  const { line, readout, tip } = hover;
  const { pointing } = presses;
  return {
    ...canvases,
    stack,
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

/** Content of the canvas, from the capture and the timeline around it. */
function useLanePicture(): LanePicture {
  const { summary, view } = useCapture();
  const { buffer, hitBuffer, threshold, isolated, lanes, uncovered, switches, isEmpty } = useTimelineData();
  const { gates, range, setLevel } = useTimelineView();
  const { chosenPath, keptPaths, focus } = useTimelineSelection();
  const periods = useMemo(() => switchPeriods(switches), [switches]);
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
    focused: focus.cell,
    focusedSlot: focus.slot,
    rested: range,
    idle: isEmpty,
    onLevel: setLevel,
  };
}

/** Actions of presses on the lanes: they select. */
function usePressActions(): PressActions {
  const { viewport } = useTimelineView();
  const { selection } = useTimelineSelection();
  return {
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
