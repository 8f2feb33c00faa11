import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCatalogue } from "./catalogue.ts";
import type { Catalogue, CaptureRecord, LinkRecord } from "./catalogue.ts";

let folder: string;
let path: string;
let catalogue: Catalogue;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-catalogue-"));
  path = join(folder, "catalogue.sqlite");
  catalogue = openCatalogue(path);
});
afterEach(async () => {
  catalogue.close();
  await rm(folder, { recursive: true });
});

const capture = (id: string, expires: string | null = null): CaptureRecord => ({
  id,
  name: id,
  created: "2026-11-01T00:00:00.000Z",
  expires,
  state: "receiving",
  files: [],
  problem: null,
  verdict: null,
  severity: null,
  place: null,
});

const link = (id: string, captureId: string, expires: string | null): LinkRecord => ({
  id,
  captureId,
  path: "/",
  view: "",
  title: "",
  created: "2026-11-01T00:00:00.000Z",
  expires,
  tokenHash: "",
});

/** What another reader of the file sees: only what was committed. */
function committed(): string[] {
  const reader = openCatalogue(path);
  const ids = reader.captures().map(({ id }) => id);
  reader.close();
  return ids;
}

test("briefs come newest first, those of one instant by id, from any of them on", () => {
  const [first, second] = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
  for (const [id, created] of [
    ["c", first],
    ["a", first],
    ["b", first],
    ["z", second],
  ] as const)
    catalogue.saveCapture({ ...capture(id), created });
  const ids = (limit: number, after?: { created: string; id: string }) =>
    catalogue.briefs(limit, 0, after).map(({ id }) => id);
  expect(ids(10)).toEqual(["z", "a", "b", "c"]);
  expect(ids(2)).toEqual(["z", "a"]);
  expect(ids(2, { created: first, id: "a" })).toEqual(["b", "c"]);
  expect(ids(2, { created: second, id: "z" })).toEqual(["a", "b"]);
});

test("a brief has the first event of the files that are not left out, and its problem as it was", () => {
  const file = (from: string | null, role: string) => ({ from, role }) as CaptureRecord["files"][number];
  const problem = { type: "t", title: "T", status: 422, detail: "D.", code: "analysis-failed" };
  catalogue.saveCapture({
    ...capture("a"),
    state: "failed",
    problem,
    files: [
      file("2016-05-06T02", "primary"),
      file("2016-05-06T01", "secondary"),
      file("2015", "ignored"),
      file(null, "primary"),
    ],
  });
  catalogue.saveCapture(capture("empty"));
  expect(catalogue.briefs(10, 0)).toMatchObject([
    { id: "a", problem, files: 4, from: "2016-05-06T01" },
    { id: "empty", problem: null, files: 0, from: null },
  ]);
  expect(catalogue.briefs(10, 1).map(({ id }) => id)).toEqual(["a"]);
  expect([catalogue.count(0), catalogue.count(1)]).toEqual([2, 1]);
});

test("captures come newest first, links go with their capture", () => {
  catalogue.saveCapture(capture("older"));
  catalogue.saveCapture({ ...capture("newer"), created: "2026-11-02T00:00:00.000Z" });
  expect(catalogue.captures().map(({ id }) => id)).toEqual(["newer", "older"]);
  catalogue.saveLink(link("a", "older", null));
  catalogue.saveLink(link("b", "newer", null));
  catalogue.deleteCapture("older");
  expect(catalogue.capture("older")).toBeNull();
  expect(catalogue.link("a")).toBeNull();
  expect(catalogue.link("b")).toMatchObject({ captureId: "newer" });
});

test("files of an earlier version keep what the user said of their role", () => {
  const old = (role: string) => ({ id: role, kind: "xel", detectedRole: "primary", role, replica: "SQL1" });
  const record = { ...capture("a"), files: [old("primary"), old("ignored")] };
  catalogue.saveCapture(record as unknown as CaptureRecord);
  expect(catalogue.capture("a")?.files).toMatchObject([
    { identity: null, path: "", sha256: "", given: {} },
    { identity: null, given: { role: "ignored" } },
  ]);
});

test("time is over at its instant, not before", () => {
  const at = "2026-11-05T12:00:00.000Z";
  catalogue.saveCapture(capture("ends", at));
  catalogue.saveCapture(capture("stays"));
  expect(catalogue.expiredCaptures("2026-11-05T11:59:59.999Z")).toEqual([]);
  expect(catalogue.expiredCaptures(at)).toEqual(["ends"]);
  catalogue.saveLink(link("ends", "stays", at));
  catalogue.saveLink(link("stays", "stays", null));
  catalogue.deleteExpiredLinks("2026-11-05T11:59:59.999Z");
  expect(catalogue.link("ends")).not.toBeNull();
  catalogue.deleteExpiredLinks(at);
  expect(catalogue.link("ends")).toBeNull();
  expect(catalogue.link("stays")).not.toBeNull();
});

