import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { drawLog } from "../../test/draw-log.ts";
import { fakeScreen } from "../../test/fake-screen.ts";
import { ChartCanvas, type Draw } from "./canvas.tsx";
import { clearedContext } from "./cleared-context.ts";
import { hatch } from "./hatch.ts";
import { NAMED } from "../../test/tokens.ts";

/** A canvas element whose context is a log of draw calls. */
function logCanvases(): void {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(drawLog().context);
}

function shownCanvas(draw: Draw): HTMLCanvasElement {
  logCanvases();
  return render(<ChartCanvas draw={draw} />).container.querySelector("canvas")!;
}

test("a chart is drawn once in the frame after it came, however many reports come before", () => {
  const display = fakeScreen({ width: 300, height: 80 });
  const draw = vi.fn<Draw>();
  shownCanvas(draw);
  display.resize({ width: 320, height: 80 });
  display.resize({ width: 340, height: 80 });
  expect(draw).not.toHaveBeenCalled();
  display.nextFrame();
  expect(draw.mock.calls.map(([, width, height]) => [width, height])).toEqual([[340, 80]]);
});

test("a chart is drawn anew on a screen with other pixels, though its size in CSS pixels is the same", () => {
  const display = fakeScreen({ width: 300, height: 80, ratio: 1 });
  const draw = vi.fn<Draw>();
  const canvas = shownCanvas(draw);
  display.nextFrame();
  expect([canvas.width, canvas.height]).toEqual([300, 80]);
  display.moveTo(2);
  display.nextFrame();
  expect([canvas.width, canvas.height]).toEqual([600, 160]);
  display.moveTo(1.5);
  display.nextFrame();
  expect([canvas.width, canvas.height]).toEqual([450, 120]);
  expect(draw).toHaveBeenCalledTimes(3);
});

test("a chart that is printed is drawn at once: no frame comes before the paper", () => {
  fakeScreen({ width: 300, height: 80 });
  const draw = vi.fn<Draw>();
  document.documentElement.dataset["printing"] = "";
  shownCanvas(draw);
  delete document.documentElement.dataset["printing"];
  expect(draw).toHaveBeenCalled();
});

test("a chart that has gone is not drawn any more", () => {
  const display = fakeScreen({ width: 300, height: 80 });
  const draw = vi.fn<Draw>();
  logCanvases();
  const { unmount } = render(<ChartCanvas draw={draw} />);
  unmount();
  display.nextFrame();
  expect(draw).not.toHaveBeenCalled();
});

test("a context counts in CSS pixels and begins empty", () => {
  const { context, take } = drawLog();
  const scaled = vi.spyOn(context, "setTransform");
  const canvas = { width: 0, height: 0, getContext: () => context };
  clearedContext(canvas as unknown as HTMLCanvasElement, 101, 50, 1.5);
  expect([canvas.width, canvas.height]).toEqual([152, 75]);
  expect(scaled).toHaveBeenCalledWith(1.5, 0, 0, 1.5, 0, 0);
  expect(take()).toMatchObject([{ call: "clearRect", at: [0, 0, 101, 50] }]);
});

test("a hatch lies inside its box and keeps its place on the screen, wherever the box begins", () => {
  const { context, take } = drawLog();
  hatch(context, NAMED, [12, 5, 12, 6]);
  hatch(context, NAMED, [14, 5, 12, 6]);
  const [first, second] = take();
  expect(first).toMatchObject({
    call: "stroke",
    color: "--hatch",
    lineWidth: 2,
    clip: ["R 12 5 12 6"],
    path: "M 6 11 L 12 5 M 12 11 L 18 5 M 18 11 L 24 5",
  });
  // The same lines 6 px apart: the box that begins 2 px further right shows more of them at its end.
  expect(second.path).toBe("M 6 11 L 12 5 M 12 11 L 18 5 M 18 11 L 24 5 M 24 11 L 30 5");
});
