import { expect, test } from "vitest";
import { modelOf } from "../../../ag-model/test/model.ts";
import { answer, type Question } from "./answer.ts";

const answered = async (model: ReturnType<typeof modelOf>, question: Question): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode((await answer(model, question, () => Promise.resolve(null))).bytes));

test("commits are those up to the asked instant; without one, also one that begins in the capture's last", async () => {
  const model = modelOf([{ at: 0 }, { at: 1_000 }], { duration: 1_000 });
  const asked = { ask: "slowCommits", order: "waited", secondary: 0, limit: 10, offset: 0 } as const;
  expect(await answered(model, asked)).toMatchObject({ total: 2 });
  expect(await answered(model, { ...asked, to: 1_000 })).toMatchObject({ total: 1 });
});

test("a secondary is one of those that the capture has; one without any is asked for the first", async () => {
  const spread = (secondaries: number, secondary: number) =>
    answered(modelOf([{ at: 0 }], { secondaries }), { ask: "spread", secondary });
  const refused = { problem: { code: "bad-request" } };
  await expect(spread(2, 1)).resolves.toBeDefined();
  await expect(spread(2, 2)).rejects.toMatchObject(refused);
  await expect(spread(0, 0)).resolves.toBeDefined();
  await expect(spread(0, 1)).rejects.toMatchObject(refused);
});

test("a range of no length is refused", async () => {
  const model = modelOf([{ at: 0 }, { at: 1_000 }], { duration: 2_000 });
  const asked = { ask: "statistics", secondary: 0 } as const;
  await expect(answered(model, { ...asked, from: 5, to: 5 })).rejects.toThrow("must lie before");
  await expect(answered(model, { ...asked, from: 5, to: 6 })).resolves.toBeDefined();
});

test("a distribution has another range beside it as soon as one of its ends is named", async () => {
  const model = modelOf([{ at: 0 }, { at: 1_000 }, { at: 1_900 }], { duration: 2_000 });
  const asked = { ask: "distribution", secondary: 0, scale: "log", stage: "localFlush" } as const;
  const others = await Promise.all(
    [{}, { otherFrom: 500 }, { otherTo: 500 }].map((more) => answered(model, { ...asked, ...more })),
  );
  expect(others.map((each) => (each as { other: unknown }).other !== null)).toEqual([false, true, true]);
});
