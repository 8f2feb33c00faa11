import { act, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { fakeScreen } from "../../test/fake-screen.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

beforeEach(() => fakeScreen({ width: 400, height: 120 }));

/** Rows of 20 px in a box of 120 px, with a head of 20 px. */
function shown(count: number) {
  const now: { rows: ReturnType<typeof useVirtualRows> | null } = { rows: null };
  function Box(): ReactNode {
    const rows = useVirtualRows({ count, rowPx: 20, overscan: 2, headPx: 20 });
    now.rows = rows;
    return <div ref={rows.ref} data-testid="box" onScroll={rows.onScroll} />;
  }
  render(<Box />);
  const box = screen.getByTestId("box");
  const scroll = (to: number): void => {
    box.scrollTop = to;
    act(() => now.rows?.update());
  };
  return { now, box, scroll };
}

test("rows in sight are drawn, and some beyond both edges, as far as there are any", () => {
  const { now, scroll } = shown(1_000);
  expect([now.rows?.visible, now.rows?.drawn]).toEqual([
    [0, 5],
    [0, 7],
  ]);
  scroll(210);
  expect([now.rows?.visible, now.rows?.drawn]).toEqual([
    [10, 16],
    [8, 18],
  ]);
  scroll(19_900);
  expect(now.rows?.drawn).toEqual([993, 1_000]);
});

test("a row is scrolled to no farther than needed, and one in sight not at all", () => {
  const { now, box, scroll } = shown(1_000);
  now.rows?.reveal(3);
  expect(box.scrollTop).toBe(0);
  now.rows?.reveal(9);
  expect(box.scrollTop).toBe(100);
  scroll(100);
  now.rows?.reveal(2);
  expect(box.scrollTop).toBe(40);
});

test("without rows none is drawn", () => {
  expect(shown(0).now.rows?.drawn).toEqual([0, 0]);
});
