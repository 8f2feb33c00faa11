import { fireEvent, render } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import type { CaptureTab } from "../capture-view/capture-context.ts";
import { SequenceScreen } from "./sequence-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_200, height: 700 });
  logCanvases();
});

test.each<[CaptureTab | null, CaptureTab, string]>([
  ["overview", "overview", "back to overview"],
  ["raw-events", "raw-events", "back to raw events"],
  [null, "timeline", "back to timeline"],
])("Esc goes back to where a block was opened from: %s", async (cameFrom, goesTo, words) => {
  const opened = await openCapture(<SequenceScreen />, {
    view: { block: SLOW_BLOCK.row },
    cameFrom,
    answers: { sequence: () => SLOW_BLOCK },
  });
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(opened.open).toHaveBeenCalledExactlyOnceWith(goesTo);
  expect(render(opened.statusRight()).container.textContent).toContain(words);
});
