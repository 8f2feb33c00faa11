/** Folders of a command line: which files are in them, and what happens to all others. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesAhead, filesIn } from "./folders.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "xel-folders-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
}

const reasonsIn = (path: string): [string, string][] =>
  filesIn(path).unreadable.map((entry) => [entry.path, (entry.error as Error).message]);

test("files of folders in folders, in the order of their names", () => {
  const files = [
    written("a", "b", "ERRORLOG"),
    written("a", "b", "c", "1.xel"),
    written("b.xel"),
    written("c.zip"),
  ];
  expect(filesIn(folder)).toMatchObject({ files, unreadable: [] });
});

test("hidden entries, and what desktops add, are ignored", () => {
  const file = written("a.xel");
  for (const path of [".git/a.xel", ".DS_Store", "._a.xel", "__MACOSX/a.xel", "Thumbs.db", "desktop.ini"])
    written(...path.split("/"));
  expect(filesIn(folder)).toMatchObject({ files: [file], unreadable: [] });
  // But not a folder that is named itself.
  expect(filesIn(join(folder, ".git")).files).toHaveLength(1);
});

test.skipIf(process.platform === "win32")(
  "a link to a file is that file; links to folders aren't followed",
  () => {
    const file = written("sub", "a.xel");
    symlinkSync(file, join(folder, "b.xel"));
    symlinkSync(folder, join(folder, "sub", "circle"));
    symlinkSync(join(folder, "gone"), join(folder, "dangling"));
    const { files } = filesIn(folder);
    expect(files).toEqual([join(folder, "b.xel"), file]);
    expect(reasonsIn(folder)).toEqual([
      [join(folder, "dangling"), expect.stringContaining("ENOENT")],
      [join(folder, "sub", "circle"), "it's a link to a folder. Provide that folder too."],
    ]);
    // A link that is provided itself is followed.
    symlinkSync(join(folder, "sub"), join(folder, "link"));
    expect(filesIn(join(folder, "link")).files).toEqual([join(folder, "link", "a.xel")]);
  },
);

test("a folder with more entries than any capture is refused", () => {
  for (let i = 0; i < 100; i++) mkdirSync(join(folder, `d${i}`));
  for (let i = 0; i < 9900; i++) mkdirSync(join(folder, `d${i % 100}`, `e${i}`));
  expect(filesIn(folder)).toMatchObject({ files: [], unreadable: [] });
  written("a.xel");
  expect(reasonsIn(folder)).toEqual([
    [folder, "it contains more than 10,000 entries. Provide the folder of one capture."],
  ]);
  expect(filesIn(folder).files).toEqual([]);
});

test("a program has the event files and zips of its arguments before its command reads them", () => {
  const [xel, zip] = [written("in", "a.XEL"), written("in", "b.zip")];
  written("in", "counters.blg");
  written("out", "c.xel");
  const args = ["analyze", join(folder, "in"), "other.xel", "--out", join(folder, "out"), "--json"];
  expect(filesAhead(args)).toEqual([xel, zip, "other.xel", "--out", join(folder, "out"), "--json"]);
});

test("a command is no folder, whatever folders there are", () => {
  expect(filesAhead([folder])).toEqual([]);
});

test("a folder that can't be opened is named", () => {
  const gone = join(folder, "gone");
  expect(filesIn(gone).files).toEqual([]);
  expect(reasonsIn(gone)).toEqual([[gone, expect.stringContaining("ENOENT")]]);
});
