import { expect, test } from "vitest";
import { createClockPreview, draggedBy } from "./clock-preview.ts";

test("a drag moves by as much as the clock is uncertain, and no further", () => {
  expect([-96, -24, 0, 48, 500].map((dx) => draggedBy(dx, 377))).toEqual([-377, -188.5, 0, 377, 377]);
});

test("one secondary is moved at a time, and letting go ends it", () => {
  const preview = createClockPreview();
  let reports = 0;
  const stop = preview.subscribe(() => reports++);
  expect(preview.isWatched()).toBe(true);
  preview.set(0, 377);
  preview.set(0, 377);
  preview.set(1, -12_000);
  expect([...preview.get()]).toEqual([[1, -12_000]]);
  preview.set(1, 0);
  expect(preview.get().size).toBe(0);
  expect(reports).toBe(3);
  stop();
  expect(preview.isWatched()).toBe(false);
});
