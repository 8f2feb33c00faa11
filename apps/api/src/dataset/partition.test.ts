import { DuckDBInstance } from "@duckdb/node-api";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { expect, test } from "vitest";
import { partition } from "./partition.ts";

test("letters, digits, - and _ stay; all else of ASCII, and what cannot be seen, is percent-encoded", () => {
  expect(partition("group", "ORDERS-AG_2")).toBe("group=ORDERS-AG_2");
  expect(partition("group", "Orders - SQL1, SQL2")).toBe("group=Orders%20-%20SQL1%2C%20SQL2");
  expect(partition("group", "a=b%c.d*e'f")).toBe("group=a%3Db%25c%2Ed%2Ae%27f");
  expect(partition("group", "Nächte 訂單")).toBe("group=Nächte%20訂單");
  expect(partition("group", "a\u202Eb\u0000")).toBe("group=a%E2%80%AEb%00");
});

test("a value that is too long is cut between letters, and two of them stay apart", () => {
  const [one, other] = [
    partition("group", `${"訂".repeat(128)}1`),
    partition("group", `${"訂".repeat(128)}2`),
  ];
  expect(Buffer.byteLength(one)).toBeLessThan(255);
  expect(decodeURIComponent(one)).toMatch(/^group=訂+~[\da-f]{12}$/u);
  expect(one).not.toBe(other);
});

const HOSTILE = [
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "C:\\Windows",
  "**",
  "[a-z]?",
  "a=b/capture=stolen",
  "x%2Fy",
  "quote ' double \" back \\ newline \n",
  "2024-01-01",
  "null",
  "\u0000",
  "😀 訂單",
];

test.each(HOSTILE)("the group %j is a folder by itself, which an engine reads by its name", async (name) => {
  const root = await mkdtemp(join(tmpdir(), "aglens-partition-"));
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const folder = partition("group", name);
    expect(join(root, folder).split(sep)).toHaveLength(root.split(sep).length + 1);
    await mkdir(join(root, folder));
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT 1 AS x) TO '${join(root, folder, "t.parquet")}' (FORMAT parquet)`);
    const found = await connection.runAndReadAll(
      `SELECT "group" FROM read_parquet('${root}/*/t.parquet', hive_partitioning = true, hive_types_autocast = false)`,
    );
    // Hive's own name for no value, and the character that ends a text in C, depend on the engine.
    if (name !== "\u0000" && name !== "null") expect(found.getRows()).toEqual([[name]]);
    connection.closeSync();
  } finally {
    instance.closeSync();
    await rm(root, { recursive: true });
  }
});
