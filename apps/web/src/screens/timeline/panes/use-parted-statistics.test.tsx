import { act, renderHook } from "@testing-library/react";
import type { RangeStatistics } from "@aglens/contract";
import { expect, test } from "vitest";
import { settled, withAnswers } from "../../../../test/answers.tsx";
import { sourceOf } from "../../../../test/open-capture.tsx";
import { failoverOf, rangeStatistics, summaryOf } from "../../../../test/summary.ts";
import { DEFAULT_VIEW } from "../../../state/view.ts";
import { CaptureContext } from "../../capture-view/capture-context.ts";
import { usePartedStatistics } from "./use-parted-statistics.ts";
import type { Range } from "../viewport.ts";

/**
 * The primary is SQL1 until 4 s, SQL2 from 6 s to 7 s, and SQL1 again from 8 s; in between no server is the primary.
 */
function thereAndBack() {
  const { phases, verdict } = failoverOf();
  const [first, second] = phases;
  const [there] = verdict.findings;
  const back = { ...there, replica: 0, window: { from: 7e6, to: 8e6 } };
  return summaryOf({
    phases: [first, { ...second, to: 7e6 }, { ...first, from: 8e6, to: 10e6 }],
    verdict: { ...verdict, findings: [there, back] },
  });
}

test("figures of two phases are never shown as those of two others", async () => {
  const later = Promise.withResolvers<RangeStatistics>();
  const source = sourceOf({
    statistics: ({ from }) => (from < 5e6 ? rangeStatistics({ blocks: 7 }) : later.promise),
  });
  const Answering = withAnswers();
  const { result, rerender } = renderHook(({ range }: { range: Range }) => usePartedStatistics(range), {
    initialProps: { range: [3e6, 6.5e6] },
    wrapper: ({ children }) => (
      <Answering>
        <CaptureContext
          value={{
            source,
            summary: thereAndBack(),
            canChange: false,
            view: DEFAULT_VIEW,
            open: () => undefined,
            setView: () => undefined,
            setStatus: () => undefined,
          }}
        >
          {children}
        </CaptureContext>
      </Answering>
    ),
  });
  await settled();
  const blocks = () =>
    result.current?.answer.value?.map(({ phase, statistics }) => [phase, statistics.blocks]);
  expect(blocks()).toEqual([
    [0, 7],
    [1, 7],
  ]);
  rerender({ range: [6.5e6, 9e6] });
  expect(result.current?.phases).toEqual([1, 2]);
  expect(blocks()).toBeUndefined();
  await act(async () => later.resolve(rangeStatistics({ blocks: 9 })));
  await settled();
  expect(blocks()).toEqual([
    [1, 9],
    [2, 9],
  ]);
});
