import { expect, it } from "vitest";
import { modelOf } from "../../../test/model.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
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
  expect(step).toMatchObject({
    rule: "D13",
    severity: "none",
    replica: 1,
    window: { from: 10_000_000, to: 10_000_000 },
  });
  const [change] = clockChanges(capture(0));
  expect(change.sentence).toContain("changes its speed at 02:17:05.0");
  expect(change).toMatchObject({ rule: "D13", severity: "none", replica: 1 });
});

it("says of a counter that began again that its machine booted, and leaves other steps as they are", () => {
  const rebooted = (replica: number, at: number): CaptureModel => {
    const model = capture(-147e9);
    return {
      ...model,
      replicas: model.replicas.map((each, r) => (r === replica ? { ...each, restarts: [at] } : each)),
    };
  };
  for (const [replica, name] of ["SQL1", "SQL2"].entries()) {
    const found = clockChanges(rebooted(replica, 9_000_000));
    expect(found.map(({ sentence }) => sentence)).toEqual([
      `The counter of ${name} began again at 02:17:04: its machine booted. Times before and after that are aligned separately.`,
    ]);
    expect(found).toMatchObject([{ cause: "clock_step", window: { from: 9_000_000, to: 9_000_000 } }]);
  }
  expect(clockChanges(rebooted(1, 5_000_000)).map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining("began again at 02:17:00"),
    expect.stringContaining("steps by"),
  ]);
});

it("says of each server whose UTC was set by how much, between which times, and that no time follows it", () => {
  const { replicas, ...rest } = modelOf([{ at: 0 }, { at: 20_000_000 }]);
  const set = (us: number) => [{ from: 3_000_000, to: 7_000_000, us }];
  const found = clockChanges({
    ...rest,
    replicas: [
      { ...replicas[0], utcChanges: set(7.2e9) },
      { ...replicas[1], utcChanges: [...set(-30e6), ...set(12e6)] },
    ],
  });
  expect(found.map(({ sentence }) => sentence.replaceAll("\u00A0", " "))).toEqual([
    "The UTC clock of SQL1 changed by +2 h 00 min between 02:16:58 and 02:17:02. Times here do not follow it.",
    "The UTC clock of SQL2 changed by -30.0 s between 02:16:58 and 02:17:02. Times here do not follow it.",
    "The UTC clock of SQL2 changed by +12.0 s between 02:16:58 and 02:17:02. Times here do not follow it.",
  ]);
  expect(found.map(({ replica, severity }) => [replica, severity])).toEqual([
    [0, "none"],
    [1, "none"],
    [1, "none"],
  ]);
});

it("is silent for a clock of one window", () => {
  expect(clockChanges(modelOf([{ at: 0 }]))).toEqual([]);
});

it("names three steps at most, each with its sign, and is silent for a clock that cannot be aligned", () => {
  const model = modelOf([{ at: 0 }, { at: 60_000_000 }], { secondaries: 2 });
  const window = { ...model.clocks[0].windows[0], uncertaintyUs: 100, driftPpm: 0 };
  const stepping = (steps: number) => ({
    ...model.clocks[1],
    windows: Array.from({ length: steps + 1 }, (_, k) => ({
      ...window,
      from: k * 10_000_000,
      to: (k + 1) * 10_000_000,
      offsetUs: k * 2_000,
    })),
  });
  const sentence = (steps: number): string =>
    clockChanges({ ...model, clocks: [model.clocks[0], stepping(steps)] })[0].sentence.replaceAll(
      "\u00A0",
      " ",
    );
  expect(sentence(3)).toBe(
    "The counter of SQL3 against SQL1's steps by +2.00 ms at 02:17:05.0, by +2.00 ms at 02:17:15.0, by +2.00 ms at 02:17:25.0. Round trips stay exact.",
  );
  expect(sentence(5)).toContain("by +2.00 ms at 02:17:25.0 and 2 more times.");
  const [found] = clockChanges({ ...model, clocks: [stepping(4)] });
  expect(found.window).toEqual({ from: 10_000_000, to: 40_000_000 });
  expect(clockChanges({ ...model, clocks: [{ ...stepping(4), status: "cannotAlign" }] })).toEqual([]);
});
