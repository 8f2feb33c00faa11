import { describe, expect, test } from "vitest";
import { filesOfDrop, pickedOf, sortOut } from "./picked-files.ts";

const fileNamed = (name: string): File => new File(["x"], name);

/** A file as a drop contains it; its full path begins at the root of the drop. */
const fileEntry = (fullPath: string): FileSystemEntry =>
  ({
    isFile: true,
    fullPath,
    file: (resolve: (file: File) => void) => resolve(fileNamed(fullPath.replace(/^.*\//u, ""))),
  }) as unknown as FileSystemEntry;

/** A folder whose reader returns its entries `atOnce` at a time, as browsers do. */
const folderEntry = (fullPath: string, entries: readonly FileSystemEntry[], atOnce = 100): FileSystemEntry =>
  ({
    isFile: false,
    fullPath,
    createReader: () => {
      let read = 0;
      return {
        readEntries: (resolve: (some: readonly FileSystemEntry[]) => void) => {
          resolve(entries.slice(read, (read += atOnce)));
        },
      };
    },
  }) as unknown as FileSystemEntry;

const dropOf = (...entries: readonly (FileSystemEntry | null)[]) => ({
  files: [fileNamed("plain.xel")] as unknown as FileList,
  items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
});

describe("files of a drop", () => {
  test("keep the path that they had in the folders that were dropped", async () => {
    const files = await filesOfDrop(
      dropOf(
        folderEntry("/capture", [
          folderEntry("/capture/SQL1", [fileEntry("/capture/SQL1/trace_0.xel")]),
          folderEntry("/capture/SQL2", [fileEntry("/capture/SQL2/trace_0.xel")]),
        ]),
        fileEntry("/topology.xml"),
      ),
    );
    expect(files.map(({ file, path }) => [file.name, path])).toEqual([
      ["trace_0.xel", "capture/SQL1/trace_0.xel"],
      ["trace_0.xel", "capture/SQL2/trace_0.xel"],
      ["topology.xml", "topology.xml"],
    ]);
  });

  test("are all read, however many reads a folder takes", async () => {
    const entries = Array.from({ length: 250 }, (_, i) => fileEntry(`/many/${i}.xel`));
    expect(await filesOfDrop(dropOf(folderEntry("/many", entries)))).toHaveLength(250);
  });

  test("are plain files where the browser knows no entries", async () => {
    const files = await filesOfDrop(dropOf(null));
    expect(files.map(({ path }) => path)).toEqual(["plain.xel"]);
  });
});

test("files of a picker have no folder", () => {
  expect(pickedOf([fileNamed("a.xel")])[0]?.path).toBe("a.xel");
  expect(pickedOf(null)).toEqual([]);
});

test("what can be part of a capture is found by its name; the rest is named, not taken", () => {
  const files = pickedOf(["a.xel", "b.ZIP", "topology.xml", "events.csv", "notes.docx"].map(fileNamed));
  const { taken, leftOut } = sortOut(files);
  expect(taken.map(({ file }) => file.name)).toEqual(["a.xel", "b.ZIP", "topology.xml", "events.csv"]);
  expect(leftOut).toEqual(["notes.docx"]);
});
