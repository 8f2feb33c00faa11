import { useCallback, useRef, useState, type RefObject } from "react";
import type { Summary } from "@aglens/contract";
import { pointedBar, type Pointed } from "../../charts/timeline/pointed-bar.ts";
import { timeAt } from "../../charts/time-scale.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { formatTime } from "../../ui/words.ts";
import type { Viewport } from "./viewport.ts";

const TIP_AFTER_MS = 60;
/** Half the width of the instant under the pointer, px. */
const READOUT_PX = 48;

/** A bar with the pointer or the keyboard focus. */
export interface Tip {
  readonly pointed: Pointed;
  readonly x: number;
  readonly y: number;
}

export interface Hover {
  /** The line through all lanes. */
  readonly line: RefObject<HTMLDivElement | null>;
  /** The instant on the axis. */
  readonly readout: RefObject<HTMLDivElement | null>;
  readonly tip: Tip | null;
  readonly showTip: (tip: Tip | null) => void;
  /** The pointer is at a place of the plot, px. */
  readonly at: (x: number, y: number) => void;
  readonly leave: () => void;
  /** Prints the instant under the pointer; it changes when the pointer or the view moves. */
  readonly sayInstant: () => void;
  readonly hideTip: () => void;
}

/** Line, instant and tip under the pointer; the first two move without a render. */
export function useHover(
  summary: Summary,
  viewport: Viewport,
  width: number,
  scene: RefObject<Scene | null>,
  onCursor: (at: number | null) => void,
): Hover {
  const line = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLDivElement>(null);
  const pointer = useRef<number | null>(null);
  const timer = useRef(0);
  const [tip, showTip] = useState<Tip | null>(null);

  const sayInstant = useCallback(() => {
    const x = pointer.current;
    if (x === null || !readout.current) return;
    const [from, to] = viewport.get();
    const at = timeAt({ from, to, width }, x);
    onCursor(at);
    readout.current.textContent = formatTime(summary, at, to - from < 1_000_000 ? 6 : 3);
  }, [viewport, width, summary, onCursor]);
  const hideTip = () => {
    clearTimeout(timer.current);
    showTip(null);
  };
  const leave = () => {
    line.current!.hidden = true;
    readout.current!.hidden = true;
    pointer.current = null;
    onCursor(null);
    hideTip();
  };
  const at = (x: number, y: number): void => {
    if (x < 0 || x > width) return leave();
    line.current!.hidden = false;
    readout.current!.hidden = false;
    pointer.current = x;
    line.current!.style.transform = `translateX(${Math.round(x)}px)`;
    const center = Math.min(width - READOUT_PX, Math.max(READOUT_PX, x));
    readout.current!.style.transform = `translateX(${center}px) translateX(-50%)`;
    sayInstant();
    const pointed =
      scene.current && y >= 0 ? pointedBar(scene.current.boxes, scene.current.layouts, x, y) : null;
    if (
      pointed !== null &&
      pointed.entry === tip?.pointed.entry &&
      pointed.box.lane.key === tip?.pointed.box.lane.key
    )
      return;
    hideTip();
    if (pointed) timer.current = window.setTimeout(() => showTip({ pointed, x, y }), TIP_AFTER_MS);
  };
  return { line, readout, tip, showTip, at, leave, sayInstant, hideTip };
}
