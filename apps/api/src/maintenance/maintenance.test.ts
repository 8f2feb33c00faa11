import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../test/stub-analyzer.ts";
import { checksumOfFile } from "../store/checksum.ts";
import { backUpDirectory } from "./backup.ts";
import { checkDirectory } from "./check.ts";
import { until } from "../../test/until.ts";

let folder: string;
let data: string;
let service: TestService;
let analyzer: StubAnalyzer;
let id: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-maintenance-"));
  data = join(folder, "data");
  analyzer = stubAnalyzer();
  service = await testService({ dataDirectory: data }, analyzer);
  ({ id } = await service.captures.create("Night"));
  await receive("a.xel");
  await service.captures.analyses.start(id);
  analyzer.analyses[0]?.finish();
  await until(async () => (await service.captures.get(id)).state === "ready");
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const receive = (name: string) => service.captures.files.receive(id, name, bytesOf("abc"));
const pathOf = (key: string) => join(data, "captures", id, key);
const fileId = async () => (await service.captures.get(id)).files[0]?.id ?? "";

describe("a check", () => {
  test("of a sound directory finds nothing, while AG Lens runs", async () => {
    // The file of 3 bytes, the summary of 26 and the preview of 3.
    expect(await checkDirectory(data)).toEqual({ captures: 1, files: 3, bytes: 32, findings: [] });
  });

  test("finds what is damaged, missing, or of no capture", async () => {
    await writeFile(pathOf(await fileId()), "abd");
    await truncate(pathOf("preview.arrow"), 2);
    await rm(pathOf("summary.json"));
    await writeFile(pathOf("unknown"), "abc");
    await mkdir(join(data, "captures", "nobodys"));
    await mkdir(join(data, "lost-and-found", "found"), { recursive: true });
    const { findings } = await checkDirectory(data);
    expect(findings).toEqual([
      `Capture ${id} (Night): a.xel (${await fileId()}) has other content than was stored (SHA-256).`,
      `Capture ${id} (Night): summary.json is missing; it is made again when it is needed.`,
      `Capture ${id} (Night): preview.arrow has 2 bytes instead of 3; it is made again when it is needed.`,
      `Capture ${id} (Night): has no file unknown, which lies in its folder.`,
      "The files in captures/nobodys are of no capture; the next start moves them to lost-and-found.",
      "lost-and-found/found can be restored or deleted.",
    ]);
  });

  // Windows has no pipes among its files.
  test.skipIf(process.platform === "win32")(
    "does not wait for a pipe in the place of a file, and reads no more of a file than was stored",
    async () => {
      await rm(pathOf(await fileId()));
      execFileSync("mkfifo", [pathOf(await fileId())]);
      await writeFile(pathOf("summary.json"), Buffer.alloc(2000));
      expect((await checkDirectory(data)).findings).toEqual([
        `Capture ${id} (Night): a.xel (${await fileId()}) is not a file.`,
        `Capture ${id} (Night): summary.json has 2,000 bytes instead of 26; it is made again when it is needed.`,
      ]);
      await writeFile(join(folder, "endless"), "abc");
      expect((await checksumOfFile(join(folder, "endless"), 1)).bytes).toBe(2);
    },
  );

  test("names a record that cannot be read, and links without their capture", async () => {
    const database = new DatabaseSync(join(data, "catalogue.sqlite"));
    const addLink = database.prepare(
      `INSERT INTO links (id, capture_id, record) VALUES (?, ?, json_object('captureId', ?))`,
    );
    addLink.run("sound", id, id);
    addLink.run("one", "gone", "gone");
    expect((await checkDirectory(data)).findings).toEqual(["1 link leads to no capture."]);
    addLink.run("two", "gone", "gone");
    database.exec("UPDATE captures SET record = '{'");
    database.close();
    expect(await checkDirectory(data)).toEqual({
      captures: 1,
      files: 0,
      bytes: 0,
      findings: ["2 links lead to no capture.", `The record of capture ${id} cannot be read.`],
    });
  });

  test("reads a catalogue with the tables of an earlier version, and leaves it as it is", async () => {
    const earlier = join(folder, "earlier");
    await mkdir(earlier);
    const database = new DatabaseSync(join(earlier, "catalogue.sqlite"));
    database.exec(`
      CREATE TABLE captures (id TEXT PRIMARY KEY, created TEXT NOT NULL, expires TEXT, record TEXT NOT NULL) STRICT;
      CREATE TABLE links (id TEXT PRIMARY KEY, captureId TEXT NOT NULL, expires TEXT, record TEXT NOT NULL) STRICT;
      INSERT INTO captures VALUES ('old', '2026-01-01', NULL, '{"id":"old","name":"Old","files":[]}');
      INSERT INTO links VALUES ('a', 'old', NULL, '{"captureId":"old"}'), ('b', 'gone', NULL, '{"captureId":"gone"}');
      PRAGMA user_version = 1`);
    expect(await checkDirectory(earlier)).toEqual({
      captures: 1,
      files: 0,
      bytes: 0,
      findings: ["1 link leads to no capture."],
    });
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    database.close();
  });

  test("of a file without a checksum, as earlier versions stored it, looks at its size", async () => {
    const database = new DatabaseSync(join(data, "catalogue.sqlite"));
    database.exec("UPDATE captures SET record = json_remove(record, '$.files[0].keptSha256')");
    database.close();
    const path = pathOf(await fileId());
    const findings = async () => (await checkDirectory(data)).findings;
    const file = `Capture ${id} (Night): a.xel (${await fileId()})`;
    expect(await findings()).toEqual([]);
    await truncate(path, 2000);
    expect(await findings()).toEqual([`${file} has 2,000 bytes instead of 3.`]);
    await rm(path);
    expect(await findings()).toEqual([`${file} is missing.`]);
  });

  test("of what is no data directory is refused", async () => {
    await expect(checkDirectory(folder)).rejects.toMatchObject({ exitCode: 74 });
    await writeFile(join(folder, "catalogue.sqlite"), "no database ".repeat(100));
    await expect(checkDirectory(folder)).rejects.toMatchObject({ exitCode: 74 });
  });
});

