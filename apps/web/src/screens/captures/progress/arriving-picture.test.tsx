import { render, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { captureFile } from "../../../../test/capture-file.ts";
import { logCanvases } from "../../../../test/canvas.ts";
import { inOneLine } from "../../../../test/draw-log.ts";
import { fakeScreen } from "../../../../test/fake-screen.ts";
import { ArrivingPicture } from "./arriving-picture.tsx";
import type { UploadRow } from "../sending/upload-text.ts";

const ROW: UploadRow = {
  key: "1",
  name: "a.xel",
  size: 400,
  kept: 0,
  sent: 200,
  breaks: [],
  file: null,
  upload: null,
  reading: { read: null, isLater: false },
};
/** 100 events a second for 10 s, in a quarter of the file. */
const read = {
  bytes: 100,
  points: [
    { at: "2016-05-06T02:16:55.0000000Z", events: 0 },
    { at: "2016-05-06T02:17:05.0000000Z", events: 1_000 },
  ],
};

let display: ReturnType<typeof fakeScreen>;
let logOf: ReturnType<typeof logCanvases>;
beforeEach(() => {
  display = fakeScreen({ width: 800, height: 40 });
  logOf = logCanvases();
});

/** Rectangles that the picture of a row draws over the hatching. */
function drawn(container: Element): string[] {
  display.nextFrame();
  const lines = logOf(container.querySelector("canvas")).take().map(inOneLine);
  return lines.filter((line) => line.startsWith("fillRect"));
}

test("before anything is read there are the place of the picture, all hatched, and words", () => {
  const { container } = render(<ArrivingPicture row={ROW} />);
  expect(screen.getByRole("figure").textContent).toContain("No events read so far");
  expect(drawn(container)).toEqual([]);
  expect(screen.getByRole("img", { name: /^Events per second .* a\.xel/u }).style.height).toBe("40px");
});

test("what is read takes its share of the place", () => {
  const row = { ...ROW, reading: { read, isLater: false } };
  const { container } = render(<ArrivingPicture row={row} />);
  // A quarter of 800 px: the ground, the bar, and the line where reading is.
  expect(drawn(container)).toEqual(["fillRect 0 0 200 40", "fillRect 0 2 200 38", "fillRect 200 0 2 40"]);
  expect(screen.getByRole("figure").textContent).toContain("1,000 events");
});

test("a file that is whole fills the same place", () => {
  const file = captureFile({
    role: "secondary",
    from: "2016-05-06T02:16:55.0000000Z",
    to: "2016-05-06T02:17:35.0000000Z",
    events: 1_000,
  });
  const { container } = render(<ArrivingPicture row={{ ...ROW, file }} />);
  expect(drawn(container)).toEqual(["fillRect 0 0 800 40", "fillRect 0 2 800 38"]);
  expect(screen.getByRole("img").style.height).toBe("40px");
});
