import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { environmentFor, v8SettingsFor } from "./memory.ts";

const folder = mkdtempSync(join(tmpdir(), "aglens-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A sparse file: it has a size and uses no disk space. */
function fileOf(name: string, megabytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  truncateSync(path, megabytes * 2 ** 20);
  return path;
}

const large = [fileOf("a.xel", 200), fileOf("b.xel", 100)];
const small = fileOf("c.xel", 200);

const day = fileOf("d.xel", 5000);

const env = { HOME: "/home/dba" };
const given = (files: readonly string[]) => ({ platform: "linux" as const, env, files });

test("with many bytes to read the program asks for another way to have its memory, and keeps its environment", () => {
  expect(environmentFor(given(large))).toEqual({
    HOME: "/home/dba",
    MALLOC_ARENA_MAX: "1",
    MALLOC_MMAP_THRESHOLD_: "16777216",
  });
});

test.each([
  ["few bytes", given([small])],
  ["files that are not there, and standard input", given([join(folder, "none"), "-"])],
  ["another system", { ...given(large), platform: "win32" as const }],
  [
    "somebody's own setting, or the second start",
    { ...given(large), env: { ...env, MALLOC_ARENA_MAX: "4" } },
  ],
])("with %s it goes on as it is", (_, start) => {
  expect(environmentFor(start)).toBeNull();
});

test("garbage may wait, but not where memory is short", () => {
  const flag = "--external-memory-accounted-in-global-limit";
  expect(v8SettingsFor(large)).toContain(flag);
  expect(v8SettingsFor([day])).not.toContain(flag);
});

test.runIf(process.platform === "linux")(
  "it starts anew once, with Node's own arguments, and ends as it would have",
  () => {
    const shown =
      "data:text/javascript,import{isMainThread}from'node:worker_threads';isMainThread&&console.log(process.pid,process.env.MALLOC_ARENA_MAX)";
    const run = ["--import", shown, fileURLToPath(new URL("xel.ts", import.meta.url)), "analyze", ...large];
    const { MALLOC_ARENA_MAX: _, MALLOC_MMAP_THRESHOLD_: __, ...rest } = process.env;
    const { status, stdout, stderr, pid } = spawnSync(process.execPath, run, {
      env: rest,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stdout.split("\n")).toEqual([`${pid} undefined`, `${pid} 1`, ""]);
    expect(stderr.match(/isn't an event file/gu)).toHaveLength(2);
    expect(stderr).toContain("Can't analyze");
    expect(status).toBe(4);
  },
);
