import { fireEvent, render, screen } from "@testing-library/react";
import { Profiler } from "react";
import { describe, expect, it, test, vi } from "vitest";
import { logCanvases } from "../../test/canvas.ts";
import { drawLog, inOneLine } from "../../test/draw-log.ts";
import { fakeScreen } from "../../test/fake-screen.ts";
import { dragFingers, dragMouse, touchScreen } from "../../test/pointer.ts";
import { NAMED, themeTokens } from "../../test/tokens.ts";
import { Minimap, nudged } from "./minimap.tsx";
import type { MinimapColumns } from "@aglens/ag-model/minimap";
import { paintMinimap } from "./paint-minimap.ts";
import { forcedTokens } from "./timeline/forced-colors.ts";

const none = Number.NaN;
const COLUMNS: MinimapColumns = {
  from: 0,
  to: 10_000_000,
  slowest: Float64Array.of(10_000, none, 100_000, 50, 1_000_000),
  place: ["primary", "none", "network", "secondary", "none"],
};

describe("the picture of a capture", () => {
  const drawn = (width: number, tokens = NAMED): string[] => {
    const { context, take } = drawLog();
    paintMinimap(context, tokens, width, 42, COLUMNS);
    return take().map(inOneLine);
  };

  it("has a column of the slowest block in the color of its place, as high as it took", () => {
    expect(drawn(50)).toEqual([
      "fillRect 0 22 10 20 --p-disk",
      "fillRect 20 12 10 30 --n-out",
      "fillRect 30 41 10 1 --s-disk",
      "fillRect 40 2 10 40 --wait",
    ]);
  });

  it("fills whole pixels, also where columns are no whole number of them", () => {
    expect(drawn(7)).toEqual([
      "fillRect 0 22 2 20 --p-disk",
      "fillRect 2 12 3 30 --n-out",
      "fillRect 4 41 2 1 --s-disk",
      "fillRect 5 2 2 40 --wait",
    ]);
    expect(drawn(2.5)).toContain("fillRect 2 2 1 40 --wait");
  });

  it("says places by patterns where colors are forced", () => {
    const { context, take } = drawLog();
    paintMinimap(context, forcedTokens(themeTokens("light")), 50, 42, COLUMNS);
    const cuts = take().filter(({ clip }) => clip.length > 0);
    expect(new Set(cuts.map(({ call, clip }) => `${call} ${clip[0]}`))).toEqual(
      new Set(["fillRect R 20 12 10 30", "stroke R 30 41 10 1"]),
    );
  });
});

test("a trigger is a dashed line at its time", () => {
  const display = fakeScreen({ width: 1_000, height: 40 });
  const logOf = logCanvases();
  const { container } = render(
    <Minimap
      columns={COLUMNS}
      range={[0, 10_000_000]}
      triggers={[2_500_000]}
      onRange={() => undefined}
      width={1_000}
      height={40}
    />,
  );
  display.nextFrame();
  const dashes = logOf(container.querySelector("canvas"))
    .take()
    .filter(({ at: [x, , width] }) => x === 250 && width === 1);
  expect(dashes.map(({ at }) => at.slice(1))).toEqual([0, 6, 12, 18, 24, 30, 36].map((y) => [y, 1, 3]));
});

/** 10 s on 1,000 px. */
function shown(range: readonly [number, number] = [2_000_000, 4_000_000]) {
  const display = fakeScreen({ width: 1_000, height: 40 });
  const logOf = logCanvases();
  const onRange = vi.fn();
  const view = render(
    <Minimap columns={COLUMNS} range={range} onRange={onRange} width={1_000} height={40} />,
  );
  const part = (name: string): Element => view.container.querySelector(`.brush .${name}`)!;
  /** The last range, µs to the microsecond, and whether it was final. */
  const last = () => {
    const [framed, done] = onRange.mock.lastCall as [number[], boolean];
    return [framed.map(Math.round), done] as const;
  };
  return { ...view, display, logOf, onRange, part, last };
}

const thumbs = (): HTMLElement[] => screen.getAllByRole("slider");

