import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { capture, describeCatalog, link } from "../../test/catalog-contract.ts";
import type { Catalog } from "./catalog.ts";
import { SqlAccessStore } from "../access/sql-access-store.ts";
import { SQLITE } from "./dialect.ts";
import { SqlCatalog } from "./sql-catalog.ts";
import { openSqlite, openSqliteCatalog } from "./sqlite-catalog.ts";
import type { Database } from "./tables.ts";

describeCatalog("SQLite", async () => {
  const own = await mkdtemp(join(tmpdir(), "aglens-catalogue-"));
  // One process has one connection to the file, which all users of the file share.
  let shared: Database | null = null;
  const openFile = (): Catalog => {
    const { database, catalogue } = openSqlite(join(own, "catalogue.sqlite"));
    shared = database;
    const close = catalogue.close.bind(catalogue);
    return Object.assign(catalogue, {
      close: () => {
        shared = null;
        return close();
      },
    });
  };
  const onSame = (database: Database): Catalog =>
    new SqlCatalog({
      database,
      dialect: SQLITE,
      tell: null,
      makeRoom: () => false,
      damaged: [],
      close: async () => {},
    });
  return {
    open: async () => (shared === null ? openFile() : onSame(shared)),
    end: () => rm(own, { recursive: true }),
  };
});

let folder: string;
let path: string;
let catalogue: Catalog;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-catalogue-"));
  path = join(folder, "catalogue.sqlite");
  catalogue = openSqliteCatalog(path);
});
afterEach(async () => {
  await catalogue.close();
  await rm(folder, { recursive: true });
});

/** The view of another reader of the file: only committed changes. */
async function committed(): Promise<string[]> {
  const reader = openSqliteCatalog(path);
  const ids = await reader.ids();
  await reader.close();
  return ids;
}

