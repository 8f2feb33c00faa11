import type { PointerEvent } from "react";
import { describe, expect, it, vi } from "vitest";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { binWindow, blockWindow } from "../../../test/window.ts";
import type { Scene } from "../../charts/timeline/scene.ts";
import { usePresses } from "./use-presses.ts";
import { createViewport, type Range } from "./viewport.ts";

const BOXES = [boxOf("localFlush", 0, 40), boxOf("hop0.wireOut", 50, 40)];
/** 10 ms on 1,000 px; the capture is a minute long. */
const DURATION = 60_000_000;

const NO_KEYS = { alt: false, ctrl: false, shift: false };

function pressed(scene: Scene | null, selected: Range | null = null, isMeasuring = false) {
  const plot = { current: { getBoundingClientRect: () => ({ left: 100, top: 20 }) } as HTMLElement };
  const viewport = createViewport([0, 10_000], DURATION);
  const hover = { at: vi.fn(), leave: vi.fn() };
  const actions = {
    onEventsAt: () => false,
    textAt: () => "",
    onSelect: vi.fn(),
    onToggle: vi.fn(),
    onSelectSlowest: vi.fn(),
    onSelectRange: vi.fn(),
    onZoomTo: vi.fn(),
  };
  const rulers = { isMeasuring, hover: vi.fn(), place: vi.fn() };
  const presses = usePresses({
    plot,
    viewport,
    duration: DURATION,
    width: 1_000,
    selectedRange: selected,
    scene: { current: scene },
    hover,
    rulers,
    actions,
  });
  return { ...presses, ...actions, hover, rulers };
}

const blocks = sceneOf({
  boxes: BOXES,
  window: blockWindow([{ localFlushStart: 1_000, localFlushEnd: 3_000 }], { firstRow: 700 }),
});

describe("a click", () => {
  it("on a bar selects its block by its row in the capture", () => {
    const { onClick, onSelect } = pressed(blocks);
    onClick(200, 20, NO_KEYS);
    expect(onSelect.mock.calls).toEqual([[700]]);
  });

  it("beside all bars, between lanes, or before anything is drawn, selects none", () => {
    const { onClick, onSelect } = pressed(blocks);
    onClick(500, 20, NO_KEYS);
    onClick(200, 45, NO_KEYS);
    expect(onSelect.mock.calls).toEqual([[null], [null]]);
    const first = pressed(null);
    first.onClick(200, 20, NO_KEYS);
    expect(first.onSelect.mock.calls).toEqual([[null]]);
  });

  it.each(["ctrl", "shift"])(
    "with %s adds a block to those that are selected, and lets none go beside all bars",
    (key) => {
      const { onClick, onSelect, onToggle } = pressed(blocks);
      onClick(200, 20, { ...NO_KEYS, [key]: true });
      onClick(500, 20, { ...NO_KEYS, [key]: true });
      expect(onToggle.mock.calls).toEqual([[700]]);
      expect(onSelect).not.toHaveBeenCalled();
    },
  );

  it("on bins asks for the slowest of that lane within a pixel, and a bin to either side", () => {
    const max = Array.from({ length: 10 }, (_, i) => (i === 2 ? 9_000 : Number.NaN));
    const bins = sceneOf({ boxes: BOXES, window: binWindow({ localFlush: { max, p50: max } }), level: 0 });
    const { onClick, onSelectSlowest, onSelect } = pressed(bins);
    onClick(250.5, 20, NO_KEYS);
    const [[lane, within]] = onSelectSlowest.mock.calls as [[{ key: string }, number[]]];
    expect(lane.key).toBe("localFlush");
    // The first of the seven pixels around the pointer, from 247 to 248 px; a bin is 1 ms.
    expect(within.map(Math.round)).toEqual([1_470, 3_480]);
    expect(onSelect).not.toHaveBeenCalled();
  });

  it("inside the selected range selects nothing: it may be the first of a double one", () => {
    const { onClick, onSelect } = pressed(blocks, [1_500, 2_500]);
    onClick(200, 20, NO_KEYS);
    onClick(150, 20, NO_KEYS);
    onClick(250, 20, NO_KEYS);
    expect(onSelect).not.toHaveBeenCalled();
    onClick(149, 20, NO_KEYS);
    expect(onSelect).toHaveBeenCalledTimes(1);
  });
});

describe("while a ruler is measured", () => {
  it("a click places its end and selects nothing; a double one does not zoom", () => {
    const { onClick, onDouble, onSelect, onZoomTo, rulers } = pressed(blocks, null, true);
    onClick(200, 20, { ...NO_KEYS, alt: true });
    onDouble(200);
    expect(rulers.place.mock.calls).toEqual([[200, 20, true]]);
    expect(onSelect).not.toHaveBeenCalled();
    expect(onZoomTo).not.toHaveBeenCalled();
  });
});

describe("a double press", () => {
  it("zooms to the selected range when it is inside it", () => {
    const { onDouble, onZoomTo } = pressed(blocks, [1_500, 2_500]);
    onDouble(200);
    expect(onZoomTo.mock.calls).toEqual([[[1_500, 2_500]]]);
  });

  it("elsewhere shows a quarter of the time, the pressed instant where it is", () => {
    const { onDouble, onZoomTo } = pressed(blocks, [1_500, 2_500]);
    onDouble(400);
    expect(onZoomTo.mock.calls).toEqual([[[3_000, 5_500]]]);
  });
});

describe("a pointer", () => {
  const event = (more: Partial<PointerEvent<HTMLElement>>) =>
    ({ clientX: 350, clientY: 60, buttons: 0, pointerType: "mouse", ...more }) as PointerEvent<HTMLElement>;

  it("points at a place of the plot, also from the axis above it", () => {
    const { pointing, hover } = pressed(blocks);
    pointing.onPointerMove(event({}));
    pointing.onPointerMove(event({ clientY: 5 }));
    expect(hover.at.mock.calls).toEqual([
      [250, 40],
      [250, -15],
    ]);
    pointing.onPointerLeave();
    expect(hover.leave).toHaveBeenCalledTimes(1);
  });

  it("that drags, or is a finger, points at nothing", () => {
    const { pointing, hover } = pressed(blocks);
    pointing.onPointerMove(event({ buttons: 1 }));
    pointing.onPointerMove(event({ pointerType: "touch" }));
    expect(hover.at).not.toHaveBeenCalled();
  });
});
