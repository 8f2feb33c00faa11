import { Distribution, PercentileSpread } from "@aglens/contract";
import { expect, test } from "vitest";
import { modelOf } from "../../../ag-model/test/model.ts";
import { answer } from "./answer.ts";

/** 50 blocks of 1 ms before roles changed, and 30 of 9 ms after it. */
const model = (() => {
  const before = modelOf(
    Array.from({ length: 80 }, (_, i) => ({ at: i * 10_000, localFlush: i < 50 ? 1_000 : 9_000 })),
    { duration: 800_000 },
  );
  before.blocks.phase.set(
    Array.from({ length: 30 }, () => 1),
    50,
  );
  const [phase] = before.phases;
  return {
    ...before,
    phases: [
      { ...phase!, to: 499_999 },
      { ...phase!, from: 500_000 },
    ],
  };
})();

const answered = async (question: Parameters<typeof answer>[1]): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode((await answer(model, question, () => Promise.resolve(null))).bytes));

test("a distribution of one phase has that phase's blocks alone", async () => {
  const question = { ask: "distribution", secondary: 0, scale: "log", stage: "localFlush" } as const;
  for (const [phase, n, p50] of [
    [undefined, 80, 1_000],
    [0, 50, 1_000],
    [1, 30, 9_000],
  ] as const) {
    const { rows } = Distribution.parse(await answered({ ...question, phase }));
    expect(rows.find(({ stage }) => stage === "localFlush")?.ranges[0]).toMatchObject({ n, p50 });
  }
});

test("the spread of one phase is of that phase's blocks alone", async () => {
  const spreadOf = async (phase?: number): Promise<number[]> => {
    const spread = PercentileSpread.parse(await answered({ ask: "spread", secondary: 0, phase }));
    return spread.rows.find(({ stage }) => stage === "localFlush")!.p95;
  };
  // Both phases have one duration each, so that chance has no effect.
  expect(new Set(await spreadOf(1))).toEqual(new Set([1]));
  expect(new Set(await spreadOf()).size).toBeGreaterThan(1);
});
