import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openCapture } from "../../../../test/open-capture.tsx";
import { summaryOf } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import type { View } from "../../../state/view.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { summaryLanes } from "../../capture-view/capture-lanes.ts";
import { LaneMenu } from "./lane-menu.tsx";

const summary = summaryOf();
const [, lane] = summaryLanes(summary, false, null);

/** The menu of the second lane's name; it also shows what the view has of lanes. */
async function open(pinned: boolean): Promise<() => Pick<View, "pinned" | "lanes">> {
  let view: Pick<View, "pinned" | "lanes"> = { pinned: [], lanes: {} };
  function Seen(): null {
    view = useCapture().view;
    return null;
  }
  const box = { lane: { ...lane, pinned }, tall: true, top: 0, height: 40 };
  await openCapture(
    <InTimeline parts={{ buffer: { value: null, error: null, retry: () => {} } }}>
      <LaneMenu
        opened={{ at: 0, bar: null, box, isOfName: true, x: 0, y: 20 }}
        onClose={() => {}}
        onMeasure={() => {}}
      />
      <Seen />
    </InTimeline>,
    { summary, view: { pinned: pinned ? ["commits", lane.key] : ["commits"] } },
  );
  return () => view;
}

test("a lane is pinned below the other pinned ones by its menu, and made thin", async () => {
  const view = await open(false);
  expect(screen.getByRole("menu", { name: `Lane ${lane.label}` })).toBeTruthy();
  expect(screen.queryByText("Copy time")).toBeNull();
  fireEvent.click(screen.getByRole("menuitem", { name: /^Pin lane above the others/u }));
  expect(view().pinned).toEqual(["commits", lane.key]);
  fireEvent.click(screen.getByRole("menuitem", { name: "Make lane thin" }));
  expect(view().lanes).toEqual({ [lane.key]: false });
});

test("a pinned lane is unpinned by its menu; it is always tall", async () => {
  const view = await open(true);
  expect(screen.queryByRole("menuitem", { name: /^Make lane/u })).toBeNull();
  fireEvent.click(screen.getByRole("menuitem", { name: "Unpin lane" }));
  expect(view().pinned).toEqual(["commits"]);
});
