import { expect, it } from "vitest";
import { modelOf } from "../../../test/model.ts";
import { clockSteps } from "./clock-steps.ts";

const [
  {
    windows: [WINDOW],
    ...CLOCK
  },
] = modelOf([{ at: 0 }, { at: 60_000_000 }]).clocks;

/** Steps of a clock without drift whose windows are given as [from, to, offset, how uncertain], µs. */
const stepsOf = (windows: readonly (readonly [number, number, number, number])[]) =>
  clockSteps({
    ...CLOCK,
    windows: windows.map(([from, to, offsetUs, uncertaintyUs]) => ({
      ...WINDOW,
      from,
      to,
      offsetUs,
      uncertaintyUs,
      driftPpm: 0,
    })),
  });

it("finds a step behind blocks that may belong to either clock, whose own window is as uncertain as the step is large", () => {
  const before = [0, 30_000_000, 1_000, 400] as const;
  const open = [30_050_000, 30_060_000, 2_000, 1_500] as const;
  const after = [30_090_000, 60_000_000, 3_100, 400] as const;
  expect(stepsOf([before, open, after])).toEqual([{ at: 30_090_000, us: 2_100 }]);
});

it("calls it none where the counter may have run at another speed over the uncertain window", () => {
  // A counter may be off by 500 ppm either way: 1.5 ms in 3 s, in addition to the 800 µs of both clocks.
  const before = [0, 30_000_000, 1_000, 400] as const;
  const open = [30_500_000, 32_500_000, 2_000, 1_500] as const;
  const after = [33_000_000, 60_000_000, 3_300, 400] as const;
  expect(stepsOf([before, open, after])).toEqual([]);
  expect(stepsOf([before, open, [33_000_000, 60_000_000, 3_301, 400]])).toHaveLength(1);
});

it("finds a step that the uncertain window itself shows once", () => {
  const before = [0, 30_000_000, 1_000, 400] as const;
  const open = [30_050_000, 30_060_000, 61_000, 1_500] as const;
  const after = [30_090_000, 60_000_000, 61_200, 400] as const;
  expect(stepsOf([before, open, after])).toEqual([{ at: 30_050_000, us: 60_000 }]);
});
