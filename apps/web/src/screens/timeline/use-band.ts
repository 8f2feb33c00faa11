import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useRef } from "react";
import { timeAt, xOf, type TimeScale } from "../../charts/time-scale.ts";
import { useRangeDrag } from "../../charts/use-range-drag.ts";
import { LEAST_SPAN_US, type Range, type Viewport } from "./viewport.ts";

/** An edge this near to a block's first or last instant snaps to it, px. */
const SNAP_PX = 6;
/** An arrow key moves a handle by a pixel, with Shift by this number of pixels. */
const FAR_PX = 10;

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

type Side = 0 | 1;

/** Event handlers of one handle of the band. */
export interface BandHandle {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onKeyUp: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
}

export interface Band {
  /** Shows the selected range. */
  readonly band: RefObject<HTMLDivElement | null>;
  /** The handles at its edges, in the axis. */
  readonly begins: RefObject<HTMLDivElement | null>;
  readonly ends: RefObject<HTMLDivElement | null>;
  readonly handles: readonly [BandHandle, BandHandle];
  /** Moves the band to the current place of its range. */
  readonly paintBand: () => void;
}

interface Banded {
  readonly axis: RefObject<HTMLElement | null>;
  readonly lanes: RefObject<HTMLElement | null>;
  readonly viewport: Viewport;
  /** Width of both plots, px. */
  readonly width: number;
  /** Length of the capture, µs: no edge is outside of it. */
  readonly duration: number;
  readonly selected: Range | null;
  readonly onStart: () => void;
  readonly onSelect: (range: Range) => void;
  /** Called with another edge of the selected range. */
  readonly onAdjust: (range: Range) => void;
  /** An instant on the nearest edge of a block within `mostUs`, else the instant itself. */
  readonly snap: (at: number, mostUs: number) => number;
}

/**
 * The band over the selected range, the drags that select one (on the axis, and with Shift on the lanes), and the
 * handles that move its edges. Edges snap to those of blocks, but not with Alt. A key moves an edge at once, and
 * adjusts the range when it is released, because browsers limit how often an address may change.
 */
export function useBand({ axis, lanes, viewport, width, duration, selected, ...actions }: Banded): Band {
  const { onStart, onSelect, onAdjust, snap } = actions;
  const band = useRef<HTMLDivElement>(null);
  const begins = useRef<HTMLDivElement>(null);
  const ends = useRef<HTMLDivElement>(null);
  const draft = useRef<Range | null>(null);
  /** The range as a handle has moved it; ignored once another range, or no range, is selected. */
  const moved = useRef<{ readonly of: Range; readonly range: Range } | null>(null);
  const scaleNow = useCallback((): TimeScale => {
    const [from, to] = viewport.get();
    return { from, to, width };
  }, [viewport, width]);
  const paintBand = useCallback(() => {
    const range = draft.current ?? (moved.current?.of === selected ? moved.current.range : selected);
    if (band.current) placeBand(band.current, range, scaleNow());
    if (begins.current) placeHandle(begins.current, range?.[0], scaleNow());
    if (ends.current) placeHandle(ends.current, range?.[1], scaleNow());
  }, [scaleNow, selected]);
  const instantAt = (x: number, isFree: boolean): number => {
    const scale = scaleNow();
    const at = timeAt(scale, x);
    return isFree ? at : snap(at, (SNAP_PX / width) * (scale.to - scale.from));
  };
  const drag = {
    onStart,
    onDrag: (from: number, to: number, isFree: boolean) => {
      draft.current = [instantAt(from, isFree), instantAt(to, isFree)];
      paintBand();
    },
    onEnd: (period: readonly [number, number] | null) => {
      const range = draft.current;
      draft.current = null;
      if (period && range && range[1] > range[0]) onSelect(range);
      else paintBand();
    },
  };
  const isOnHandle = ({ target }: Event): boolean =>
    target instanceof Element && target.closest("[role=slider]") !== null;
  useRangeDrag(axis, { ...drag, begins: (event) => !isOnHandle(event) });
  useRangeDrag(lanes, { ...drag, begins: (event) => event.shiftKey }, false);
  const commit = (): void => {
    const given = moved.current;
    moved.current = null;
    if (given !== null && given.of === selected) onAdjust(given.range);
  };
  const move = (of: Range, from: Range, side: Side, at: number): void => {
    moved.current = { of, range: withEdge(from, side, at, duration) };
    paintBand();
  };
  const handleOf = (side: Side): BandHandle => ({
    onKeyDown: (event) => {
      const steps = STEPS[event.key];
      if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey || !selected) return;
      event.preventDefault();
      const { from, to } = scaleNow();
      const by = ((to - from) / width) * steps * (event.shiftKey ? FAR_PX : 1);
      const range = moved.current?.of === selected ? moved.current.range : selected;
      move(selected, range, side, Math.min(lastTenth(to), Math.max(firstTenth(from), range[side] + by)));
    },
    onKeyUp: ({ key }) => {
      if (key in STEPS) commit();
    },
    onBlur: commit,
    onPointerDown: (event) => {
      if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      if (!selected || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      const x = event.clientX - axis.current!.getBoundingClientRect().left;
      move(selected, selected, side, instantAt(Math.min(width, Math.max(0, x)), event.altKey));
    },
    onPointerUp: (event) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) commit();
    },
    onPointerCancel: () => {
      moved.current = null;
      paintBand();
    },
  });
  return { band, begins, ends, handles: [handleOf(0), handleOf(1)], paintBand };
}

/**
 * First and last instant of a view in tenths of a µs, as addresses contain them, rounded so that it stays in the view.
 */
const firstTenth = (us: number): number => Math.ceil(us * 10) / 10;
const lastTenth = (us: number): number => Math.floor(us * 10) / 10;

/** The range with another edge, which does not pass the opposite edge and stays in the capture. */
function withEdge([from, to]: Range, side: Side, at: number, duration: number): Range {
  return side === 0
    ? [Math.max(0, Math.min(at, to - LEAST_SPAN_US)), to]
    : [from, Math.min(duration, Math.max(at, from + LEAST_SPAN_US))];
}

function placeBand(node: HTMLElement, range: Range | null, scale: TimeScale): void {
  node.hidden = range === null;
  if (range === null) return;
  const left = Math.max(-2, xOf(scale, range[0]));
  const right = Math.min(scale.width + 2, xOf(scale, range[1]));
  node.style.transform = `translateX(${left}px)`;
  node.style.width = `${Math.max(0, right - left)}px`;
}

/** A handle is shown while its edge is in view. */
function placeHandle(node: HTMLElement, at: number | undefined, scale: TimeScale): void {
  const x = at === undefined ? -1 : xOf(scale, at);
  node.hidden = x < 0 || x > scale.width;
  node.style.transform = `translateX(${x}px)`;
}
