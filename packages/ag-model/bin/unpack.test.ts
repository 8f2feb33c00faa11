/** Zips on the command line: their content is read like files with these paths, and no extracted file is left. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFiles } from "@aglens/reference-data/open-files";
import { strToU8, zipSync, type Zippable } from "fflate";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { analyze } from "./analyze.ts";
import { analyzeFiles } from "./analyzed-captures.ts";
import { withFoundFiles } from "./find-files.ts";

const CAPTURE = join(import.meta.dirname, "../../../fixtures/captures/slow-network");
const primary = readdirSync(join(CAPTURE, "primary")).map((name) => `primary/${name}`);
const secondary = readdirSync(join(CAPTURE, "secondary")).map((name) => `secondary/${name}`);
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(join(CAPTURE, path)));
const entriesOf = (paths: readonly string[]): Record<string, Uint8Array> =>
  Object.fromEntries(paths.map((path) => [path, bytesOf(path)]));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "xel-unpack-"));
  // Other tests unpack zips at the same time.
  for (const name of ["TMPDIR", "TEMP", "TMP"]) vi.stubEnv(name, folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function zipped(name: string, entries: Zippable): string {
  const path = join(folder, name);
  writeFileSync(path, zipSync(entries, { level: 1 }));
  return path;
}

const contents = (paths: readonly string[]) =>
  withFoundFiles({ groups: [paths], topologies: [] }, ({ groups: [files], skipped, isDamaged }) =>
    Promise.resolve({
      files: files.map(({ path, name }) => ({ name, bytes: readFileSync(path, "utf8"), path })),
      skipped,
      isDamaged,
    }),
  );

/** The shortest text that is recognized as events, with a mark to identify it. */
const events = (mark: string): string => `<event name="${mark}"></event>`;

describe("a zip", () => {
  test("is its files, beside those that were named themselves", async () => {
    const zip = zipped("night.zip", { "SQL1/a.xml": strToU8(events("1")), "b.xml": strToU8(events("2")) });
    const plain = join(folder, "c.xml");
    writeFileSync(plain, events("3"));
    const { files: found } = await contents([zip, plain]);
    expect(found).toMatchObject([
      { name: `${zip}/SQL1/a.xml`, bytes: events("1") },
      { name: `${zip}/b.xml`, bytes: events("2") },
      { name: plain, bytes: events("3") },
    ]);
    expect(found.map(({ path }) => existsSync(path))).toEqual([false, false, true]);
  });

  test("never writes where an entry says, and what archivers add is left out", async () => {
    const zip = zipped("odd.zip", {
      "../../out.xel": strToU8(events("1")),
      "/tmp/abs.xel": strToU8(events("2")),
      "__MACOSX/._a.xel": strToU8("3"),
      "folder/": new Uint8Array(0),
    });
    const { files: found } = await contents([zip]);
    expect(found.map(({ name }) => name)).toEqual([`${zip}/out.xel`, `${zip}/tmp/abs.xel`]);
    for (const { path } of found) expect(path).toMatch(/aglens-zip-[^/]+\/\d+$/u);
    expect(existsSync(join(folder, "../out.xel"))).toBe(false);
  });

  test.each([
    [
      "is cut off",
      (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 30),
      /ends before its directory/u,
      true,
    ],
    ["inflates like no event file", (bytes: Uint8Array) => bytes, /inflates more than 300 times/u, false],
  ])("that %s is skipped with its name, and nothing of it is left", async (_, damage, sentence, damaged) => {
    const bytes = zipSync({ "a.xel": new Uint8Array(80 * 2 ** 20) }, { level: 9 });
    const path = join(folder, "bomb.zip");
    writeFileSync(path, damage(bytes));
    const { files, skipped, isDamaged } = await contents([path]);
    expect(files).toEqual([]);
    expect(skipped).toEqual([expect.stringMatching(sentence)]);
    expect(skipped[0].startsWith(`Can't read ${path}. `)).toBe(true);
    expect(isDamaged).toBe(damaged);
    expect(tmpdir()).toBe(folder);
    expect(readdirSync(folder)).toEqual(["bomb.zip"]);
    await expect.poll(() => openFiles(folder)).toEqual([]);
  });
});

describe("analysis of a zip", () => {
  test("is that of its files, with the names of its topology", async () => {
    const paths = [...primary, ...secondary];
    const zip = zipped("capture.zip", { ...entriesOf(paths), "topology.xml": bytesOf("topology.xml") });
    const {
      captures: [fromZip, ...more],
    } = await analyzeFiles([zip]);
    expect(more).toEqual([]);
    const {
      captures: [fromFiles],
    } = await analyzeFiles([
      ...paths.map((path) => join(CAPTURE, path)),
      "--topology",
      join(CAPTURE, "topology.xml"),
    ]);
    expect(fromZip.model.replicas).toEqual(fromFiles.model.replicas);
    expect(fromZip.model.blocks).toEqual(fromFiles.model.blocks);
    expect(fromZip.model.files.map(({ name }) => name)).toEqual(paths.map((path) => `${zip}/${path}`));
  });

  test("names servers by the zip's folders where nothing else does", async () => {
    const renamed = (path: string): string =>
      path.replace("primary/", "SQLA/").replace("secondary/", "SQLB/");
    const entries = Object.fromEntries(
      [...primary, ...secondary].map((path) => [renamed(path), bytesOf(path)] as const),
    );
    const {
      captures: [{ model }],
    } = await analyzeFiles([zipped("capture.zip", entries)]);
    expect(model.replicas.map(({ name }) => name)).toEqual(["SQLA", "SQLB"]);
  });

  test("skips a file that isn't an event file, and names it", async () => {
    const zip = zipped("capture.zip", { ...entriesOf(primary), "notes.txt": strToU8("taken at night") });
    const { skipped } = await analyzeFiles([zip]);
    expect(skipped).toEqual([`${zip}/notes.txt isn't an event file and was skipped.`]);
  });

  test("ends with 4 and a sentence where there is no event file", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const zip = zipped("empty.zip", { "notes.txt": strToU8("taken at night") });
    expect(await analyze([zip], () => {})).toBe(4);
    const [sentence, why] = String(said.mock.lastCall![0]).split("\n");
    expect(sentence).toBe(`${zip}/notes.txt isn't an event file and was skipped.`);
    expect(why).toMatch(/^Can't analyze: no file contains events of log blocks\. Provide /u);
  });
});
