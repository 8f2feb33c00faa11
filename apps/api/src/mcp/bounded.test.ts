import { expect, test } from "vitest";
import { bounded, boundedError, MOST_CHARACTERS, textOf } from "./bounded.ts";

const rows = (count: number, width: number) =>
  Array.from({ length: count }, (_, row) => ({ row, text: "x".repeat(width) }));

test("a small answer stays as it is, with plain spaces and without needless digits", () => {
  expect(
    bounded({ sentence: "It takes 6.62\u00A0ms", p95Us: 1234.5678, share: 0.123456, unknown: Number.NaN }),
  ).toEqual({
    sentence: "It takes 6.62 ms",
    p95Us: 1234.6,
    share: 0.1235,
    unknown: null,
    notShown: [],
  });
});

test("names of files keep no commands of a terminal, and no characters that turn text around", () => {
  const { name } = bounded({ name: "SQL\u001B[31m1\u202E\u0007" });
  expect(name).toBe("SQL[31m1");
});

test("the longest list loses its end, by the bound of the entire answer", () => {
  const cut = bounded({ few: rows(3, 10), many: rows(400, 100) });
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(MOST_CHARACTERS);
  expect(cut["few"]).toHaveLength(3);
  expect(cut["many"]).toHaveLength(100);
  expect(cut["notShown"]).toEqual(["many: the first 100 of 400 are shown."]);
});

test("rows of a page say from where to go on, also where the bound cut them", () => {
  const page = {
    of: "rows",
    offset: 40,
    total: 1_000,
    next: (offset: number) => `Ask with offset ${offset}.`,
  };
  expect(bounded({ rows: rows(20, 10) }, page)["notShown"]).toEqual([
    "Rows 41 to 60 of 1000 are shown. Ask with offset 60.",
  ]);
  expect(bounded({ rows: rows(200, 150) }, page)["notShown"]).toEqual([
    "Rows 41 to 140 of 1000 are shown. Ask with offset 140.",
  ]);
  expect(bounded({ rows: rows(20, 10) }, { ...page, total: 60 })["notShown"]).toEqual([]);
});

test("a single row with a long list keeps its other values", () => {
  const cut = bounded({
    captures: [{ capture: "c1", warnings: Array.from({ length: 400 }, () => "w".repeat(100)) }],
  });
  expect(cut).toMatchObject({
    captures: [{ capture: "c1" }],
    notShown: ["captures.warnings: the first 100 of 400 are shown."],
  });
});

test("a text of a file is cut, and a letter of two parts isn't halved", () => {
  const { text } = bounded({ text: `${"x".repeat(1_999)}😀${"y".repeat(50)}` });
  expect(text).toBe(`${"x".repeat(1_999)}…`);
});

test("the text has the same values: lines, and tables with a head", () => {
  const text = textOf({
    capture: "c1",
    unknown: null,
    rows: [{ lsn: "22:1", stagesUs: { send: 12, wireOut: null } }],
    notShown: ["a", "b\nc"],
  });
  expect(text).toBe(
    "capture: c1\n\nrows:\nlsn\tstagesUs.send\tstagesUs.wireOut\n22:1\t12\t-\n\nnotShown:\n- a\n- b c",
  );
});

test("a small number keeps its digits", () => {
  expect(
    bounded({ ratio: 0.000_012_345_6, share: -0.000_1, count: 9_007_199_254_740_991, p50Us: 63.219_96 }),
  ).toMatchObject({ ratio: 0.000_012_35, share: -0.000_1, count: 9_007_199_254_740_991, p50Us: 63.22 });
});

test("an error keeps its beginning and its next step, whatever it names", () => {
  const error = boundedError(`Can't read \u001B[31m${"x".repeat(100_000)}: it's missing. Check the path.`);
  expect(error).toMatch(/^Can't read \[31mxx.*x…x.*: it's missing\. Check the path\.$/u);
  expect(error.length).toBeLessThan(1_000);
  const lines = boundedError(Array.from({ length: 300 }, () => "x".repeat(5_000)).join("\n"));
  expect(lines.length).toBeLessThan(20_000);
});