describe("a backup", () => {
  test("is a data directory with the same captures, sound, made while AG Lens runs", async () => {
    const target = join(folder, "backup");
    await service.captures.trash.put((await service.captures.create("Deleted")).id);
    expect(await backUpDirectory(data, target)).toEqual({ captures: 2, files: 3, linked: 3, findings: [] });
    expect((await checkDirectory(target)).findings).toEqual([]);
    expect(await readdir(folder)).not.toContain("backup.unfinished");
    const before = await service.captures.get(id);
    // A capture that is deleted later stays in the backup.
    await service.captures.trash.deleteForGood(id);
    const restored = await testService({ dataDirectory: target }, stubAnalyzer());
    expect(await restored.captures.get(id)).toEqual(before);
    expect(await restored.captures.analyses.preview(id)).toEqual(Buffer.from([1, 2, 3]));
    expect(await restored.captures.trash.list()).toHaveLength(1);
    await restored.close();
  });

  test("names what is missing, and has the rest", async () => {
    await rm(pathOf("summary.json"));
    const { findings, files } = await backUpDirectory(data, join(folder, "backup"));
    expect(findings).toEqual([`Capture ${id} (Night): summary.json is missing.`]);
    expect(files).toBe(2);
  });

  test("does not look for event files that a capture came without", async () => {
    await service.captures.records.change(id, (record) => ({
      ...record,
      files: record.files.map((file) => ({ ...file, isMissing: true })),
    }));
    await rm(pathOf(await fileId()));
    const target = join(folder, "backup");
    expect(await backUpDirectory(data, target)).toEqual({ captures: 1, files: 2, linked: 2, findings: [] });
    expect(await checkDirectory(target)).toEqual({ captures: 1, files: 2, bytes: 29, findings: [] });
  });

  test("has no place in the data directory, nor where something is", async () => {
    await expect(backUpDirectory(data, join(data, "backup"))).rejects.toMatchObject({ exitCode: 78 });
    await cp(join(data, "format.json"), join(folder, "other", "file"));
    await expect(backUpDirectory(data, join(folder, "other"))).rejects.toThrow("is not empty");
    expect(await readdir(join(folder, "other"))).toEqual(["file"]);
  });
});
