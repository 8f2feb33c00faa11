import { describe, expect, test } from "vitest";
import { captureOf } from "../../../../test/capture.ts";
import { evidence } from "../../../../test/evidence-file.ts";
import { filesOfDrop, type PickedFile, pickedOf, sortOut } from "./picked-files.ts";

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

  test("are read by handles where the browser has them: entries of a page from a disk can't be read", async () => {
    const file = (name: string) => ({ kind: "file", name, getFile: () => Promise.resolve(fileNamed(name)) });
    const folder = (name: string, inside: readonly object[]) => ({
      kind: "directory",
      name,
      // oxlint-disable-next-line typescript/require-await -- handles arrive later
      async *values() {
        yield* inside;
      },
    });
    const handle = folder("case", [folder("SQL1", [file("ERRORLOG")]), file("topology.xml")]);
    const items = [
      {
        webkitGetAsEntry: () => ({ isFile: false }) as FileSystemEntry,
        getAsFileSystemHandle: () => Promise.resolve(handle as unknown as FileSystemHandle),
      },
    ];
    const files = await filesOfDrop({ files: [] as unknown as FileList, items });
    expect(files.map(({ path, handle: own }) => [path, own?.name])).toEqual([
      ["case/SQL1/ERRORLOG", "ERRORLOG"],
      ["case/topology.xml", "topology.xml"],
    ]);
  });

  test("are plain files where the browser knows no entries", async () => {
    const files = await filesOfDrop(dropOf(null));
    expect(files.map(({ path }) => path)).toEqual(["plain.xel"]);
  });

  test("are plain files without entries, also where their handles never arrive", async () => {
    const item = { webkitGetAsEntry: () => null, getAsFileSystemHandle: () => new Promise<null>(() => {}) };
    const files = await filesOfDrop({
      files: [fileNamed("plain.xel")] as unknown as FileList,
      items: [item],
    });
    expect(files.map(({ path }) => path)).toEqual(["plain.xel"]);
  });
});

test("files of a picker have no folder", () => {
  expect(pickedOf([fileNamed("a.xel")])[0]?.path).toBe("a.xel");
  expect(pickedOf(null)).toEqual([]);
});

test("without facts of evidence files, what can be part of a capture is found by its name; the rest is named, not taken", async () => {
  const files = pickedOf(["a.xel", "b.ZIP", "topology.xml", "events.csv", "notes.docx"].map(fileNamed));
  const { taken, leftOut } = await sortOut(files);
  expect(taken.map(({ file }) => file.name)).toEqual(["a.xel", "b.ZIP", "topology.xml", "events.csv"]);
  expect(leftOut).toEqual(["notes.docx"]);
});

describe("files of a support folder", () => {
  const LINE = "2026-05-14 02:16:30.00 spid42s     text\n";
  const CLUSTER = "00000b54.00000f8c::2026/05/14-02:16:30.123 INFO  [RES] SQL\n";
  const textFile = (path: string, line: string, bytes: number): PickedFile => {
    const text = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
    return { file: new File([text], path.replace(/^.*\//u, "")), path };
  };
  const sizes = (files: readonly PickedFile[]) =>
    files.map(({ path, file, completeBytes }) => [path, file.size, completeBytes]);

  test("are all taken, of large ones without a use the beginning", async () => {
    const files = [
      textFile("case/SQL1/ERRORLOG", LINE, 2_000_000),
      textFile("case/SQL1/SQL1_cluster.log", CLUSTER, 2_000_000),
      textFile("case/SQL1/small_cluster.log", CLUSTER, 500_000),
      textFile("case/.DS_Store", "x", 6_000),
      { file: new File(["PK\u0003\u0004"], "more.zip"), path: "case/more.zip" },
    ];
    const { taken, leftOut } = await sortOut(files);
    expect(leftOut).toEqual([]);
    expect(sizes(taken)).toEqual([
      ["case/SQL1/ERRORLOG", 2_000_000, undefined],
      ["case/SQL1/SQL1_cluster.log", 262_144, 2_000_000],
      ["case/SQL1/small_cluster.log", 500_000, undefined],
      ["case/more.zip", 4, undefined],
    ]);
    expect(await taken[1].file.text()).toBe((await files[1].file.text()).slice(0, 262_144));
  });

  test("that are added to a folder are taken, whatever they are", async () => {
    const files = [textFile("SQL1_cluster.log", CLUSTER, 500)];
    expect((await sortOut(files)).leftOut).toEqual(["SQL1_cluster.log"]);
    const capture = captureOf({ files: [evidence("ERRORLOG", "errorlog")] });
    expect((await sortOut(files, capture)).taken).toEqual(files);
  });

  test("of an analyzed capture are not those that need another analysis", async () => {
    const topology = {
      file: new File(["<AGInfoRoot><a/></AGInfoRoot>"], "topology.xml"),
      path: "topology.xml",
    };
    const errorlog = textFile("ERRORLOG", LINE, 500);
    const sorted = await sortOut([topology, errorlog], captureOf({ state: "ready", files: [] }));
    expect(sorted).toEqual({ taken: [errorlog], leftOut: [], needAnalysis: ["topology.xml"] });
  });

  test("that can't be read any more are taken: their receipt names the fault", async () => {
    const gone = textFile("ERRORLOG", LINE, 500);
    gone.file.slice = () => {
      throw new DOMException("The file is gone.", "NotFoundError");
    };
    const files = [gone, textFile("ERRORLOG.1", LINE, 500)];
    expect((await sortOut(files)).taken).toEqual(files);
  });
});