test("a deletion that fails is undone, and what is saved after it is kept", () => {
  catalogue.saveCapture(capture("first"));
  catalogue.saveLink(link("a", "first", null));
  const other = new DatabaseSync(path);
  // Fails in the middle of the deletion, behind the links.
  other.exec("CREATE TRIGGER t BEFORE DELETE ON captures BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  expect(() => catalogue.deleteCapture("first")).toThrow("disk full");
  expect(catalogue.link("a")).not.toBeNull();
  catalogue.saveCapture(capture("second"));
  expect(committed()).toEqual(["first", "second"]);
  other.exec("DROP TRIGGER t");
  other.close();
  catalogue.deleteCapture("first");
  expect(committed()).toEqual(["second"]);
});

test("a write waits for another program that has the file for a moment", async () => {
  catalogue.saveCapture(capture("first"));
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1]);
    database.exec("BEGIN IMMEDIATE");
    console.log("held");
    setTimeout(() => database.exec("COMMIT"), 300);`;
  const other = spawn(process.execPath, ["-e", script, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  catalogue.deleteCapture("first");
  expect(committed()).toEqual([]);
  if (other.exitCode === null) await once(other, "exit");
});

describe("a file of another version", () => {
  const inFile = (sql: string): void => {
    catalogue.close();
    const other = new DatabaseSync(path);
    other.exec(sql);
    other.close();
  };

  test("from before versions were counted gets the tables that it lacks, and keeps its records", () => {
    inFile(`
      ALTER TABLE captures DROP COLUMN deleted;
      DROP TABLE facts; DROP TABLE plans; DROP TABLE damagedRecords;
      INSERT INTO captures VALUES ('old', '2026-01-01', NULL, '{"id":"old","files":[]}');
      INSERT INTO captures VALUES ('cut', '2026-01-01', NULL, '{"id":"cut"');
      PRAGMA user_version = 0`);
    catalogue = openCatalogue(path);
    expect(catalogue.captures().map(({ id }) => id)).toEqual(["old"]);
    expect(catalogue.deletedCaptures()).toEqual([]);
    expect(catalogue.fact("anything")).toBeNull();
    catalogue.close();
    catalogue = openCatalogue(path);
    expect(committed()).toEqual(["old"]);
  });

  test("later than this one is refused and left as it is", () => {
    inFile("PRAGMA user_version = 99");
    expect(() => openCatalogue(path)).toThrow("version 99 of its tables");
    const other = new DatabaseSync(path);
    expect(other.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    other.exec("PRAGMA user_version = 2");
    other.close();
    catalogue = openCatalogue(path);
  });
});

test("a record that is not JSON is put aside and named; the others are there", () => {
  catalogue.saveCapture(capture("sound"));
  catalogue.saveCapture(capture("cut"));
  const other = new DatabaseSync(path);
  other.exec(`UPDATE captures SET record = '{"id"' WHERE id = 'cut'`);
  catalogue.close();
  catalogue = openCatalogue(path);
  expect(catalogue.damaged).toEqual(["cut"]);
  expect(catalogue.briefs(10, 0).map(({ id }) => id)).toEqual(["sound"]);
  expect(other.prepare("SELECT id, record FROM damagedRecords").all()).toEqual([
    { id: "cut", record: '{"id"' },
  ]);
  other.close();
});

test("a capture in the trash is in no list, has no link, and does not expire", () => {
  catalogue.saveCapture({
    ...capture("gone", "2026-11-05T12:00:00.000Z"),
    deleted: "2026-11-04T00:00:00.000Z",
  });
  catalogue.saveCapture(capture("here"));
  catalogue.saveLink(link("a", "gone", null));
  expect(catalogue.briefs(10, 0).map(({ id }) => id)).toEqual(["here"]);
  expect(catalogue.count(0)).toBe(1);
  expect(catalogue.expiredCaptures("2027-01-01T00:00:00.000Z")).toEqual([]);
  expect(catalogue.link("a")).toBeNull();
  expect(catalogue.deletedCaptures().map(({ id }) => id)).toEqual(["gone"]);
  const { deleted: _, ...restored } = { ...capture("gone"), deleted: "" };
  catalogue.saveCapture(restored);
  expect(catalogue.link("a")).not.toBeNull();
  expect(catalogue.deletedCaptures()).toEqual([]);
});

test("writes that belong together are all undone when one fails", () => {
  expect(() =>
    catalogue.together(() => {
      catalogue.saveCapture(capture("first"));
      catalogue.savePlan({ id: "first", plan: "{}" });
      throw new Error("in the middle");
    }),
  ).toThrow("in the middle");
  expect(committed()).toEqual([]);
  expect(catalogue.plans()).toEqual([]);
});

test.each([
  ["text", "not a database, but long enough to have a header. ".repeat(20)],
  ["a header that is zeroed", "\0".repeat(100)],
])("a file that is %s is refused with what to do", (_, content) => {
  catalogue.close();
  rmSync(`${path}-wal`, { force: true });
  writeFileSync(path, content);
  expect(() => openCatalogue(path)).toThrow(
    /is damaged: .*\. Put back the one of a backup, or move the file away/u,
  );
  rmSync(path);
  catalogue = openCatalogue(path);
});
