import { expect, test } from "vitest";
import type { Summary } from "@aglens/contract";
import { failoverOf, summaryOf } from "../../../test/summary.ts";
import { roleNames } from "./names.ts";
import {
  namesOfSlots,
  phaseAt,
  phaseIndex,
  gapText,
  isWithoutCommits,
  nextSwitch,
  phaseName,
  phasesAcross,
  roleSwitches,
  roomForPlates,
} from "./phases.ts";

const phase = (primary: number, from: number, to: number, databases = [0]): Summary["phases"][number] => ({
  databases,
  primary,
  from,
  to,
  commitModes: ["sync"],
});
const plain = (text: string): string => text.replaceAll(/[\u00A0\u2009]/gu, " ");
const failover = failoverOf({ from: 4.1e6, to: 6.2e6 });

test("a switch lasts from the last commit to the first one, as the verdict measured it", () => {
  expect(roleSwitches(failover)).toEqual([
    { from: 4.1e6, to: 6.2e6, before: 0, after: 1, known: { before: true, after: true } },
  ]);
});

test("a change of another group at the same time is none of these servers'", () => {
  const [own] = failover.verdict.findings;
  const other = { ...own, replica: 2, window: { from: 3e6, to: 7e6 } };
  const verdict = { ...failover.verdict, findings: [other, own] };
  expect(roleSwitches({ ...failover, verdict })).toMatchObject([{ from: 4.1e6, to: 6.2e6 }]);
  expect(roleSwitches({ ...failover, verdict: { ...verdict, findings: [other] } })).toEqual([]);
});

test("what no verdict reports is not drawn: a database alone may have been in one of the phases only", () => {
  const ofOne = { ...failover, verdict: { ...failover.verdict, findings: [] } };
  expect(roleSwitches(ofOne)).toEqual([]);
});

test("no commit ended in it for certain only where all commits on both sides are known", () => {
  const [certain] = roleSwitches(failover);
  expect(plain(gapText(certain))).toBe("no commits 2.10 s");
  for (const known of [
    { before: false, after: true },
    { before: true, after: false },
  ])
    expect(plain(gapText({ ...certain, known }))).toBe("no known commit 2.10 s");
});

test("a verdict of before, which does not say what is known, is no proof", () => {
  const [{ commitsKnown: _, ...finding }] = failover.verdict.findings;
  const [change] = roleSwitches({ ...failover, verdict: { ...failover.verdict, findings: [finding] } });
  expect(isWithoutCommits(change)).toBe(false);
});

test("groups side by side are no change of roles, and neither is a second stretch of the same primary", () => {
  expect(roleSwitches(summaryOf({ phases: [phase(0, 0, 9e6, [0]), phase(1, 1e6, 9e6, [1])] }))).toEqual([]);
  expect(roleSwitches(summaryOf({ phases: [phase(0, 0, 4e6), phase(0, 6e6, 9e6)] }))).toEqual([]);
});

test("one phase has its own names; all of them have roles", () => {
  expect(namesOfSlots(failover)).toEqual(["SQL1 \u203A SQL2", "SQL2 \u203A SQL1"]);
  expect(namesOfSlots(failover, 1)).toEqual(["SQL2", "SQL1"]);
  expect(roleNames(failover, 0)).toEqual({ primary: "Primary", secondary: "Secondary" });
  expect(roleNames(failover, 0, 1)).toEqual({ primary: "SQL2", secondary: "SQL1" });
});

test("a block is of the phase in which it began", () => {
  expect([0, 6.1e6, 6.2e6].map((time) => phaseAt(failover, 0, time))).toEqual([0, 0, 1]);
});

test("a view narrows to a phase that the capture has", () => {
  expect([phaseIndex(failover, 1), phaseIndex(failover, 2), phaseIndex(summaryOf(), 0)]).toEqual([
    1,
    null,
    null,
  ]);
});

test("two phases are before and after, more have numbers", () => {
  expect(phaseName(failover, 1)).toBe("After");
  expect(phaseName({ phases: [...failover.phases, phase(0, 11e6, 12e6)] }, 2)).toBe("Phase 3");
});

test("a stretch has two phases only where it holds time on both sides of the change", () => {
  const switches = roleSwitches(failover);
  expect(phasesAcross(switches, [4e6, 6.3e6])).toEqual([0, 1]);
  expect(phasesAcross(switches, [4.1e6, 6.3e6])).toEqual([]);
  expect(phasesAcross(switches, [4e6, 6.2e6])).toEqual([]);
  expect(phasesAcross(switches, [0, 3e6])).toEqual([]);
});

test("after the last change of roles comes the first one again", () => {
  const switches = roleSwitches(failover);
  expect(nextSwitch(switches, 0)?.from).toBe(4.1e6);
  expect(nextSwitch(switches, 5e6)?.from).toBe(4.1e6);
  expect(nextSwitch([], 0)).toBeNull();
});

test("a plate is left out where it would lie over the plot's edge or another plate", () => {
  const roomOf = (places: readonly (readonly [number, number])[], index: number): boolean[] => {
    const { before, after } = roomForPlates(places, index, 1_000, 100);
    return [before, after];
  };
  expect(roomOf([[400, 450]], 0)).toEqual([true, true]);
  expect([roomOf([[99, 900]], 0), roomOf([[100, 901]], 0)]).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(roomOf([[1_001, 1_100]], 0)).toEqual([false, false]);
  expect(roomOf([[-100, -1]], 0)).toEqual([false, false]);
  // Between two switches there is no plate, one at the beginning, or both.
  const phaseOf = (width: number) => {
    const places = [[300, 350] as const, [350 + width, 400 + width] as const];
    return [roomOf(places, 0)[1], roomOf(places, 1)[0]];
  };
  expect([phaseOf(99), phaseOf(100), phaseOf(199), phaseOf(200)]).toEqual([
    [false, false],
    [true, false],
    [true, false],
    [true, true],
  ]);
  // Only the end of the previous switch is in view, or nothing of it.
  expect(
    roomOf(
      [
        [-50, 10],
        [150, 200],
      ],
      1,
    ),
  ).toEqual([false, true]);
  expect(
    roomOf(
      [
        [-50, -10],
        [150, 200],
      ],
      1,
    ),
  ).toEqual([true, true]);
});
