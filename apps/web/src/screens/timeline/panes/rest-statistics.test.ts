import { expect, test, vi } from "vitest";
import { rangeStatistics } from "../../../../test/summary.ts";
import { restStatistics } from "./rest-statistics.ts";
import type { Range } from "../viewport.ts";

/** The length that the statistics of [2 s, 8 s) without the selected range contain. */
async function lengthOf(selected: Range): Promise<number> {
  const statistics = vi.fn(({ from, to }: { from: number; to: number }) => ({
    key: "statistics",
    ask: async () => rangeStatistics({ from, to }),
  }));
  const question = restStatistics({ statistics }, [2e6, 8e6], selected, null);
  expect(statistics).toHaveBeenCalledWith({ from: 2e6, to: 8e6 }, null, {
    from: selected[0],
    to: selected[1],
  });
  return (await question.ask(new AbortController().signal)).us;
}

test("the rest comes with its own length, without as much of the selection as lies in it", async () => {
  expect(await lengthOf([3e6, 5e6])).toBe(4e6);
  expect(await lengthOf([0, 3e6])).toBe(5e6);
  expect(await lengthOf([8e6, 9e6])).toBe(6e6);
  expect(await lengthOf([0, 10e6])).toBe(0);
});
