import { expect, test } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintReading, rowHeight, type ReadRow } from "./paint-reading.ts";

const row = (more: Partial<ReadRow>): ReadRow => ({
  key: "a",
  name: "SQL1",
  role: "primary",
  steps: [],
  readTo: [],
  ...more,
});

function drawn(rows: readonly ReadRow[], to = 100): string[] {
  const { context, take } = drawLog();
  paintReading(context, NAMED, { width: 1_000, height: 104 }, [0, to], rows);
  return take()
    .filter(({ color }) => color !== "--hatch")
    .map(inOneLine);
}

test("rows share the height with 4 px between them", () => {
  expect([rowHeight(1, 104), rowHeight(2, 104), rowHeight(0, 104)]).toEqual([104, 50, 108]);
});

test("a step is as high as the square root of its rate, on a ground that is read, with a line where reading is", () => {
  const steps = [
    { from: 0, to: 10, perSecond: 100 },
    { from: 10, to: 20, perSecond: 25 },
  ];
  expect(drawn([row({ steps, readTo: [20] })])).toEqual([
    "fillRect 0 0 100 104 --sunken",
    "fillRect 0 2 100 102 --p-disk",
    "fillRect 100 0 100 104 --sunken",
    "fillRect 100 53 100 51 --p-disk",
    "fillRect 200 0 2 104 --ink",
  ]);
});

test("all rows have one scale, each role its color, and gray none", () => {
  const rows = [
    row({ steps: [{ from: 0, to: 10, perSecond: 100 }] }),
    row({ key: "b", role: "secondary", steps: [{ from: 0, to: 10, perSecond: 25 }] }),
  ];
  expect(drawn([row({ role: null, steps: [{ from: 0, to: 10, perSecond: 100 }] })])).toEqual([
    "fillRect 0 0 100 104 --sunken",
    "fillRect 0 2 100 102 --wait",
  ]);
  expect(drawn(rows)).toEqual([
    "fillRect 0 0 100 50 --sunken",
    "fillRect 0 2 100 48 --p-disk",
    "fillRect 0 54 100 50 --sunken",
    "fillRect 0 80 100 24 --s-disk",
  ]);
});

test("what is nearly nothing is a pixel, and what is still to be read is hatched in every row", () => {
  expect(drawn([row({ steps: [{ from: 5, to: 5, perSecond: 0 }] })])).toEqual([
    "fillRect 50 0 1 104 --sunken",
    "fillRect 50 103 1 1 --p-disk",
  ]);
  const { context, take } = drawLog();
  paintReading(context, NAMED, { width: 1_000, height: 104 }, [0, 100], [row({}), row({ key: "b" })]);
  expect(take().map(({ clip }) => clip[0])).toEqual(["R 0 0 1000 50", "R 0 54 1000 50"]);
});