test("a deletion that fails is undone, and what is saved after it is kept", async () => {
  await catalogue.addCapture(capture("first"));
  await catalogue.addLink(link("a", "first"));
  const other = new DatabaseSync(path);
  // Fails in the middle of the deletion, after that of the capture.
  other.exec("CREATE TRIGGER t BEFORE DELETE ON links BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  await expect(catalogue.deleteCapture("first")).rejects.toThrow("disk full");
  expect(await catalogue.capture("first")).not.toBeNull();
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

  /** Puts a file there that an earlier version made. */
  const madeEarlier = async (sql: string): Promise<void> => {
    await catalogue.close();
    rmSync(path);
    const other = new DatabaseSync(path);
    other.exec(sql);
    other.close();
  };
  /** Tables of the version that did not count them. */
  const FIRST = `
    CREATE TABLE captures (
      id TEXT PRIMARY KEY, created TEXT NOT NULL, expires TEXT, record TEXT NOT NULL
    ) STRICT;
    CREATE TABLE links (
      id TEXT PRIMARY KEY, captureId TEXT NOT NULL, expires TEXT, record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX linksOfCapture ON links (captureId);
    INSERT INTO captures VALUES ('old', '2026-01-01', NULL, '{"id":"old","files":[]}');`;
  const SECOND = `${FIRST}
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE plans (id TEXT PRIMARY KEY, plan TEXT NOT NULL) STRICT;
    CREATE TABLE damagedRecords (id TEXT NOT NULL, record TEXT NOT NULL) STRICT;
    ALTER TABLE captures ADD COLUMN deleted TEXT GENERATED ALWAYS AS
      (CASE WHEN json_valid(record) THEN record ->> 'deleted' END) VIRTUAL;
    PRAGMA user_version = 2;`;

  test("from before versions were counted gets the tables that it lacks, and keeps its records", async () => {
    await madeEarlier(`${FIRST} INSERT INTO captures VALUES ('cut', '2026-01-01', NULL, '{"id":"cut"');`);
    catalogue = openSqliteCatalog(path);
    expect(await catalogue.ids()).toEqual(["old"]);
    expect(await catalogue.deletedCaptures()).toEqual([]);
    expect(await catalogue.fact("anything")).toBeNull();
    await catalogue.close();
    catalogue = openSqliteCatalog(path);
    expect(await committed()).toEqual(["old"]);
  });

  test("of the second version keeps captures, links, facts, sessions and audit, and what lists know of them", async () => {
    const { life: _, ...stored } = capture("kept", "2026-12-01");
    const record = {
      ...stored,
      state: "analysing",
      owner: { id: "token:Ann", name: "Ann" },
      shared: true,
      files: [{ id: "f", size: 7, role: "primary", from: "2026-10-01T00:00:00" }],
    };
    await madeEarlier(`${SECOND}
      INSERT INTO captures (id, created, expires, record)
        VALUES ('kept', '2026-11-01T00:00:00.000Z', '2026-12-01', '${JSON.stringify(record)}');
      INSERT INTO links VALUES ('l', 'kept', NULL, '${JSON.stringify(link("l", "kept"))}');
      INSERT INTO facts VALUES ('name', 'value');
      INSERT INTO plans VALUES ('kept', '[]');
      CREATE TABLE sessions (hash TEXT PRIMARY KEY, expires TEXT NOT NULL, record TEXT NOT NULL) STRICT;
      CREATE TABLE audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, personId TEXT NOT NULL, person TEXT NOT NULL,
        action TEXT NOT NULL, what TEXT NOT NULL
      ) STRICT;
      INSERT INTO sessions VALUES ('h', '2026-12-01', '{"personId":"token:Ann"}');
      INSERT INTO audit VALUES (7, '2026-11-01', 'token:Ann', 'Ann', 'signed in', '');`);
    const { database, catalogue: opened } = openSqlite(path);
    catalogue = opened;
    expect(await catalogue.briefs(1, { fewestFiles: 1, seenBy: "token:Bob" })).toEqual([
      {
        id: "kept",
        created: "2026-11-01T00:00:00.000Z",
        expires: "2026-12-01",
        name: "kept",
        state: "analysing",
        verdict: null,
        severity: null,
        place: null,
        files: 1,
        owner: "Ann",
        p95Us: null,
        from: "2026-10-01T00:00:00",
        problem: null,
        shared: true,
      },
    ]);
    expect(await catalogue.bytes("token:Ann")).toBe(7);
    expect(await catalogue.analysing("token:Ann")).toBe(1);
    expect(await catalogue.changeLink("l", (before) => ({ ...before, title: "New" }))).not.toBeNull();
    expect(await catalogue.linksOf("kept")).toEqual([{ ...link("l", "kept"), title: "New" }]);
    expect(await catalogue.fact("name")).toBe("value");
    expect(await catalogue.plans()).toEqual([{ id: "kept", plan: "[]" }]);
    const access = new SqlAccessStore(database);
    expect(await access.session("h", "2026-11-30")).toEqual({ personId: "token:Ann" });
    expect(await access.audit(10, null)).toEqual([
      { number: 7, at: "2026-11-01", personId: "token:Ann", person: "Ann", action: "signed in", what: "" },
    ]);
  });

  test("later than this one is refused and left as it is", async () => {
    await inFile("PRAGMA user_version = 99");
    expect(() => openSqliteCatalog(path)).toThrow("version 99 of its tables");
    const other = new DatabaseSync(path);
    expect(other.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    other.exec("PRAGMA user_version = 4");
    other.close();
    catalogue = openSqliteCatalog(path);
  });
});

test("a record that is not JSON is put aside and named; the others are there", async () => {
  await catalogue.addCapture(capture("sound"));
  await catalogue.addCapture(capture("cut"));
  const other = new DatabaseSync(path);
  other.exec(`UPDATE captures SET record = '{"id"' WHERE id = 'cut'`);
  await catalogue.close();
  catalogue = openSqliteCatalog(path);
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
  expect(() => openSqliteCatalog(path)).toThrow(
    /is damaged: .*\. Put back the one of a backup, or move the file away/u,
  );
  rmSync(path);
  catalogue = openSqliteCatalog(path);
});
