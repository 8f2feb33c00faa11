import { act, render } from "@testing-library/react";
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
}

/** 10 s on 1,000 px. */
function Plots({ viewport, selected, onSelect, onStart }: Props) {
  const axis = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLDivElement>(null);
  const { band, paintBand } = useBand(axis, lanes, viewport, 1_000, selected, { onStart, onSelect });
  useEffect(() => {
    paintBand();
    return viewport.subscribe(paintBand);
  });
  return (
    <>
      <div ref={axis} data-testid="axis" />
      <div ref={lanes} data-testid="lanes">
        <div ref={band} data-testid="band" />
      </div>
    </>
  );
}

function shown(selected: Range | null = null) {
  fakeScreen({ width: 1_000, height: 100 });
  const viewport = createViewport([0, 10_000_000], 100_000_000);
  const given = { onSelect: vi.fn(), onStart: vi.fn() };
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
