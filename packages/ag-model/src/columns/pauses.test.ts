import { expect, test } from "vitest";
import { modelOf, withPauses } from "../../test/model.ts";
import {
  pauseBehind,
  pausedDurations,
  pausedUs,
  pausesAtEnds,
  pausesOf,
  pausesOfReplica,
  serverStatesOf,
  sumOfPaused,
} from "./index.ts";

const model = withPauses(modelOf([{ at: 0 }], { secondaries: 2 }), [
  [1, 1_000, 3_000],
  [2, 2_000, 9_000],
]);

test("pauses are the markers of servers that stood still", () => {
  expect(pausesOf(model)).toEqual([
    { replica: 1, from: 1_000, to: 3_000 },
    { replica: 2, from: 2_000, to: 9_000 },
  ]);
  expect(pausesOfReplica(model, 2)).toEqual([{ replica: 2, from: 2_000, to: 9_000 }]);
  expect(pausesOf(modelOf([{ at: 0 }]))).toEqual([]);
});

test("a duration is paused for as long as both last", () => {
  const [pause] = pausesOf(model);
  expect([
    pausedUs(pause, 0, 1_500),
    pausedUs(pause, 1_500, 2_000),
    pausedUs(pause, 2_500, 9_000),
    pausedUs(pause, 3_000, 4_000),
    pausedUs(pause, 0, 1_000),
  ]).toEqual([500, 500, 500, 0, 0]);
});

test("the pause behind a duration took over half of it, and the longer of two is meant", () => {
  const pauses = pausesOf(model);
  const [first, second] = pauses;
  expect(pauseBehind(pauses, 1_000, 2_500)).toBe(first);
  expect(pauseBehind(pauses, 1_000, 9_000)).toBe(second);
  // 2,000 of 4,000 is not more than half.
  expect(pauseBehind([first], 0, 4_000)).toBeNull();
  expect(pauseBehind([first], 0, 3_999)).toBe(first);
  expect(pauseBehind([first], 3_000, 3_400)).toBeNull();
  expect(pauseBehind([first], Number.NaN, 3_000)).toBeNull();
  expect(pauseBehind([first], 9_000, 8_000)).toBeNull();
  expect(pauseBehind([], 1_000, 2_500)).toBeNull();
});

test("which durations were mostly spent in a pause is found for all at once as for each, in whatever order they come", () => {
  // One pause is inside another, one begins before another has ended.
  const pauses = [
    [10, 30],
    [20, 90],
    [25, 28],
    [200, 260],
    [250, 300],
  ].map(([from, to]) => ({ replica: 0, from, to }));
  const instants = Array.from({ length: 34 }, (_, i) => 10 * i);
  const from = Float64Array.from([...instants, ...instants.toReversed(), ...instants]);
  const to = from.map((instant, i) => (i % 7 === 0 ? Number.NaN : instant + [5, 20, 60, 150, -10][i % 5]));
  const oneByOne = from.map((instant, i) => (pauseBehind(pauses, instant, to[i]) === null ? 0 : 1));
  expect([...pausedDurations(pauses, from, to)]).toEqual([...oneByOne]);
  expect(oneByOne).toContain(1);
});

test("pauses at the ends of a way are those of its primary and its secondary then", () => {
  const [first, second] = pausesOf(model);
  // Slots lead to the second and the third replica while the first one is the primary.
  expect(pausesAtEnds(serverStatesOf(model), 0)).toEqual([first]);
  expect(pausesAtEnds(serverStatesOf(model), 1)).toEqual([second]);
  const [phase] = model.phases;
  const moved = { ...serverStatesOf(model), phases: [{ ...phase, primary: 1, from: 0, to: 20_000 }] };
  expect(pausesAtEnds(moved, 0)).toEqual([first]);
  expect(pausesAtEnds(moved, 1)).toEqual([first, second]);
  expect(pausesAtEnds({ ...moved, phases: [{ ...phase, primary: 1, from: 10_000, to: 20_000 }] }, 1)).toEqual(
    [],
  );
});

test("paused paths add up by stage, and are the server's that most of them were spent for", () => {
  expect(sumOfPaused([])).toBeNull();
  expect(
    sumOfPaused([
      { replica: 0, stages: { wireOut: 5 } },
      { replica: 1, stages: { wireOut: 3, wireBack: 4 } },
    ]),
  ).toEqual({ replica: 1, stages: { wireOut: 8, wireBack: 4 } });
});
