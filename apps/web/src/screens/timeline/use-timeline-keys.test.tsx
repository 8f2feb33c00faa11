import { fireEvent, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { sourceOf } from "../../../test/open-capture.tsx";
import { summaryOf } from "../../../test/summary.ts";
import { DEFAULT_VIEW } from "../../state/view.ts";
import { CaptureContext, type OpenCapture } from "../capture-context.ts";
import { createCursor } from "./cursor.ts";
import type { Timeline } from "./timeline-context.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { createViewport } from "./viewport.ts";

/** The keys of a timeline over ten seconds on which a block is being looked for, or none is. */
function keysOf() {
  const acted: string[] = [];
  const state = { block: null as number | null, isAsking: true };
  const Answering = withAnswers();
  const open = vi.fn<OpenCapture["open"]>((screen) => void acted.push(screen));
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode => (
    <Answering>
      <CaptureContext
        value={{
          source: sourceOf({}),
          summary: summaryOf(),
          canChange: false,
          view: { ...DEFAULT_VIEW, block: state.block },
          setView: vi.fn(),
          open,
          setStatus: vi.fn(),
        }}
      >
        {children}
      </CaptureContext>
    </Answering>
  );
  const { rerender } = renderHook(
    () =>
      useTimelineKeys(
        {
          viewport: createViewport([0, 10_000_000], 10_000_000),
          duration: 10_000_000,
          cursor: createCursor(),
          lanes: { shown: [] },
          selection: {
            search: { isAsking: state.isAsking },
            toSlow: (by: number) => void acted.push(`slow ${by}`),
            inTime: (by: number) => void acted.push(`time ${by}`),
            fit: () => void acted.push("fit"),
          },
        } as unknown as Timeline,
        () => void acted.push("gates"),
      ),
    { wrapper },
  );
  const press = (key: string): void => void fireEvent.keyDown(document.body, { key });
  const found = (block: number): Promise<void> => {
    Object.assign(state, { block, isAsking: false });
    return settled(rerender);
  };
  return { acted, press, found };
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
