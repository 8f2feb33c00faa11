import { fireEvent, render } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import { dragMouse } from "../../../../test/pointer.ts";
import { boxOf } from "../../../../test/scene.ts";
import { laneKeyOf, useLaneDrag } from "./use-lane-drag.ts";

/** Three lanes of 40 px, 10 px apart. */
const BOXES = [boxOf("commit", 0, 40), boxOf("localFlush", 50, 40), boxOf("hop0.wireOut", 100, 40)];

function shown() {
  const onDrop = vi.fn<(key: string, above: number) => void>();
  const onClick = vi.fn();
  function Names() {
    const gutter = useRef<HTMLDivElement>(null);
    const dragged = useLaneDrag(gutter, BOXES, onDrop);
    return (
      <div ref={gutter} data-testid="gutter">
        {BOXES.map(({ lane }) => (
          <button key={lane.key} type="button" data-lane={lane.key} onClick={onClick}>
            <b>{lane.key}</b>
          </button>
        ))}
        <i>{dragged === null ? "" : `above ${dragged.y}`}</i>
        <span>no lane</span>
      </div>
    );
  }
  return { onDrop, onClick, ...render(<Names />) };
}

test("a lane's name is dropped where it was dragged to, among the other lanes", () => {
  const { getByText, onDrop } = shown();
  dragMouse(getByText("hop0.wireOut"), [
    [20, 120],
    [20, 60],
    [20, 10],
  ]);
  dragMouse(getByText("commit"), [
    [20, 20],
    [20, 60],
    // Below the middle of the log write.
    [20, 75],
  ]);
  expect(onDrop.mock.calls).toEqual([
    ["hop0.wireOut", 0],
    ["commit", 1],
  ]);
});

test("up to 4 px it is a click, and beside the names nothing", () => {
  const { getByText, onDrop } = shown();
  dragMouse(getByText("commit"), [
    [20, 20],
    [20, 24],
  ]);
  dragMouse(getByText("no lane"), [
    [20, 140],
    [20, 10],
  ]);
  expect(onDrop).not.toHaveBeenCalled();
});

test("while it is dragged its place is shown: the top of the lane that it would push down", () => {
  const { getByText, container } = shown();
  const name = getByText("hop0.wireOut");
  fireEvent.mouseDown(name, { clientX: 20, clientY: 120, button: 0, view: window });
  fireEvent.mouseMove(window, { clientX: 20, clientY: 60, view: window });
  expect(container.querySelector("i")?.textContent).toBe("above 50");
  fireEvent.mouseUp(window, { clientX: 20, clientY: 60, view: window });
  expect(container.querySelector("i")?.textContent).toBe("");
});

test("an element's lane is that of the name around it", () => {
  const { getByText } = shown();
  expect(laneKeyOf(getByText("localFlush"))).toBe("localFlush");
  expect(laneKeyOf(getByText("no lane"))).toBeNull();
  expect(laneKeyOf(null)).toBeNull();
});
