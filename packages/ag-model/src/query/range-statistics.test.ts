import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { rangeStatistics } from "./index.ts";

// Log writes of the primary of 1, 2, ... 8 ms, a second apart, two commits each.
const model = modelOf(
  Array.from({ length: 8 }, (_, i) => ({ at: i * 1e6, localFlush: (i + 1) * 1_000, commits: 2 })),
  { duration: 8e6 },
);

test("the rest beside a stretch has every block and commit that does not overlap it, once", () => {
  const rest = rangeStatistics(model, { from: 0, to: 8e6 }, { except: { from: 2e6, to: 4e6 } });
  expect([rest.blocks, rest.commits]).toEqual([6, 12]);
  // 1, 2, 5, 6, 7 and 8 ms.
  expect(rest.stages[0]?.localFlush).toMatchObject({ n: 6, mean: (29 / 6) * 1_000, max: 8_000 });
  expect(rest.gates.reduce((sum, n) => sum + n, 0)).toBe(12);
});

test("a block that reaches into the stretch is no part of the rest", () => {
  // The write of 3 ms ends 1 ms after the stretch begins.
  const rest = rangeStatistics(
    model,
    { from: 0, to: 8e6 },
    { except: { from: 2e6 + 2_000, to: 2e6 + 2_500 } },
  );
  expect(rest.blocks).toBe(7);
});

test("it combines with a filter, and is nothing where the stretch covers all", () => {
  const slow = [
    {
      kind: "duration" as const,
      stage: "localFlush" as const,
      secondary: 0,
      comparison: { sign: ">" as const, amount: 2_500 },
    },
  ];
  // 3 to 8 ms without those of 3 and 4 ms.
  expect(
    rangeStatistics(model, { from: 0, to: 8e6 }, { filter: slow, except: { from: 2e6, to: 4e6 } }).blocks,
  ).toBe(4);
  const none = rangeStatistics(model, { from: 2e6, to: 4e6 }, { except: { from: 0, to: 8e6 } });
  expect([none.blocks, none.commits, none.commitLatency.n]).toEqual([0, 0, 0]);
});
