import { pointer, select, type Selection } from "d3-selection";
import { zoom, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";
import { useEffect, useRef, type RefObject } from "react";
import { CLICK_PX } from "../../charts/use-range-drag.ts";
import { timeAt } from "../../charts/time-scale.ts";
import { LEAST_SPAN_US, panBy, zoomAt, type Viewport } from "./viewport.ts";
import { rangeOf, transformOf, wheelPan, wheelZoom } from "./zoom-transform.ts";

/** A double tap may also reach the page as a double click within this time, ms. */
const AFTER_TAP_MS = 500;

/** Keys that are down during a press; Ctrl is Cmd on a Mac. */
export interface PressKeys {
  readonly alt: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
}

/** Actions of presses on the plot other than moving the view; places are px from its top left corner. */
export interface PlotPresses {
  /** A press begins. */
  readonly onPress: () => void;
  readonly onClick: (x: number, y: number, keys: PressKeys) => void;
  /** A double click or tap. */
  readonly onDouble: (x: number) => void;
}

/** State that the zoom behavior is bound to. */
interface Bound {
  readonly viewport: Viewport;
  /** Length of the capture, µs. */
  readonly duration: number;
  /** Width of the plot, px. */
  readonly width: number;
  readonly presses: RefObject<PlotPresses>;
}

type Behavior = ZoomBehavior<HTMLElement, unknown>;
type Target = Selection<HTMLElement, unknown, null, undefined>;
type Gesture = D3ZoomEvent<HTMLElement, unknown>;
type Press = MouseEvent | TouchEvent;
type Place = readonly [x: number, y: number];

/**
 * Moves the view with the mouse, the wheel and fingers: a drag or one finger pans, two fingers zoom, the wheel zooms
 * with Ctrl and pans sideways. It moves the viewport, which costs a frame and no render; keys and links move the
 * viewport too, and the behavior follows it.
 * @param plot handles drags and fingers; a drag with Shift belongs to others. Where `hasNamesOver`, its parent handles
 * two fingers too
 * @param scroller contains the plot and scrolls where lanes have no space; its parent handles the wheel too
 */
export function useZoom(
  plot: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  {
    viewport,
    duration,
    width,
    hasNamesOver = false,
  }: Omit<Bound, "presses"> & { readonly hasNamesOver?: boolean },
  given: PlotPresses,
): void {
  const presses = useRef(given);
  useEffect(() => {
    presses.current = given;
  });
  useEffect(() => {
    if (width < 1) return undefined;
    const node = plot.current!;
    const target: Target = select(touched(node, hasNamesOver));
    const behavior = zoomOver(width, duration).filter((event) => begins(event) && isForPlot(event, node));
    const bound = { viewport, duration, width, presses };
    target.call(behavior);
    const unfollow = moveTogether(behavior, target, bound);
    const unwheel = bindWheel(node, scroller.current!, bound);
    bindPresses(target, node, presses);
    return () => {
      unfollow();
      unwheel();
      target.on(".zoom", null).on(".press", null);
    };
  }, [plot, scroller, viewport, duration, width, hasNamesOver]);
}

/** Names over the lanes are touched as part of them: two fingers of which one is on a name zoom too. */
const touched = (plot: HTMLElement, hasNamesOver: boolean): HTMLElement =>
  (hasNamesOver ? plot.parentElement : null) ?? plot;

/** The behavior for a plot whose complete width shows `duration` µs at the lowest scale. */
function zoomOver(width: number, duration: number): Behavior {
  const edges: [Place, Place] = [
    [0, 0],
    [width, 1],
  ];
  return zoom<HTMLElement, unknown>()
    .extent(edges as [[number, number], [number, number]])
    .translateExtent(edges as [[number, number], [number, number]])
    .scaleExtent([1, Math.max(1, duration / LEAST_SPAN_US)])
    .clickDistance(CLICK_PX)
    .wheelDelta((event: WheelEvent) => Math.log2(wheelZoom(event)));
}

/** The wheel zooms with Ctrl; presses with Shift choose a range, with Ctrl or another button they open a menu. */
function begins(event: Press | WheelEvent): boolean {
  if (event.type === "wheel") return event.ctrlKey || event.metaKey;
  return !event.shiftKey && !event.ctrlKey && !("button" in event && event.button > 0);
}

/** A name over the lanes has its own presses; two fingers belong to the plot. */
const isForPlot = (event: Press | WheelEvent, plot: HTMLElement): boolean =>
  plot.contains(event.target as Node) || ("touches" in event && event.touches.length > 1);

/** The place of a press in the window, px; null for fingers that pinch, and for events that are no press. */
function placeOf(event: Press | WheelEvent): Place | null {
  if (event.type === "wheel") return null;
  if (!("touches" in event)) return [event.clientX, event.clientY];
  const [touch, ...others] = event.touches;
  return touch !== undefined && others.length === 0 ? [touch.clientX, touch.clientY] : null;
}

/** Gestures move the viewport, and the behavior follows other moves of it. Returns a function that ends this. */
function moveTogether(
  behavior: Behavior,
  target: Target,
  { viewport, duration, width, presses }: Bound,
): () => void {
  /** Start of a press that may still be a click. */
  let begun: Place | null = null;
  let isMoving = false;
  const follow = (): void => {
    if (!isMoving) behavior.transform(target, transformOf(viewport.get(), duration, width));
  };
  const mayBeClick = (event: Press | WheelEvent): boolean => {
    const place = placeOf(event);
    return (
      begun !== null && place !== null && Math.hypot(place[0] - begun[0], place[1] - begun[1]) <= CLICK_PX
    );
  };
  behavior
    .on("start", ({ sourceEvent }: Gesture) => {
      if (!sourceEvent || sourceEvent.type === "wheel") return;
      begun = placeOf(sourceEvent);
      presses.current.onPress();
    })
    .on("zoom", ({ transform, sourceEvent }: Gesture) => {
      // The behavior also reports the moves that it follows; only a gesture has an event.
      if (!sourceEvent || mayBeClick(sourceEvent)) return;
      begun = null;
      isMoving = true;
      viewport.set(rangeOf(transform, duration, width));
      isMoving = false;
    })
    .on("end", ({ sourceEvent }: Gesture) => {
      begun = null;
      // A click moved the behavior by a few pixels and not the view.
      if (sourceEvent) follow();
    });
  follow();
  return viewport.subscribe(follow);
}

function bindPresses(target: Target, node: HTMLElement, presses: RefObject<PlotPresses>): void {
  let tapped = Number.NEGATIVE_INFINITY;
  target
    .on("click.press", (event: MouseEvent) => {
      if (!isForPlot(event, node)) return;
      const [x, y] = pointer(event, node);
      presses.current.onClick(x, y, {
        alt: event.altKey,
        ctrl: event.ctrlKey || event.metaKey,
        shift: event.shiftKey,
      });
    })
    .on("dblclick.zoom", (event: Press) => {
      const isTap = "changedTouches" in event;
      if (!isTap && !isForPlot(event, node)) return;
      if (!isTap && event.timeStamp - tapped < AFTER_TAP_MS) return;
      if (isTap) tapped = event.timeStamp;
      presses.current.onDouble(pointer(isTap ? event.changedTouches[0] : event, node)[0]);
    });
}

/** The wheel pans the view; over the axis and the gutter, which are outside the behavior's element, it zooms too. */
function bindWheel(
  plot: HTMLElement,
  scroller: HTMLElement,
  { viewport, duration, width }: Bound,
): () => void {
  const onWheel = (event: WheelEvent): void => {
    const range = viewport.get();
    if (event.ctrlKey || event.metaKey) {
      const x = Math.min(width, Math.max(0, pointer(event, plot)[0]));
      const at = timeAt({ from: range[0], to: range[1], width }, x);
      event.preventDefault();
      viewport.set(zoomAt(range, at, 1 / wheelZoom(event), duration));
      return;
    }
    const by = wheelPan(event, scroller.scrollHeight > scroller.clientHeight + 1);
    if (by === 0) return;
    event.preventDefault();
    viewport.set(panBy(range, by / width, duration));
  };
  const area = scroller.parentElement!;
  // The wheel must be able to refuse the page's own zoom, so the listener is an active one.
  area.addEventListener("wheel", onWheel, { passive: false });
  return () => area.removeEventListener("wheel", onWheel);
}
