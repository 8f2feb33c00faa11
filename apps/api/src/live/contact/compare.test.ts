import { describe, expect, test } from "vitest";
import { compare } from "./compare.ts";
import type { Expectation } from "./expectations.ts";
import { seenSet, typeOf } from "./seen.ts";
import type { Seen } from "./seen.ts";

const EXPECTED: Expectation = {
  rests: "sys.dm_os_wait_stats",
  errors: [1222],
  longestMs: 1_000,
  sets: [
    {
      least: 1,
      most: 2,
      needsDefinition: true,
      columns: [
        {
          name: "wait_type",
          types: ["nvarchar"],
          mayBeNull: false,
          words: ["WRITELOG", "LOGBUFFER"],
          hasAllWords: true,
        },
        { name: "wait_time_ms", types: ["bigint"], mayBeNull: true },
      ],
    },
  ],
};

const TYPE = { colName: "wait_type", type: { name: "NVarChar" }, dataLength: 120 };
const TIME = { colName: "wait_time_ms", type: { name: "IntN" }, dataLength: 8 };
const ROWS = [
  { wait_type: "WRITELOG", wait_time_ms: "12" },
  { wait_type: "LOGBUFFER", wait_time_ms: null },
];

const answered = (
  columns: readonly (typeof TYPE)[],
  rows: readonly Record<string, unknown>[],
  more: Partial<Seen> = {},
): Seen => ({
  ms: 20,
  sets: [seenSet({ columns, rows: [...rows] }, EXPECTED.sets[0])],
  errors: [],
  end: "answered",
  ...more,
});
const differencesOf = (seen: Seen, hasDefinition = true): readonly string[] =>
  compare(EXPECTED, seen, hasDefinition).differences;

describe("an answer", () => {
  test("as expected has no difference", () => {
    expect(compare(EXPECTED, answered([TYPE, TIME], ROWS), true)).toEqual({
      state: "asExpected",
      answer: "2 rows",
      differences: [],
    });
  });

  test.each<[Seen, string]>([
    [answered([TYPE, { ...TIME, dataLength: 4 }], ROWS), "Column wait_time_ms is int. Expected is bigint."],
    [answered([TYPE], ROWS), "Column wait_time_ms is missing."],
    [answered([TYPE, TIME, { ...TIME, colName: "secret" }], ROWS), "1 column came that isn't expected."],
    [
      answered([TYPE, TIME], [...ROWS, { wait_type: "WRITELOG", wait_time_ms: "1" }]),
      "3 rows came. At most 2 is expected.",
    ],
    [
      answered([TYPE, TIME], [ROWS[0]!, { wait_type: "SECRET", wait_time_ms: "1" }]),
      "Column wait_type has a value that isn't in the list of AG Lens in 1 row.",
    ],
    [
      answered([TYPE, TIME], [ROWS[0]!, { ...ROWS[1]!, wait_type: null }]),
      "Column wait_type is NULL in 1 row.",
    ],
    [answered([TYPE, TIME], [ROWS[0]!]), "Column wait_type has no LOGBUFFER."],
    [answered([TYPE, TIME], ROWS, { ms: 1_400 }), "It took 1,400 ms. Up to 1,000 ms is expected."],
    [answered([TYPE, TIME], ROWS, { sets: [] }), "0 result sets came. 1 result set is expected."],
  ])("%# differs", (seen, difference) => {
    expect(compare(EXPECTED, seen, true).state).toBe("differs");
    expect(differencesOf(seen)).toContain(difference);
    expect(JSON.stringify(seen)).not.toMatch(/secret/iu);
  });

  test("without rows is as expected of a catalog that the login may not see", () => {
    const seen = answered([TYPE, TIME], []);
    expect(differencesOf(seen)).toEqual(["0 rows came. At least 1 is expected."]);
    expect(differencesOf(seen, false)).toEqual([]);
  });

  test.each<[Partial<Seen>, string, string]>([
    [
      { end: "refused", errors: [{ number: 297, state: 1, severity: 16 }] },
      "failed",
      "error 297, state 1, severity 16",
    ],
    [
      { end: "refused", errors: [{ number: 1222, state: 51, severity: 16 }] },
      "asExpected",
      "error 1222, state 51, severity 16",
    ],
    [{ end: "late" }, "failed", "no answer in time"],
    [{ end: "lost" }, "failed", "the connection ended"],
  ])("%j", (more, state, answer) => {
    expect(compare(EXPECTED, answered([], [], { sets: [], ...more }), true)).toMatchObject({ state, answer });
  });
});

// MS-TDS 2.2.5.4: types of the protocol by their names in the driver, with the length of the column.
test.each([
  ["IntN", 1, "tinyint"],
  ["IntN", 2, "smallint"],
  ["IntN", 4, "int"],
  ["IntN", 8, "bigint"],
  ["Int", undefined, "int"],
  ["BitN", 1, "bit"],
  ["DateTimeN", 8, "datetime"],
  ["DateTime2", undefined, "datetime2"],
  ["NVarChar", 256, "nvarchar"],
  ["NVarChar", 65_535, "nvarchar(max)"],
  ["VarChar", 33, "varchar"],
  ["UniqueIdentifier", 16, "uniqueidentifier"],
  ["Image", 2_147_483_647, "image"],
])("%s of %s bytes is %s", (name, dataLength, type) => {
  expect(typeOf({ colName: "c", type: { name }, dataLength })).toBe(type);
});
