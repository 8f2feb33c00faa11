import { ALL_QUERIES, CAPTURE_QUERIES } from "@aglens/contract/ready-queries";
import { expect, test } from "vitest";
import { formattedQuery } from "./format-query.ts";

test("clauses get lines of their own, keywords are in capitals, comments and texts stay", () => {
  const typed =
    "-- Is one replica slow?\nselect replica, max(log_write_us) as Max, 'it''s  so' from hops where complete and log_write_us > 5e4 group by all order by all";
  expect(formattedQuery(typed)).toBe(`-- Is one replica slow?
SELECT
  replica,
  max(log_write_us) AS Max,
  'it''s  so'
FROM
  hops
WHERE
  complete
  AND log_write_us > 5e4
GROUP BY ALL
ORDER BY ALL`);
});

/** The parts of a query that are not its layout. */
const words = (sql: string): string => sql.replaceAll(/\s+/gu, "").toUpperCase();

test.each([...CAPTURE_QUERIES, ...ALL_QUERIES].map(({ title, sql }) => [title, sql] as const))(
  "a ready query says the same, and stays as it was laid out: %s",
  (_, sql) => {
    const laidOut = formattedQuery(sql);
    expect(words(laidOut)).toBe(words(sql));
    expect(formattedQuery(laidOut)).toBe(laidOut);
  },
);

test.each([
  ["FROM hops SELECT replica", "FROM\n  hops\nSELECT\n  replica"],
  ["SELECT x[1], {'a': 1}.a, b::INT, list_transform(l, y -> y + 1), a // b", null],
  ["SELECT * EXCLUDE (a) FROM t QUALIFY row_number() OVER () = 1", null],
  ["FROM a ASOF JOIN b USING (utc)", null],
])("what only DuckDB has is read: %s", (sql, expected) => {
  const laidOut = formattedQuery(sql);
  if (expected !== null) expect(laidOut).toBe(expected);
  expect(words(laidOut)).toBe(words(sql));
});

test("what cannot be read says from where on", () => {
  expect(() => formattedQuery("SELECT 'open")).toThrow(
    "The query cannot be laid out: it cannot be read from line 1, column 8 on.",
  );
});
