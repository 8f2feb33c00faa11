import { render } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { dragFingers, dragMouse, touchScreen } from "../../test/pointer.ts";
import { useRangeDrag, type RangeDrag } from "./use-range-drag.ts";

function Plot({ touch, ...drag }: RangeDrag & { readonly touch?: boolean | undefined }) {
  const plot = useRef<HTMLDivElement>(null);
  useRangeDrag(plot, drag, touch);
  return <div ref={plot} data-testid="plot" />;
}

function shown(more: { touch?: boolean; begins?: RangeDrag["begins"] } = {}) {
  fakeScreen({ width: 500, height: 100 });
  const drag = { onStart: vi.fn(), onDrag: vi.fn(), onEnd: vi.fn() };
  const { touch, begins } = more;
  const view = render(<Plot {...drag} {...(begins ? { begins } : {})} touch={touch} />);
  return { ...drag, plot: view.getByTestId("plot"), unmount: view.unmount };
}

test("a drag chooses the stretch from where it began to where it ended, left edge first", () => {
  const { plot, onStart, onDrag, onEnd } = shown();
  dragMouse(plot, [
    [300, 10],
    [250, 10],
    [100, 90],
  ]);
  expect(onStart).toHaveBeenCalledTimes(1);
  expect(onDrag.mock.calls).toEqual([
    [250, 300, false],
    [100, 300, false],
  ]);
  expect(onEnd.mock.calls).toEqual([[[100, 300]]]);
});

test("the stretch stays inside the plot", () => {
  const { plot, onEnd } = shown();
  dragMouse(plot, [
    [300, 10],
    [900, 10],
  ]);
  dragMouse(plot, [
    [300, 10],
    [-50, 10],
  ]);
  expect(onEnd.mock.calls).toEqual([[[300, 500]], [[0, 300]]]);
});

test("a press that moves up to 4 px is a click", () => {
  const { plot, onDrag, onEnd } = shown();
  dragMouse(plot, [
    [300, 10],
    [304, 10],
    [302, 10],
  ]);
  expect(onDrag).not.toHaveBeenCalled();
  expect(onEnd.mock.calls).toEqual([[null]]);
  dragMouse(plot, [
    [300, 10],
    [305, 10],
    [300, 10],
  ]);
  // A drag stays a drag.
  expect(onEnd.mock.lastCall).toEqual([[300, 300]]);
});

test("only presses that begin one choose anything", () => {
  const { plot, onStart, onEnd } = shown({ begins: (event) => event.shiftKey });
  const path = [
    [300, 10],
    [400, 10],
  ] as const;
  dragMouse(plot, path);
  dragMouse(plot, path, { shiftKey: true, button: 2 });
  expect(onStart).not.toHaveBeenCalled();
  dragMouse(plot, path, { shiftKey: true });
  expect(onEnd.mock.calls).toEqual([[[300, 400]]]);
});

test("a finger chooses too, where fingers shall", () => {
  touchScreen();
  const fingers = shown();
  dragFingers(fingers.plot, [[[100, 10]], [[140, 10]], [[200, 10]]]);
  expect(fingers.onEnd.mock.calls).toEqual([[[100, 200]]]);
  expect(fingers.plot.style.touchAction).toBe("none");
  fingers.unmount();
  const mouse = shown({ touch: false });
  dragFingers(mouse.plot, [[[100, 10]], [[200, 10]]]);
  expect(mouse.onStart).not.toHaveBeenCalled();
  expect(mouse.plot.style.touchAction).toBe("");
});

test("a plot that has gone chooses nothing", () => {
  const { plot, unmount, onStart } = shown();
  unmount();
  dragMouse(plot, [
    [300, 10],
    [400, 10],
  ]);
  expect(onStart).not.toHaveBeenCalled();
});
