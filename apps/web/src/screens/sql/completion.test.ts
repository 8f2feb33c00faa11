import type { SqlTableInfo } from "@aglens/contract";
import { expect, it } from "vitest";
import { completions } from "./completion.ts";

const column = (name: string, unit: string | null = null, about = "") => ({
  name,
  type: "DOUBLE",
  unit,
  about,
});
const TABLES: SqlTableInfo[] = [
  {
    name: "blocks",
    rows: 3019,
    columns: [column("block"), column("log_pool", "µs"), column("size_bytes", "bytes")],
  },
  {
    name: "hops",
    rows: 6038,
    columns: [column("block"), column("log_write_us", "µs", "R2 - R1"), column("from", "µs")],
  },
];

/** Labels of the completions at `|`. */
function offered(text: string, isAsked = false): string[] {
  const found = completions(text.replace("|", ""), text.indexOf("|"), TABLES, isAsked);
  return (found?.choices ?? []).map(({ label }) => label);
}

it("offers columns of the tables that are read first, then functions, then other columns", () => {
  expect(offered("SELECT log| FROM hops")).toEqual(["log_write_us", "log2", "log10", "log_pool"]);
  expect(offered("SELECT h.| FROM hops h")).toEqual(["block", "log_write_us", "from"]);
  expect(offered("SELECT x.| FROM hops h")).toEqual([]);
});

it("offers tables after FROM and JOIN", () => {
  expect(offered("SELECT * FROM |", true)).toEqual(["blocks", "hops"]);
  expect(offered("SELECT * FROM hops JOIN b|")).toEqual(["blocks"]);
});

it("says of each what it is: type, unit, where from", () => {
  const found = completions("SELECT log_w FROM hops", 12, TABLES, false);
  expect(found).toMatchObject({
    from: 7,
    choices: [{ label: "log_write_us", kind: "DOUBLE", about: "hops, µs, R2 - R1" }],
  });
  expect(completions("SELECT blo", 10, TABLES, false)?.choices[0]).toMatchObject({
    label: "blocks",
    kind: "table",
    about: "3,019 rows",
  });
});

it("quotes names that are words of the language", () => {
  const found = completions("SELECT fro FROM hops", 10, TABLES, false);
  expect(found?.choices[0]).toMatchObject({ label: "from", apply: '"from"' });
});

it("offers nothing in texts, in comments, and before a letter unless it is asked", () => {
  expect(offered("SELECT 'log| FROM hops")).toEqual([]);
  expect(offered("-- log|")).toEqual([]);
  expect(offered("SELECT | FROM hops")).toEqual([]);
  expect(offered("SELECT | FROM hops", true).slice(0, 3)).toEqual(["block", "log_write_us", "from"]);
});
