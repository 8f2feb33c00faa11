import type { PointerEvent, RefObject } from "react";
import { rowOf } from "../../charts/timeline/pointed-row.ts";
import { pointedBar } from "../../charts/timeline/pointed-bar.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { timeAt } from "../../charts/time-scale.ts";
import type { Lane } from "../../lanes/lanes.ts";
import type { RulerCanvas } from "./lanes/use-ruler-canvas.ts";
import type { Hover } from "./use-hover.ts";
import type { PressKeys } from "./use-zoom.ts";
import { zoomAt, type Range, type Viewport } from "./viewport.ts";

/** A double click makes the view this share of what it was. */
const DOUBLE_CLICK_ZOOM = 0.25;

/** Actions of presses on the lanes. */
export interface PressActions {
  /** Selects the event of evidence files at a place of the plot, px; false where their lanes aren't there. */
  readonly onEventsAt: (x: number, y: number) => boolean;
  /** Text of the event of evidence files at a place of the plot, px; empty without one. */
  readonly textAt: (x: number, y: number) => string;
  readonly onSelect: (row: number | null) => void;
  /** With Ctrl or Shift: adds a block to the selected ones, or removes it from them. */
  readonly onToggle: (row: number) => void;
  /** A pixel of bins was chosen: the lane and the time of that pixel, and whether with Ctrl or Shift. */
  readonly onSelectSlowest: (lane: Lane, within: Range, isAdded: boolean) => void;
  readonly onSelectRange: (range: Range | null) => void;
  readonly onZoomTo: (range: Range) => void;
}

interface Pointing {
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave: () => void;
}

export interface Presses {
  /** A pointer over the axis or the lanes. */
  readonly pointing: Pointing;
  /** A click and a double press at a place of the plot, px. */
  readonly onClick: (x: number, y: number, keys: PressKeys) => void;
  readonly onDouble: (x: number) => void;
}

interface Pressed {
  readonly plot: RefObject<HTMLElement | null>;
  readonly viewport: Viewport;
  /** Length of the capture, µs. */
  readonly duration: number;
  /** Width of the plot, px. */
  readonly width: number;
  readonly selectedRange: Range | null;
  /** The scene that was painted last. */
  readonly scene: RefObject<Scene | null>;
  readonly hover: Pick<Hover, "at" | "leave">;
  readonly rulers: Pick<RulerCanvas, "isMeasuring" | "hover" | "place">;
  readonly actions: PressActions;
}

/** Pointing at a bar and pressing one. */
export function usePresses({
  plot,
  viewport,
  duration,
  width,
  selectedRange,
  scene,
  hover,
  rulers,
  actions,
}: Pressed): Presses {
  const timeOf = (x: number): number => {
    const [from, to] = viewport.get();
    return timeAt({ from, to, width }, x);
  };
  const isSelected = (at: number): boolean =>
    selectedRange !== null && at >= selectedRange[0] && at <= selectedRange[1];
  return {
    pointing: {
      onPointerMove: (event) => {
        // A drag ignores hovering, and a finger does not hover before it presses.
        if (event.buttons > 0 || event.pointerType === "touch") return;
        const box = plot.current!.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left, event.clientY - box.top];
        hover.at(x, y);
        const text = actions.textAt(x, y);
        if (plot.current!.title !== text) plot.current!.title = text;
        if (rulers.isMeasuring) rulers.hover({ x, y, isFree: event.altKey });
      },
      onPointerLeave: () => {
        hover.leave();
        if (rulers.isMeasuring) rulers.hover(null);
      },
    },
    onClick: (x, y, { alt, ctrl, shift }) => {
      if (rulers.isMeasuring) return rulers.place(x, y, alt);
      const isAdded = ctrl || shift;
      // A click inside the selected range may be the first of a double one that zooms to it.
      if (isSelected(timeOf(x)) && !isAdded) return;
      if (actions.onEventsAt(x, y)) return;
      const painted = scene.current;
      const pointed = painted && pointedBar(painted.boxes, painted.layouts, x, y);
      // A press with Ctrl or Shift that hits no block keeps the selected ones.
      if (!pointed || !painted) return isAdded ? undefined : actions.onSelect(null);
      const { bins } = painted.buffer;
      if (!bins) {
        const row = rowOf(pointed, painted.buffer);
        if (!isAdded) actions.onSelect(row);
        else if (row !== null) actions.onToggle(row);
        return;
      }
      const perBin = (bins.to - bins.from) / bins.length;
      actions.onSelectSlowest(
        pointed.box.lane,
        [timeOf(pointed.left) - perBin, timeOf(pointed.right) + perBin],
        isAdded,
      );
    },
    onDouble: (x) => {
      if (rulers.isMeasuring) return;
      const at = timeOf(x);
      if (selectedRange && isSelected(at)) return actions.onZoomTo(selectedRange);
      actions.onZoomTo(zoomAt(viewport.get(), at, DOUBLE_CLICK_ZOOM, duration));
    },
  };
}
