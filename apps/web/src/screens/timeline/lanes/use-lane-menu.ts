import { type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { barSpan } from "../../../charts/timeline/buffered.ts";
import { rowOf } from "../../../charts/timeline/pointed-row.ts";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { laneAt, pointedBar, type Pointed } from "../../../charts/timeline/pointed-bar.ts";
import { focusRect } from "../../../charts/timeline/paint-selection.ts";
import type { Scene } from "../../../charts/timeline/scene.ts";
import { positionOf } from "../../../charts/timeline/spans.ts";
import { timeAt, xOf } from "../../../charts/time-scale.ts";
import { CLICK_PX } from "../../../charts/use-range-drag.ts";
import type { FocusedCell } from "./grid-cells.ts";
import { laneKeyOf } from "./use-lane-drag.ts";
import type { MenuBar, MenuTarget } from "./menu-target.ts";

/** Duration of a touch that opens the menu, ms. */
const LONG_PRESS_MS = 500;

/** An open menu: its target, and its place in the plot, px. */
export interface OpenMenu extends MenuTarget {
  /** Lane that is pointed at, or whose name has the focus; null in a gap. */
  readonly box: LaneBox | null;
  /** Opened from the name of the lane: no instant is pointed at. */
  readonly isOfName: boolean;
  readonly x: number;
  readonly y: number;
}

export interface LaneMenuState {
  readonly opened: OpenMenu | null;
  readonly close: () => void;
  /** Opens the menu at the lane name or the block that has the focus, otherwise at the selected block or in the middle of the view. */
  readonly openByKey: () => void;
  /** Opens the menu of a lane, by its key. */
  readonly openOfLane: (key: string) => void;
  /** Event handlers of the plot that open the menu. */
  readonly openers: {
    readonly onContextMenu: (event: MouseEvent) => void;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMoveCapture: (event: PointerEvent) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

/**
 * The menu of the lanes: right click, a long press, and keys open it at their place. `scene` was painted last.
 * @param focused the bar that has the keyboard focus, which may have moved there since
 */
export function useLaneMenu(
  plot: RefObject<HTMLElement | null>,
  scene: RefObject<Scene | null>,
  focused: FocusedCell | null,
  onOpen: () => void,
): LaneMenuState {
  const [opened, setOpened] = useState<OpenMenu | null>(null);
  const press = useRef({ timer: 0, x: 0, y: 0 });
  const open = (target: OpenMenu | null): void => {
    if (target === null) return;
    onOpen();
    setOpened(target);
  };
  const openAt = (clientX: number, clientY: number): void => {
    const box = plot.current!.getBoundingClientRect();
    if (scene.current) open(targetAt(scene.current, clientX - box.left, clientY - box.top));
  };
  const openOfLane = (key: string): void => {
    const box = scene.current?.boxes.find(({ lane }) => lane.key === key);
    if (!scene.current || box === undefined) return;
    const { from, to } = scene.current.scale;
    open({ at: (from + to) / 2, bar: null, box, isOfName: true, x: 0, y: box.top + box.height / 2 });
  };
  const openAtFocus = (): void => {
    const key = laneKeyOf(document.activeElement);
    if (key !== null) openOfLane(key);
    else if (scene.current)
      open(targetOfKeyboard({ ...scene.current, focus: focusIn(scene.current, focused) }));
  };
  const letGo = (): void => clearTimeout(press.current.timer);
  return {
    opened,
    close: () => setOpened(null),
    openByKey: openAtFocus,
    openOfLane,
    openers: {
      onContextMenu: (event) => {
        event.preventDefault();
        letGo();
        if (opened === null) openAt(event.clientX, event.clientY);
      },
      onPointerDown: ({ pointerType, clientX, clientY }) => {
        if (pointerType !== "touch") return;
        letGo();
        const timer = window.setTimeout(() => openAt(clientX, clientY), LONG_PRESS_MS);
        press.current = { timer, x: clientX, y: clientY };
      },
      onPointerMoveCapture: ({ clientX, clientY }) => {
        if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > CLICK_PX) letGo();
      },
      onPointerUp: letGo,
      onPointerCancel: letGo,
    },
  };
}

/** The bar under the pointer, when its block is loaded. */
export function barOfPointed({ buffer }: Scene, pointed: Pointed | null): MenuBar | null {
  const row = pointed && rowOf(pointed, buffer);
  const period = pointed && barSpan(buffer, pointed.box.lane.key, pointed.entry);
  if (!pointed || !period || row === null) return null;
  return { lane: pointed.box.lane, row, start: period[0], end: period[1] };
}

function targetAt(scene: Scene, x: number, y: number): OpenMenu {
  const bar = barOfPointed(scene, pointedBar(scene.boxes, scene.layouts, x, y));
  return {
    at: bar?.start ?? timeAt(scene.scale, x),
    bar,
    box: laneAt(scene.boxes, y),
    isOfName: false,
    x,
    y,
  };
}

function focusIn({ buffer }: Scene, focused: FocusedCell | null): Scene["focus"] {
  const block = positionOf(buffer, focused?.row ?? null);
  return focused !== null && block >= 0 ? { key: focused.key, block } : null;
}

/** Place of the menu without a pointer: the focused bar, else the selected block's log write. */
export function targetOfKeyboard(scene: Scene): OpenMenu {
  const { boxes, scale, buffer, selected } = scene;
  const rect = focusRect(scene);
  if (scene.focus && rect) {
    const { key, block } = scene.focus;
    const bar = barAt(scene, key, block);
    const focused = boxes.find(({ lane }) => lane.key === key) ?? null;
    return {
      at: bar?.start ?? timeAt(scale, rect.x),
      bar,
      box: focused,
      isOfName: false,
      x: rect.x + rect.width / 2,
      y: rect.y,
    };
  }
  const box = boxes.find(({ lane }) => lane.anchors !== null) ?? boxes[0];
  const y = box === undefined ? 0 : box.top + box.height / 2;
  const bar = box === undefined || selected < 0 ? null : barAt(scene, box.lane.key, selected);
  const common = { box: box ?? null, isOfName: false, y };
  const middle = { at: (scale.from + scale.to) / 2, x: scale.width / 2 };
  if (bar === null || positionOf(buffer, bar.row) < 0) return { ...common, ...middle, bar: null };
  return { ...common, at: bar.start, bar, x: Math.min(scale.width, Math.max(0, xOf(scale, bar.start))) };
}

function barAt({ boxes, buffer }: Scene, key: string, position: number): MenuBar | null {
  const lane = boxes.find((box) => box.lane.key === key)?.lane;
  const period = barSpan(buffer, key, position);
  const row = buffer.blocks?.row[position];
  if (lane === undefined || period === null || row === undefined) return null;
  return { lane, row, start: period[0], end: period[1] };
}
