import { fireEvent, render } from "@testing-library/react";
import { Profiler, useRef } from "react";
import { describe, expect, it, vi } from "vitest";
import { dragFingers, dragMouse, touchScreen, turnWheel } from "../../../test/pointer.ts";
import { useZoom, type PlotPresses } from "./use-zoom.ts";
import { createViewport, type Range, type Viewport } from "./viewport.ts";

/** Ten seconds on 1,000 px. */
const DURATION = 10_000_000;

interface PlotProps extends PlotPresses {
  readonly viewport: Viewport;
  readonly width?: number;
  readonly hasNamesOver?: boolean;
}

function Plot({ viewport, width = 1_000, hasNamesOver = false, ...presses }: PlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useZoom(plot, scroller, { viewport, duration: DURATION, width, hasNamesOver }, presses);
  return (
    <section>
      <header>axis</header>
      <div ref={scroller} data-testid="scroller">
        <div>
          <button type="button">Log write</button>
          <div ref={plot} data-testid="plot" />
        </div>
      </div>
    </section>
  );
}

function shown(first: Range = [4_000_000, 5_000_000], hasNamesOver = false) {
  const viewport = createViewport(first, DURATION);
  const presses = { onPress: vi.fn(), onClick: vi.fn(), onDouble: vi.fn() };
  const onRender = vi.fn();
  const view = render(
    <Profiler id="plot" onRender={onRender}>
      <Plot viewport={viewport} hasNamesOver={hasNamesOver} {...presses} />
    </Profiler>,
  );
  onRender.mockClear();
  const rounded = (): number[] => viewport.get().map((at) => Math.round(at));
  return { viewport, range: rounded, ...presses, onRender, ...view, plot: view.getByTestId("plot") };
}

