import { expect, test } from "vitest";
import { jsonValue, toJson } from "./json.ts";

test("values follow the rules of the JSON form", () => {
  const json = toJson({
    name: 'quoted "name"',
    package: "sqlserver",
    uuid: "f1574c94-2b93-4716-a3c1-90f1e1fe2db8",
    ticks: 1n,
    offset: 0,
    fields: {
      safe: 9_007_199_254_740_991n,
      large: 9_007_199_254_740_992n,
      negative: -9_007_199_254_740_992n,
      infinite: Number.NEGATIVE_INFINITY,
      nothing: Number.NaN,
      zero: -0,
      least: 9_007_199_254_740_991,
      most: 9_007_199_254_740_992,
      below: -1e300,
      bytes: Uint8Array.of(0, 0xab),
      flag: true,
    },
    actions: {},
  });
  expect(json).toBe(
    '{"name":"quoted \\"name\\"","timestamp":"1601-01-01T00:00:00.0000001Z","package":"sqlserver",' +
      '"uuid":"f1574c94-2b93-4716-a3c1-90f1e1fe2db8","fields":{"safe":9007199254740991,' +
      '"large":"9007199254740992","negative":"-9007199254740992","infinite":"-Infinity","nothing":"NaN",' +
      '"zero":-0.0,"least":9007199254740991,"most":9.007199254740992e+15,"below":-1e+300,"bytes":"0x00ab","flag":true},"actions":{}}',
  );
});

test("a value alone has the same form, and fits JSON", () => {
  const values = [
    7n,
    2n ** 53n,
    -(2n ** 53n),
    Number.NaN,
    1.5,
    Uint8Array.of(1, 255),
    "text",
    false,
  ] as const;
  expect(values.map(jsonValue)).toEqual([7, "9007199254740992", "-9007199254740992", "NaN", 1.5, "0x01ff", "text", false]); // prettier-ignore
  expect(jsonValue(2n ** 53n - 1n)).toBe(9_007_199_254_740_991);
  expect(jsonValue(1n - 2n ** 53n)).toBe(-9_007_199_254_740_991);
});
