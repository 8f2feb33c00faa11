import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { MoreLanes } from "./more-lanes.tsx";

/** Five lanes of 100 px. */
const BOXES = [0, 100, 200, 300, 400].map((top) => ({ top, height: 100 }));

function shown(room: number) {
  const node = document.createElement("div");
  const scrollBy = vi.fn();
  node.scrollBy = scrollBy;
  render(<MoreLanes boxes={BOXES} scroller={{ current: node }} room={room} />);
  const scrollTo = (top: number): void => {
    node.scrollTop = top;
    act(() => void node.dispatchEvent(new Event("scroll")));
  };
  return { scrollTo, scrollBy };
}

test("lanes below the edge are counted, and a press scrolls towards them", () => {
  const { scrollTo, scrollBy } = shown(260);
  // More than half of the third lane is visible.
  expect(screen.getByRole("button").textContent).toBe("2 more lanes");
  fireEvent.click(screen.getByRole("button"));
  expect(scrollBy).toHaveBeenCalledWith({ top: 130 });
  scrollTo(130);
  expect(screen.getByRole("button").textContent).toBe("1 more lane");
  scrollTo(240);
  expect(screen.queryByRole("button")).toBeNull();
});

test("nothing is shown where all lanes have room", () => {
  shown(500);
  expect(screen.queryByRole("button")).toBeNull();
});
