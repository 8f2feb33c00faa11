import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { KEPT_US } from "./picture.ts";
import { useHeldView, WINDOW_US } from "./use-held-view.ts";

const SECOND = 1_000_000;

/** Instant at which the view pauses after it was dragged back by these times, µs. */
function dragged(now: number, ...by: readonly number[]): number | null {
  const { result } = renderHook(() => useHeldView(() => now));
  for (const us of by) act(() => result.current.pan(us));
  return result.current.heldAt;
}

it("looks back no further than the run's begin, and than what is kept", () => {
  expect(dragged(42 * SECOND, 5 * SECOND)).toBe(37 * SECOND);
  expect(dragged(42 * SECOND, 100 * SECOND)).toBe(WINDOW_US);
  expect(dragged(10 * SECOND, 5 * SECOND)).toBe(10 * SECOND);
  expect(dragged(3600 * SECOND, 3600 * SECOND)).toBe(3600 * SECOND - KEPT_US + WINDOW_US);
});

it("follows the run again when it is dragged to now", () => {
  expect(dragged(42 * SECOND, 5 * SECOND, -5 * SECOND)).toBeNull();
});
