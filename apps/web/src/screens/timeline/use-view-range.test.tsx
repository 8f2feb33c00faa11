import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sourceOf } from "../../../test/open-capture.tsx";
import { summaryOf } from "../../../test/summary.ts";
import { useView } from "../../state/use-view.ts";
import { CaptureContext } from "../capture-view/capture-context.ts";
import { useViewRange } from "./use-view-range.ts";
import { useZoomSteps } from "./use-zoom-steps.ts";

const DURATION = 10_000_000;

beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, "", "/");
});
afterEach(() => {
  vi.useRealTimers();
  window.history.replaceState(null, "", "/");
});

/** The range of a timeline over ten seconds whose view is in the address. */
function viewRange() {
  const Address = ({ children }: { readonly children: ReactNode }): ReactNode => {
    const [view, setView] = useView();
    return (
      <CaptureContext
        value={{
          source: sourceOf({}),
          summary: summaryOf(),
          canChange: false,
          view: { ...view, secondary: 0, block: null },
          setView,
          open: vi.fn(),
          setStatus: vi.fn(),
        }}
      >
        {children}
      </CaptureContext>
    );
  };
  const { result } = renderHook(() => ({ ...useViewRange(DURATION), ...useZoomSteps() }), {
    wrapper: Address,
  });
  const show = (from: number, to: number): void => act(() => result.current.viewport.set([from, to]));
  const wait = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
  const go = (steps: number): void => act(() => result.current.go(steps));
  return { result, show, wait, go };
}

test("a zoom that stays 600 ms is a step; what comes sooner is a part of the one before", () => {
  const { result, show, wait } = viewRange();
  const entries = window.history.length;
  show(0, 8e6);
  wait(599);
  show(0, 4e6);
  wait(599);
  expect(result.current.trail).toEqual({ range: [0, 4e6], back: [null], ahead: [] });
  expect(window.history.length).toBe(entries + 1);
  wait(1);
  show(1e6, 2e6);
  wait(150);
  expect(result.current.trail.back).toEqual([null, [0, 4e6]]);
  expect(window.history.length).toBe(entries + 2);
  expect(window.location.search).toContain("range=1000000_2000000");
});

test("a pan moves the step itself", () => {
  const { result, show, wait } = viewRange();
  show(0, 1e6);
  wait(600);
  show(4e6, 5e6);
  wait(600);
  expect(result.current.trail).toEqual({ range: [4e6, 5e6], back: [null], ahead: [] });
});

test("back and ahead move the viewport, and the address with it", () => {
  const { result, show, wait, go } = viewRange();
  show(0, 4e6);
  wait(600);
  show(1e6, 2e6);
  wait(600);
  go(1);
  expect(result.current.viewport.get()).toEqual([0, 4e6]);
  wait(600);
  expect(result.current.trail).toEqual({ range: [0, 4e6], back: [null], ahead: [[1e6, 2e6]] });
  go(-1);
  expect(result.current.viewport.get()).toEqual([1e6, 2e6]);
  go(2);
  expect(result.current.viewport.get()).toEqual([0, DURATION]);
  expect(window.location.search).toBe("");
  go(1);
  expect(result.current.trail.ahead).toHaveLength(2);
});
