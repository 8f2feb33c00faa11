import { expect, test } from "vitest";
import type { RangeStatistics } from "@aglens/contract";
import { statisticsOfValue } from "../../../test/summary.ts";
import { factorWords, isLargeFactor, partsSentence } from "./against.ts";

const NAMES = { primary: "SQL1", secondary: "SQL2" };
type Stages = RangeStatistics["stages"][number];

/** Stages whose every block took as long, ms. */
const stagesOf = (n: number, ms: Record<string, number>): Stages =>
  Object.fromEntries(
    Object.entries(ms).map(([id, value]) => [id, statisticsOfValue(value * 1000, n)]),
  ) as Stages;

const NETWORK = { remoteHarden: 100, wireOut: 50, wireBack: 44, secondaryFlush: 6 };
const DISK = { remoteHarden: 10, wireOut: 1, wireBack: 1, secondaryFlush: 6.3, append: 1.7 };

test("a factor has two digits, and is none under a tenth", () => {
  expect(factorWords(79_700, 335)).toBe("×\u2009238");
  expect(factorWords(64, 41)).toBe("×\u20091.6");
  expect(factorWords(50, 100)).toBe("÷\u20092.0");
  expect(factorWords(109, 100)).toBe("same");
  expect(factorWords(111, 100)).toBe("×\u20091.1");
  expect(factorWords(null, 100)).toBe("");
  expect(factorWords(5, 0)).toBe("");
});

test("from twice as long on it catches the eye", () => {
  expect(isLargeFactor(200, 100)).toBe(true);
  expect(isLargeFactor(199, 100)).toBe(false);
  expect(isLargeFactor(null, 100)).toBe(false);
});

test("the sentence names what takes the most in either", () => {
  expect(partsSentence(stagesOf(31, NETWORK), stagesOf(291, DISK), NAMES)).toEqual({
    here: "The network takes 94\u2009% of remote harden here.",
    there: "In the rest SQL2's log write takes 63\u2009%.",
  });
  expect(partsSentence(stagesOf(31, NETWORK), stagesOf(31, NETWORK), NAMES)?.there).toBe(
    "In the rest it takes 94\u2009%.",
  );
});

test("fewer than 20 blocks on either side say nothing of the others", () => {
  const many = stagesOf(20, NETWORK);
  expect(partsSentence(many, many, NAMES)).not.toBeNull();
  expect(partsSentence(many, stagesOf(19, DISK), NAMES)).toBeNull();
  expect(partsSentence(stagesOf(19, DISK), many, NAMES)).toBeNull();
  expect(partsSentence(undefined, many, NAMES)).toBeNull();
});
