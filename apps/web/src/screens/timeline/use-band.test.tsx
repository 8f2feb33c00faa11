import { act, fireEvent, render } from "@testing-library/react";
import { useEffect, useRef } from "react";
import { expect, test, vi } from "vitest";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { dragMouse } from "../../../test/pointer.ts";
import { useBand } from "./use-band.ts";
import { createViewport, type Range, type Viewport } from "./viewport.ts";

interface Props {
  readonly viewport: Viewport;
  readonly selected: Range | null;
  readonly onSelect: (range: Range) => void;
  readonly onStart: () => void;
  readonly onAdjust: (range: Range) => void;
  readonly snap: (at: number, mostUs: number) => number;
}

/** 10 s on 1,000 px. */
function Plots({ viewport, selected, onSelect, onStart, onAdjust, snap }: Props) {
  const axis = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLDivElement>(null);
  const { band, begins, ends, handles, paintBand } = useBand({
    axis,
    lanes,
    viewport,
    width: 1_000,
    duration: 100_000_000,
    selected,
    onStart,
    onSelect,
    onAdjust,
    snap,
  });
  useEffect(() => {
    paintBand();
    return viewport.subscribe(paintBand);
  });
  return (
    <>
      <div ref={axis} data-testid="axis">
        <div ref={begins} data-testid="begins" {...handles[0]} />
        <div ref={ends} data-testid="ends" {...handles[1]} />
      </div>
      <div ref={lanes} data-testid="lanes">
        <div ref={band} data-testid="band" />
      </div>
    </>
  );
}

function shown(selected: Range | null = null) {
  fakeScreen({ width: 1_000, height: 100 });
  const viewport = createViewport([0, 10_000_000], 100_000_000);
  const given = { onSelect: vi.fn(), onStart: vi.fn(), onAdjust: vi.fn(), snap: vi.fn((at: number) => at) };
  const view = render(<Plots viewport={viewport} selected={selected} {...given} />);
  const band = view.getByTestId("band");
  return { ...view, ...given, viewport, band, place: () => [band.style.transform, band.style.width] };
}

test("a drag on the axis selects, and the band follows it", () => {
  const { getByTestId, onSelect, onStart, band, place } = shown();
  expect(band.hidden).toBe(true);
  onSelect.mockImplementation(() => expect(place()).toEqual(["translateX(200px)", "200px"]));
  dragMouse(getByTestId("axis"), [
    [200, 5],
    [400, 5],
  ]);
  expect(onStart).toHaveBeenCalledTimes(1);
  expect(onSelect.mock.calls).toEqual([[[2_000_000, 4_000_000]]]);
});

test("a click on the axis selects nothing", () => {
  const { getByTestId, onSelect, band } = shown();
  dragMouse(getByTestId("axis"), [[200, 5]]);
  expect(onSelect).not.toHaveBeenCalled();
  expect(band.hidden).toBe(true);
});

test("a drag on the lanes selects with Shift only", () => {
  const { getByTestId, onSelect } = shown();
  const path = [
    [100, 50],
    [300, 50],
  ] as const;
  dragMouse(getByTestId("lanes"), path);
  expect(onSelect).not.toHaveBeenCalled();
  dragMouse(getByTestId("lanes"), path, { shiftKey: true });
  expect(onSelect.mock.calls).toEqual([[[1_000_000, 3_000_000]]]);
});

test("the band stays over its range while the view moves, cut to the plot", () => {
  const { viewport, place, band } = shown([2_000_000, 4_000_000]);
  expect([band.hidden, ...place()]).toEqual([false, "translateX(200px)", "200px"]);
  act(() => viewport.set([2_500_000, 3_500_000]));
  expect(place()).toEqual(["translateX(-2px)", "1004px"]);
  act(() => viewport.set([5_000_000, 15_000_000]));
  expect(place()).toEqual(["translateX(-2px)", "0px"]);
});

