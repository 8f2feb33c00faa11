import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { Gate, type CaptureModel } from "../replication/shapes/tables.ts";
import { phaseScope } from "./index.ts";

const REMOTE = { localFlush: 1_000 };
const LOCAL = { localFlush: 50_000 };

/** SQL1 sends to SQL2 and SQL3 for two blocks; of the next two SQL3 is the primary and sends to SQL1 alone, by its slot 1. */
function captureOfTwoPhases(): CaptureModel {
  const model = modelOf(
    [
      { at: 0, ...REMOTE },
      { at: 100_000, ...LOCAL },
      { at: 200_000, ...REMOTE },
      { at: 300_000, ...LOCAL },
    ],
    { secondaries: 2 },
  );
  model.blocks.phase.set([0, 0, 1, 1]);
  model.blocks.gate[2] = model.commits.gate[2] = Gate.ofSecondary(1);
  const [toSql2, toSql3] = model.clocks;
  return {
    ...model,
    phases: [
      { databases: [0], primary: 0, from: 0, to: 160_000, commitModes: ["sync", "sync"] },
      { databases: [0], primary: 2, from: 200_000, to: 360_000, commitModes: [null, "async"] },
    ],
    clocks: [toSql2, { ...toSql3, driftPpm: 7, driftPpmFeasible: [6, 9], utcAheadOfPrimaryUs: 300 }],
  };
}

const [before, after] = [0, 1].map((phase) => phaseScope(captureOfTwoPhases(), phase));

test("its replicas are its primary and those that it sends to", () => {
  expect([before, after].map(({ replicas, slots }) => [replicas, slots])).toEqual([
    [
      [0, 1, 2],
      [0, 1],
    ],
    [[2, 0], [1]],
  ]);
  expect(after.model.replicas.map(({ name, role, commitMode }) => [name, role, commitMode])).toEqual([
    ["SQL3", "primary", "sync"],
    ["SQL1", "secondary", "async"],
  ]);
});

test("gates of its blocks and commits are the log write, or its own slots", () => {
  const [write, first] = [Gate.localFlush, Gate.ofSecondary(0)];
  expect([...before.model.blocks.gate]).toEqual([first, write]);
  expect([...after.model.blocks.gate]).toEqual([first, write]);
  expect([...after.model.commits.gate]).toEqual([first, write]);
  expect([...after.model.commits.block]).toEqual([0, 1]);
});

test("clocks are against its primary; one that was fitted the other way round is turned", () => {
  const clocksOf = ({ model }: typeof before) =>
    model.clocks.map((clock) => [
      clock.secondary,
      clock.against,
      clock.driftPpm,
      clock.driftPpmFeasible,
      clock.utcAheadOfPrimaryUs,
    ]);
  expect(clocksOf(before)).toEqual([
    [0, 0, 5, [1, 9], 1_000],
    [1, 0, 7, [6, 9], 300],
  ]);
  expect(clocksOf(after)).toEqual([[0, 0, -7, [-9, -6], -300]]);
  const model = captureOfTwoPhases();
  const window = {
    from: 0,
    to: 9,
    offsetUs: 40,
    driftPpm: 7,
    driftPpmFeasible: [6, 9] as const,
    uncertaintyUs: 2,
  };
  const clocks = model.clocks.map((clock) => ({ ...clock, windows: [window] }));
  const [clock] = phaseScope({ ...model, clocks }, 1).model.clocks;
  expect(clock.windows).toEqual([{ ...window, offsetUs: -40, driftPpm: -7, driftPpmFeasible: [-9, -6] }]);
});

test("commits of a block that is in no file belong to the phase of their time", () => {
  const model = captureOfTwoPhases();
  model.commits.block.fill(-1);
  model.commits.start.set([0, 160_000, 180_000, 360_000]);
  const startsIn = (phase: number) => [...phaseScope(model, phase).model.commits.start];
  expect(startsIn(0)).toEqual([0, 160_000]);
  expect(startsIn(1)).toEqual([360_000]);
  expect([...phaseScope(model, 1).model.commits.block]).toEqual([-1]);
});
