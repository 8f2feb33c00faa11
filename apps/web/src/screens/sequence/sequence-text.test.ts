import { expect, test } from "vitest";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { failoverOf, summaryOf } from "../../../test/summary.ts";
import { inItsPhase } from "../capture-view/phases.ts";
import { clockText } from "./sequence-text.ts";

const words = (summary: Parameters<typeof clockText>[0]): string =>
  clockText(summary, 0).replaceAll("\u2009", " ");

test("times of the secondary are moved to the primary's clock", () => {
  expect(words(summaryOf())).toMatch(/^SQL2 times moved to SQL1's clock, /u);
});

test("after a change of roles they stay on the first primary's clock, and it is the new one's times that moved", () => {
  const { summary } = inItsPhase(failoverOf(), { ...SLOW_BLOCK, phase: 1 });
  expect(words(summary)).toMatch(/^SQL2 times moved to SQL1's clock, /u);
});
