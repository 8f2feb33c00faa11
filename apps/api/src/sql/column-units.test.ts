import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { columnUnits } from "./column-units.ts";
import type { ParsedSql } from "./query-tree.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const column = (name: string, unit: string | null) => ({ name, unit, type: "DOUBLE", about: "" });
const TABLES = [
  {
    name: "hops",
    columns: [
      column("block", null),
      column("log_write_us", "µs"),
      column("flush_start", "µs"),
      column("flush_end", "µs"),
      column("size_bytes", "bytes"),
    ],
  },
  { name: "blocks", columns: [column("block", null), column("harden_us", "µs")] },
];

/** Units of a query's columns; `names` as DuckDB would name them. */
async function unitsOf(sql: string, names: readonly string[]): Promise<(string | null)[]> {
  const result = await connection.runAndReadAll("SELECT json_serialize_sql($sql::VARCHAR)", { sql });
  const { statements = [] } = JSON.parse(String(result.getRows()[0]?.[0])) as ParsedSql;
  const [first] = statements;
  if (first === undefined) throw new Error(`${sql} has no tree.`);
  return columnUnits(first.node, TABLES, names);
}

describe("units of a query's columns", () => {
  it.each([
    ["a column", "log_write_us", "µs"],
    ["a column of a table by its name", "hops.size_bytes", "bytes"],
    ["a percentile", "quantile_cont(log_write_us, 0.95)", "µs"],
    ["a sum over a window", "sum(size_bytes) OVER (ORDER BY utc)", "bytes"],
    ["a difference", "flush_end - flush_start", "µs"],
    ["the later of two", "greatest(flush_end, flush_start)", "µs"],
    ["what is left of null", "coalesce(log_write_us, 0)", "µs"],
    ["a choice", "CASE WHEN complete THEN log_write_us ELSE 0 END", "µs"],
    ["another type", "round(log_write_us)::INTEGER", "µs"],
    ["one of several percentiles", "quantile_cont(log_write_us, [0.5, 0.95])[2]", "µs"],
    ["rows of a list", "unnest([flush_start, flush_end])", "µs"],
    ["a count", "count(log_write_us)", null],
    ["µs and bytes together", "log_write_us + size_bytes", null],
    ["a rate", "size_bytes / log_write_us", null],
    ["a part", "log_write_us / 1000", null],
    ["a comparison", "log_write_us > 50000", null],
    ["a column without one", "replica", null],
  ])("%s: %s", async (_, expression, unit) => {
    expect(await unitsOf(`SELECT ${expression} AS x FROM hops`, ["x"])).toEqual([unit]);
  });

  it("come through queries inside of it", async () => {
    const inner = "SELECT replica, max(log_write_us) AS worst FROM hops GROUP BY ALL";
    expect(await unitsOf(`WITH w AS (${inner}) SELECT avg(worst) AS x FROM w`, ["x"])).toEqual(["µs"]);
    expect(await unitsOf(`WITH w(r, y) AS (${inner}) SELECT y FROM w`, ["y"])).toEqual(["µs"]);
    expect(await unitsOf(`SELECT s.worst FROM (${inner}) s`, ["worst"])).toEqual(["µs"]);
    expect(await unitsOf(`${inner} UNION ALL SELECT 'all', 1`, ["replica", "worst"])).toEqual([null, "µs"]);
  });

  it("are told apart by table where several are joined", async () => {
    const sql = "SELECT b.harden_us, h.size_bytes, h.harden_us AS x FROM hops h JOIN blocks b USING (block)";
    expect(await unitsOf(sql, ["harden_us", "size_bytes", "x"])).toEqual(["µs", "bytes", null]);
  });

  it("of a * are found by name", async () => {
    const sql = "SELECT *, count(*) OVER () AS n FROM hops";
    expect(
      await unitsOf(sql, ["block", "log_write_us", "flush_start", "flush_end", "size_bytes", "n"]),
    ).toEqual([null, "µs", "µs", "µs", "bytes", null]);
    // A table of an older version of the program has columns without a unit.
    expect(await unitsOf(sql, ["block", "odd", "size_bytes"])).toEqual([null, null, "bytes"]);
  });

  it("are what a name says where the expression does not", async () => {
    expect(await unitsOf("SELECT log_write_us / 1000 AS p50_ms FROM hops", ["p50_ms"])).toEqual(["ms"]);
    // A count is a count.
    const slow = "SELECT count(*) FILTER (log_write_us > 50000) AS over_50_ms FROM hops";
    expect(await unitsOf(slow, ["over_50_ms"])).toEqual([null]);
    // The same inside another query.
    expect(await unitsOf(`SELECT over_50_ms FROM (${slow})`, ["over_50_ms"])).toEqual([null]);
    expect(await unitsOf(`SELECT s.over_50_ms FROM (${slow}) s`, ["over_50_ms"])).toEqual([null]);
  });
});
