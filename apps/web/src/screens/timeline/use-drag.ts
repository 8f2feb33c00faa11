import { useCallback, useRef, type MouseEvent, type PointerEvent, type RefObject } from "react";
import { hitTest } from "../../charts/timeline/hit-test.ts";
import { rowOf } from "../../charts/timeline/hit-row.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { timeAt, xOf, type TimeScale } from "../../charts/time-scale.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import type { Hover } from "./use-hover.ts";
import { panBy, zoomAt, type Range, type Viewport } from "./viewport.ts";

/** A press that moves less than this is a click. */
const CLICK_PX = 4;
/** A double click makes the view this share of what it was. */
const DOUBLE_CLICK_ZOOM = 0.25;

interface Drag {
  readonly kind: "pan" | "range";
  readonly x: number;
  readonly range: Range;
  moved: boolean;
}

/** What presses on the lanes do. */
export interface PressActions {
  readonly onSelect: (row: number | null) => void;
  /** A pixel of bins was chosen: the lane and the time it stands for. */
  readonly onSelectSlowest: (lane: Lane, within: Range) => void;
  readonly onSelectRange: (range: Range | null) => void;
  readonly onZoomTo: (range: Range) => void;
}

interface Pressed {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
}

export interface Dragging {
  /** Shows the selected range. */
  readonly band: RefObject<HTMLDivElement | null>;
  /** Puts the band to where its range is now. */
  readonly paintBand: () => void;
  /** Drags on the axis choose a range, those on the lanes pan; with Shift they choose a range too. */
  readonly onAxis: Pressed;
  readonly onLanes: Pressed;
  readonly onDoubleClick: (event: MouseEvent) => void;
}

/** Panning, choosing a range and choosing a block with the pointer. */
export function useDrag(
  plot: RefObject<HTMLElement | null>,
  viewport: Viewport,
  duration: number,
  width: number,
  selectedRange: Range | null,
  scene: RefObject<Scene | null>,
  hover: Pick<Hover, "at" | "leave" | "hideTip">,
  actions: PressActions,
): Dragging {
  const band = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const draft = useRef<Range | null>(null);
  const paintBand = useCallback(() => {
    if (band.current) placeBand(band.current, draft.current ?? selectedRange, scaleOf(viewport, width));
  }, [viewport, width, selectedRange]);
  const timeOf = (x: number): number => timeAt(scaleOf(viewport, width), x);
  const placeIn = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = plot.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const isSelected = (at: number): boolean =>
    selectedRange !== null && at >= selectedRange[0] && at <= selectedRange[1];

  const down = (kind: Drag["kind"]) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      kind: event.shiftKey ? "range" : kind,
      x: placeIn(event).x,
      range: viewport.get(),
      moved: false,
    };
    hover.hideTip();
  };
  const move = (event: PointerEvent) => {
    const { x, y } = placeIn(event);
    const now = drag.current;
    if (!now) return hover.at(x, y);
    if (Math.abs(x - now.x) >= CLICK_PX) now.moved = true;
    if (!now.moved) return;
    if (now.kind === "pan") return viewport.set(panBy(now.range, (now.x - x) / width, duration));
    const [a, b] = [timeOf(now.x), timeOf(Math.min(width, Math.max(0, x)))];
    draft.current = [Math.min(a, b), Math.max(a, b)];
    paintBand();
  };
  const press = (x: number, y: number): void => {
    // A press inside the selected range may be the first of a double one that zooms to it.
    if (isSelected(timeOf(x))) return;
    const painted = scene.current;
    const hit = painted && hitTest(painted.boxes, painted.layouts, x, y);
    if (!hit || !painted) return actions.onSelect(null);
    const { bins } = painted.buffer;
    if (!bins) return actions.onSelect(rowOf(hit, painted.buffer));
    const perBin = (bins.to - bins.from) / bins.length;
    actions.onSelectSlowest(hit.box.lane, [timeOf(hit.left) - perBin, timeOf(hit.right) + perBin]);
  };
  const up = (event: PointerEvent) => {
    const ended = drag.current;
    const range = draft.current;
    drag.current = null;
    draft.current = null;
    if (!ended) return;
    if (ended.moved) {
      if (range) actions.onSelectRange(range);
      return;
    }
    const { x, y } = placeIn(event);
    press(x, y);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const at = timeOf(placeIn(event).x);
    if (selectedRange && isSelected(at)) return actions.onZoomTo(selectedRange);
    actions.onZoomTo(zoomAt(viewport.get(), at, DOUBLE_CLICK_ZOOM, duration));
  };
  const pressed = (kind: Drag["kind"]): Pressed => ({
    onPointerDown: down(kind),
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: up,
    onPointerLeave: hover.leave,
  });
  return { band, paintBand, onAxis: pressed("range"), onLanes: pressed("pan"), onDoubleClick };
}

function scaleOf(viewport: Viewport, width: number): TimeScale {
  const [from, to] = viewport.get();
  return { from, to, width };
}

function placeBand(node: HTMLElement, range: Range | null, scale: TimeScale): void {
  node.hidden = range === null;
  if (range === null) return;
  const left = Math.max(-2, xOf(scale, range[0]));
  const right = Math.min(scale.width + 2, xOf(scale, range[1]));
  node.style.transform = `translateX(${left}px)`;
  node.style.width = `${Math.max(0, right - left)}px`;
}
