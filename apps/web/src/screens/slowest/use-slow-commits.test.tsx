import { act } from "@testing-library/react";
import { FIRST_ROWS, type SlowCommits } from "@aglens/contract";
import { expect, test } from "vitest";
import { openCapture } from "../../../test/open-capture.tsx";
import type { TimeRange } from "../../data/capture-source.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { type SlowCommitList, useSlowCommits } from "./use-slow-commits.ts";

const NONE: SlowCommits = { total: 0, waitedUs: 0, half: 0, rows: [] };

test("another range begins with the first page again, and the first one with what was shown of it no more", async () => {
  let list: SlowCommitList | undefined;
  let show: (range: TimeRange) => void = () => undefined;
  function Commits(): null {
    const { view, setView } = useCapture();
    const [from, to] = view.range ?? [0, 1_000];
    show = (range) => setView({ range: [range.from, range.to] });
    list = useSlowCommits({ from, to }, true);
    return null;
  }
  const { source } = await openCapture(<Commits />, { answers: { slowCommits: () => NONE } });
  const limits = (): number[] =>
    source.asked.map(([, question]) => (question as { readonly limit: number }).limit);
  await act(async () => list?.showMore?.());
  await act(async () => show({ from: 200, to: 300 }));
  expect(limits()).toEqual([FIRST_ROWS, 2 * FIRST_ROWS, FIRST_ROWS]);
});
