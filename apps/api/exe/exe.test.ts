import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { build } from "rolldown";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { COMMAND_SCRIPTS } from "../bundle.ts";
import { ownFolder } from "./places.ts";
import { keepUsed, unpackOnce } from "./unpack.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "aglens-exe-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const zip = zipSync({ "package.json": strToU8("{}"), "apps/api/dist/main.js": strToU8("1") });
const program = (): Uint8Array => zip;

test("the program is unpacked once, and nothing else is left beside it", () => {
  const place = unpackOnce(program, folder, "v1");
  expect(readFileSync(join(place, "apps/api/dist/main.js"), "utf8")).toBe("1");
  writeFileSync(join(place, "package.json"), "changed");
  expect(unpackOnce(program, folder, "v1")).toBe(place);
  expect(readFileSync(join(place, "package.json"), "utf8")).toBe("changed");
  expect(readdirSync(folder)).toEqual(["v1"]);
});

test("the zip is asked for only by the start that unpacks it", () => {
  const asked = vi.fn<() => Uint8Array>(program);
  unpackOnce(asked, folder, "v1");
  unpackOnce(asked, folder, "v1");
  expect(asked).toHaveBeenCalledTimes(1);
});

test("programs that nobody started for 90 days are deleted, others stay", () => {
  const [old, recent, left] = ["v1", "v2", "v2.4711"].map((name) => {
    const place = unpackOnce(program, folder, name);
    return { place, at: (days: number) => utimesSync(place, 0, Date.now() / 1000 - days * 86_400) };
  });
  old?.at(91);
  recent?.at(89);
  left?.at(91);
  unpackOnce(program, folder, "v3");
  expect(readdirSync(folder).toSorted()).toEqual(["v2", "v3"]);
});

test.each([
  ["stays while it runs", keepUsed, ["v1", "v2"]],
  ["is deleted when it has not run since", () => {}, ["v2"]],
] as const)("a program that was started 100 days ago %s", (_, run, left) => {
  vi.useFakeTimers();
  try {
    run(unpackOnce(program, folder, "v1"));
    vi.advanceTimersByTime(100 * 86_400_000);
    unpackOnce(program, folder, "v2");
    expect(readdirSync(folder).toSorted()).toEqual(left);
  } finally {
    vi.useRealTimers();
  }
});

test("another version has a place of its own; what an unfinished start left is no program", () => {
  const before = unpackOnce(program, folder, "v1");
  writeFileSync(join(folder, `v2.${process.pid}`), "half");
  const after = unpackOnce(program, folder, "v2");
  expect(after).not.toBe(before);
  expect(readdirSync(folder).toSorted()).toEqual(["v1", "v2"]);
  expect(readdirSync(after).toSorted()).toEqual(["apps", "package.json"]);
});

test.each([
  ["win32", { LOCALAPPDATA: "D:\\Local" }, "C:\\Users\\dba", "D:\\Local\\AG Lens"],
  ["win32", {}, "C:\\Users\\dba", "C:\\Users\\dba\\AppData\\Local\\AG Lens"],
  ["darwin", {}, "/Users/dba", "/Users/dba/Library/Application Support/AG Lens"],
  ["linux", { XDG_DATA_HOME: "/data" }, "/home/dba", "/data/ag-lens"],
  ["linux", { XDG_DATA_HOME: "" }, "/home/dba", "/home/dba/.local/share/ag-lens"],
])("on %s with %j it keeps what it has in the user's own folder", (platform, environment, home, expected) => {
  expect(ownFolder(platform, environment, home)).toBe(expected);
});

test("the commands of the executable load as it loads them, and run", async () => {
  await build({
    platform: "node",
    input: COMMAND_SCRIPTS,
    external: /^(?:@duckdb\/node-api|@napi-rs\/canvas)$/u,
    output: { dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "shared-[name].js" },
  });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const load = `require("node:module").createRequire(${JSON.stringify(join(folder, "package.json"))})("./xel.js")`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["-e", load, "--", "xel", "session", "create"],
    {
      encoding: "utf8",
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("CREATE EVENT SESSION");
}, 60_000);