describe("a drag with the mouse", () => {
  it("pans by as much as it moves, renders nothing, and is no click", () => {
    const { plot, range, onClick, onPress, onRender } = shown();
    // 1,000 µs per px: 200 px to the left show 0.2 s later.
    dragMouse(plot, [
      [500, 20],
      [450, 20],
      [300, 60],
    ]);
    expect(range()).toEqual([4_200_000, 5_200_000]);
    expect(onClick).not.toHaveBeenCalled();
    expect(onPress).toHaveBeenCalledTimes(1);
    expect(onRender).not.toHaveBeenCalled();
  });

  it("of up to 4 px is a click where it ends, and moves nothing", () => {
    const { plot, range, onClick } = shown();
    dragMouse(plot, [
      [500, 20],
      [504, 20],
    ]);
    expect(range()).toEqual([4_000_000, 5_000_000]);
    expect(onClick.mock.calls).toEqual([[504, 20, { alt: false, ctrl: false, shift: false }]]);
    dragMouse(plot, [
      [500, 20],
      [505, 20],
    ]);
    expect(range()).toEqual([3_995_000, 4_995_000]);
    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it("that comes back to where it began moves the view back there", () => {
    const { plot, range } = shown();
    dragMouse(plot, [
      [500, 20],
      [300, 20],
      [500, 20],
    ]);
    expect(range()).toEqual([4_000_000, 5_000_000]);
  });

  it("stops at the ends of the capture", () => {
    const { plot, range } = shown();
    dragMouse(plot, [
      [0, 20],
      [900, 20],
      [9_000, 20],
    ]);
    expect(range()).toEqual([0, 1_000_000]);
    dragMouse(plot, [
      [0, 20],
      [-90_000, 20],
    ]);
    expect(range()).toEqual([9_000_000, 10_000_000]);
  });

  it("with Shift, Ctrl or another button is left to others", () => {
    const { plot, range, onPress } = shown();
    for (const keys of [{ shiftKey: true }, { ctrlKey: true }, { button: 1 }, { button: 2 }])
      dragMouse(
        plot,
        [
          [500, 20],
          [300, 20],
        ],
        keys,
      );
    expect(range()).toEqual([4_000_000, 5_000_000]);
    expect(onPress).not.toHaveBeenCalled();
  });

  it("begins from where keys and links have moved the view", () => {
    const { plot, viewport, range } = shown();
    viewport.set([0, 2_000_000]);
    dragMouse(plot, [
      [500, 20],
      [400, 20],
    ]);
    expect(range()).toEqual([200_000, 2_200_000]);
  });
});

describe("the wheel", () => {
  it("with Ctrl zooms at the pointer, over the lanes as over their axis, and the page does not", () => {
    for (const target of ["plot", "axis"]) {
      const { plot, range, getByText, unmount } = shown();
      const element = target === "plot" ? plot : getByText("axis");
      const isTaken = !turnWheel(element, { ctrlKey: true, deltaY: -100, clientX: 250, clientY: 10 });
      const span = 1_000_000 / Math.exp(0.35);
      expect(range()).toEqual([Math.round(4_250_000 - 0.25 * span), Math.round(4_250_000 + 0.75 * span)]);
      expect(isTaken).toBe(true);
      unmount();
    }
  });

  it("goes no further in than 20 µs and no further out than the capture", () => {
    const { plot, range, viewport } = shown();
    for (let i = 0; i < 60; i++) turnWheel(plot, { ctrlKey: true, deltaY: 120, clientX: 500 });
    expect(range()).toEqual([0, DURATION]);
    for (let i = 0; i < 60; i++) turnWheel(plot, { ctrlKey: true, deltaY: -120, clientX: 500 });
    const [from, to] = viewport.get();
    expect(to - from).toBeCloseTo(20, 6);
  });

  it("pans where the lanes do not scroll, and leaves them to scroll where they do", () => {
    const { plot, range, getByTestId } = shown();
    expect(turnWheel(plot, { deltaY: 100 })).toBe(false);
    expect(range()).toEqual([4_100_000, 5_100_000]);
    Object.defineProperty(getByTestId("scroller"), "scrollHeight", { value: 2_000 });
    expect(turnWheel(plot, { deltaY: 100 })).toBe(true);
    expect(turnWheel(plot, { deltaX: -100 })).toBe(false);
    expect(range()).toEqual([4_000_000, 5_000_000]);
  });
});

describe("fingers", () => {
  it("pan with one, also after they came to rest", () => {
    touchScreen();
    const { plot, range, onRender } = shown();
    dragFingers(plot, [[[500, 50]], [[450, 50]], [[300, 50]]]);
    dragFingers(plot, [[[500, 50]], [[400, 50]]]);
    expect(range()).toEqual([4_300_000, 5_300_000]);
    expect(onRender).not.toHaveBeenCalled();
  });

  it("zoom with two around the middle between them", () => {
    touchScreen();
    const { plot, range } = shown();
    // From 200 px apart to 400 px: half of the time in view, around 4.5 s.
    dragFingers(plot, [
      [
        [400, 50],
        [600, 50],
      ],
      [
        [300, 50],
        [700, 50],
      ],
    ]);
    expect(range()).toEqual([4_250_000, 4_750_000]);
  });

  it("zoom with two where one is on a name over the lanes; one alone presses the name", () => {
    touchScreen();
    const { range, onClick, onPress, getByRole } = shown(undefined, true);
    const name = getByRole("button");
    dragFingers(name, [[[500, 50]], [[300, 50]]]);
    fireEvent.click(name, { clientX: 500, clientY: 50 });
    expect(range()).toEqual([4_000_000, 5_000_000]);
    expect(onClick).not.toHaveBeenCalled();
    expect(onPress).not.toHaveBeenCalled();
    dragFingers(name, [
      [
        [400, 50],
        [600, 50],
      ],
      [
        [300, 50],
        [700, 50],
      ],
    ]);
    expect(range()).toEqual([4_250_000, 4_750_000]);
  });

  it("zoom out and pan in one gesture, as far as the capture reaches", () => {
    touchScreen();
    const { plot, range } = shown();
    dragFingers(plot, [
      [
        [300, 50],
        [700, 50],
      ],
      [
        [500, 50],
        [700, 50],
      ],
    ]);
    // Twice the time; the middle moved from 500 to 600 px.
    expect(range()).toEqual([3_300_000, 5_300_000]);
    dragFingers(plot, [
      [
        [0, 50],
        [1_000, 50],
      ],
      [
        [490, 50],
        [510, 50],
      ],
    ]);
    expect(range()).toEqual([0, DURATION]);
  });

  it("tap to click, and twice to press double, once", () => {
    touchScreen();
    const { plot, range, onDouble } = shown();
    dragFingers(plot, [[[500, 50]]]);
    dragFingers(plot, [[[500, 50]]]);
    fireEvent.dblClick(plot, { clientX: 500, clientY: 50 });
    expect(onDouble.mock.calls).toEqual([[500]]);
    expect(range()).toEqual([4_000_000, 5_000_000]);
  });
});

describe("the plot", () => {
  it("reports a double click", () => {
    const { plot, onDouble } = shown();
    fireEvent.dblClick(plot, { clientX: 240, clientY: 50 });
    expect(onDouble.mock.calls).toEqual([[240]]);
  });

  it("without a width yet moves nothing", () => {
    const viewport = createViewport([0, DURATION / 2], DURATION);
    const idle = { onPress: vi.fn(), onClick: vi.fn(), onDouble: vi.fn() };
    const { getByTestId } = render(<Plot viewport={viewport} width={0} {...idle} />);
    turnWheel(getByTestId("plot"), { ctrlKey: true, deltaY: -100 });
    expect(viewport.get()).toEqual([0, DURATION / 2]);
  });

  it("that has gone listens no more", () => {
    const { plot, viewport, unmount, onClick } = shown();
    unmount();
    dragMouse(plot, [
      [500, 20],
      [300, 20],
    ]);
    turnWheel(plot, { deltaY: 100 });
    viewport.set([0, 1_000_000]);
    expect(viewport.get()).toEqual([0, 1_000_000]);
    expect(onClick).not.toHaveBeenCalled();
  });

  it("presses what the last render gave it", () => {
    const { viewport, rerender, getByTestId, onClick } = shown();
    const second = { onPress: vi.fn(), onClick: vi.fn(), onDouble: vi.fn() };
    rerender(<Plot viewport={viewport} {...second} />);
    dragMouse(getByTestId("plot"), [[10, 10]]);
    expect(second.onClick).toHaveBeenCalledTimes(1);
    expect(onClick).not.toHaveBeenCalled();
  });
});