describe("the brush", () => {
  it("frames what is in view, and says it", () => {
    const { container } = shown();
    const framed = container.querySelector<HTMLElement>(".framed")!;
    expect([framed.style.getPropertyValue("--left"), framed.style.getPropertyValue("--right")]).toEqual([
      "200px",
      "400px",
    ]);
    expect(thumbs().map((thumb) => thumb.getAttribute("aria-label"))).toEqual([
      "Start of what is in view",
      "End of what is in view",
    ]);
    expect(
      thumbs().map((thumb) => [thumb.getAttribute("aria-valuetext"), thumb.getAttribute("aria-valuenow")]),
    ).toEqual([
      ["2.00 s", "2000"],
      ["4.00 s", "4000"],
    ]);
    expect(thumbs()[0].getAttribute("aria-valuemax")).toBe("10000");
  });

  it("stays a place where the view is short", () => {
    const { container } = shown([2_000_000, 2_000_100]);
    expect(container.querySelector<HTMLElement>(".framed")!.style.getPropertyValue("--right")).toBe("203px");
  });

  it("is moved by a drag inside it, as far as the capture reaches", () => {
    const { part, onRange, last } = shown();
    dragMouse(part("selection"), [
      [300, 20],
      [350, 20],
      [400, 20],
    ]);
    expect(onRange.mock.calls.map(([, done]) => done as boolean)).toEqual([false, false, true]);
    expect(last()).toEqual([[3_000_000, 5_000_000], true]);
    dragMouse(part("selection"), [
      [300, 20],
      [2_000, 20],
    ]);
    expect(last()).toEqual([[8_000_000, 10_000_000], true]);
  });

  it("is changed by a drag of either edge, also past the other one, and the keyboard goes on there", () => {
    const { part, last } = shown();
    dragMouse(part("handle--w"), [
      [200, 20],
      [100, 20],
    ]);
    expect(last()).toEqual([[1_000_000, 4_000_000], true]);
    expect(document.activeElement).toBe(thumbs()[0]);
    dragMouse(part("handle--e"), [
      [400, 20],
      [100, 20],
    ]);
    expect(last()).toEqual([[1_000_000, 2_000_000], true]);
    expect(document.activeElement).toBe(thumbs()[1]);
  });

  it("is drawn anew by a drag beside it, and stays for a click there", () => {
    const { part, onRange, last } = shown();
    dragMouse(part("overlay"), [
      [700, 20],
      [600, 20],
    ]);
    expect(last()).toEqual([[6_000_000, 7_000_000], true]);
    onRange.mockClear();
    dragMouse(part("overlay"), [[800, 20]]);
    expect(onRange).not.toHaveBeenCalled();
    expect(Number(part("selection").getAttribute("x"))).toBe(200);
  });

  it("over everything leaves drags to a new one", () => {
    const { container } = shown([0, 10_000_000]);
    expect(container.querySelector(".minimap")!.className).toContain("whole");
    expect(shown([0, 9_990_000]).container.querySelector(".minimap")!.className).not.toContain("whole");
  });

  it("is drawn by a finger", () => {
    touchScreen();
    const { part, last } = shown();
    dragFingers(part("overlay"), [[[500, 20]], [[550, 20]], [[700, 20]]]);
    expect(last()).toEqual([[5_000_000, 7_000_000], true]);
  });

  it("shows the whole capture after a double click", () => {
    const { container, last } = shown();
    fireEvent.doubleClick(container.querySelector(".minimap")!);
    expect(last()).toEqual([[0, 10_000_000], true]);
  });

  it("has its ends moved by arrow keys, ten times as far with Shift; other keys are left alone", () => {
    const { onRange, last } = shown();
    const [start, end] = thumbs();
    expect(fireEvent.keyDown(start, { key: "ArrowLeft" })).toBe(false);
    expect(last()).toEqual([[1_950_000, 4_000_000], true]);
    fireEvent.keyDown(end, { key: "ArrowRight", shiftKey: true });
    expect(last()).toEqual([[2_000_000, 4_500_000], true]);
    onRange.mockClear();
    expect(fireEvent.keyDown(start, { key: "ArrowUp" })).toBe(true);
    expect(onRange).not.toHaveBeenCalled();
  });

  it("follows a range that moves without a render, but not while it is dragged itself", () => {
    fakeScreen({ width: 1_000, height: 40 });
    logCanvases();
    const onRender = vi.fn();
    let range: readonly [number, number] = [0, 1_000_000];
    const listeners = new Set<() => void>();
    const moving = {
      get: () => range,
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const move = (next: readonly [number, number]): void => {
      range = next;
      for (const listener of listeners) listener();
    };
    const { container, unmount } = render(
      <Profiler id="minimap" onRender={onRender}>
        <Minimap columns={COLUMNS} range={moving} onRange={move} width={1_000} height={40} />
      </Profiler>,
    );
    onRender.mockClear();
    move([5_000_000, 6_000_000]);
    const framed = container.querySelector<HTMLElement>(".framed")!;
    const selection = container.querySelector(".selection")!;
    expect(framed.style.getPropertyValue("--left")).toBe("500px");
    expect(selection.getAttribute("x")).toBe("500");
    dragMouse(selection, [
      [550, 20],
      [600, 20],
      [650, 20],
    ]);
    expect(range.map(Math.round)).toEqual([6_000_000, 7_000_000]);
    expect(framed.style.getPropertyValue("--left")).toBe("600px");
    expect(onRender).not.toHaveBeenCalled();
    unmount();
    expect(listeners.size).toBe(0);
  });
});

test("the minimap hatches what no file covers under its columns", () => {
  const display = fakeScreen({ width: 1_000, height: 40 });
  const logOf = logCanvases();
  const { container } = render(
    <Minimap
      columns={COLUMNS}
      range={[0, 1]}
      uncovered={[[9_000_000, 10_000_000]]}
      onRange={() => undefined}
      width={1_000}
      height={40}
    />,
  );
  display.nextFrame();
  const [, hatched, first] = logOf(container.querySelector("canvas")).take();
  expect(hatched).toMatchObject({ call: "stroke", clip: ["R 900 0 100 40"] });
  expect(first).toMatchObject({ call: "fillRect", at: [0, 21, 200, 19] });
});

test("an end of the brush stays inside the capture and apart from the other", () => {
  expect(nudged([20, 40], 0, -30, 0, 100)).toEqual([0, 40]);
  expect(nudged([20, 40], 0, 30, 0, 100)).toEqual([39.9999, 40]);
  expect(nudged([20, 40], 1, 90, 0, 100)).toEqual([20, 100]);
  expect(nudged([20, 40], 1, -30, 0, 100)).toEqual([20, 20.0001]);
});

test("the minimap marks lost events at its top, over the columns", () => {
  const display = fakeScreen({ width: 1_000, height: 40 });
  const logOf = logCanvases();
  const lost = [[5_000_000, 5_000_000]] as const;
  const { container } = render(
    <Minimap
      columns={COLUMNS}
      range={[0, 1]}
      lost={lost}
      onRange={() => undefined}
      width={1_000}
      height={40}
    />,
  );
  display.nextFrame();
  expect(logOf(container.querySelector("canvas")).take().at(-1)).toMatchObject({
    call: "stroke",
    clip: ["R 497 0 6 6"],
    path: "M 491 6 L 497 0 M 491 0 L 497 6 M 497 6 L 503 0 M 497 0 L 503 6",
  });
});
