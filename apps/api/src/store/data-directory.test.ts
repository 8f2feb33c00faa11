import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeDataDirectory, unusableDirectory } from "./data-directory.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-directory-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("one process at a time has the directory, and the next one learns who", async () => {
  const path = join(folder, "new/data");
  const first = await takeDataDirectory(path);
  await expect(takeDataDirectory(path)).rejects.toMatchObject({
    code: "directory-in-use",
    message: expect.stringContaining(
      `${path} is in use by AG Lens, process ${process.pid} on ${hostname()}, since 20`,
    ),
  });
  await first.release();
  await (await takeDataDirectory(path)).release();
});

test("a refused process leaves the note of the holder as it is", async () => {
  const first = await takeDataDirectory(folder);
  const note = await readFile(join(folder, "holder.json"), "utf8");
  await expect(takeDataDirectory(folder)).rejects.toThrow("in use");
  expect(await readFile(join(folder, "holder.json"), "utf8")).toBe(note);
  await expect(takeDataDirectory(folder)).rejects.toThrow("in use");
  await first.release();
});

test("a holder without a note is another AG Lens", async () => {
  const first = await takeDataDirectory(folder);
  await rm(join(folder, "holder.json"));
  await expect(takeDataDirectory(folder)).rejects.toThrow("in use by another AG Lens. End that one");
  await first.release();
});

test.each(["captures", "incoming", "live", "uploads"])(
  "a folder with its own %s is refused and left as it is",
  async (name) => {
    await mkdir(join(folder, name));
    await expect(takeDataDirectory(folder)).rejects.toMatchObject({ code: "directory-foreign" });
    expect(await readdir(folder)).toEqual([name]);
    await writeFile(join(folder, "lock"), "");
    await (await takeDataDirectory(folder)).release();
  },
);

test.each([
  ["that everybody may read is closed", 0o755, 0o700],
  ["that a group may read stays so", 0o2770, 0o2770],
  ["that everybody shares stays so", 0o1777, 0o1777],
])("a directory %s", async (_what, before, after) => {
  await chmod(folder, before);
  await (await takeDataDirectory(folder)).release();
  expect((await stat(folder)).mode & 0o7777).toBe(after);
});

test("a new directory is its owner's alone", async () => {
  await (await takeDataDirectory(join(folder, "data"))).release();
  expect((await stat(join(folder, "data"))).mode & 0o7777).toBe(0o700);
});

test("a path that cannot be a directory is refused with what to do", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(takeDataDirectory(join(folder, "file"))).rejects.toMatchObject({
    code: "directory-unusable",
    message: expect.stringMatching(/EEXIST.* Set AGLENS_DATA to a directory/u),
  });
});

test("a directory of a later version is refused and left as it is; a mark that was cut off is written anew", async () => {
  await (await takeDataDirectory(folder)).release();
  const mark = join(folder, "format.json");
  expect(JSON.parse(await readFile(mark, "utf8"))).toEqual({ program: "AG Lens", format: 1 });
  await writeFile(mark, '{"program":"AG Lens","format":2}');
  await rm(join(folder, "lock"));
  await expect(takeDataDirectory(folder)).rejects.toMatchObject({
    code: "directory-newer",
    exitCode: 78,
    message: expect.stringContaining("(format 2; this one has 1)"),
  });
  expect(await readdir(folder)).toEqual(["format.json"]);
  await writeFile(mark, "{");
  await (await takeDataDirectory(folder)).release();
  expect(JSON.parse(await readFile(mark, "utf8"))).toMatchObject({ format: 1 });
});

test("what the file system or SQLite refuses is a reason not to start, a fault of the program is none", () => {
  const refused = (properties: object) =>
    unusableDirectory("/data", Object.assign(new Error("no"), properties))?.exitCode;
  expect(refused({ code: "EROFS" })).toBe(74);
  expect(refused({ code: "ERR_SQLITE_ERROR", errcode: 8 })).toBe(74);
  expect(refused({ code: "ERR_INVALID_ARG_TYPE" })).toBeUndefined();
  expect(refused({})).toBeUndefined();
});
