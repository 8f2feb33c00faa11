import { act } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { openCapture } from "../../../test/open-capture.tsx";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { rangeStatistics } from "../../../test/summary.ts";
import { blockWindow } from "../../../test/window.ts";
import type { SetView } from "../../state/use-view.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { type Timeline, useTimelineData, useTimelineSelection, useTimelineView } from "./timeline-context.ts";
import { OpenTimeline } from "./timeline-screen.tsx";

beforeEach(() => fakeScreen({ width: 1_000, height: 600 }));

/** A timeline with a reader of each of its contexts, the number of their renders, and their last values. */
async function readers() {
  const drawn = { data: 0, view: 0, selection: 0 };
  const read: { setView: SetView | null; timeline: Partial<Timeline> } = { setView: null, timeline: {} };
  function Data(): ReactNode {
    read.timeline = { ...read.timeline, data: useTimelineData() };
    drawn.data += 1;
    return null;
  }
  function View(): ReactNode {
    read.timeline = { ...read.timeline, view: useTimelineView() };
    drawn.view += 1;
    return null;
  }
  function Selection(): ReactNode {
    read.timeline = { ...read.timeline, selection: useTimelineSelection() };
    drawn.selection += 1;
    return null;
  }
  function Setter(): ReactNode {
    read.setView = useCapture().setView;
    return null;
  }
  const parts = (
    <OpenTimeline>
      <Data />
      <View />
      <Selection />
      <Setter />
    </OpenTimeline>
  );
  await openCapture(parts, {
    answers: {
      window: () => blockWindow([{ localFlushStart: 1_000, localFlushEnd: 3_000 }], { firstRow: 700 }),
      statistics: () => rangeStatistics(),
    },
  });
  /** Number of renders of each reader through an action. */
  const drawnBy = async (action: () => void): Promise<typeof drawn> => {
    const before = { ...drawn };
    act(action);
    await settled();
    return {
      data: drawn.data - before.data,
      view: drawn.view - before.view,
      selection: drawn.selection - before.selection,
    };
  };
  return { drawnBy, read };
}

test("selecting a block draws what shows the selection, and nothing that shows what is in view", async () => {
  const { drawnBy, read } = await readers();
  const drawn = await drawnBy(() => read.timeline.selection?.selection.select(700));
  expect(drawn).toMatchObject({ data: 0, view: 0 });
  expect(drawn.selection).toBeGreaterThan(0);
});

test("a pointer over the lanes, a bar that the keyboard is on and a ruler draw nothing of what is in view", async () => {
  const { drawnBy, read } = await readers();
  expect(await drawnBy(() => read.timeline.view?.cursor.set(5))).toEqual({ data: 0, view: 0, selection: 0 });
  const focus = () => read.timeline.selection?.focus.focusCell({ key: "localFlush", row: 700 });
  expect(await drawnBy(focus)).toMatchObject({ data: 0, view: 0 });
  const measure = () => read.timeline.selection?.rulers.begin();
  expect(await drawnBy(measure)).toMatchObject({ data: 0, view: 0 });
});

test("another level of drawing draws what reads the view alone", async () => {
  const { drawnBy, read } = await readers();
  const drawn = await drawnBy(() => read.timeline.view?.setLevel(2));
  expect(drawn).toMatchObject({ data: 0 });
  expect(drawn.view).toBeGreaterThan(0);
});
