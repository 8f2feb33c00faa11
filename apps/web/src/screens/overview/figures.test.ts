import { expect, test } from "vitest";
import { withFigures } from "./figures.ts";

const strong = (sentence: string): string[] =>
  withFigures(sentence).flatMap((period) => (period.strong ? [period.text] : []));

test("figures with a unit are strong, counts and percentiles are not", () => {
  expect(strong("inside, 22.6\u00a0ms outside")).toEqual(["22.6\u00a0ms"]);
  expect(strong("SQL1, 6.51 ms SQL2 (p50)")).toEqual(["6.51 ms"]);
  expect(strong("of 1,108 blocks affected")).toEqual([]);
  expect(strong("3 servers, 2 sessions")).toEqual([]);
});

test("no letter is lost", () => {
  for (const sentence of ["", "p50 30.7 ms", "SQL1, 6.51 ms SQL2 (p50)", "±0.24 ms"])
    expect(
      withFigures(sentence)
        .map(({ text }) => text)
        .join(""),
    ).toBe(sentence);
});
