import { cleanup, fireEvent, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, test, vi } from "vitest";
import { parseBlockFilter } from "@aglens/contract";
import { leaseFailover } from "../../../test/evidence.ts";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { sourceOf } from "../../../test/open-capture.tsx";
import { failoverOf, summaryOf } from "../../../test/summary.ts";
import { InTimeline } from "../../../test/timeline.tsx";
import { DEFAULT_VIEW, type View } from "../../state/view.ts";
import { CaptureContext, type OpenCapture } from "../capture-view/capture-context.ts";
import { roleSwitches } from "../capture-view/phases.ts";
import { createCursor } from "./cursor.ts";
import { type Happened, happenedOf } from "./happened/use-happened.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { createViewport } from "./viewport.ts";

/** The keys of a timeline over ten seconds, with or without a running search for a block. */
function keysOf(
  more: Partial<View> = {},
  switches = roleSwitches(failoverOf()),
  { happened = null as Happened | null, selected = null as number | null, isActive = false } = {},
  hasCapture = true,
) {
  const acted: string[] = [];
  const state = { block: null as number | null, isAsking: true };
  const Answering = withAnswers();
  const viewport = createViewport([0, 10_000_000], 10_000_000);
  const setView = vi.fn<OpenCapture["setView"]>(({ gates }) => {
    if (gates !== undefined) acted.push("gates");
  });
  const open = vi.fn<OpenCapture["open"]>((screen) => void acted.push(screen));
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode => (
    <Answering>
      <CaptureContext
        value={{
          source: sourceOf({}),
          summary: summaryOf({
            replicas: summaryOf().replicas.map((replica) => ({ ...replica, hasCapture })),
          }),
          canChange: false,
          view: { ...DEFAULT_VIEW, ...more, block: state.block },
          setView,
          open,
          setStatus: vi.fn(),
        }}
      >
        <InTimeline
          parts={{
            viewport,
            duration: 10_000_000,
            cursor: createCursor(),
            lanes: { shown: [] },
            selection: {
              search: { isAsking: state.isAsking },
              toSlow: (by: number) => void acted.push(`slow ${by}`),
              inTime: (by: number) => void acted.push(`time ${by}`),
              fit: () => void acted.push("fit"),
            },
            rulers: { back: () => false },
            switches,
            happened,
            events: {
              selected,
              isActive,
              step: (by: number) => void acted.push(`event ${by}`),
              showSource: () => void acted.push("source"),
              select: (index: number | null) => void acted.push(`select ${index}`),
            },
            hits: {
              step: (by: number) => void acted.push(`hit ${by}`),
              fit: () => void acted.push("fit hits"),
            },
          }}
        >
          {children}
        </InTimeline>
      </CaptureContext>
    </Answering>
  );
  const { rerender } = renderHook(useTimelineKeys, { wrapper });
  const press = (key: string): void => void fireEvent.keyDown(document.body, { key });
  const found = (block: number | null): Promise<void> => {
    Object.assign(state, { block, isAsking: false });
    return settled(rerender);
  };
  return { acted, press, found, setView, viewport };
}

test("presses about a block that is being found wait for it, in their order", async () => {
  const { acted, press, found } = keysOf();
  press("n");
  press("]");
  press("f");
  press("Enter");
  press("g");
  expect(acted).toEqual(["gates"]);
  await found(3);
  await settled();
  expect(acted).toEqual(["gates", "slow 1", "time 1", "fit", "sequence"]);
});

test("with a filter n and p go along its hits, f shows all of them, and Escape ends it", async () => {
  const { acted, press, found, setView } = keysOf({ where: parseBlockFilter("commit>5000") });
  await found(3);
  for (const key of ["n", "p", "f"]) press(key);
  expect(acted).toEqual(["hit 1", "hit -1", "fit hits"]);
  await found(null);
  press("Escape");
  expect(setView).toHaveBeenCalledWith({ where: null });
});

