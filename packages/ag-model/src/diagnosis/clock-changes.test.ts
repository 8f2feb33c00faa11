import { expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { clockChanges } from "./clock-changes.ts";

/** A clock of two windows, 10 s apart, each certain to 100 µs; the second begins `jump` µs off the first one's line. */
function capture(jump: number, driftPpm = 5): CaptureModel {
  const model = modelOf([{ at: 0 }, { at: 20_000_000 }]);
  const [clock] = model.clocks;
  const window = { ...clock.windows[0], uncertaintyUs: 100 };
  const windows = [
    { ...window, from: 0, to: 10_000_000, offsetUs: 1_000, driftPpm: 20 },
    // 20 ppm over 10 s are 200 µs.
    { ...window, from: 10_000_000, to: 20_000_000, offsetUs: 1_200 + jump, driftPpm },
  ];
  return { ...model, clocks: [{ ...clock, windows }] };
}

it("is a step where the clock jumps by more than both uncertainties", () => {
  const causes = (jump: number) => clockChanges(capture(jump)).map(({ cause }) => cause);
  expect([causes(200), causes(201)]).toEqual([["data_quality"], ["clock_step"]]);
  expect([causes(-200), causes(-201)]).toEqual([["data_quality"], ["clock_step"]]);
});

it("says which counter, by how much and when, and that a change of speed is none", () => {
  const [step] = clockChanges(capture(-50_000));
  expect(step.sentence.replaceAll("\u00A0", " ")).toBe(
    "The counter of SQL2 against SQL1's steps by -50.0 ms at 02:17:05.0. Round trips stay exact.",
  );
  expect(step).toMatchObject({ severity: "none", replica: 1, window: { from: 10_000_000, to: 10_000_000 } });
  expect(clockChanges(capture(0))[0].sentence).toContain("changes its speed at 02:17:05.0");
});

it("is silent for a clock of one window", () => {
  expect(clockChanges(modelOf([{ at: 0 }]))).toEqual([]);
});
