import { expect, test } from "vitest";
import { releasingReplicas } from "./first-questions.ts";

type Asked = Parameters<typeof releasingReplicas>[0];

/** Releases out of 100: the local log write, then SQL2 and so on with the mode of each. */
const asked = (
  local: number,
  ...secondaries: readonly (readonly [number, "sync" | "async" | "undetermined"])[]
) =>
  ({
    commits: { gates: [local, ...secondaries.map(([released]) => released)] },
    replicas: [null, ...secondaries].map((each, i) => ({
      name: `SQL${i + 1}`,
      commitMode: each?.[1] ?? "sync",
    })),
  }) as unknown as Asked;

test("the only replica that commits wait for is worth the question from over half of them on, also next to an asynchronous one", () => {
  expect(releasingReplicas(asked(50, [50, "sync"]))).toEqual([]);
  expect(releasingReplicas(asked(49, [51, "sync"]))).toEqual(["SQL2"]);
  expect(releasingReplicas(asked(50, [50, "sync"], [0, "async"]))).toEqual([]);
  expect(releasingReplicas(asked(50, [0, "async"], [50, "sync"]))).toEqual([]);
  expect(releasingReplicas(asked(49, [0, "async"], [51, "sync"]))).toEqual(["SQL3"]);
});

test("of several those with over a tenth are, the one that releases most first", () => {
  expect(releasingReplicas(asked(60, [11, "sync"], [29, "undetermined"], [0, "async"]))).toEqual([
    "SQL3",
    "SQL2",
  ]);
  expect(releasingReplicas(asked(60, [10, "sync"], [30, "sync"]))).toEqual(["SQL3"]);
});
