import { expect, test } from "vitest";
import type { RangeStatistics } from "@aglens/contract";
import { statisticsOfValue, summaryOf } from "../../../../test/summary.ts";
import { factorText, isLargeFactor, partsSentence, type Side } from "./against.ts";

const NAMES = { primary: "SQL1", secondary: "SQL2" };
type Stages = RangeStatistics["stages"][number];
const SUMMARY = summaryOf();

/** Stages in which every block took this time, ms; SQL2 was unresponsive for `stillMs` of the network out. */
const sideOf = (n: number, ms: Record<string, number>, stillMs = 0): Side => ({
  stages: Object.fromEntries(
    Object.entries(ms).map(([id, value]) => [id, statisticsOfValue(value * 1000, n)]),
  ) as Stages,
  paused: stillMs === 0 ? null : { replica: 1, stages: { wireOut: stillMs * 1000 } },
});

const NETWORK = { remoteHarden: 100, wireOut: 50, wireBack: 44, secondaryFlush: 6 };
const DISK = { remoteHarden: 10, wireOut: 1, wireBack: 1, secondaryFlush: 6.3, secondaryAppend: 1.7 };

test("a factor has two digits, and is none under a tenth", () => {
  expect(factorText(79_700, 335)).toBe("×\u2009238");
  expect(factorText(64, 41)).toBe("×\u20091.6");
  expect(factorText(50, 100)).toBe("÷\u20092.0");
  expect(factorText(109, 100)).toBe("same");
  expect(factorText(111, 100)).toBe("×\u20091.1");
  expect(factorText(null, 100)).toBe("");
  expect(factorText(5, 0)).toBe("");
});

test("from twice as long on it catches the eye", () => {
  expect(isLargeFactor(200, 100)).toBe(true);
  expect(isLargeFactor(199, 100)).toBe(false);
  expect(isLargeFactor(null, 100)).toBe(false);
});

test("the sentence names what takes the most in either", () => {
  expect(partsSentence(sideOf(31, NETWORK), sideOf(291, DISK), NAMES, SUMMARY)).toEqual({
    here: "The network takes 94\u2009% of remote harden here.",
    there: "In the rest SQL2's log write takes 63\u2009%.",
  });
  expect(partsSentence(sideOf(31, NETWORK), sideOf(31, NETWORK), NAMES, SUMMARY)?.there).toBe(
    "In the rest it takes 94\u2009%.",
  );
});

test("fewer than 20 blocks on either side say nothing of the others", () => {
  const many = sideOf(20, NETWORK);
  expect(partsSentence(many, many, NAMES, SUMMARY)).not.toBeNull();
  expect(partsSentence(many, sideOf(19, DISK), NAMES, SUMMARY)).toBeNull();
  expect(partsSentence(sideOf(19, DISK), many, NAMES, SUMMARY)).toBeNull();
  expect(partsSentence({ stages: undefined, paused: null }, many, NAMES, SUMMARY)).toBeNull();
});

test("a server that was unresponsive is named instead of the network that its time falls into", () => {
  const still = { remoteHarden: 1_000, wireOut: 960, wireBack: 10, secondaryFlush: 30 };
  expect(partsSentence(sideOf(70, still, 950), sideOf(1_900, DISK), NAMES, SUMMARY)).toEqual({
    here: "SQL2 was unresponsive for 95\u2009% of remote harden here.",
    there: "In the rest SQL2's log write takes 63\u2009%.",
  });
  expect(partsSentence(sideOf(1_900, DISK), sideOf(70, still, 950), NAMES, SUMMARY)?.there).toBe(
    "In the rest SQL2 was unresponsive for 95\u2009%.",
  );
  // The rest of the network's time may still be the largest part.
  expect(partsSentence(sideOf(70, still, 400), sideOf(1_900, DISK), NAMES, SUMMARY)?.here).toBe(
    "The network takes 57\u2009% of remote harden here.",
  );
});