test("edges snap within 6 px, and with Alt they do not", () => {
  const { getByTestId, onSelect, snap } = shown();
  snap.mockImplementation((at) => Math.round(at / 1e6) * 1e6);
  dragMouse(getByTestId("axis"), [
    [204, 5],
    [397, 5],
  ]);
  expect(onSelect.mock.calls).toEqual([[[2_000_000, 4_000_000]]]);
  // 10 ms to the pixel.
  expect(snap).toHaveBeenLastCalledWith(3_970_000, 60_000);
});

/** Presses a key `times` times, then releases it. */
function pressKey(element: HTMLElement, key: string, times = 1, shiftKey = false): void {
  for (let i = 0; i < times; i++) fireEvent.keyDown(element, { key, shiftKey, repeat: i > 0 });
  fireEvent.keyUp(element, { key, shiftKey });
}

test("arrow keys move an edge by a pixel, with Shift by ten; it stays on its side of the other", () => {
  const { getByTestId, onAdjust } = shown([2_000_000, 2_050_000]);
  pressKey(getByTestId("begins"), "ArrowLeft");
  pressKey(getByTestId("ends"), "ArrowRight", 1, true);
  pressKey(getByTestId("ends"), "ArrowLeft", 1, true);
  pressKey(getByTestId("ends"), "ArrowUp");
  expect(onAdjust.mock.calls.map(([range]) => range as Range)).toEqual([
    [1_990_000, 2_050_000],
    [2_000_000, 2_150_000],
    [2_000_000, 2_000_020],
  ]);
});

test("a key that is held moves the band at once, and changes the address when it is let go", () => {
  const { getByTestId, onAdjust, place } = shown([2_000_000, 4_000_000]);
  const ends = getByTestId("ends");
  for (let i = 0; i < 5; i++) fireEvent.keyDown(ends, { key: "ArrowRight", shiftKey: true, repeat: i > 0 });
  expect(place()).toEqual(["translateX(200px)", "250px"]);
  fireEvent.keyUp(ends, { key: "Shift" });
  expect(onAdjust).not.toHaveBeenCalled();
  fireEvent.keyUp(ends, { key: "ArrowRight" });
  expect(onAdjust.mock.calls).toEqual([[[2_000_000, 4_500_000]]]);
  fireEvent.keyDown(ends, { key: "ArrowRight" });
  fireEvent.blur(ends);
  expect(onAdjust).toHaveBeenCalledTimes(2);
});

test("keys keep an edge in view, and so inside the capture", () => {
  const { getByTestId, onAdjust, viewport } = shown([2_000_000, 9_950_000]);
  pressKey(getByTestId("ends"), "ArrowRight", 2, true);
  expect(onAdjust.mock.lastCall).toEqual([[2_000_000, 10_000_000]]);
  act(() => viewport.set([1_950_000, 11_950_000]));
  pressKey(getByTestId("begins"), "ArrowLeft", 2, true);
  expect(onAdjust.mock.lastCall).toEqual([[1_950_000, 9_950_000]]);
});

test("no edge leaves the capture, also where a block's edge that it snaps to does", () => {
  const { getByTestId, onAdjust, snap, viewport } = shown([92_000_000, 99_000_000]);
  act(() => viewport.set([90_000_000, 100_000_000]));
  const ends = getByTestId("ends");
  Object.assign(ends, { setPointerCapture: () => undefined, hasPointerCapture: () => true });
  snap.mockReturnValue(100_000_500);
  fireEvent.pointerMove(ends, { clientX: 998 });
  fireEvent.pointerUp(ends);
  expect(onAdjust.mock.calls).toEqual([[[92_000_000, 100_000_000]]]);
});

test("a drag of an edge that the browser takes away changes nothing", () => {
  const { getByTestId, onAdjust, place } = shown([2_000_000, 4_000_000]);
  const ends = getByTestId("ends");
  Object.assign(ends, { setPointerCapture: () => undefined, hasPointerCapture: () => true });
  fireEvent.pointerMove(ends, { clientX: 800 });
  expect(place()).toEqual(["translateX(200px)", "600px"]);
  fireEvent.pointerCancel(ends);
  expect(place()).toEqual(["translateX(200px)", "200px"]);
  fireEvent.pointerUp(ends);
  expect(onAdjust).not.toHaveBeenCalled();
});