test("Escape ends the isolation of lanes before it zooms out", async () => {
  const { press, found, setView } = keysOf({ isolated: ["localFlush"], range: [1e6, 2e6] });
  await found(null);
  press("Escape");
  expect(setView.mock.calls).toEqual([[{ isolated: [] }]]);
});

test("Escape opens no overview where a capture has none", async () => {
  const own = keysOf();
  await own.found(null);
  own.press("Escape");
  expect(own.acted).toEqual(["overview"]);
  cleanup();
  const alone = keysOf({}, [], {}, false);
  await alone.found(null);
  alone.press("Escape");
  expect(alone.acted).toEqual([]);
});

test("a full stop puts the change of roles into the middle, with as much before as after it", () => {
  const { press, viewport } = keysOf();
  press(".");
  // From 4 to 6 s; of the capture's 10 s half is in view.
  expect(viewport.get()).toEqual([2_500_000, 7_500_000]);
  viewport.set([0, 1_000_000]);
  press(".");
  expect(viewport.get()).toEqual([3_000_000, 7_000_000]);
});

test("a full stop goes on from a change of roles that is too near an end of the capture for the middle", () => {
  const [change] = roleSwitches(failoverOf());
  const at = (from: number) => ({ ...change, from, to: from + 200_000 });
  const { press, viewport } = keysOf({}, [at(300_000), at(5_000_000), at(9_600_000)]);
  viewport.set([4_000_000, 5_000_000]);
  const visited = [1, 2, 3, 4].map(() => {
    press(".");
    return viewport.get()[0];
  });
  // In the middle of a second, at the end, at the beginning, and in the middle again.
  expect(visited).toEqual([4_600_000, 9_000_000, 0, 4_600_000]);
});

describe("with evidence files", () => {
  const answer = leaseFailover();
  const happened = happenedOf(answer, null, summaryOf({ durationUs: 60_000_000 }));

  test("n and p go through the events, Enter opens the lines of the selected one, and Esc leaves it", async () => {
    const { acted, press, found } = keysOf({}, undefined, { happened, selected: 2, isActive: true });
    await found(null);
    for (const key of ["n", "p", "Enter", "Escape"]) press(key);
    expect(acted).toEqual(["event 1", "event -1", "source", "select null"]);
  });

  test("n and p go through slow blocks while something else is selected, and where no event is", async () => {
    const other = keysOf({}, undefined, { happened });
    await other.found(7);
    for (const key of ["n", "Enter"]) other.press(key);
    expect(other.acted).toEqual(["slow 1", "sequence"]);
    cleanup();
    const none = keysOf({}, undefined, { happened: { ...happened, inTurn: [] }, isActive: true });
    await none.found(null);
    none.press("n");
    expect(none.acted).toEqual(["slow 1"]);
  });

  test("v hides the lanes and shows them again; without evidence files it does nothing", async () => {
    const shown = keysOf({}, undefined, { happened });
    shown.press("v");
    expect(shown.setView.mock.calls).toEqual([[{ evidence: [], happened: null }, "replace"]]);
    cleanup();
    const hidden = keysOf({}, undefined, { happened: { ...happened, shown: [] } });
    hidden.press("v");
    expect(hidden.setView.mock.calls).toEqual([[{ evidence: null, happened: null }, "replace"]]);
    cleanup();
    const without = keysOf();
    without.press("v");
    expect(without.setView.mock.calls).toEqual([]);
  });

  test(". goes to a failover that the log blocks don't show", () => {
    const failovers = [{ ...answer.failovers[0], at: 4_000_000, until: 5_000_000 }];
    const { press, viewport } = keysOf({}, [], {
      happened: { ...happened, answer: { ...answer, failovers } },
    });
    press(".");
    // At most half of the capture of 10 s, with the failover in the middle.
    expect(viewport.get()).toEqual([2_000_000, 7_000_000]);
  });
});
