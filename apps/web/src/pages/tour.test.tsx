import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { CaptureContext, type OpenCapture } from "../screens/capture-view/capture-context.ts";
import { Tour } from "./tour.tsx";

const open = vi.fn();
const setView = vi.fn();

function show(step: number): void {
  render(
    <CaptureContext value={{ open, setView } as unknown as OpenCapture}>
      <Tour step={step} />
    </CaptureContext>,
  );
}

beforeEach(() => void vi.clearAllMocks());

test("a step says where it is, and leads to the next screen and back", () => {
  show(3);
  expect(screen.getByRole("dialog", { name: "Tour of the sample, step 3 of 6" })).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Where the time goes" })).toBeTruthy();
  const next = screen.getByRole("button", { name: "Next: every log block in time" });
  expect(document.activeElement).toBe(next);
  fireEvent.click(next);
  expect(open).toHaveBeenLastCalledWith("timeline", { tour: 4 });
  fireEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(open).toHaveBeenLastCalledWith("overview", { tour: 2 });
});

test("Esc leaves at any step", () => {
  show(1);
  expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
  fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" });
  expect(setView).toHaveBeenCalledWith({ tour: null });
});

test("the last step ends it", () => {
  show(6);
  fireEvent.click(screen.getByRole("button", { name: "Finish" }));
  expect(setView).toHaveBeenCalledWith({ tour: null });
});
