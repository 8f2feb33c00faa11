import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { capture, describeCatalogue, link } from "../../test/catalogue-contract.ts";
import type { Catalogue } from "./catalogue.ts";
import { openSqliteCatalogue } from "./sqlite-catalogue.ts";

describeCatalogue("SQLite", async () => {
  const own = await mkdtemp(join(tmpdir(), "aglens-catalogue-"));
  return {
    open: () => Promise.resolve(openSqliteCatalogue(join(own, "catalogue.sqlite"))),
    end: () => rm(own, { recursive: true }),
  };
});

let folder: string;
let path: string;
let catalogue: Catalogue;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-catalogue-"));
  path = join(folder, "catalogue.sqlite");
  catalogue = openSqliteCatalogue(path);
});
afterEach(async () => {
  await catalogue.close();
  await rm(folder, { recursive: true });
});

/** What another reader of the file sees: only what was committed. */
async function committed(): Promise<string[]> {
  const reader = openSqliteCatalogue(path);
  const ids = await reader.ids();
  await reader.close();
  return ids;
}

test("a deletion that fails is undone, and what is saved after it is kept", async () => {
  await catalogue.addCapture(capture("first"));
  await catalogue.addLink(link("a", "first"));
  const other = new DatabaseSync(path);
  // Fails in the middle of the deletion, behind the links.
  other.exec("CREATE TRIGGER t BEFORE DELETE ON captures BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  await expect(catalogue.deleteCapture("first")).rejects.toThrow("disk full");
  expect(await catalogue.link("a")).not.toBeNull();
  await catalogue.addCapture(capture("second"));
  expect(await committed()).toEqual(["first", "second"]);
  other.exec("DROP TRIGGER t");
  other.close();
  await catalogue.deleteCapture("first");
  expect(await committed()).toEqual(["second"]);
});

test("a write waits for another program that has the file for a moment", async () => {
  await catalogue.addCapture(capture("first"));
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1]);
    database.exec("BEGIN IMMEDIATE");
    console.log("held");
    setTimeout(() => database.exec("COMMIT"), 300);`;
  const other = spawn(process.execPath, ["-e", script, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  await catalogue.deleteCapture("first");
  expect(await committed()).toEqual([]);
  if (other.exitCode === null) await once(other, "exit");
});

describe("a file of another version", () => {
  const inFile = async (sql: string): Promise<void> => {
    await catalogue.close();
    const other = new DatabaseSync(path);
    other.exec(sql);
    other.close();
  };

  test("from before versions were counted gets the tables that it lacks, and keeps its records", async () => {
    await inFile(`
      ALTER TABLE captures DROP COLUMN deleted;
      DROP TABLE facts; DROP TABLE plans; DROP TABLE damagedRecords;
      INSERT INTO captures VALUES ('old', '2026-01-01', NULL, '{"id":"old","files":[]}');
      INSERT INTO captures VALUES ('cut', '2026-01-01', NULL, '{"id":"cut"');
      PRAGMA user_version = 0`);
    catalogue = openSqliteCatalogue(path);
    expect(await catalogue.ids()).toEqual(["old"]);
    expect(await catalogue.deletedCaptures()).toEqual([]);
    expect(await catalogue.fact("anything")).toBeNull();
    await catalogue.close();
    catalogue = openSqliteCatalogue(path);
    expect(await committed()).toEqual(["old"]);
  });

  test("later than this one is refused and left as it is", async () => {
    await inFile("PRAGMA user_version = 99");
    expect(() => openSqliteCatalogue(path)).toThrow("version 99 of its tables");
    const other = new DatabaseSync(path);
    expect(other.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    other.exec("PRAGMA user_version = 2");
    other.close();
    catalogue = openSqliteCatalogue(path);
  });
});

test("a record that is not JSON is put aside and named; the others are there", async () => {
  await catalogue.addCapture(capture("sound"));
  await catalogue.addCapture(capture("cut"));
  const other = new DatabaseSync(path);
  other.exec(`UPDATE captures SET record = '{"id"' WHERE id = 'cut'`);
  await catalogue.close();
  catalogue = openSqliteCatalogue(path);
  expect(catalogue.damaged).toEqual(["cut"]);
  expect((await catalogue.briefs(10, { fewestFiles: 0 })).map(({ id }) => id)).toEqual(["sound"]);
  expect(other.prepare("SELECT id, record FROM damagedRecords").all()).toEqual([
    { id: "cut", record: '{"id"' },
  ]);
  other.close();
});

test.each([
  ["text", "not a database, but long enough to have a header. ".repeat(20)],
  ["a header that is zeroed", "\0".repeat(100)],
])("a file that is %s is refused with what to do", async (_, content) => {
  await catalogue.close();
  rmSync(`${path}-wal`, { force: true });
  writeFileSync(path, content);
  expect(() => openSqliteCatalogue(path)).toThrow(
    /is damaged: .*\. Put back the one of a backup, or move the file away/u,
  );
  rmSync(path);
  catalogue = openSqliteCatalogue(path);
});
